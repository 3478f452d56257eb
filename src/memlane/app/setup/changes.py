"""What to change so that agents and a timer call us, area by area; one that fails stops no other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from memlane.app.setup.checks import check, installs, runs_from_a_cache
from memlane.errors import LaneError
from memlane.system import edits, files, timer
from memlane.system.computer import CommandLine, CommandOutcome, Computer
from memlane.system.disk import Disk, message_of
from memlane.system.edits import FileEditor, SetupRecord
from memlane.system.edits import load_record as load_record
from memlane.system.files import remove_if_empty, remove_tree
from memlane.system.plan import (
    PLUGIN,
    PROGRAM,
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

    agents: tuple[str, ...]  # which of those that have hooks
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


def recalls(computer: Computer, wanted: SetupRequest, agent: str) -> bool:
    """Whether this agent is told anything: not next to another memory tool, unless the person chose so."""
    if wanted.recall is not None:
        return wanted.recall
    way = edits.load_record(computer.lane_home).agents.get(agent)
    return way.recall if way is not None else not installs()[agent].rivals(computer)


def plan(computer: Computer, wanted: SetupRequest) -> Plan:
    known = edits.load_record(computer.lane_home)
    parts: list[Plan] = []
    for name, install in ((name, install) for name, install in installs().items() if name in wanted.agents):
        recall = recalls(computer, wanted, name)
        agent = install.plan(computer, known, recall=recall)
        if agent.changes or agent.in_place:
            parts.append(install.plan_plugin(computer, recall=recall))
        parts.append(agent)
    if wanted.timer:
        parts.append(timer.plan(computer))
    return _once(joined(*parts))


def _once(plan: Plan) -> Plan:
    """What several agents call is written once."""
    changes = [change for n, change in enumerate(plan.changes) if change not in plan.changes[:n]]
    return replace(plan, changes=tuple(changes), in_place=tuple(dict.fromkeys(plan.in_place)))


def apply(agreed: Plan, computer: Computer, disk: Disk, wanted: SetupRequest) -> SetupOutcome:
    """What was agreed to. Hooks are not put in when the script they call could not be written."""
    hands = FileEditor(computer, disk)
    changed, troubles, without_program = list[str](), list(agreed.left_alone), set[str]()
    for area in agreed.areas:
        if area in without_program:
            continue
        try:
            hands.note(replace(hands.record, version=computer.version, python=computer.python))
            for change in agreed.of(area):
                _carry_out(change, hands, wanted)
            changed.append(area)
        except OSError as error:
            troubles.append(Obstacle(area, message_of(error), "fix that, then: lane init"))
            without_program |= _callers(area, computer)
        except LaneError as error:
            troubles.append(Obstacle(area, error.message, error.hint))
            without_program |= _callers(area, computer)
    backups = {computer.shown(Path(f.path)): Path(f.backup).name for f in hands.record.files if f.backup}
    said = tuple(f"its program said: {way.said}" for way in hands.record.agents.values() if way.said)
    return SetupOutcome(tuple(changed), agreed.in_place, tuple(troubles), (*agreed.notes, *said), backups)


def _callers(area: str, computer: Computer) -> set[str]:
    """The agents whose hooks call what is in this area: of no use without it."""
    folder = {PLUGIN: computer.plugin, PROGRAM: computer.hooks}.get(area)
    return {name for name, install in installs().items() if install.folder(computer) == folder}


def _carry_out(change: Change, hands: FileEditor, wanted: SetupRequest) -> None:
    if (install := installs().get(change.area)) is not None:
        install.put_in(change, hands, recall=recalls(hands.computer, wanted, change.area))
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
    """The reverse. What hooks call goes with the last agent that uses it."""
    known = edits.load_record(computer.lane_home)
    parts = {name: one.plan_removal(computer, known) for name, one in installs().items() if name in agents}
    stay = {name for name, part in parts.items() if part.left_alone} | (set(known.agents) - set(agents))
    used = {installs()[name].folder(computer) for name in stay if name in installs()}
    gone = {PLUGIN: (computer.plugin, "- the plugin itself"), PROGRAM: (computer.hooks, "- the program hooks call")}
    removals = [FolderRemoval(area, path, what) for area, (path, what) in gone.items() if path.exists()]
    taken = Plan(tuple(removal for removal in removals if parts and removal.path not in used))
    return joined(*parts.values(), taken, *([timer.plan_removal(computer)] if timer_too else []))


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
    "apply",
    "check",
    "installs",
    "load_record",
    "plan",
    "plan_removal",
    "recalls",
    "remove",
    "remove_if_empty",
    "remove_tree",
    "rows",
    "runs_from_a_cache",
]
