"""Blocks of a document's text, and what can be measured of each: where it stands, how it is written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from lagotto.parse.engine import Element, Text

MOST_ELEMENTS = 60_000
"""Elements that are looked at; what comes after them on a larger page is kept as it is."""
_LONG_NAMES = 200
_SHORT_TEXT = 12
"""Words of a block up to which its words are looked up."""

_OWNERS = {
    name: place
    for place, names in enumerate(
        (
            "p",
            "li",
            "h1",
            "h2",
            "h3",
            "h4 h5 h6",
            "td th",
            "div",
            "pre",
            "dt dd",
            "blockquote",
            "section article",
        )
    )
    for name in names.split()
}
_OTHER_OWNER = 12
_AROUND = (
    *("nav", "header", "footer", "aside", "main", "article", "form", "table", "list", "section", "figure"),
    *("quote", "hidden", "label", "definitions"),
)
_FLAGS = {name: 1 << place for place, name in enumerate(_AROUND)}
_TAG_FLAGS = {
    **{
        name: _FLAGS[name]
        for name in ("nav", "header", "footer", "aside", "main", "article", "form", "table")
    },
    **dict.fromkeys(("ul", "ol", "menu"), _FLAGS["list"]),
    **dict.fromkeys(("blockquote", "pre"), _FLAGS["quote"]),
    "section": _FLAGS["section"],
    "figure": _FLAGS["figure"],
    "figcaption": _FLAGS["figure"],
    "fieldset": _FLAGS["label"],
    "details": _FLAGS["label"],
    "dl": _FLAGS["definitions"],
}
_ROLE_FLAGS = {
    "navigation": _FLAGS["nav"],
    "menu": _FLAGS["nav"],
    "menubar": _FLAGS["nav"],
    "toolbar": _FLAGS["nav"],
    "banner": _FLAGS["header"],
    "contentinfo": _FLAGS["footer"],
    "complementary": _FLAGS["aside"],
    "search": _FLAGS["form"],
    "main": _FLAGS["main"],
    "article": _FLAGS["article"],
    "dialog": _FLAGS["hidden"],
    "alertdialog": _FLAGS["hidden"],
    "presentation": 0,
}
_BLOCK_NAMES = (
    "address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure"
    " footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol p pre search section summary"
    " table tbody td tfoot th thead tr ul"
)
_BLOCK_TAGS = frozenset(_BLOCK_NAMES.split())
_parts = re.compile(r"[A-Z]?[a-z]+|[A-Z]+").findall
_words = re.compile(r"\w+").findall
_hidden = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden").search


class Block(NamedTuple):
    """A stretch of text between two borders of block elements."""

    owner: int
    """Place of the block element that it stands in."""
    nodes: list[Text]
    text: str
    linked: int
    """Characters that stand in links."""
    links: int


class Blocks(NamedTuple):
    """The blocks of a body, and the block elements around them."""

    blocks: list[Block]
    elements: list[Element]
    parents: list[int]
    flags: list[int]
    depths: list[int]
    tags: list[str]
    names: list[str]
    """Class and id of each element."""


def read_blocks(body: Element) -> Blocks:
    """One walk over all nodes below a body."""
    found = Blocks([], [body], [0], [0], [0], ["body"], [_names(body)])
    blocks, elements, parents, flags, depths, tags, names = found
    nodes: list[Text] = []
    pieces: list[str] = []
    linked = links = 0
    owner = in_link = 0
    # The children still to come, and what to go back to after them: owner, or -1 for an inline element.
    stack = [(iter(body.children), 0, 0)]
    while stack:
        children, back, was_linked = stack[-1]
        for node in children:
            if type(node) is Text:
                data = node.data
                if data and not data.isspace():
                    pieces.append(data)
                    nodes.append(node)
                    if in_link:
                        linked += len(data.strip())
                elif pieces:
                    pieces.append(" ")
            elif type(node) is Element:
                tag = node.tag
                if tag in _BLOCK_TAGS:
                    if nodes:
                        blocks.append(Block(owner, nodes, "".join(pieces), linked, links))
                        nodes = []
                    pieces, linked, links = [], 0, 0
                    within = node.children
                    if within and len(elements) < MOST_ELEMENTS:
                        stack.append((iter(within), owner, in_link))
                        parents.append(owner)
                        flags.append(flags[owner] | _TAG_FLAGS.get(tag, 0) | _flags(node))
                        depths.append(depths[owner] + 1)
                        names.append(_names(node))
                        tags.append(tag)
                        owner = len(elements)
                        elements.append(node)
                        break
                elif tag == "br":
                    pieces.append("\n")
                else:
                    within = node.children
                    if within:
                        stack.append((iter(within), -1, in_link))
                        if tag == "a":
                            in_link = 1
                            links += 1
                        break
        else:
            stack.pop()
            in_link = was_linked
            if back >= 0:
                if nodes:
                    blocks.append(Block(owner, nodes, "".join(pieces), linked, links))
                    nodes = []
                pieces, linked, links = [], 0, 0
                owner = back
    if nodes:
        blocks.append(Block(0, nodes, "".join(pieces), linked, links))
    return found


def _names(element: Element) -> str:
    classes, name = element.attr("class"), element.attr("id")
    if not classes:
        return str(name or "")[:_LONG_NAMES]
    return f"{classes} {name}"[:_LONG_NAMES] if name else str(classes)[:_LONG_NAMES]


def _flags(element: Element) -> int:
    role, style = element.attr("role"), element.attr("style")
    flags = _ROLE_FLAGS.get(str(role), 0) if role else 0
    unseen = element.attr("aria-hidden") == "true" or element.attr("hidden") is not None
    if unseen or (style and _hidden(str(style))):
        flags |= _FLAGS["hidden"]
    return flags


def name_words(names: str) -> frozenset[str]:
    """Whole names of classes and ids without their digits, and the words that they are made of.

    >>> sorted(name_words("postBody main-nav"))
    ['body', 'main', 'main-nav', 'nav', 'post', 'postbody']
    """
    return frozenset().union(*map(_words_of, names.split()))


@lru_cache(maxsize=20_000)
def _words_of(name: str) -> frozenset[str]:
    parts = [part.lower() for part in _parts(name)]
    whole = [name.lower().strip("-_0123456789")] if len(parts) > 1 else []
    return frozenset([*(part for part in parts if len(part) > 1), *whole])


def text_words(text: str) -> list[str]:
    """Words of a short block, numbers as one."""
    words = text.lower().split()
    if len(words) > _SHORT_TEXT:
        return []
    return ["0" if word.isdecimal() else word for word in _words(" ".join(words))]


class Weights(NamedTuple):
    """What words say: positive where they speak for content."""

    names: Mapping[str, float]
    texts: Mapping[str, float]
    known: dict[str, float]
    """Class and id -> their words' sum, filled as they come."""


