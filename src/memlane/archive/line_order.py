"""Lines of the Journal that somebody moved, put back: each file in the order that the register knows.

No line is made up and none is lost; only a second copy of the same bytes goes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from memlane.archive.comparison import FileComparison, compare_file
from memlane.archive.layout import Layout, safe_name
from memlane.archive.lines import decode
from memlane.archive.presence import LineName, name_of
from memlane.archive.register_line import Registered, registered
from memlane.system.disk import Disk


def lines_put_back(disk: Disk, layout: Layout, machine: str) -> Iterator[str]:
    """The files of this machine that were written anew. One with a line that cannot be read stays as it is."""
    known = registered(disk, layout)
    paths = [path for path in layout.journal_files() if path.name == f"{safe_name(machine)}.jsonl"]
    expected = {name for names in known.lines.values() for name in names}
    moved = [path for path in paths if _is_moved(_compared(disk, layout, path, known), expected)]
    lines = {path: _lines(disk, path) for path in moved}
    there = defaultdict[LineName, list[bytes]](list)
    for found in lines.values():
        for name, line in found:
            there[name].append(line)
    whole = dict[Path, list[bytes]]()
    for path in moved:
        wanted = known.lines.get(layout.journal_name(path), [])
        whole[path] = [there[name].pop(0) for name in wanted if there[name]]
    for path in moved:  # each line is where it belongs before any goes from where it does not
        _write(disk, path, [*whole[path], *(line for _name, line in lines[path] if line not in set(whole[path]))])
    for path in moved:
        _write(disk, path, [*whole[path], *(line for name, line in lines[path] if name not in expected)])
        yield layout.journal_name(path)


def _write(disk: Disk, path: Path, lines: Sequence[bytes]) -> None:
    disk.replace(path, b"".join(line + b"\n" for line in lines))


def _compared(disk: Disk, layout: Layout, path: Path, known: Registered) -> FileComparison:
    name = layout.journal_name(path)
    return compare_file(disk, path, known.lines.get(name, []), known.given_up.get(name))


def _is_moved(found: FileComparison, expected: Collection[LineName]) -> bool:
    """Also where a line of another file stands at the end, as after a kill of ours."""
    elsewhere = any(name in expected for name in found.unregistered)
    return bool(found.moved or found.twice or found.extra or elsewhere) and not found.damaged


def _lines(disk: Disk, path: Path) -> Sequence[tuple[LineName, bytes]]:
    found = list[tuple[LineName, bytes]]()
    for line in disk.read_whole(path).split(b"\n"):
        with suppress(ValueError, msgspec.DecodeError):
            found.append((name_of(decode(line)), line))
    return found
