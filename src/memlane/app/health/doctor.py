"""What is wrong here, and what to do about it? Changes nothing; one look that fails stops no other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import cast

from memlane import archive
from memlane.app.capture import Capture
from memlane.app.health.effects import SettingEffects
from memlane.app.health.overview import AgentOverview, Overviews
from memlane.app.health.probes import MEND, Probes
from memlane.app.home import Home
from memlane.app.shipment import Shipment
from memlane.app.sync.state import sync_findings
from memlane.app.vectors import VectorUpkeep
from memlane.archive import journal
from memlane.domain import Finding, Level, Outcome, RunFilter, RunSummary, State
from memlane.domain.journal import DREAM
from memlane.embed import EmbedderError
from memlane.errors import LaneError, NotSetUpError
from memlane.system.disk import advice_for, message_of, read_only_error, why_read_only
from memlane.system.files import synced_by

LATEST_TICK, A_DAY = timedelta(minutes=15), timedelta(days=1)
LITTLE_ROOM, NO_ROOM, OTHERS = 1_000_000_000, 100_000_000, 0o077  # bytes, bytes, a mode
MANY = 1000
OF_AN_INDEX = frozenset({"words", "meaning", "recall", "looks", "catch", "memories", "dream"})
MOST_NAMED = 20
LOOKED_AT = 1_000  # recalls, at most
MANY_LATE = 0.2

Check = Callable[[], Iterable[Finding]]


class Doctor:
    def __init__(
        self, home: Home, capture: Capture, overviews: Overviews, vectors: VectorUpkeep, probes: Probes
    ) -> None:
        self._home = home
        self._probes = probes
        self._vectors = vectors
        self._capture = capture
        self._overviews = overviews

    def findings(self) -> Iterator[Finding]:
        if not self._home.config.home.exists():
            raise NotSetUpError("Memory Lane is not set up here yet", hint="lane init, or only: lane capture")
        checks: Sequence[tuple[str, Check]] = (
            ("probes", lambda: iter(self._probes.findings())),
            ("home", self._home_folder),
            ("damaged", self._moved_aside),
            ("settings", lambda: SettingEffects(self._home, self._vectors).ineffective()),
            ("archive", self._archive),
            ("journal", self._journal),
            ("words", self._words),
            ("meaning", self._meanings),
            ("recall", self._recall),
            ("looks", self._live),
            ("agents", self._agents),
            ("exports", self._capture.imports.findings),
            ("sync", lambda: sync_findings(self._home)),
            ("files", self._set_aside),
            ("hook-list", self._hook_list),
            ("catch", self._catch),
            ("memories", self._memories),
            ("dream", self._dream),
            ("timer", self._timer),
            ("central", Shipment(self._home, self._capture.pause).findings),
        )
        for kind, check in checks:
            yield from _looked(kind, check) if not (self._home.thin and kind in OF_AN_INDEX) else ()

    def everything(self, set_up: Iterable[Finding]) -> list[Finding]:
        """With what was found about hooks and timer; where no timer can be had, none is promised."""
        found = [*self.findings(), *set_up]
        cannot = any(one.kind == "timer" and one.level is Level.NOTE and not one.hint for one in found)
        by_hand = "happens after the next agent turn; to run it now: lane tick"
        late = [one for one in found if cannot and one.kind == "tick" and one.hint]
        return [replace(one, level=Level.NOTE, hint=by_hand) if one in late else one for one in found]

    # -- the home ------------------------------------------------------------------------------------------------------

    def _home_folder(self) -> Iterator[Finding]:
        home = self._home.config.home
        for folder in dict.fromkeys((home, *self._home.config.archive_folder)):
            if sync := synced_by(folder):
                yield Finding(
                    "sync-folder",
                    Level.WARN,
                    f"{folder} is in a folder that {sync} syncs; sync tools corrupt databases",
                    "move it: LANE_HOME=… for the home, `lane archive move DIR` for the archive",
                )
            if folder.is_dir() and folder.stat().st_mode & OTHERS:
                yield Finding("modes", Level.WARN, f"{folder} can be read by others", f"chmod 700 {folder}")
            if why := why_read_only(folder):
                yield Finding(
                    "read-only",
                    Level.FAIL,
                    f"{folder} is read-only ({why}): what is there can be read, and nothing new is kept",
                    advice_for(read_only_error(folder)),
                )
        paused = self._capture.pause()
        if paused is not None:
            yield Finding("paused", Level.NOTE, "capture is paused", "lane pause --off")

    def _moved_aside(self) -> Iterator[Finding]:
        """What was damaged and is made again stays until the person removes it."""
        home = self._home.config.home
        places = ("*.damaged", "vectors/*/*.damaged-*", "index/*.terms/*.damaged")
        aside = sorted(path for place in places for path in home.glob(place))
        if aside:
            many = f"{len(aside)} damaged file{'s were' if len(aside) > 1 else ' was'} moved aside and made again"
            what = f"{many}: {', '.join(str(path.relative_to(home)) for path in aside[:3])}"
            yield Finding("damaged", Level.NOTE, what, f"when you have seen enough of it: rm -r {aside[0]}")

    # -- the archive ---------------------------------------------------------------------------------------------------

    def _archive(self) -> Iterator[Finding]:
        base = self._home.config.archive_base
        if not self._home.disk.is_folder(base):
            yield from self._no_archive()
            return
        yield from self._presence()
        yield from self._names()
        folders = list(self._home.layout.run_folders())
        free, what = self._home.disk.room(base), f"{_runs(len(folders))} in {self._home.config.archive_place}"
        level = Level.OK if free is None or free >= LITTLE_ROOM else Level.FAIL if free < NO_ROOM else Level.WARN
        hint = "" if level is Level.OK else "free some disk space, or: lane archive move DIR"
        yield Finding("archive", level, what if free is None else f"{what}, {free / 1e9:,.0f} GB free", hint)

    def _names(self) -> Iterator[Finding]:
        """Both are part of every run's id: with a misspelt one, all of it would be captured again under new ids."""
        config, layout, disk = self._home.config, self._home.layout, self._home.disk
        users = {name for name in disk.folders(layout.base) if disk.is_folder(layout.base / name / "machines")}
        machines = {register.stem for register in archive.register_files(layout)}
        here = (("user", layout.root.name, users), ("machine", layout.register(config.machine).stem, machines))
        for what, name, known in here:
            if known and name not in known:
                said = f"the {what} is {name} in the settings, and the archive only knows {', '.join(sorted(known))}"
                yield Finding("settings", Level.WARN, said, f"if that is a mistake, correct it in {config.file}")

    def _no_archive(self) -> Iterator[Finding]:
        if self._home.storage().runs.count(self._home.reader):
            yield Finding(
                "archive", Level.FAIL, f"{self._home.config.archive_place} is missing", "check that its disk is mounted"
            )
        else:
            yield Finding("archive", Level.NOTE, "nothing has been captured yet", "lane capture")

    def _presence(self) -> Iterator[Finding]:
        """Whether all that should be there is; not whether every byte is what it was."""
        disk, layout = self._home.disk, self._home.layout
        found = [*archive.check_registers(disk, layout), *archive.compare(disk, layout).findings]
        wrong = [one for one in found if one.level in (Level.FAIL, Level.WARN)]
        yield from (replace(one, kind="archive") for one in wrong[:MOST_NAMED])
        if len(wrong) > MOST_NAMED:
            more = f"{len(wrong) - MOST_NAMED:,} more things are missing, extra or altered"
            yield Finding("archive", Level.FAIL, more, "lane archive verify")

    def _journal(self) -> Iterator[Finding]:
        read = list(journal.read(self._home.disk, self._home.layout, {}))
        bad = sum(isinstance(placed, journal.BadLine) for placed in read)
        if bad:
            yield Finding("journal", Level.WARN, f"{bad} of {len(read):,} lines cannot be used", "lane archive verify")
        else:
            yield Finding("journal", Level.OK, f"{len(read):,} line{'s' * (len(read) != 1)}, every checksum matches")

    # -- the index -----------------------------------------------------------------------------------------------------

    def _words(self) -> Iterator[Finding]:
        storage, reader = self._home.storage(), self._home.reader
        waiting, indexed = set(storage.work.pending()), storage.runs.count(reader)
        known = (
            {run.id for run in storage.runs.listed(RunFilter(), reader)} | waiting | set(storage.bars.barred(reader))
        )
        lost = [folder.name for folder in self._home.layout.run_folders() if folder.name not in known]
        damage = storage.damaged()
        if damage:
            what = f"the index is damaged in {len(damage)} places ({damage[0]}); the archive is not"
            yield Finding("words", Level.FAIL, what, "lane rebuild")
        if lost:
            yield Finding(
                "words", Level.FAIL, f"{len(lost)} archived runs are not in the index ({lost[0]} …)", "lane rebuild"
            )
        if waiting:
            yield Finding("words", Level.NOTE, f"{len(waiting)} runs are not indexed yet", "lane capture")
        if not (lost or waiting or damage):
            yield Finding("words", Level.OK, f"up to date, {_runs(indexed)}")

    def _meanings(self) -> Iterator[Finding]:
        stand, change = self._vectors.standing(), self._vectors.change()
        if change is not None:
            hint = change.hint or "continues in the background; to run it now: lane tick --meaning"
            yield Finding("meaning", Level.WARN if change.why else Level.NOTE, change.what, hint)
        if stand.damage:
            yield Finding("meaning", Level.FAIL, f"damaged: {stand.damage}; word search still works", MEND)
        elif stand.why:
            yield Finding("meaning", Level.NOTE, f"{stand.why}; word search still works", "lane config get embed")
        elif stand.done < stand.all:
            what = f"{int(stand.share * 100)} % built by {stand.model}; word search works meanwhile"
            yield Finding(
                "meaning", Level.NOTE, what, "continues in the background; to run it now: lane tick --meaning"
            )
        else:
            yield Finding("meaning", Level.OK, f"up to date, {stand.all:,} pieces by {stand.model}")

    def _recall(self) -> Iterator[Finding]:
        """The model that prompts are understood by: there, the one it is named after, and with all Memories known."""
        encoding, storage = self._home.recall_model, self._home.storage()
        if encoding.spec is None:
            yield Finding("recall", Level.NOTE, "recall.model is none: recall uses words and entities only")
            return
        try:
            encoding.query("ready")
            tag, languages = encoding.tag, encoding.meaning.reads
        except EmbedderError as error:
            what = f"{error.message}; recall uses words and entities only"
            yield Finding("recall", Level.WARN, what, error.hint or "lane config get recall.model")
            return
        waiting = (notes := len(storage.memories.waiting(tag, MANY))) or len(storage.memories.cues_waiting(tag, MANY))
        if waiting:
            many, what = f"{waiting:,}{' or more' if waiting == MANY else ''} memories", "are" if notes else "have cues"
            until = f"until then they are not found by {'meaning' if notes else 'these'}"
            yield Finding("recall", Level.NOTE, f"{many} {what} not yet embedded by {tag}; {until}", "lane tick")
        else:
            count = storage.memories.count([State.ACTIVE], self._home.reader)
            yield Finding(
                "recall",
                Level.OK,
                f"{count:,} active {'memory' if count == 1 else 'memories'}, embedded by {tag}, "
                f"which reads {', '.join(languages)}",
            )
        yield self._home.second_look.finding(tag)

    def _live(self) -> Iterator[Finding]:
        """How often the model was not there in time, or nothing was."""
        since, newest = self._home.clock() - A_DAY, self._home.storage().recalls.newest(LOOKED_AT, self._home.reader)
        asked = [one for one in newest if one.at >= since and one.query.words]
        looked = [one for one in asked if one.outcome is not Outcome.NOT_LOOKED]
        if not looked:
            return
        alone = sum("fallback" in one.extra for one in looked) / len(looked)
        slow = sum(one.outcome is Outcome.TOO_SLOW for one in looked) / len(looked)
        many = f"{len(looked):,} recall{'' if len(looked) == 1 else 's'} in the last day"
        what = f"{many}; {alone:.0%} by words only, {slow:.0%} too slow"
        if alone + slow > MANY_LATE:
            yield Finding(
                "looks", Level.NOTE, what, "the machine was busy or the daemon had just started; details: lane recalls"
            )
        else:
            yield Finding("looks", Level.OK, what)

    # -- agents --------------------------------------------------------------------------------------------------------

    def _agents(self) -> Iterator[Finding]:
        for agent in self._home.unloaded_sources:
            yield Finding("agent-broken", Level.WARN, f"{agent.name}: {agent.reason}", "update or remove its package")
        runs = self._home.storage().runs.listed(RunFilter(), self._home.reader)
        agents = self._overviews.agents(runs)
        if not agents:
            yield Finding("agents", Level.NOTE, "no agents found on this machine", "lane init")
        for agent in agents:
            own = [run for run in runs if run.agent == agent.name]
            yield self._captured(agent)
            yield from _unknown(agent, own)

    def _captured(self, agent: AgentOverview) -> Finding:
        if agent.imported:
            return Finding(agent.name, Level.OK, f"{agent.title}: {_runs(agent.runs)}, imported")
        if not agent.here:
            return Finding(agent.name, Level.NOTE, f"{agent.title}: its folder is gone; {_runs(agent.runs)} kept")
        last = f", last capture {_ago(self._home.clock() - agent.last_captured)}" if agent.last_captured else ""
        return Finding(agent.name, Level.OK, f"{agent.title}: {_runs(agent.runs)}{last}{_captured_by(agent)}")

    def _hook_list(self) -> Iterator[Finding]:
        if self._home.lists_other_paths():
            what = "the list of files that hooks ask about is not what is known: some notes about files are not shown"
            yield Finding("hook-list", Level.WARN, what, "lane tick writes it again")

    def _set_aside(self) -> Iterator[Finding]:
        aside = self._capture.set_aside()
        if aside:
            what = f"{len(aside)} files could not be read; the originals are untouched and Lane will retry"
            yield Finding("set-aside", Level.WARN, what, "lane doctor --files")
        if skipped := self._capture.skipped():
            what = f"{len(skipped)} files among the transcripts are not taken ({skipped[0].path}: {skipped[0].reason})"
            yield Finding("skipped", Level.NOTE, what, "lane doctor --files")

    def _catch(self) -> Iterator[Finding]:
        from memlane.app.catch.model import model_extractor
        from memlane.app.home.language_model import tries
        from memlane.catch.record import why_on_probation
        from memlane.flow.records import records

        if parked := tries(self._home).parked():
            what = f"{len(parked)} windows were set aside after {parked[0].times} tries: {parked[0].why}"
            yield Finding("catch", Level.WARN, what, "lane catch --again")
        if self._home.config.text("catch.with") == "model" and (why := model_extractor(self._home).why_not()):
            yield Finding("catch", Level.NOTE, f"the model is paused: {why}", "unread windows wait; nothing is lost")
        for record in records(self._home.tools()):
            if why := why_on_probation(record):
                yield Finding("catch", Level.NOTE, why, "lane mem review")

    def _memories(self) -> Iterator[Finding]:
        from memlane.app.catch.windows import TURNS
        from memlane.catch import IDLE

        storage, reader = self._home.storage(), self._home.reader
        kept, held = (storage.memories.count([state], reader) for state in (State.ACTIVE, State.HELD))
        count = sum(storage.catches.count(reader).values())
        read = [f"{count:,} passages read"] if count else []
        due = len(storage.catches.due(self._home.clock() - IDLE, TURNS, reader))
        waiting = [f"{_runs(due)} not read yet or changed since"] if due else []
        yield Finding("memories", Level.OK, "; ".join([f"{kept:,} active, {held:,} held", *read, *waiting]))

    def _dream(self) -> Iterator[Finding]:
        """One that failed changed nothing, and is said loudly."""
        lines = archive.entries_with(self._home.disk, self._home.layout, f'"kind":"{DREAM}"')
        last = next((entry for entry in reversed(list(lines)) if entry.kind == DREAM), None)
        if not self._home.config.switch("dream.enabled"):
            yield Finding("dream", Level.NOTE, "none: dream.enabled is false", "lane config set dream.enabled true")
        elif last is None:
            yield Finding("dream", Level.OK, "no dream has run yet")
        else:
            report = cast("Mapping[str, object]", last.data["dream"])
            done, age = cast("Sequence[object]", report["done"]), _ago(self._home.clock() - last.at)
            failed = f"the last dream ({age}) failed and changed nothing: {report['failed']}"
            well = f"last dream {age}, {len(done):,} changes"
            level = Level.WARN if report["failed"] else Level.OK
            hint = "lane dream report" if report["failed"] else ""
            yield Finding("dream", level, failed if report["failed"] else well, hint)

    def _timer(self) -> Iterator[Finding]:
        ticked = self._overviews.last_tick()
        if ticked is None:
            yield Finding("tick", Level.NOTE, "`lane tick` has never run", "lane init adds the timer")
            return
        age = self._home.clock() - ticked
        level = Level.FAIL if age > LATEST_TICK else Level.OK
        hint = "lane init restores the timer; by hand: lane tick" if level is Level.FAIL else ""
        yield Finding("tick", level, f"last tick {_ago(age)} (fails after 15 min)", hint)

    def files(self) -> Sequence[Finding]:
        """Each file that was set aside, and each line that could not be read."""
        aside = [Finding("set-aside", Level.WARN, f"{a.path}: {a.reason}") for a in self._capture.set_aside()]
        lines = [
            Finding(
                "line", Level.NOTE, f"{run.source_path} line {line.line}: {line.reason}", f"lane show {run.id} --raw"
            )
            for run in self._home.storage().runs.listed(RunFilter(), self._home.reader)
            for line in run.broken
        ]
        skipped = [Finding("skipped", Level.NOTE, f"{s.path}: {s.reason}") for s in self._capture.skipped()]
        return [*aside, *skipped, *lines]