def _name_score(names: str, weights: Weights) -> float:
    if not names:
        return 0.0
    known = weights.known
    score = known.get(names)
    if score is None:
        if len(known) > 20_000:
            known.clear()
        get = weights.names.get
        score = known[names] = sum(get(word, 0.0) for word in name_words(names))
    return score


NEIGHBOURS = (-3, -2, -1, 1, 2, 3)


def measure(found: Blocks, weights: Weights) -> np.ndarray:
    """A row of numbers for each block."""
    blocks, _, parents, flags, depths, tags_of, names = found
    count = len(parents)
    scores = [_name_score(name, weights) for name in names]
    sums, lows, highs = scores[:], scores[:], scores[:]
    seconds = [0.0] * count
    for place in range(1, count):
        parent = parents[place]
        sums[place] += 0.8 * sums[parent]
        if lows[parent] < lows[place]:
            lows[place] = lows[parent]
        if highs[parent] > highs[place]:
            highs[place] = highs[parent]
        seconds[place] = scores[parent]
    own = np.array([_own(block) for block in blocks], np.float32).reshape(len(blocks), -1)
    texts = weights.texts.get
    said = np.array([sum(texts(word, 0.0) for word in text_words(b.text)) for b in blocks], np.float32)
    owners = np.array([block.owner for block in blocks], np.intp)
    # Sums over all that stands below an element; a parent comes before its children.
    length = np.zeros(count)
    linked = np.zeros(count)
    stops = np.zeros(count)
    number = np.zeros(count)
    np.add.at(length, owners, own[:, 0])
    np.add.at(linked, owners, own[:, 1])
    np.add.at(stops, owners, own[:, 2])
    np.add.at(number, owners, 1)
    below = [column.tolist() for column in (length, linked, stops, number)]
    for column in below:
        for place in range(count - 1, 0, -1):
            column[parents[place]] += column[place]
    totals = np.array(below)
    up = np.array(parents, np.intp)
    container = up[owners]
    outer = up[container]
    outmost = up[outer]
    whole = totals[:, :1]
    chars, links = own[:, 0], own[:, 1]
    share = links / np.maximum(chars, 1)
    bits = np.array(flags)[owners]
    columns = [
        np.log1p(chars),
        share,
        np.log1p(own[:, 3]),
        own[:, 2] / np.maximum(own[:, 3], 1),
        np.log1p(own[:, 2]),
        *own[:, 4:].T,
        said,
        np.minimum(np.abs(said), 3) * np.sign(said),
        np.array(sums)[owners],
        np.array(lows)[owners],
        np.array(highs)[owners],
        np.array(scores)[owners],
        np.array(seconds)[owners],
        np.array(depths)[owners] / 10,
        *((bits[:, None] >> np.arange(len(_AROUND))) & 1).T,
    ]
    for around in (owners, container, outer, outmost):
        size = np.maximum(totals[0, around], 1)
        columns += [
            np.log1p(totals[0, around]),
            totals[1, around] / size,
            100 * totals[2, around] / size,
            np.log1p(totals[3, around]),
            totals[0, around] / np.maximum(whole[0], 1),
        ]
    before = np.cumsum(chars) - chars
    tags = np.array([_OWNERS.get(tags_of[block.owner], _OTHER_OWNER) for block in blocks], np.intp)
    headings = np.cumsum(tags == 2) - (tags == 2)
    columns += [
        before / np.maximum(whole[0], 1),
        np.log1p(np.arange(len(blocks))),
        np.log1p(np.arange(len(blocks))[::-1]),
        np.minimum(headings, 2),
        np.broadcast_to(headings[-1:] if len(blocks) else 0.0, len(blocks)),
        *(tags[:, None] == np.arange(_OTHER_OWNER + 1)).T,
    ]
    columns += [
        np.broadcast_to(value, len(blocks))
        for value in (
            np.log1p(whole[0, 0]),
            whole[1, 0] / max(whole[0, 0], 1),
            np.log1p(whole[3, 0]),
            100 * whole[2, 0] / max(whole[0, 0], 1),
            float((bits & _FLAGS["main"]).any()),
            float((bits & _FLAGS["article"]).any()),
            chars[(bits & _FLAGS["main"]) > 0].sum() / max(whole[0, 0], 1),
            chars[(bits & _FLAGS["article"]) > 0].sum() / max(whole[0, 0], 1),
        )
    ]
    rows = np.stack([np.asarray(column, np.float32) for column in columns], axis=1)
    near = np.stack(
        [rows[:, 0], share, columns[3], said, np.array(sums)[owners], (tags >= 2) & (tags <= 5), tags == 0],
        axis=1,
    ).astype(np.float32)
    wide = np.zeros((len(blocks) + 6, near.shape[1]), np.float32)
    wide[3:-3] = near
    neighbours = [wide[3 + step : 3 + step + len(blocks)] for step in NEIGHBOURS]
    # How much of what is near stands in the same element.
    same = np.full(len(blocks) + 2, -1, np.intp)
    same[1:-1] = container
    alike = np.stack([same[:-2] == container, same[2:] == container], axis=1).astype(np.float32)
    return np.concatenate([rows, *neighbours, alike], axis=1)


def _own(block: Block) -> tuple[float, ...]:
    """Characters, linked characters, stops, words, and how it is written."""
    text = block.text.strip()
    size = len(text)
    words = text.count(" ") + 1
    last = text[-1]
    return (
        size,
        block.linked,
        text.count(". ") + text.count(", ") + (last in ".!?…。"),
        words,
        last in ".!?…。",
        last in ":",
        text[0].isupper(),
        text.isupper(),
        sum(map(text.count, "0123456789")) / size if size < 60 else 0.0,
        "|" in text or "»" in text or "·" in text,
        "©" in text,
        min(block.links, 10) / 10,
        min(text.count("\n"), 10) / 10,
    )
