"""MEMORY.md, an index and never storage: one line a page, in a block of ours in a file of others."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memlane.domain import Memory
from memlane.dream.folder.contents import MemoryPage
from memlane.dream.folder.page import digest, one_line

INDEX = "MEMORY.md"
LONGEST_LINE = 150  # characters
MOST_LINES, MOST_BYTES = 200, 25_000  # what Claude Code loads of it; the rest it never sees
INTRO = "Kept by Memory Lane: hints to check, not orders. Read a file before you rely on its line; your changes win."
_LINE = re.compile(r"-\s+\[(?P<title>.*?)\]\((?P<file>[^()\s]+\.md)\)(?P<rest>.*)$")
_BETWEEN = " — "
_WHOLE_HOOK = 12  # characters; less of it says nothing
_BRACKETS = str.maketrans("[]", "()")


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
    frame = f"- []({page.file})"
    title, hook = shown_title(page), _plain(_hook(page.memory))
    room = LONGEST_LINE - len(frame) - len(title) - len(_BETWEEN)
    if title != _plain(page.memory.title) or not hook or room < _WHOLE_HOOK:
        return f"- [{title}]({page.file})"
    return f"- [{title}]({page.file}){_BETWEEN}{shortened(hook, room)}"


def shown_title(page: MemoryPage) -> str:
    return shortened(_plain(page.memory.title), LONGEST_LINE - len(f"- []({page.file})"))


def short_line(title: str, id: str) -> str:
    """For a file without pages beside it: what it says, and how to see the rest."""
    return f"- {shortened(_plain(title), LONGEST_LINE - len(id) - 5)} ({id})"


def _plain(text: str) -> str:
    """Nothing in it can end a link, begin one, or hide the lines that follow: agents leave comments out."""
    return one_line(text).translate(_BRACKETS).replace("<!--", "&lt;!--")


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


def hand_changes(found: BlockCut, wrote: Mapping[str, str], pages: Mapping[str, MemoryPage]) -> IndexEdits:
    """`wrote`: file → digest of the line it had from us. Lines that lead to pages of ours are about those pages."""
    titles, theirs, there, added = dict[str, str](), dict[str, str](), set[str](), list[str]()
    for one in found.lines or ():
        file = file_of(one)
        there.add(file)
        if one in ("", INTRO) or wrote.get(file) == digest(one):
            continue
        if file not in pages:
            added.append(one)
        elif title := _new_title(one, pages[file]):
            titles[file] = title
        else:
            theirs[file] = one
    return IndexEdits(
        titles, theirs, tuple(file for file in wrote if file in pages and file not in there), tuple(added)
    )


def _new_title(one: str, page: MemoryPage) -> str:
    found = _LINE.match(one)
    title = found["title"].strip() if found else ""
    return "" if not title or title.endswith("…") or title == shown_title(page) else title


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