def _looked(kind: str, check: Check) -> Iterator[Finding]:
    try:
        yield from check()
    except LaneError as error:
        yield Finding(kind, Level.FAIL, error.message, error.hint)
    except OSError as error:
        yield Finding(kind, Level.FAIL, message_of(error), advice_for(error))


def _captured_by(agent: AgentOverview) -> str:
    return f"; captured by: {', '.join(agent.captured_by)}" if agent.captured_by else ""


def _unknown(agent: AgentOverview, runs: Sequence[RunSummary]) -> Iterator[Finding]:
    """Kept in the archive, counted here; never a crash, never dropped."""
    unknown = Counter[str]()
    for run in runs:
        unknown.update(run.unknown)
    if unknown:
        most = ", ".join(f"{name} {count:,}" for name, count in unknown.most_common(5))
        count = sum(unknown.values())
        what = f"{agent.title}: {count:,} records of {len(unknown)} types unknown to this version ({most})"
        yield Finding("unknown-records", Level.NOTE, what, "nothing is lost; a newer memlane may read them")
    broken = sum(len(run.broken) for run in runs)
    if broken:
        what = f"{agent.title}: {broken:,} lines could not be read"
        yield Finding("broken-lines", Level.NOTE, what, "lane doctor --files")


def _runs(count: int) -> str:
    return f"{count:,} run{'' if count == 1 else 's'}"


def _ago(age: timedelta) -> str:
    seconds = int(age.total_seconds())
    for size, word in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size} {word} ago"
    return f"{max(0, seconds)} s ago"
