"""Taking in what is new: sweeps, the ticks of the timer, and what a person asked to be left out."""

from __future__ import annotations

import glob
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

import msgspec

from memlane import archive, identity
from memlane.agents import Peek, Transcript
from memlane.app.acts.forget import finish_forgetting
from memlane.app.capture.diary import CaptureDiary, CapturedLine
from memlane.app.capture.holds import HoldDisk, Leftover
from memlane.app.capture.places import TranscriptPlaces
from memlane.app.control.rules import never_captured
from memlane.app.home import Home, save_settings
from memlane.app.home.last_words import LastWords
from memlane.app.vectors import AFTER_A_TURN, AT_ONCE, VectorUpkeep
from memlane.capture import SkippedFile, SourceFile, SourceFolder, UnreadableFile, look, run_of
from memlane.domain import NO_PROJECT, Entry, Machine, Project, Run
from memlane.domain.journal import LEFT_OUT
from memlane.flow.capture import CapturedRun, Sweep, sweep_places, take, take_all
from memlane.flow.index import find_work, index_pending
from memlane.flow.journal import catch_up, encode, write_down
from memlane.flow.tools import OnProgress, Progress, Tools, quietly

COMPARED = "compared"  # when every run of the archive was last compared with its mark
SKIPPED, REGISTER_SAID = "skipped", "register said"
AUDIT_EVERY = timedelta(days=1)
OLDER_ARCHIVE = "the archive has a register now: from here on, what gets lost from it is named (lane archive verify)"
SOON = 0.0  # seconds for meaning: not now, with the next few Turns
MASKED_A_TICK = 50  # runs read again after the Gate learned something: a tick is short, and there is the next one
NAMES_SOON, NAMES_AT_ONCE = 1.0, 30.0  # seconds; the next tick goes on
BY_HAND = "hand"  # a person named these files: what is left out elsewhere is taken
LATER = -1.0  # not by us at all: the next tick does it


@dataclass(frozen=True, slots=True)
class Pause:
    """Nothing is captured from `since` to `until` (None: until a person says so)."""

    since: datetime
    until: datetime | None


@dataclass(frozen=True, slots=True)
class RunChange:
    """What a sweep added to one Run."""

    run: Run
    generation: int
    bytes_new: int
    turns_new: int


@dataclass(frozen=True, slots=True)
class CaptureReport:
    """What one sweep did."""

    changes: Sequence[RunChange]
    set_aside: Sequence[UnreadableFile]
    files_seen: int
    bytes: int
    seconds: float
    paused: Pause | None = None
    skipped: Sequence[SkippedFile] = ()  # among the transcripts, and not taken

    def and_then(self, other: CaptureReport) -> CaptureReport:
        return CaptureReport(
            (*self.changes, *other.changes),
            (*self.set_aside, *other.set_aside),
            self.files_seen + other.files_seen,
            self.bytes + other.bytes,
            self.seconds + other.seconds,
            other.paused,
            (*self.skipped, *other.skipped),
        )


