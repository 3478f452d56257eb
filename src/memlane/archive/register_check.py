"""Are the Registers themselves whole? Each line is linked to the one before it, and a head is kept elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from memlane.archive.layout import Layout, name_made_safe
from memlane.archive.lines import untorn
from memlane.archive.register import Register
from memlane.archive.register_line import (
    decode,
    fits,
    head_name,
    heads,
    is_whole,
    link,
    linked,
    register_files,
)
from memlane.domain.findings import Finding, Level
from memlane.system.disk import Disk

REPAIR = "lane archive repair"


def check_registers(disk: Disk, layout: Layout, machine: str = "") -> Iterator[Finding]:
    """Of all machines, or of this one."""
    known = [machine] if machine else _machines(disk, layout)
    for machine in known:
        yield from _check(Register(disk, layout, machine))
    if not known and (next(layout.run_folders(), None) or layout.journal_files()):
        what = "the archive has no register yet: nothing says what should be in it"
        yield Finding("register", Level.NOTE, what, "lane capture writes one")


def _machines(disk: Disk, layout: Layout) -> Sequence[str]:
    """That have a register, or had one."""
    prefix, files = head_name(layout, ""), [*register_files(layout), *_cards(disk, layout)]
    heads_of = {name.removeprefix(prefix) for name in heads(disk, layout) if name.startswith(prefix)}
    return sorted({name_made_safe(path.stem) for path in files} | heads_of)


def _cards(disk: Disk, layout: Layout) -> Sequence[Path]:
    folder = layout.card("").parent
    names = disk.names(folder) if disk.is_folder(folder) else ()
    return [folder / name for name in names if name.endswith(".json")]


def _check(register: Register) -> Iterator[Finding]:
    path, head = register.path, register.head()
    if not register.disk.is_file(path):
        if register.is_lost:
            knew = f"; it knew of {head.runs:,} runs and {head.lines:,} journal lines" if head else ""
            yield _fail("missing", f"{path}, the register of what the archive should hold, is missing{knew}")
        return
    if not register.says_card():
        card = register.layout.card(register.machine)
        yield _fail("missing", f"{card} is missing or unreadable: it says that {path.name} must be there")
    yield from _check_lines(register.disk, path)
    if head is not None and not fits(head, linked(register.disk, path)):
        yield _fail("altered", f"{path} was cut off or replaced: it had {head.n:,} lines or more, ending otherwise")


def _check_lines(disk: Disk, path: Path) -> Iterator[Finding]:
    data = disk.read_whole(path)
    end, n = untorn(data, is_whole), 0
    before: str | None = ""
    for line in data[:end].removesuffix(b"\n").split(b"\n"):
        n += 1
        try:
            (found, chain), body = decode(line)
        except (ValueError, msgspec.DecodeError) as error:
            yield _fail("altered", f"{path} line {n}: {error}")
            before = None
            continue
        if found.n > n:
            count = found.n - n
            yield _fail("missing", f"{path}: {count:,} line{'s' * (count != 1)} before number {found.n} missing")
        elif found.n < n or (before is not None and link(before, body) != chain):
            yield _fail("altered", f"{path} line {n} is not as it was written, or not where")
        before, n = chain, found.n
    if end < len(data):
        what = f"{path}: its last line was cut off by a crash before it was saved"
        yield Finding("journal-torn", Level.WARN, what, "the next write replaces it")


def _fail(kind: str, what: str) -> Finding:
    return Finding(kind, Level.FAIL, what, REPAIR)
