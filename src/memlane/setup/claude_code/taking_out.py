"""Our hooks out of Claude Code again, and what its program leaves behind of a plugin.

A file that is as we left it becomes its backup, byte for byte; from one that was changed since, only our lines go.
"""

from __future__ import annotations

from pathlib import Path

from memlane.setup import files, json_text, settings
from memlane.setup.changes import ByItsProgram, Change, FileChange, Gone, Plan, Trouble
from memlane.setup.claude_code.places import NAME, Places, places, program
from memlane.setup.claude_code.putting_in import QUIET
from memlane.setup.computer import Command, Computer
from memlane.setup.hands import Hands
from memlane.setup.json_text import NotJsonError
from memlane.setup.plugin import MARKETPLACE, PLUGIN_ID
from memlane.setup.record import Changed, Record, digest
from memlane.setup.settings import INSTALLED, MARKETPLACES, SETTINGS, Ours

AS_BEFORE = "as it was before"


def plan_removal(computer: Computer, record: Record) -> Plan:
    there = places(computer)
    changes, troubles = list[FileChange](), list[Trouble]()
    for path, ours in _owned(there).items():
        try:
            change = _removal(path, ours, record)
        except (NotJsonError, OSError) as error:
            troubles.append(_trouble(computer.shown(path), error))
        else:
            changes += [change] if change else []
    claude = program(computer)
    by_program = claude and not troubles and any(_names_plugin(change) for change in changes)
    first: tuple[Change, ...] = (ByItsProgram(tuple(changes), _commands(claude)),) if by_program else tuple(changes)
    gone = tuple(Gone(NAME, path, "- our copy in its cache") for path in there.ours_alone if path.exists())
    return Plan((*first, *gone), () if first or gone or troubles else (NAME,), tuple(troubles))


def _owned(there: Places) -> dict[Path, Ours]:
    return {there.settings: SETTINGS, there.installed: INSTALLED, there.marketplaces: MARKETPLACES}


def _trouble(shown: str, error: NotJsonError | OSError) -> Trouble:
    said = error.message if isinstance(error, NotJsonError) else f"cannot be read: {error.strerror}"
    return Trouble(NAME, f"{shown} {said}", "repair it, then: lane uninstall (or take out by hand what names lane)")


def _removal(path: Path, ours: Ours, record: Record) -> FileChange | None:
    now, known = files.read(path), record.of(path)
    if now is None:
        return None
    backup = files.read(Path(known.backup)) if known is not None and known.backup else None
    if known is not None and (backup is not None or not known.backup) and _as_left(now, backup, known, ours):
        return FileChange(NAME, path, now, backup, AS_BEFORE if known.backup else "- (it was not there)")
    document = json_text.read(now)
    bare = settings.without_ours(document, ours, made=known.made if known else None)
    created = (known is not None and not known.backup) or str(path) in record.new
    if created and not set(settings.others(bare, ours)) - {"version"}:
        return FileChange(NAME, path, now, None, "- (it was not there)")
    return FileChange(NAME, path, now, bare.data, "- our lines") if bare.text != document.text else None


def _as_left(now: bytes, backup: bytes | None, known: Changed, ours: Ours) -> bool:
    """Byte for byte; or, where its program was interrupted at work on it, in what it says."""
    if digest(now) in known.left:
        return True
    return known.between and settings.others(json_text.read(now), ours) == settings.others(
        json_text.read(backup or b""), ours
    )


def _names_plugin(change: FileChange) -> bool:
    before = change.before or b""
    return PLUGIN_ID.encode() in before or MARKETPLACE.encode() in before


def _commands(claude: str) -> tuple[Command, ...]:
    return (
        Command((claude, "plugin", "uninstall", PLUGIN_ID), variables=QUIET),
        Command((claude, "plugin", "marketplace", "remove", MARKETPLACE), variables=QUIET),
    )


def take_out(change: ByItsProgram, hands: Hands) -> None:
    for file in change.files:
        hands.must_be_as_planned(file)
    if change.settings.after is None or change.settings.what == AS_BEFORE:
        hands.between(change.settings.path, now=True)
    for command in change.commands:
        hands.run(command)  # what it leaves undone, the next lines do
    for file in change.files:
        _settle(file, hands)


def _settle(planned: FileChange, hands: Hands) -> None:
    ours = _owned(places(hands.computer))[planned.path]
    now = files.read(planned.path)
    if now is None:
        return
    document, before = json_text.read(now), json_text.read(planned.before or b"")
    if settings.others(document, ours) == settings.others(before, ours):
        after = planned.after
    else:
        known = hands.record.of(planned.path)
        after = settings.without_ours(document, ours, made=known.made if known else None).data
    if after != now:
        hands.write(planned.path, after)


def forget(hands: Hands) -> None:
    """After everything is out: empty folders that only existed for us, and what was written down about it."""
    there = places(hands.computer)
    hands.forget(there.settings)
    for path in there.made_by_installing:
        if str(path) in hands.record.new and path.is_dir():
            files.remove_if_empty(hands.disk, path)
    hands.note(hands.record.without_way(NAME).without_new(there.made_by_installing))
