"""Two copies of a file of the journal, each on a machine of its own: what each holds, and both put together.

`forget --now` may have taken words out of a line in one of them: the name of a line and its length stay.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress

import msgspec

from memlane.archive.frame import ShipFrame
from memlane.archive.layout import Layout
from memlane.archive.lines import decode as decode_line
from memlane.archive.lines import is_whole, untorn
from memlane.archive.presence import name_of
from memlane.archive.register import Register
from memlane.domain.journal import Entry
from memlane.system.disk import Disk


def lines_held(disk: Disk, layout: Layout, name: str) -> bytes:
    """A file of the journal without what a crash tore."""
    path = layout.journal / name
    content = disk.read_whole(path) if disk.is_file(path) else b""
    return content[: untorn(content, is_whole)]


def entries_in(data: bytes) -> Sequence[Entry]:
    """Those that can be read; a damaged line travels as it is, and `lane archive verify` names it."""
    found = list[Entry]()
    for line in data.split(b"\n"):
        with suppress(ValueError, msgspec.DecodeError):
            if line:
                found.append(decode_line(line))
    return found


def same_lines(ours: bytes, theirs: bytes) -> bool:
    """`forget --now` may have taken words out of ours or theirs: the name of a line and its length stay."""
    if ours == theirs:
        return True
    if len(ours) != len(theirs):
        return False
    pairs = zip(ours.split(b"\n"), theirs.split(b"\n"), strict=False)
    return all(one == other or (len(one) == len(other) and _name(one) == _name(other)) for one, other in pairs)


def _name(line: bytes) -> str:
    try:
        return str(tuple(map(str, name_of(decode_line(line)))))
    except (ValueError, msgspec.DecodeError):
        return ""


def put_together(disk: Disk, layout: Layout, name: str, theirs: bytes, keeper: str) -> None:
    """A disk was put back, and lines were written since: first theirs, then ours that they have never seen.

    Theirs stay where they are, so both are equal once they have taken ours. Of a line that both have our bytes are
    kept: `forget --now` may have taken words out of them, and one that it takes out of theirs comes as a line.
    """
    path, ours = layout.journal / name, _split(lines_held(disk, layout, name))
    mine = defaultdict[bytes, list[bytes]](list)
    for line in dict.fromkeys(filter(None, ours)):
        mine[_same(line)].append(line)
    first = [mine[_same(line)].pop(0) if mine[_same(line)] else line for line in _split(theirs)]
    unseen = {line for lines in mine.values() for line in lines}
    together = first + [line for line in dict.fromkeys(ours) if line in unseen]
    equal = next((n for n, (one, other) in enumerate(zip(ours, together, strict=False)) if one != other), len(ours))
    Register(disk, layout, keeper).write_moved(path, together[:equal], together[equal:])


def _split(content: bytes) -> list[bytes]:
    return content.split(b"\n")[:-1]


def _same(line: bytes) -> bytes:
    """Equal for both copies of a line, also if words were taken out of one."""
    name = _name(line)
    return f"{len(line)} {name}".encode() if name else line


def order_of(content: bytes) -> str:
    """A digest of the names of all lines, in their order. "": one of them cannot be read, and says nothing."""
    lines = [line for line in _split(content) if line]
    if not all(map(is_whole, lines)):
        return ""
    return hashlib.sha256(b"\n".join(map(_same, lines))).hexdigest()


def last_line_of(one: ShipFrame) -> str:
    """Of a file of the journal, with these lines at its end."""
    name = last_line(one.data)
    if not name:
        return one.head.before
    end, _, line = name.partition(" ")
    return f"{one.head.start + int(end)} {line}"


def last_line(content: bytes) -> str:
    """The name of the last line that can be read, and where it ends: what must be there before the next one."""
    end = len(content)
    while end:
        start = content.rfind(b"\n", 0, end - 1) + 1
        if name := _name(content[start:end].removesuffix(b"\n")):
            return f"{end} {name}"
        end = start
    return ""
