"""One walk over the body, in document order: text, headings, links in their places.

The engine walks at the speed of C but says nothing when an element ends. Ends are found by counting:
an element is over when as many characters have passed as its text is long. Blocks, whose text is too
long to be measured each time, need only a gap before whatever follows them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lagotto.base.records import HIDDEN
from lagotto.parse.engine import Element, Node, Text
from lagotto.parse.links import Anchor

MAX_LINKS = 10_000
MAX_HEADINGS = 500
MAX_HEADING = 300
PATH_STEPS = 8
"""A DOM path keeps its last steps: what is far above a link says little about it."""
MAX_CLASS = 24
MAX_ALT = 500

_UNSEEN = (
    '[hidden], [aria-hidden="true"], [style*="display:none"], [style*="display: none"],'
    ' [style*="visibility:hidden"], [style*="visibility: hidden"], [style*="font-size:0"],'
    ' [style*="left:-9999"], [style*="left: -9999"]'
)
"""What readers do not see, with all that is in it."""

# The parser never lets a NUL into text, so it can stand for the border of a block.
_LINE = "\0"
_SPACE = " "
_LINES = (
    "address article blockquote br caption center dd details dialog dir div dl dt fieldset figcaption"
    " figure form hgroup hr legend li main menu noscript ol p pre search section summary table tbody tfoot"
    " thead tr ul"
)
_SPACES = "button input label meter output progress rt td th"
_GAPS = {**dict.fromkeys(_LINES.split(), _LINE), **dict.fromkeys(_SPACES.split(), _SPACE)}
_NEVER = 1 << 62


class Walk:
    """Collects what the body holds."""

    def __init__(self, anchors: list[Anchor]) -> None:
        self.anchors = anchors
        self.headings: list[str] = []
        self.surplus = 0
        self._pieces: list[str] = []
        self._passed = 0
        """Characters of the document that have passed."""
        self._gaps = 0
        """Gaps that were put between them."""
        self._gap_before: dict[Node, str] = {}
        self._ends: list[tuple[int, Callable[[Walk, Any], None], object]] = []
        self._next_end = _NEVER
        self._heading = ""
        self._asides: list[tuple[int, int]] = []
        self._in_aside = False
        self._by_target: dict[str, Anchor] = {}
        self._paths: dict[Node, str] = {}
        self._last_link: tuple[Element, Anchor] | None = None

    def read(self, body: Element) -> None:
        """Walk over all nodes below the body."""
        add = self._pieces.append
        gap_before = self._gap_before
        gap_of, action_of = _GAPS.get, _ACTIONS.get
        for node in body.descendants:
            if gap_before and node in gap_before:
                self._put_gap(gap_before.pop(node))
            if type(node) is Text:
                data = node.data
                add(data)
                self._passed = passed = self._passed + len(data)
                if passed >= self._next_end:
                    self._close(passed)
            elif type(node) is Element:
                tag = node.tag
                if gap := gap_of(tag):
                    self._border(node, gap)
                elif action := action_of(tag):
                    action(self, node)
        self._close(_NEVER)

    def whole_text(self) -> str:
        """All text, white space as in the source, the positions of anchors counted in it."""
        return "".join(self._pieces).replace(_LINE, _SPACE)

    def main_text(self) -> str:
        """Text outside navigation, headers, footers and asides, if there is any; a line a block."""
        whole = "".join(self._pieces)
        kept: list[str] = []
        position = 0
        for start, end in self._asides:
            kept.append(whole[position:start])
            position = end
        kept.append(whole[position:])
        return _lines(_LINE.join(kept)) or _lines(whole)

    def _put_gap(self, gap: str) -> None:
        self._pieces.append(gap)
        self._gaps += 1

    def _border(self, element: Element, gap: str) -> None:
        """Put a gap before the element, and one after it if what follows brings none itself."""
        self._pieces.append(gap)
        self._gaps += 1
        follower = element.next_sibling
        if type(follower) is Text:
            if not follower.data[:1].isspace():
                self._gap_before[follower] = gap
        elif type(follower) is Element and follower.tag not in _GAPS:
            self._gap_before[follower] = gap

    def _at_end(self, length: int, action: Callable[[Walk, Any], None], argument: object) -> None:
        """Call a function after so many more characters; inner elements end first."""
        if not length:
            action(self, argument)
            return
        self._next_end = self._passed + length
        self._ends.append((self._next_end, action, argument))

    def _close(self, passed: int) -> None:
        ends = self._ends
        while ends and ends[-1][0] <= passed:
            _, action, argument = ends.pop()
            action(self, argument)
        self._next_end = ends[-1][0] if ends else _NEVER

    def _read_heading(self, element: Element) -> None:
        self._border(element, _LINE)
        text = element.text
        heading = " ".join(text.split())[:MAX_HEADING]
        if heading:
            self._at_end(len(text), Walk._end_heading, heading)

    def _end_heading(self, heading: str) -> None:
        self._heading = heading
        if len(self.headings) < MAX_HEADINGS:
            self.headings.append(heading)

    def _read_aside(self, element: Element) -> None:
        self._border(element, _LINE)
        if not self._in_aside:
            self._in_aside = True
            self._at_end(len(element.text), Walk._end_aside, self._passed + self._gaps)

    def _end_aside(self, start: int) -> None:
        self._in_aside = False
        self._asides.append((start, self._passed + self._gaps))

    def _read_banner(self, element: Element) -> None:
        """A header or footer of the page is an aside; that of an article is part of its text."""
        if element.closest("article, main") is None:
            self._read_aside(element)
        else:
            self._border(element, _LINE)

    def _read_a(self, element: Element) -> None:
        href = element.attr("href")
        if href is None:
            href = element.attr("xlink:href")
            if href is None:
                return
        anchor = self._anchor(element, href)
        if anchor is not None:
            self._last_link = (element, anchor)
            text = element.text
            if not anchor.label and not text.strip():
                anchor.label = _label(element)
            if len(text) > anchor.length:
                place = (anchor, anchor.length < 0, self._passed + self._gaps)
                anchor.length = len(text)
                self._at_end(len(text), Walk._end_a, place)

    def _end_a(self, place: tuple[Anchor, bool, int]) -> None:
        anchor, first, start = place
        anchor.text_start = start
        anchor.text_end = self._passed + self._gaps
        if first:
            anchor.end = anchor.text_end

    def _read_img(self, element: Element) -> None:
        alt = element.attr("alt")
        # A link without text is over before its picture comes, so ask the tree what surrounds the picture.
        if alt and self._last_link is not None and element.closest("a") == self._last_link[0]:
            anchor = self._last_link[1]
            if alt not in anchor.alt and len(anchor.alt) < MAX_ALT:
                anchor.alt = f"{anchor.alt} {alt}".strip()

    def _read_area(self, element: Element) -> None:
        href = element.attr("href")
        anchor = None if href is None else self._anchor(element, href)
        if anchor is not None:
            anchor.alt = anchor.alt or element.attr("alt") or ""

    def _read_frame(self, element: Element) -> None:
        source = element.attr("src")
        anchor = self._anchor(element, source) if source else None
        if anchor is not None:
            anchor.label = anchor.label or _label(element)

    def _anchor(self, element: Element, href: str) -> Anchor | None:
        """The anchor for a target: of several links to it the first counts, but for a longer text."""
        target = href.partition("#")[0] if "#" in href else href
        known = self._by_target.get(target)
        if known is not None:
            return known
        if len(self.anchors) >= MAX_LINKS:
            self.surplus += 1
            return None
        rel = element.attr("rel")
        if rel and "nofollow" in rel.lower() and element.closest(_UNSEEN) is not None:
            rel = f"{rel} {HIDDEN}"
        place = self._passed + self._gaps
        anchor = Anchor(
            target,
            " ".join(rel.lower().split()) if rel else "",
            self._path(element),
            self._heading,
            start=place,
            end=place,
        )
        self._by_target[target] = anchor
        self.anchors.append(anchor)
        return anchor

    def _path(self, element: Element) -> str:
        """The last elements down to this one, each with its first class, such as `ul.menu>li>a`."""
        known = self._paths
        new: list[tuple[Element, str]] = []
        node: Node | None = element
        path = ""
        while type(node) is Element and len(new) < PATH_STEPS:
            if node in known:
                path = known[node]
                break
            tag = node.tag
            if tag == "body" or tag == "html":
                break
            new.append((node, tag))
            node = node.parent
        for node, tag in reversed(new):
            classes = node.attr("class")
            step = _step(tag, classes) if classes else tag
            path = f"{path}>{step}" if path else step
            if path.count(">") >= PATH_STEPS:
                path = path.partition(">")[2]
            known[node] = path
        return path


def _label(element: Element) -> str:
    """What an element calls itself where it has no text."""
    return element.attr("title") or element.attr("aria-label") or ""


def _step(tag: str, classes: str) -> str:
    names = classes.split(None, 1)
    return f"{tag}.{names[0][:MAX_CLASS]}" if names else tag


def _lines(text: str) -> str:
    """White space within blocks to single spaces, a line for each block that is not empty."""
    return "\n".join(map(" ".join, filter(None, map(str.split, text.split(_LINE)))))


_ACTIONS: dict[str, Callable[[Walk, Element], None]] = {
    "a": Walk._read_a,
    "area": Walk._read_area,
    "footer": Walk._read_banner,
    "frame": Walk._read_frame,
    "header": Walk._read_banner,
    "iframe": Walk._read_frame,
    "img": Walk._read_img,
    **dict.fromkeys(("aside", "audio", "canvas", "nav", "video"), Walk._read_aside),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), Walk._read_heading),
}
