"""Our hooks into an agent and out again, for every agent whose files say which programs it calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from memlane.agents import hook_program
from memlane.agents.hook_files import HookFile
from memlane.domain import Finding, Level
from memlane.system import files
from memlane.system.computer import Computer, InstalledHook
from memlane.system.edits import FileEditor, HookRoute, SetupRecord, digest
from memlane.system.json_text import NotJsonError
from memlane.system.plan import AgentProgramChange, Change, FileChange, Obstacle, Plan

AS_BEFORE = "as it was before"
NOT_THERE = "- (it was not there)"
PROMPT = "UserPromptSubmit"  # as our hook program calls it, whatever the agent does


@dataclass(frozen=True, slots=True)
class HookEvent:
    """One event of an agent: what it is called there, and what our program calls it."""

    event: str
    ours: str
    recalls: bool = False  # whether the agent is told something then; the others only say that there is new work
    matcher: str = ""
    timeout: int = 5  # seconds; our own stop is half a second, this is for a machine that swaps


@dataclass(frozen=True, slots=True)
class AgentHome:
    """Where an agent keeps its settings."""

    folder: str  # below the person's home
    moved_by: str = ""  # the variable that names another one
    inside: str = ""  # and what is in it then

    def path(self, computer: Computer) -> Path:
        chosen = computer.variables.get(self.moved_by, "") if self.moved_by else ""
        if not chosen:
            return computer.home / self.folder
        moved = computer.home / chosen[2:] if chosen.startswith("~/") else Path(chosen)
        return moved / self.inside if self.inside else moved


def no_trouble(_computer: Computer) -> Iterator[Finding]:
    return iter(())


@dataclass(frozen=True)
class HookInstall:
    """One agent's. `our_files` with `recall` true names every file that ever holds something of ours."""

    name: str
    title: str
    program: str  # what starts it
    home: AgentHome
    our_files: Callable[[Computer, bool], Sequence[HookFile]]
    afterwards: str = ""  # what a person does once it is set up; "": nothing
    unseen: str = ""  # what a check cannot see
    trouble: Callable[[Computer], Iterator[Finding]] = field(default=no_trouble)  # what else keeps it from calling us

    @property
    def again(self) -> str:
        return f"lane hook install {self.name}"

    def is_here(self, computer: Computer) -> bool:
        return self.home.path(computer).is_dir() or bool(computer.which(self.program))

    def folder(self, computer: Computer) -> Path:
        return computer.hooks

    def script(self, computer: Computer) -> Path:
        return computer.hooks / hook_program.SCRIPT

    def plan_plugin(self, computer: Computer, *, recall: bool) -> Plan:  # noqa: ARG002 - a verb of Install
        return hook_program.plan(computer)

    # -- putting in --------------------------------------------------------------------------------------------------

    def plan(self, computer: Computer, record: SetupRecord, *, recall: bool) -> Plan:
        changes, path = list[FileChange](), Path()
        try:
            for file in self.our_files(computer, recall):
                path = file.path
                changes += [change] if (change := _addition(self.name, file, record)) else []
            changes += self._no_longer(computer, record, recall=recall)
        except (NotJsonError, OSError, ValueError) as error:
            what = f"{computer.shown(path)}: {_said(error)}"
            return Plan(left_alone=(Obstacle(self.name, what, f"fix the file, then: {self.again}"),))
        for change in changes:
            if problem := files.why_not_writable(change.path):
                what = f"{computer.shown(change.path)}: {problem}"
                return Plan(left_alone=(Obstacle(self.name, what, f"make it writable, then: {self.again}"),))
        said = (f"{self.title}: {self.afterwards}",) if self.afterwards and changes else ()
        return Plan(tuple(changes), () if changes else (self.name,), notes=said)

    def _no_longer(self, computer: Computer, record: SetupRecord, *, recall: bool) -> Iterator[FileChange]:
        """Files that hold something of ours only while the agent is told things."""
        if recall:
            return
        wanted = {file.path for file in self.our_files(computer, recall)}
        for file in self.our_files(computer, True):  # noqa: FBT003 - all of them
            if file.path not in wanted and (change := _removal(self.name, file, record)):
                yield change

    def put_in(self, change: Change, hands: FileEditor, *, recall: bool) -> None:
        if isinstance(change, FileChange):
            hands.note(hands.record.with_new(_missing(change.path, hands.computer.home)))
            hands.note(hands.record.with_way(self.name, HookRoute("settings", recall)))
            hands.put(change)

    # -- taking out --------------------------------------------------------------------------------------------------

    def plan_removal(self, computer: Computer, record: SetupRecord) -> Plan:
        changes, troubles = list[FileChange](), list[Obstacle]()
        for file in self.our_files(computer, True):  # noqa: FBT003 - all of them
            try:
                change = _removal(self.name, file, record)
            except (NotJsonError, OSError, ValueError) as error:
                hint = "fix it, then: lane uninstall (or remove the lines that name lane)"
                troubles.append(Obstacle(self.name, f"{computer.shown(file.path)}: {_said(error)}", hint))
            else:
                changes += [change] if change else []
        return Plan(tuple(changes), () if changes or troubles else (self.name,), tuple(troubles))

    def take_out(self, change: AgentProgramChange, hands: FileEditor) -> None:
        for file in change.files:
            hands.put(file)

    def forget(self, hands: FileEditor) -> None:
        """After everything is out: folders that only existed for us, and what was written down about it."""
        paths = [file.path for file in self.our_files(hands.computer, True)]  # noqa: FBT003 - all of them
        for path in paths:
            known = hands.record.of(path)
            if known is not None and known.backup:  # ours is cut out: what is left is as the person has it now
                files.remove(hands.disk, Path(known.backup))
            hands.forget(path)
        above = {folder for path in paths for folder in path.parents if folder.is_relative_to(hands.computer.home)}
        for folder in sorted(above, key=lambda folder: len(folder.parts), reverse=True):
            if str(folder) in hands.record.new and folder.is_dir():
                files.remove_if_empty(hands.disk, folder)
        gone = [path for path in (*paths, *above) if not path.exists()]
        hands.note(hands.record.without_way(self.name).without_new(gone))

    # -- looking -----------------------------------------------------------------------------------------------------

    def settings_files(self, computer: Computer) -> tuple[Path, ...]:
        return tuple(file.path for file in self.our_files(computer, True) if file.theirs)  # noqa: FBT003

    def rivals(self, computer: Computer) -> tuple[str, ...]:  # noqa: ARG002 - a verb of Install
        return ()

    def cleanup_days(self, computer: Computer) -> int:  # noqa: ARG002
        return 0

    def keep_longer(self) -> str:
        return ""

    def check(self, computer: Computer, record: SetupRecord) -> Iterator[Finding]:
        if not self.is_here(computer):
            return
        way, kind = record.agents.get(self.name), "hooks"
        try:
            current = self._current(computer, recall=way.recall if way else True)
        except (NotJsonError, OSError, ValueError) as error:
            yield Finding(kind, Level.FAIL, f"{self.title}: {_said(error)}", f"fix the file, then: {self.again}")
            return
        if current:
            told = "" if way is None or way.recall else ", capture only"
            yield Finding(kind, Level.OK, f"hooks are installed in {self.title}{told}")
            yield from self.trouble(computer)
            if self.unseen:
                yield Finding(kind, Level.NOTE, f"{self.title}: {self.unseen}")
        elif way is not None:
            yield Finding(kind, Level.WARN, f"Lane's hooks in {self.title} are missing or changed", self.again)
        else:
            yield Finding(kind, Level.NOTE, f"{self.title} gets no notes", self.again)

    def installed(self, computer: Computer) -> InstalledHook | None:
        try:
            if self._current(computer, recall=True):
                return InstalledHook(hook_program.command(computer, self.name, PROMPT))
            return InstalledHook("") if self._current(computer, recall=False) else None
        except (NotJsonError, OSError, ValueError):
            return None

    def _current(self, computer: Computer, *, recall: bool) -> bool:
        wanted = self.our_files(computer, recall)
        there = ((file, files.read(file.path)) for file in wanted)
        return bool(wanted) and all(now is not None and file.is_current(now) for file, now in there)


