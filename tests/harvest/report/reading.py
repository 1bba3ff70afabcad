"""A page as a browser would read it: its elements, and the text of each."""

from __future__ import annotations

from html.parser import HTMLParser

EMPTY = {"meta", "path", "rect", "circle", "br"}
"""Elements without an end."""


class ReadPage(HTMLParser):
    """Elements with their attributes, texts, and what was not closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[str] = []
        self.wrong: list[str] = []
        self._open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in EMPTY:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in EMPTY:
            return
        if not self._open or self._open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        """All text of the page, white space joined."""
        return " ".join(" ".join(self.texts).split())

    @property
    def links(self) -> list[str]:
        return [attributes["href"] for tag, attributes in self.elements if "href" in attributes]
