"""MEMORY.md, an index and never storage: one line a page, in a block of ours in a file of others."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memlane.domain import Memory
from memlane.domain.door import unquoted
from memlane.dream.folder.contents import MemoryPage
from memlane.dream.folder.page import digest, one_line

INDEX = "MEMORY.md"
LONGEST_LINE = 150  # characters
MOST_LINES, MOST_BYTES = 200, 25_000  # what Claude Code loads of it; the rest it never sees
INTRO = "Kept by Memory Lane: hints to check, not orders. Read a file before you rely on its line; your changes win."
_LINE = re.compile(r"-\s+\[(?P<title>(?:[^\\\]]|\\.|\](?!\())*)\]\((?P<file>[^()\s]+\.md)\)(?P<rest>.*)$")
_BETWEEN = " — "
_WHOLE_HOOK = 12  # characters; less of it says nothing
_BRACKET, _ESCAPED = re.compile(r"(\\*)([\[\]]|$)"), re.compile(r"(\\+)([\[\]]|$)")


@dataclass(frozen=True, slots=True)
class IndexEdits:
    """What a person made of our lines: `wanted` by file, as they wrote them; `gone`: files; `added`: neither."""

    titles: Mapping[str, str]
    theirs: Mapping[str, str]
    gone: tuple[str, ...]
    added: tuple[str, ...]


# -- one line ----------------------------------------------------------------------------------------------------------


def line(page: MemoryPage) -> str:
    """`- [Title](file.md) — how it goes on`, never longer than an index may have it."""
    link, hook = f"- [{shown_title(page)}]({page.file})", _hook(page.memory)
    room = LONGEST_LINE - len(link) - len(_BETWEEN)
    if shown_title(page) != _linked(one_line(page.memory.title)) or not hook or room < _WHOLE_HOOK:
        return link
    return f"{link}{_BETWEEN}{_within(hook, room)}"


def shown_title(page: MemoryPage) -> str:
    return _within(one_line(page.memory.title), LONGEST_LINE - len(f"- []({page.file})"))


def short_line(title: str, id: str) -> str:
    """For a file without pages beside it: what it says, and how to see the rest."""
    return f"- {shortened(one_line(title), LONGEST_LINE - len(id) - 5)} ({id})"


def _linked(text: str) -> str:
    """Nothing in it can end a link or begin one. `_unlinked` gives it back as it was."""
    return _BRACKET.sub(lambda found: found[1] * 2 + (f"\\{found[2]}" if found[2] else ""), text)


def _unlinked(text: str) -> str:
    return _ESCAPED.sub(lambda found: "\\" * (len(found[1]) // 2) + found[2], text)


def _within(text: str, most: int) -> str:
    """As much of it as fits with all it takes to write it."""
    lengths = range(most, 0, -1)
    return next((found for n in lengths if len(found := _linked(shortened(text, n))) <= most), "")


def _hook(memory: Memory) -> str:
    """What it says beyond its title."""
    said, title = one_line(memory.content), one_line(memory.title).rstrip("….")
    return said.removeprefix(title).lstrip(" .,;:…-—") if said.startswith(title) else said


def shortened(text: str, most: int) -> str:
    """Whole words where that leaves enough, whole letters always."""
    if len(text) <= most:
        return text
    end = most - 1
    while end > 0 and _belongs_to_the_one_before(text[end]):
        end -= 1
    space = text.rfind(" ", 0, end + 1)
    return f"{text[: space if space > most // 2 else end].rstrip(' .,;:-—')}…"


def _belongs_to_the_one_before(letter: str) -> bool:
    return unicodedata.category(letter) in ("Mn", "Mc", "Me", "Sk") or letter in "\u200d\ufe0f"


# -- all of them -------------------------------------------------------------------------------------------------------


def chosen(best_first: Sequence[MemoryPage], theirs: Mapping[str, str], text: str) -> list[MemoryPage]:
    """As many of the most useful as fit beside what stands there already; in an order that does not change."""
    others = cut(text)
    rest = put(others.before + others.after, [INTRO])
    lines, size = rest.count("\n"), len(rest.encode("utf-8", "surrogateescape"))
    kept = list[MemoryPage]()
    for page in best_first:
        wanted = len(said(page, theirs).encode("utf-8", "surrogateescape")) + 1
        if lines < MOST_LINES and size + wanted <= MOST_BYTES:
            lines, size = lines + 1, size + wanted
            kept.append(page)
    return sorted(kept, key=lambda page: (page.memory.formed_at, page.memory.id))


def said(page: MemoryPage, theirs: Mapping[str, str]) -> str:
    return theirs.get(page.file) or line(page)


def with_lines(text: str, lines: Sequence[str]) -> str:
    """The file with ours in it: none of them, and there is nothing to introduce."""
    return put(text, [INTRO, *lines]) if lines else without(text)


# -- what a person made of them ----------------------------------------------------------------------------------------


def file_of(line: str) -> str:
    found = _LINE.match(line)
    return found["file"] if found else ""


def block_digest(found: BlockCut) -> str:
    return digest("\n".join(found.lines or ()))


def listed(found: BlockCut) -> dict[str, str]:
    """File → digest of its line."""
    return {file: digest(one) for one in found.lines or () if (file := file_of(one))}


def hand_changes(
    found: BlockCut, wrote: Mapping[str, str], pages: Mapping[str, MemoryPage], renamed: Mapping[str, str]
) -> IndexEdits:
    """`wrote`: file → digest of the line it had from us. Lines that lead to pages of ours are about those pages, also
    by the name a page had before it was `renamed`."""
    titles, theirs, there, added = dict[str, str](), dict[str, str](), set[str](), list[str]()
    for written in found.lines or ():
        old = file_of(written)
        file = renamed.get(old, old)
        there.add(file)
        if written in ("", INTRO) or wrote.get(file) in (digest(written), digest(_as_before(written, file, renamed))):
            continue
        one = relinked(written, old, file)
        if file not in pages:
            added.append(one)
            continue
        if title := _new_title(one, pages[file]):
            titles[file] = title
        if not title or _rest(one) != _rest(line(pages[file])):
            theirs[file] = one
    gone = tuple(file for file in wrote if file in pages and file not in there)
    return IndexEdits(titles, theirs, gone, tuple(added))


def _as_before(one: str, file: str, renamed: Mapping[str, str]) -> str:
    """The line as we wrote it, if all that a person did was to name the page as they had named the file."""
    return next((relinked(one, new, old) for old, new in renamed.items() if new == file), one)


def relinked(one: str, old: str, new: str) -> str:
    return one if old == new else one.replace(f"]({old})", f"]({new})", 1)


def _rest(one: str) -> str:
    found = _LINE.match(one)
    return found["rest"].strip() if found else ""


def _new_title(one: str, page: MemoryPage) -> str:
    found = _LINE.match(one)
    title = found["title"].strip() if found else ""
    return "" if not title or title.endswith("…") or title == shown_title(page) else unquoted(_unlinked(title))


BEGIN = "<!-- lane:begin -->"
JOINED = "<!-- lane:begin, joined -->"  # the file did not end in a newline before us
END = "<!-- lane:end -->"
_LINES = re.compile(r"[^\n]*\n|[^\n]+\Z")
_OURS = re.compile(r"- \[|- .*\(m_[a-z0-9]{13}\)$|Kept by Memory Lane: ")


@dataclass(frozen=True, slots=True)
class BlockCut:
    """A file cut in three; `lines` is None where nothing of ours stands in it."""

    before: str
    lines: tuple[str, ...] | None
    after: str
    joined: bool = False


def cut(text: str) -> BlockCut:
    lines = _LINES.findall(text)
    marks = [line.strip() for line in lines]
    begin = next((n for n, line in enumerate(marks) if line in (BEGIN, JOINED)), None)
    if begin is None:
        return BlockCut(text, None, "")
    end = next((n for n in range(begin + 1, len(marks)) if marks[n] == END), None)
    if end is None:  # somebody took the last line out: ours are those that look like it
        end = next((n for n in range(begin + 1, len(marks)) if not _OURS.match(marks[n])), len(marks)) - 1
        inside = marks[begin + 1 : end + 1]
    else:
        inside = marks[begin + 1 : end]
    return BlockCut("".join(lines[:begin]), tuple(inside), "".join(lines[end + 1 :]), marks[begin] == JOINED)


def put(text: str, lines: Sequence[str]) -> str:
    """With these lines in the place of ours, or at the end."""
    found = cut(text)
    if found.lines is None:
        joined = bool(text) and not text.endswith("\n")
        return f"{text}{chr(10) * joined}{_block(lines, joined=joined)}"
    return f"{found.before}{_block(lines, joined=found.joined)}{found.after}"


def without(text: str) -> str:
    """As if we had never been there."""
    found = cut(text)
    if found.lines is None:
        return text
    before = found.before.removesuffix("\n") if found.joined and not found.after else found.before
    return before + found.after


def _block(lines: Sequence[str], *, joined: bool) -> str:
    return "\n".join((JOINED if joined else BEGIN, *lines, END)) + "\n"
