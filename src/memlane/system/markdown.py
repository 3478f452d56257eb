"""A page of Markdown as blocks: paragraphs and list items with the heading they stand under. No code, no tables.

markdown-it-py says where each block is; its words are the page's own lines, so that what was marked stays marked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])(?:\s+|$)")
_FIELD = re.compile(r"([A-Za-z][\w-]*):\s*(.*)$")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_NESTED = 2  # columns from which a line belongs to the item above it
_UNREAD = ("fence", "code_block", "table_open", "hr", "heading_open")
_QUOTED = ("blockquote_open", "blockquote_close")


@dataclass(slots=True)
class MarkdownBlock:
    """A paragraph or a list item, with its first line's number and what introduces it."""

    line: int
    item: bool
    heading: str
    level: int  # of the heading; 0: none
    intro: str = ""
    lines: list[str] = field(default_factory=list[str])

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.lines).strip()


def front_matter(text: str) -> tuple[Mapping[str, str], int]:
    """The plain fields between two --- at the very top, and how many lines they take."""
    lines = text.split("\n")
    if lines[0].strip() != "---":
        return {}, 0
    for end, line in enumerate(lines[1:], 1):
        if line.strip() == "---":
            found = (_FIELD.match(line) for line in lines[1:end])
            return {f[1].lower(): f[2].strip("\"' ") for f in found if f}, end + 1
    return {}, 0


def blocks(text: str) -> Sequence[MarkdownBlock]:
    """In order. Everything in a fence, a table, a comment or indented like code is passed over."""
    _fields, first = front_matter(text)
    shown = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
    lines = [line.rstrip() if number >= first else "" for number, line in enumerate(shown.split("\n"))]
    return _MarkdownPage(lines).blocks()


@cache
def _parser() -> MarkdownIt:
    """Raw HTML and the targets of links are words like others here."""
    return MarkdownIt("commonmark").enable("table").disable(["html_block", "reference", "inline", "text_join"])


class _MarkdownPage:
    """Where reading stands: the heading, the item that may go on, and what introduces it."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._tokens = [
            token for token in _parser().parse("\n".join(lines).replace("\r", " ")) if token.type not in _QUOTED
        ]
        self._heading, self._level, self._intro = "", 0, ""
        self._last: MarkdownBlock | None = None

    def blocks(self) -> Sequence[MarkdownBlock]:
        made = list[MarkdownBlock]()
        within = 0  # lines of an item are taken once, with all that is nested in it
        for number, token in enumerate(self._tokens):
            if token.map is None or token.map[0] < within:
                continue
            if token.type == "heading_open":
                self._heading, self._level = self._tokens[number + 1].content, len(token.markup)
                self._intro, self._last = "", None
            elif token.type in ("hr", "table_open"):
                self._last = None
            elif token.type == "list_item_open":
                within = token.map[1]
                made += self._block(token, self._unread(number + 1, within), item=True)
            elif token.type == "paragraph_open":
                made += self._block(token, frozenset(), item=False)
        return [block for block in made if block.text]

    def _unread(self, begin: int, end: int) -> frozenset[int]:
        """Lines of code and tables within an item."""
        inner = (t.map for t in self._tokens[begin:] if t.type in _UNREAD and t.map and t.map[0] < end)
        return frozenset(line for place in inner for line in range(*place))

    def _block(self, token: Token, unread: frozenset[int], *, item: bool) -> Sequence[MarkdownBlock]:
        first, end = token.map or (0, 0)
        rows = [n for n in range(first, end) if n not in unread and self._lines[n].strip(" >\t")]
        rows = [n for n in rows if not self._lines[n].lstrip().startswith("|")]
        if not rows:
            return ()
        nested = self._lines[first].startswith(" " * _NESTED)
        if nested and self._last is not None and self._last.item:
            self._last.lines += [_inner(self._lines[n]) for n in rows]
            return ()
        opening = self._lines[rows[0]].strip().removeprefix("> ")
        text = [_ITEM.sub("", opening, count=1) if item else opening, *(_inner(self._lines[n]) for n in rows[1:])]
        block = MarkdownBlock(rows[0] + 1, item, self._heading, self._level, self._intro if item else "", text)
        self._last = block
        if not item:  # one that ends in a colon stands before the list that follows; any other ends it
            self._intro = block.text.replace("\n", " ") if block.text.endswith(":") else ""
        return (block,)


def _inner(line: str) -> str:
    return line[_NESTED:] if _ITEM.match(line) and line.startswith(" " * _NESTED) else line.strip().removeprefix("> ")
