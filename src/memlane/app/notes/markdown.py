"""A page of Markdown as blocks: paragraphs and list items with the heading they stand under. No code, no tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*$")
_ITEM = re.compile(r"(\s*)(?:[-*+]|\d{1,3}[.)])\s+(.*)$")
_RULE = re.compile(r"\s*([-*_=])(?:\s*\1){2,}\s*$")
_FIELD = re.compile(r"([A-Za-z][\w-]*):\s*(.*)$")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
CODE_INDENT = 4
NESTED = 2  # columns from which an item belongs to the one above it


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


def blocks(text: str) -> Iterator[MarkdownBlock]:
    """In order. Everything in a fence, a table, a comment or indented like code is passed over."""
    page = _MarkdownReader()
    _fields, first = front_matter(text)
    shown = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
    for number, line in enumerate(shown.split("\n"), 1):
        if number > first:
            yield from page.read(number, line.rstrip())
    yield from page.close()


class _MarkdownReader:
    """Where reading stands: the heading, the block that is open, and what introduced it."""

    def __init__(self) -> None:
        self._heading, self._level, self._intro = "", 0, ""
        self._block: MarkdownBlock | None = None
        self._fence = ""
        self._blank = False

    def read(self, number: int, line: str) -> Iterator[MarkdownBlock]:
        if self._fenced(line):
            return
        if not line:
            self._blank = True
            if self._block is not None and not self._block.item:
                yield from self.close()
            return
        if titled := _HEADING.match(line):
            yield from self.close()
            self._heading, self._level, self._intro = titled[1], len(line) - len(line.lstrip("#")), ""
        elif _RULE.match(line) or line.lstrip().startswith("|"):
            yield from self.close()
        else:
            yield from self._words(number, line)
        self._blank = False

    def _words(self, number: int, line: str) -> Iterator[MarkdownBlock]:
        item, block = _ITEM.match(line), self._block
        if item and not (block is not None and block.item and len(item[1]) >= NESTED):
            yield from self.close()
            self._open(number, item[2], item=True)
        elif block is not None and (not block.item or item or line.startswith("  ") or not self._blank):
            block.lines.append(line[NESTED:] if item else line.strip().removeprefix("> "))
        elif not line.startswith(" " * CODE_INDENT):
            yield from self.close()
            self._open(number, line.strip().removeprefix("> "), item=False)

    def _open(self, number: int, text: str, *, item: bool) -> None:
        self._block = MarkdownBlock(number, item, self._heading, self._level, self._intro if item else "", [text])

    def close(self) -> Iterator[MarkdownBlock]:
        block, self._block = self._block, None
        if block is not None:
            yield block
            if not block.item:  # one that ends in a colon stands before the list that follows; any other ends it
                self._intro = block.text.replace("\n", " ") if block.text.endswith(":") else ""

    def _fenced(self, line: str) -> bool:
        mark = _FENCE.match(line)
        if mark and not self._fence:
            self._fence = mark[1]
        elif mark and line.strip().startswith(self._fence) and not line.strip().strip("`~"):
            self._fence = ""
            return True
        return bool(self._fence)