def _addition(area: str, file: HookFile, record: SetupRecord) -> FileChange | None:
    now, known = files.read(file.path), record.of(file.path)
    if now is not None and file.is_current(now):
        return None
    bare = file.bare(now, known.made if known else None) if now is not None else None
    after = file.filled(bare)
    made = file.made(bare, after) if after is not None else ()
    return FileChange(area, file.path, now, after, file.what, theirs=file.theirs, without=bare, made=made)


def _removal(area: str, file: HookFile, record: SetupRecord) -> FileChange | None:
    now, known = files.read(file.path), record.of(file.path)
    if now is None:
        return None
    if known is not None and digest(now) in known.left:
        backup = files.read(Path(known.backup)) if known.backup else None
        if backup is not None or not known.backup:
            return FileChange(area, file.path, now, backup, AS_BEFORE if known.backup else NOT_THERE)
    bare = file.bare(now, known.made if known else None)
    if bare == now:
        return None
    created = known is not None and not known.backup
    if bare is None and file.theirs and not created:
        bare = b"{}\n" if _is_json(now) else b""  # the person's file was there, and is theirs to delete
    return FileChange(area, file.path, now, bare, "- our lines" if bare is not None else NOT_THERE)


def _is_json(data: bytes) -> bool:
    return data.lstrip().startswith(b"{")


def _missing(path: Path, home: Path) -> Iterator[Path]:
    """The folders that are made for this file, innermost first."""
    for folder in path.parents:
        if folder.exists() or not folder.is_relative_to(home):
            return
        yield folder


def _said(error: Exception) -> str:
    if isinstance(error, NotJsonError):
        return error.message
    return str(error.strerror) if isinstance(error, OSError) else str(error)


def wanted(events: Sequence[HookEvent], *, recall: bool) -> Sequence[HookEvent]:
    return [event for event in events if recall or not event.recalls]


def group(event: HookEvent, command: str, *, second: int = 1) -> dict[str, object]:
    """An entry in the shape Claude Code began and others took over; `second`: how many of their units make one."""
    hook = {"type": "command", "command": command, "timeout": event.timeout * second}
    return {**({"matcher": event.matcher} if event.matcher else {}), "hooks": [hook]}
