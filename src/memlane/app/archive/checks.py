"""Every byte of an archive checked against its digest. Of a Central: everybody's part, its own records and the audit.

It reads and reports; what can be brought back is `repair`'s work.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from memlane import archive
from memlane.app.archive.move import CountedLayout, OnStep
from memlane.app.control import AuditBook, is_part, of_owner
from memlane.app.control.people import PersonBook
from memlane.app.control.records import ControlRecords
from memlane.app.home import Home
from memlane.archive import Layout
from memlane.domain import Finding, Level

SEND_AGAIN = "restore it from a backup, or send it again from the machine that has it: lane ship --now --check"
BACKUP = "restore it from a backup of this Central"


def checked(home: Home, on: OnStep) -> Iterator[Finding]:
    """This home's person first."""
    yield from checked_part(home, home.layout, on)
    if (records := _records(home)) is None:
        return
    yield from _said(records.layout.user, BACKUP, checked_part(home, records.layout, on))
    for layout in others(home):
        yield from _said(layout.user, SEND_AGAIN, checked_part(home, layout, on))
    for one in AuditBook(records).faults():
        yield Finding("altered", Level.FAIL, f"audit: {one.file} line {one.n}: {one.why}", "lane audit verify")


def checked_part(home: Home, layout: Layout, on: OnStep) -> Iterator[Finding]:
    """One person's runs and journal."""
    return archive.verify(home.disk, CountedLayout(layout.base, layout.user, layout.heads, layout.disk, on))


def others(home: Home) -> Iterator[Layout]:
    """On Central: the part of each other person, also of those who left."""
    if (records := _records(home)) is not None:
        for owner in PersonBook(records).names():
            if owner != home.config.user:
                yield Home(of_owner(home.config, owner), home.clock, home.disk).layout


def _records(home: Home) -> ControlRecords | None:
    """None: this home is no Central. One that has lost its records is one: the head of their register says so."""
    records = ControlRecords(home)
    knows = records.is_there or (records.layout.heads is not None and records.layout.heads.exists())
    return records if knows and not is_part(home.config) else None


def _said(owner: str, hint: str, found: Iterator[Finding]) -> Iterator[Finding]:
    """Whose it is. `lane archive repair` mends this home's own part only."""
    for one in found:
        yield replace(one, what=f"{owner}: {one.what}", hint=hint if one.level is Level.FAIL else one.hint)