class Sweeper(TranscriptPlaces):
    def __init__(self, home: Home, vectors: VectorUpkeep, names: Callable[[float], object]) -> None:
        super().__init__(home)
        self._vectors = vectors
        self._names = names  # looks through what is new for whom it names, so many seconds long

    # -- sweeping ------------------------------------------------------------------------------------------------------

    def sweep(
        self,
        paths: Sequence[Path] = (),
        *,
        machine: str = "",
        agent: str = "",
        audit: bool = False,
        on: OnProgress = quietly,
        by: str = "command",
    ) -> CaptureReport:
        """Everything new into the archive, then into the index. Interrupted, it goes on next time where it was."""
        if paths:
            places = [place for path in paths for place in self.places_in(path, agent)]
            return self._take_in(places, machine=machine, audit=audit, on=on, by=BY_HAND)
        return self._take_in(self.places(agent), machine=machine, audit=audit, whole=not agent, on=on, by=by)

    def sweep_changed(self, paths: Iterable[Path], *, agent: str = "") -> CaptureReport:
        """Files somebody saw changing (a hook): a sweep of these alone. Nobody asked for them by hand."""
        places, named = self.places(agent), list(paths)
        only = [replace(place, only=path) for path in named for place in places if place.root in path.parents]
        report = self._take_in(only, meaning=SOON, by="hook")
        grown = {change.run.id for change in report.changes}
        LastWords(self._home).follow(run for run in self._runs_of(only) if run not in grown)
        return report

    def sweep_running(self, agent: str) -> CaptureReport:
        """What an agent wrote up to now, for words of its running turn. What it means is worked out later."""
        return self._take_in(self.places(agent), meaning=LATER, by="agent")

    def _runs_of(self, places: Sequence[SourceFolder]) -> Iterator[str]:
        """Of the transcripts themselves: a watch may have taken what is new in them a moment ago."""
        owner = Machine(self._home.config.user, self._home.config.machine)
        for seen in look(self._home.disk, [place for place in places if place.only and place.only.is_file()]):
            if isinstance(seen, SourceFile) and isinstance(seen.what, Transcript):
                yield run_of(owner, seen.source, seen.what.native_id).id

    def sweep_places(
        self,
        places: Sequence[SourceFolder],
        *,
        machine: str = "",
        whole: bool = False,
        meaning: float = AFTER_A_TURN,
    ) -> CaptureReport:
        """A sweep of these alone, which nobody asked for by hand: a watch saw them change."""
        return self._take_in(places, machine=machine, whole=whole, meaning=meaning, by="watch")

    def take_late(self, late: Sequence[Leftover], *, machine: str = "", meaning: float = AFTER_A_TURN) -> CaptureReport:
        """The rest of files whose names belong to others now, read through the hold we still have on them."""
        began, tools, paused = time.monotonic(), self._home.tools(), self.pause()
        if paused is not None:
            return CaptureReport((), (), 0, 0, 0.0, paused)
        sweep = self._sweep((), machine, None, audit=False, by_hand=False)
        taken: list[CapturedRun | UnreadableFile] = []
        for one in late:
            disk = HoldDisk(one.seen.path, one.opened.descriptor)
            taken += take(one.seen, sweep, replace(tools, disk=disk))
        captured = [one for one in taken if isinstance(one, CapturedRun)]
        turns, _aside = self._index(tools, quietly, meaning)
        changes = self._changes(captured, turns, "watch")
        return CaptureReport(changes, (), len(late), sum(c.bytes_new for c in captured), time.monotonic() - began)

    def take_given(
        self,
        given: Sequence[SourceFile],
        *,
        machine: str = "",
        leave: Callable[[Run, Peek], str],
        on: OnProgress = quietly,
    ) -> CaptureReport:
        """Files a person handed over: each is read whole, whether or not it was read before."""
        began, paused = time.monotonic(), self.pause()
        self._home.begin()
        if paused is not None and (paused.until is None or paused.until > self._home.clock()):
            return CaptureReport((), (), 0, 0, 0.0, paused)
        tools = self._home.tools()
        self._make_good(tools, audit=False)
        sweep = self._sweep((), machine, None, audit=True, by_hand=True)

        def left(run: Run, peek: Peek) -> str:
            return leave(run, peek) or sweep.leave(run, peek)

        captured, aside = take_all(given, replace(sweep, leave=left), tools, on)
        turns, more = self._index(tools, on)
        changes = self._changes(captured, turns, "import")
        size, seconds = sum(c.bytes_new for c in captured), time.monotonic() - began
        return CaptureReport(changes, [*aside, *more], len(given), size, seconds)

    def _take_in(
        self,
        places: Sequence[SourceFolder],
        *,
        machine: str = "",
        audit: bool = False,
        whole: bool = False,
        meaning: float = AT_ONCE,
        on: OnProgress = quietly,
        by: str = "command",
    ) -> CaptureReport:
        began = time.monotonic()
        self._home.begin()
        paused = self.pause()
        if paused is not None and (paused.until is None or paused.until > self._home.clock()):
            return CaptureReport((), (), 0, 0, 0.0, paused)
        tools = self._home.tools()
        self._make_good(tools, audit=audit)
        sweep = self._sweep(places, machine, paused, audit=audit, by_hand=by == BY_HAND)
        captured, left, files = sweep_places(sweep, tools, on)
        turns, more = self._index(tools, on, meaning)
        if paused is not None and whole:  # only now every run that grew meanwhile is known
            self._pause_file.unlink(missing_ok=True)
        skipped = [one for one in left if isinstance(one, SkippedFile)]
        set_aside = [*(one for one in left if isinstance(one, UnreadableFile)), *more]
        self._write_down(captured, set_aside, tools, whole=whole)
        if whole:
            tools.storage.notes.put(SKIPPED, msgspec.json.encode(skipped).decode())
            with suppress(OSError):  # a head that is behind is written next time
                self._home.register.keep_head()
        changes = self._changes(captured, turns, by)
        seconds = time.monotonic() - began
        size = sum(c.bytes_new for c in captured)
        return CaptureReport(changes, set_aside, files, size, seconds, skipped=skipped)

    def _changes(self, captured: Sequence[CapturedRun], turns: Mapping[str, int], by: str) -> list[RunChange]:
        """What each run gained, written into the log too."""
        found = [RunChange(c.run, c.generation, c.bytes_new, turns.get(c.run.id, 0)) for c in captured]
        now = self._home.clock()
        self.diary.add(
            CapturedLine(now, c.run.id, c.run.agent, c.run.machine, c.generation, c.bytes_new, c.turns_new, by)
            for c in found
        )
        return found

    @property
    def diary(self) -> CaptureDiary:
        return CaptureDiary(self._home.config.home)

    def _make_good(self, tools: Tools, *, audit: bool) -> None:
        """What a kill left half done, or a fresh index has not heard of: above all, what must not be captured."""
        catch_up(tools)
        finish_forgetting(self._home)
        self._settle_register(tools)
        if audit or self._is_due(COMPARED):
            find_work(tools)
            tools.storage.notes.put(COMPARED, tools.clock().isoformat())
            with self._home.lock.held(), suppress(OSError):
                self._home.register.settle_all(tools.clock())

    def _settle_register(self, tools: Tools) -> None:
        """Also of an archive that is older than registers are; one that is not there yet gets it with its first run."""
        if self._home.disk.is_folder(self._home.layout.root):
            with self._home.lock.held(), suppress(OSError):  # what is not registered is named until it is
                self._home.register.begin(tools.clock())
                self._home.register.settle(tools.clock())

    def register_news(self) -> str:
        """Once: that an older archive has a register now."""
        notes, began = self._home.storage().notes, self._home.register.began()
        if not began or notes.get(REGISTER_SAID):
            return ""
        notes.put(REGISTER_SAID, began)
        return OLDER_ARCHIVE if began == archive.OLDER else ""

    def _write_down(
        self, captured: Sequence[CapturedRun], aside: Sequence[UnreadableFile], tools: Tools, *, whole: bool
    ) -> None:
        """For `lane status` and `lane doctor`: a look at a few files says nothing about the others."""
        notes, taken = tools.storage.notes, {one.path for one in (*captured, *aside)}
        before = [] if whole else [one for one in self.set_aside() if one.path not in taken]
        notes.put("set_aside", msgspec.json.encode([*before, *aside]).decode())
        for agent in {one.run.agent for one in captured}:
            notes.put(f"captured {agent}", tools.clock().isoformat())

    def set_aside(self) -> Sequence[UnreadableFile]:
        """What could not be read when it was last looked at."""
        noted = self._home.storage().notes.get("set_aside")
        return msgspec.json.decode(noted, type=list[UnreadableFile]) if noted else []

    def skipped(self) -> Sequence[SkippedFile]:
        """What the last whole sweep found among the transcripts and did not take."""
        noted = self._home.storage().notes.get(SKIPPED)
        return msgspec.json.decode(noted, type=list[SkippedFile]) if noted else []

    def last_captured(self, agent: str) -> datetime | None:
        noted = self._home.storage().notes.get(f"captured {agent}")
        return datetime.fromisoformat(noted) if noted else None

    def _sweep(
        self, places: Sequence[SourceFolder], machine: str, paused: Pause | None, *, audit: bool, by_hand: bool
    ) -> Sweep:
        home, elsewhere = self._home, bool(machine) and machine != self._home.config.machine
        barred = home.storage().bars.barred(home.reader)

        def project_of(peek: Peek) -> Project:
            if peek.project != NO_PROJECT:
                return peek.project
            return identity.project_of(peek.cwd, peek.remote, look_on_disk=not elsewhere)

        def leave(run: Run, peek: Peek) -> str:
            if run.id in barred:
                return "" if by_hand and barred[run.id] == LEFT_OUT else barred[run.id]
            if not elsewhere and identity.narrowed(peek.cwd).capture is False:
                return "turned off by its .lane.toml"
            if paused is not None and not by_hand and _during(paused, peek):
                self._leave_out(run)
                return LEFT_OUT
            return ""

        owner = Machine(home.config.user, machine or home.config.machine)
        exclude = (*never_captured(home), *map(glob.escape, sorted(home.ours)))
        return Sweep(places, owner, exclude, project_of, leave, audit=audit)

    def _leave_out(self, run: Run) -> None:
        home = self._home
        entry = Entry(LEFT_OUT, run.id, home.clock(), home.config.user, home.config.machine, "person", {"run": run.id})
        write_down([entry], home.tools())

    def _index(
        self, tools: Tools, on: OnProgress, meaning: float = AT_ONCE
    ) -> tuple[Mapping[str, int], Sequence[UnreadableFile]]:
        """Chunks first; then what they mean, at once or with the next few Turns. Central does it for a thin machine."""
        if self._home.thin:
            return {}, ()
        turns, aside = index_pending(tools, on)
        if turns:
            self._names(NAMES_SOON if meaning in (SOON, LATER) else NAMES_AT_ONCE)
        if turns and meaning == SOON:
            LastWords(self._home).follow(turns)
            self._vectors.follow_soon()
        elif turns and meaning != LATER:
            self._vectors.follow(meaning, on=lambda done, every: on(Progress("meaning", done, every, 0, 0)))
        return turns, aside

    def take_up(self, seconds: float = AFTER_A_TURN, *, audit: bool = False) -> int:
        """On Central: what arrived is indexed and known. How many runs have changed."""
        self._home.begin()
        tools = self._home.tools()
        self._mask_again()
        self._make_good(tools, audit=audit)
        turns, _aside = self._index(tools, quietly, seconds)
        encode(tools)
        self._home.list_paths(tools.storage)
        return len(turns)

    def tick(self) -> CaptureReport:
        """One bounded pass of what is due. Nothing changed, nothing done; a timer that was forgotten makes no home."""
        self._home.must_be_set_up()
        self._home.begin()
        notes, now, due = self._home.storage().notes, self._home.clock(), self._is_due("audited")
        self._mask_again()
        report = self.sweep(audit=due, by="tick")
        catch_up(self._home.tools())
        encode(self._home.tools())
        self._home.list_paths(self._home.storage())
        if due and report.paused is None:
            notes.put("audited", now.isoformat())
        notes.put("ticked", now.isoformat())
        return report

    def _is_due(self, note: str) -> bool:
        """Once a day, and where it was never done."""
        last = self._home.storage().notes.get(note)
        return not last or self._home.clock() - datetime.fromisoformat(last) >= AUDIT_EVERY

    def _mask_again(self) -> None:
        """A secret the Gate has learned to see since a run was indexed is masked there too."""
        work, rules = self._home.storage().work, self._home.tools().gate().version
        for run in work.masked_otherwise(rules, MASKED_A_TICK):
            work.index_again(run)

    # -- what is left out ----------------------------------------------------------------------------------------------

    @property
    def _pause_file(self) -> Path:
        return self._home.config.home / "pause.json"

    def pause(self) -> Pause | None:
        try:
            return msgspec.json.decode(self._pause_file.read_bytes(), type=Pause)
        except FileNotFoundError:
            return None
        except msgspec.DecodeError:  # better left out than captured against somebody's wish
            return Pause(self._home.clock(), None)

    def start_pause(self, length: timedelta | None) -> Pause:
        """What happened until now is taken first. Runs that grow during the pause are left out from there on."""
        self.sweep()
        now = self._home.clock()
        paused = Pause(now, now + length if length else None)
        self._home.disk.replace(self._pause_file, msgspec.json.encode(paused))
        return paused

    def end_pause(self) -> bool:
        paused = self.pause()
        if paused is None:
            return False
        self._home.disk.replace(self._pause_file, msgspec.json.encode(replace(paused, until=self._home.clock())))
        self.sweep()
        return True

    def exclude(self, patterns: Sequence[str]) -> None:
        save_settings(self._home.config, {"capture.exclude": tuple(dict.fromkeys(patterns))})


def _during(paused: Pause, peek: Peek) -> bool:
    """Whether a file that changed since the pause began holds something of it: all but runs begun after it."""
    return paused.until is None or peek.started is None or peek.started <= paused.until
