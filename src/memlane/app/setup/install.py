"""Setting up and taking down: what is on this machine, what we would change there, and how it is taken back."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path

from memlane import __version__, capture
from memlane.agents import Agent, Container, Document, SideFile, Transcript
from memlane.agents.agent import Install
from memlane.agents.claude_code.history import AGENT as CLAUDE_CODE
from memlane.agents.claude_code.history import UNNAMED, ClaudeHistory
from memlane.app.capture.sweep import Sweeper
from memlane.app.control import holds
from memlane.app.home import Home
from memlane.app.setup import changes
from memlane.app.setup.changes import Computer, Plan, PlanRow, SetupOutcome, SetupRequest
from memlane.capture import SourceFile
from memlane.domain import Finding, Level
from memlane.errors import HeldError, LaneError, UsageError
from memlane.system.files import synced_by

HOOK_SCRIPT = Path(__file__).resolve().parent.parent.parent / "surfaces" / "hooks" / "client.py"
SOON = timedelta(days=7)
# All this version ever makes in a home. Anything else there is somebody's own and stays.
OURS_IN_HOME = ("archive", "hooks", "index", "log", "memory", "outbox", "plugin", "run", "vectors")
OUR_FILES_IN_HOME = (
    "audit-heads.json", "central-rules.json", "config.toml", "map.json", "pause.json", "recall-models.json",
    "register.json", "setup.json",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LocalAgent:
    """An agent of this machine, as its files tell it."""

    name: str
    title: str
    runs: int | None  # None: they are in a database that was not opened
    bytes: int
    oldest: datetime | None
    hooks: bool  # whether we put hooks into it
    afterwards: str = ""  # what a person does once our hooks are in; "": nothing
    captured: bool = True  # whether we can read its transcripts; one that is only told has none for us


@dataclass(frozen=True, slots=True)
class TypedLines:
    """What a person typed into runs of Claude Code whose transcripts are gone: the lines it keeps for ever."""

    path: Path
    runs: int
    prompts: int


@dataclass(frozen=True, slots=True)
class MachineLook:
    """What a look at this machine found. Nothing was written for it."""

    agents: Sequence[LocalAgent]
    not_found: Sequence[str]
    looked_in: Sequence[Path]
    deletes_after: int  # days, Claude Code; 0: it is not here
    soon_deleted: int  # runs
    rivals: Sequence[str]
    typed: TypedLines | None = None


@dataclass(frozen=True, slots=True)
class HomeRemains:
    """What `uninstall` leaves, or `--purge` takes: our part of a home, and what in it is not ours."""

    ours: Sequence[Path]
    others: Sequence[Path]
    archive_elsewhere: Path | None
    bytes: int


class NotInstalledError(LaneError):
    """Lane runs from a temporary cache, so agents cannot rely on its path."""

    kind = "not-installed"
    exit_code = 2


class Installer:
    def __init__(self, home: Home, capture: Sweeper) -> None:
        self._home = home
        self._capture = capture

    @cached_property
    def computer(self) -> Computer:
        config = self._home.config
        for path in (str(config.home), sys.executable):
            if not path.isprintable() or (not path.startswith("/") and os.name == "posix"):
                raise UsageError(f"{path!r} cannot be used in an agent's settings", hint="LANE_HOME can be anywhere")
        return Computer(
            home=config.person_home,
            lane_home=config.home,
            variables=config.variables,
            python=sys.executable,
            version=__version__,
            client=HOOK_SCRIPT.read_bytes(),
            platform=sys.platform,
            account=os.getuid(),
            homes=tuple(self._home.agents.homes),
        )

    # -- looking -----------------------------------------------------------------------------------------------------

    def look(self) -> MachineLook:
        places = self._capture.places()
        seen = [found for found in capture.look(self._home.disk, places) if isinstance(found, SourceFile)]
        agents: list[LocalAgent] = []
        installs = changes.installs()
        for name, agent in self._home.agents.items():
            files = [found for found in seen if found.source.name == name]
            install = installs.get(name)
            if files or (install is not None and install.is_here(self.computer)):
                agents.append(_local(agent, files, install))
        kept_here = {place.source.name: place.source.title for place in places}
        titles = [title for name, title in kept_here.items() if name not in {a.name for a in agents}]
        here = any(agent.name == CLAUDE_CODE for agent in agents)
        days = installs[CLAUDE_CODE].cleanup_days(self.computer) if here else 0
        return MachineLook(
            agents=agents,
            not_found=titles,
            looked_in=[place.root for place in places],
            deletes_after=days,
            soon_deleted=self._soon_deleted(seen, days),
            rivals=[rival for install in installs.values() for rival in install.rivals(self.computer)] if days else (),
            typed=self._typed(seen) if days and not self._home.config.home.is_dir() else None,
        )

    def _typed(self, seen: Sequence[SourceFile]) -> TypedLines | None:
        """Only of runs that it names; those of older builds may be on the disk under another name. The first time."""
        history = ClaudeHistory()
        path = history.usual_path(self._home.surroundings)
        there = {one.what.native_id for one in seen if isinstance(one.what, Transcript)}
        try:
            found = [one for one in history.documents(path) if isinstance(one, Document)]
        except OSError:  # there is none, or it is not ours to read: nothing is lost by that
            return None
        named = (one for one in found if not one.transcript.native_id.startswith(UNNAMED))
        lines = [len(one.lines) for one in named if one.transcript.native_id not in there]
        return TypedLines(path, len(lines), sum(lines)) if lines else None

    def _soon_deleted(self, seen: Sequence[SourceFile], days: int) -> int:
        if not days:
            return 0
        limit = self._home.clock() - timedelta(days=days) + SOON
        old = (s for s in seen if s.source.name == CLAUDE_CODE and not isinstance(s.what, SideFile))
        return sum(_modified(s) < limit for s in old)

    def synced(self) -> str:
        """Who keeps the folder of a home that is not made yet in step with other computers; "": nobody."""
        home = self._home.config.home
        return "" if home.is_dir() else synced_by(home)

    def rows(self, plan: Plan) -> Sequence[PlanRow]:
        return changes.rows(plan, self.computer)

    def shown(self, path: Path) -> str:
        return self.computer.shown(path)

    def wanted(self, agents: Sequence[str], *, timer: bool = True, recall: bool | None = None) -> SetupRequest:
        return SetupRequest(tuple(agents), timer, recall)

    def recalls(self, wanted: SetupRequest, agent: str) -> bool:
        """Whether it is told anything then: not next to another memory tool, unless the person chose so."""
        return changes.recalls(self.computer, wanted, agent)

    def hookable(self, agent: str) -> Sequence[str]:
        """The agent meant, or all that have hooks and are here."""
        hookable = list(changes.installs())
        if agent and agent not in hookable:
            known = "has no hooks" if agent in self._home.agents else "is not an agent"
            raise UsageError(f"{agent} {known}", hint=f"one of: {', '.join(hookable)}")
        return [agent] if agent else [name for name in hookable if changes.installs()[name].is_here(self.computer)]

    def removable(self, agent: str) -> Sequence[str]:
        """The agent meant, or all that may have our hooks."""
        return self.hookable(agent) if agent else list(changes.installs())

    # -- putting in ----------------------------------------------------------------------------------------------------

    def plan(self, wanted: SetupRequest) -> Plan:
        strangers = set(wanted.agents) - set(changes.installs())
        if strangers:
            raise UsageError(
                f"this version has no hooks for {', '.join(sorted(strangers))}",
                hint=f"one of: {', '.join(changes.installs())}",
            )
        if changes.runs_from_a_cache(self.computer) and (wanted.agents or wanted.timer):
            raise NotInstalledError(
                "`lane init` cannot be set up from uvx: agents would call a path in uv's cache, which uv may delete",
                hint="uv tool install memlane && lane init",
            )
        return changes.plan(self.computer, wanted)

    def apply(self, agreed: Plan, wanted: SetupRequest) -> SetupOutcome:
        if not agreed.changes:
            return SetupOutcome(in_place=agreed.in_place, troubles=agreed.left_alone, notes=agreed.notes)
        with self._home.lock.held():
            return changes.apply(agreed, self.computer, self._home.disk, wanted)

    def hooked(self, agent: str) -> bool:
        """Whether our hooks are in this agent, as its own settings have it."""
        install = changes.installs().get(agent)
        return install is not None and install.installed(self.computer) is not None

    def check(self, agent: str = "") -> list[Finding]:
        """For `lane doctor`: all of it, or one agent's part."""
        return changes.check(self.computer, agent)

    def findings(self) -> Iterator[Finding]:
        """Hooks, plugin, timer, and how long Claude Code keeps its transcripts."""
        try:
            yield from self.check()
            look = self.look()
        except LaneError as error:
            yield Finding("hooks", Level.FAIL, error.message, error.hint)
            return
        if look.deletes_after:
            n = look.soon_deleted
            soon = f"; {n:,} run{'' if n == 1 else 's'} will be deleted within {SOON.days} days" if n else ""
            what = f"Claude Code deletes transcripts after {look.deletes_after} days{soon}. Captured runs stay"
            hint = f"to keep its files longer: {changes.installs()[CLAUDE_CODE].keep_longer()}"
            yield Finding("retention", Level.NOTE, what, hint)

    # -- taking out ----------------------------------------------------------------------------------------------------

    def plan_removal(self, agents: Sequence[str] | None = None, *, timer_too: bool = True) -> Plan:
        """Of these agents; None: of all our hooks are in."""
        meant = self.removable("") if agents is None else agents
        return changes.plan_removal(self.computer, tuple(meant), timer_too=timer_too)

    def remove(self, agreed: Plan, *, timer_too: bool = True) -> SetupOutcome:
        if not self._home.config.home.is_dir():
            return changes.remove(agreed, self.computer, self._home.disk, timer_too=timer_too)
        with self._home.lock.held():
            return changes.remove(agreed, self.computer, self._home.disk, timer_too=timer_too)

    def remains(self) -> HomeRemains:
        home, base = self._home.config.home, self._home.config.archive_base
        there = sorted(home.iterdir()) if home.is_dir() else []
        ours = [path for path in there if _is_ours(path)]
        elsewhere = base if not self._home.config.in_a_store and base.is_dir() and home not in base.parents else None
        files = [file for path in ours for file in ([path] if path.is_file() else path.rglob("*")) if file.is_file()]
        return HomeRemains(
            ours, [path for path in there if path not in ours], elsewhere, sum(file.lstat().st_size for file in files)
        )

    def must_be_free(self) -> None:
        """All of it goes at once, so one hold keeps all."""
        for hold in holds.holds_on(self._home):
            raise HeldError(hold.words, hint=f"an admin of Central lifts it: lane hold release {hold.id}")

    def purge(self, remains: HomeRemains) -> None:
        """Everything of ours in the home, for good. What is not ours stays, and so the home with it."""
        self.must_be_free()
        self._home.close()
        for path in remains.ours:
            changes.remove_tree(self._home.disk, path)
        changes.remove_if_empty(self._home.disk, self._home.config.home)


def _is_ours(path: Path) -> bool:
    if path.is_symlink():
        return False
    return path.name in OURS_IN_HOME if path.is_dir() else path.name.removesuffix(".tmp") in OUR_FILES_IN_HOME


def _local(agent: Agent, files: Sequence[SourceFile], install: Install | None) -> LocalAgent:
    runs = [seen for seen in files if not isinstance(seen.what, SideFile)]
    oldest = min((_modified(seen) for seen in runs), default=None)
    count = None if any(isinstance(seen.what, Container) for seen in runs) else len(runs)
    size, afterwards = sum(seen.stat.size for seen in files), install.afterwards if install else ""
    captured = "source" in agent.parts
    return LocalAgent(agent.name, agent.title, count, size, oldest, install is not None, afterwards, captured)


def _modified(seen: SourceFile) -> datetime:
    return datetime.fromtimestamp(seen.stat.modified_ns / 1e9, UTC)
