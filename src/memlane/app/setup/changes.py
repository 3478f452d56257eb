"""What to change so that agents and a timer call us, area by area; one that fails stops no other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from memlane.app.setup.checks import add_command, around, check, installs, loaders, runs_from_a_cache
from memlane.errors import LaneError
from memlane.system import edits, files, timer
from memlane.system.computer import CommandLine, CommandOutcome, Computer
from memlane.system.disk import Disk, message_of
from memlane.system.edits import FileEditor, SetupRecord
from memlane.system.edits import load_record as load_record
from memlane.system.files import remove_if_empty, remove_tree
from memlane.system.plan import (
    PLUGIN,
    TIMER,
    AgentProgramChange,
    Change,
    FileChange,
    FolderRemoval,
    Obstacle,
    Plan,
    PlanRow,
    ProgramCall,
    joined,
    rows,
)


@dataclass(frozen=True, slots=True)
class SetupRequest:
    """What a person asked for."""

    agents: tuple[str, ...] = field(default_factory=lambda: tuple(installs()))  # which of those that have hooks
    timer: bool = True
    recall: bool | None = None  # give agents notes; None: as before, else unless another tool does it


@dataclass(frozen=True, slots=True)
class SetupOutcome:
    """What was changed, area by area, and what was left alone."""

    changed: tuple[str, ...] = ()
    in_place: tuple[str, ...] = ()
    troubles: tuple[Obstacle, ...] = ()
    notes: tuple[str, ...] = ()
    backups: Mapping[str, str] = field(default_factory=dict[str, str])  # of which file, as people write it: its name
    stays: tuple[str, ...] = ()  # backups that hold something no other file does


class DidNotWorkError(LaneError):
    """A program that Lane called failed."""

    kind = "did-not-work"


def recalls(computer: Computer, wanted: SetupRequest) -> bool:
    """Whether agents are told anything: not next to another memory tool, unless the person chose so."""
    if wanted.recall is not None:
        return wanted.recall
    known = edits.load_record(computer.lane_home).agents
    if ways := [known[name] for name in installs() if name in known]:
        return all(way.recall for way in ways)
    return not any(install.rivals(computer) for install in installs().values())


def plan(computer: Computer, wanted: SetupRequest) -> Plan:
    known = edits.load_record(computer.lane_home)
    recall = recalls(computer, wanted)
    parts: list[Plan] = []
    for install in (install for name, install in installs().items() if name in wanted.agents):
        agent = install.plan(computer, known, recall=recall)
        if agent.changes or agent.in_place:
            parts.append(install.plan_plugin(computer, recall=recall))
        parts.append(agent)
    if wanted.timer:
        parts.append(timer.plan(computer))
    return joined(*parts)


def apply(agreed: Plan, computer: Computer, disk: Disk, wanted: SetupRequest) -> SetupOutcome:
    """What was agreed to. Hooks are not put in when the script they call could not be written."""
    hands = FileEditor(computer, disk)
    changed, troubles = list[str](), list(agreed.left_alone)
    for area in agreed.areas:
        if troubles and troubles[-1].area == PLUGIN and area != TIMER:
            continue
        try:
            hands.note(replace(hands.record, version=computer.version, python=computer.python))
            for change in agreed.of(area):
                _carry_out(change, hands, recall=recalls(computer, wanted))
            changed.append(area)
        except OSError as error:
            troubles.append(Obstacle(area, message_of(error), "fix that, then: lane init"))
        except LaneError as error:
            troubles.append(Obstacle(area, error.message, error.hint))
    backups = {computer.shown(Path(f.path)): Path(f.backup).name for f in hands.record.files if f.backup}
    said = tuple(f"its program said: {way.said}" for way in hands.record.agents.values() if way.said)
    return SetupOutcome(tuple(changed), agreed.in_place, tuple(troubles), (*agreed.notes, *said), backups)


def _carry_out(change: Change, hands: FileEditor, *, recall: bool) -> None:
    if (install := installs().get(change.area)) is not None:
        install.put_in(change, hands, recall=recall)
    elif isinstance(change, FileChange):
        if change.area == TIMER:
            _note_timer(hands)
        hands.put(change)
    elif isinstance(change, ProgramCall):
        _note_timer(hands)
        ran = hands.run(change.command)
        if not ran.well:
            raise DidNotWorkError(f"{change.command.shown}: {ran.said}", hint=timer.NONE_HERE)


def _note_timer(hands: FileEditor) -> None:
    if hands.record.timer:
        return
    chosen = timer.chosen(hands.computer)
    missing = (folder for folder in timer.folders(hands.computer) if not folder.exists())
    hands.note(replace(hands.record.with_new(missing), timer=chosen.name if chosen else ""))


# -- taking out ------------------------------------------------------------------------------------------------------


def plan_removal(computer: Computer, agents: tuple[str, ...], *, timer_too: bool) -> Plan:
    """The reverse. The plugin goes with the last agent that uses it."""
    known = edits.load_record(computer.lane_home)
    parts: list[Plan] = []
    parts += [install.plan_removal(computer, known) for name, install in installs().items() if name in agents]
    parts += [loader.plan_removal(around(computer)) for name, loader in loaders().items() if name in agents]
    loaded = {name for name, loader in loaders().items() if loader.loads(around(computer))}
    used = ({*known.agents} | loaded) - set(agents) or any(part.left_alone for part in parts)
    if parts and computer.plugin.exists() and not used:
        parts.append(Plan((FolderRemoval(PLUGIN, computer.plugin, "- the plugin itself"),)))
    if timer_too:
        parts.append(timer.plan_removal(computer))
    return joined(*parts)


def remove(agreed: Plan, computer: Computer, disk: Disk, *, timer_too: bool) -> SetupOutcome:
    hands = FileEditor(computer, disk)
    troubles = list(agreed.left_alone)
    for area in agreed.areas:
        try:
            for change in agreed.of(area):
                if isinstance(change, AgentProgramChange):
                    installs()[area].take_out(change, hands)
                else:
                    hands.undo(change)
        except OSError as error:
            troubles.append(Obstacle(area, message_of(error), "run it again: lane uninstall"))
        except LaneError as error:
            troubles.append(Obstacle(area, error.message, error.hint))
    failed = {trouble.area for trouble in troubles}
    meant = {*agreed.areas, *agreed.in_place}
    for name, install in installs().items():
        if name in meant and name not in failed:
            install.forget(hands)
    if timer_too and TIMER not in failed:
        _forget_timer(hands)
    if hands.record.empty:
        edits.remove_record(disk, computer.lane_home)
        files.remove_if_empty(disk, computer.lane_home)
    changed = tuple(area for area in agreed.areas if area not in failed)
    return SetupOutcome(changed, agreed.in_place, tuple(troubles), agreed.notes, stays=_kept(computer))


def _forget_timer(hands: FileEditor) -> None:
    folders = timer.folders(hands.computer)
    for folder in folders:
        if str(folder) in hands.record.new:
            files.remove_if_empty(hands.disk, folder)
    hands.note(replace(hands.record.without_new(folders), timer=""))


def _kept(computer: Computer) -> tuple[str, ...]:
    edited = (path for install in installs().values() for path in install.settings_files(computer))
    return tuple(computer.shown(backup) for path in edited for backup in files.backups_of(path))


__all__ = [
    "PLUGIN",
    "TIMER",
    "AgentProgramChange",
    "Change",
    "CommandLine",
    "CommandOutcome",
    "Computer",
    "FileChange",
    "FolderRemoval",
    "Obstacle",
    "Plan",
    "PlanRow",
    "ProgramCall",
    "SetupOutcome",
    "SetupRecord",
    "SetupRequest",
    "add_command",
    "apply",
    "check",
    "installs",
    "load_record",
    "loaders",
    "plan",
    "plan_removal",
    "recalls",
    "remove",
    "remove_if_empty",
    "remove_tree",
    "rows",
    "runs_from_a_cache",
]
