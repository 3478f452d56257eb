"""How a Run becomes findable: its Turns masked, cut into Chunks, and summed up, in one transaction.

Only the Turns that are new, or still growing, are masked and written again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from memlane.agents import LinePosition, LineStream, Parser, ParserState, Source
from memlane.domain import (
    Chunk,
    Machine,
    Project,
    Reader,
    Relation,
    Run,
    RunSummary,
    Touch,
    Turn,
    run_id,
)
from memlane.domain.delta import Generation
from memlane.gate import Gate
from memlane.index.chunk import chunks_of, touches_of, trimmed
from memlane.index.summary import PassState, may_be_kept, project_or, title_of
from memlane.storage import Bookmark, IndexMark, Storage

NOBODY_ELSE = ""


@dataclass(frozen=True, slots=True)
class FiledRun:
    """A Run as the archive filed it: what the transcript itself need not say."""

    run: Run
    generation: Generation
    bytes: int
    started: datetime  # as filed: what counts where no step says when
    cwd: str
    project: Project
    parent_native_id: str
    relation: str


@dataclass(frozen=True, slots=True)
class RunOrigin:
    """What only a whole pass can tell, and what decides which of two Runs is the fork."""

    started: datetime | None
    parent_native_id: str


@dataclass(frozen=True, slots=True)
class RunLines:
    """What one pass goes over, and what is in mind when it begins."""

    lines: LineStream
    source: Source
    mind: PassState
    goes_on: bool = False  # what stands before these lines is indexed


class Build:
    """One pass over one Run, or over what was added to it.

    Which Turns a fork has copied is decided while they go by. If the end of the pass knows better, `learned_better`
    says so and the pass is done again with what it `learned`: so the order Runs are indexed in changes nothing.
    `start_over` says that the new lines alone do not tell: the whole Run has to be read.
    """

    def __init__(self, filed: FiledRun, gate: Gate, storage: Storage, learned: RunOrigin | None = None) -> None:
        self._filed = filed
        self._gate = gate
        self._storage = storage
        self._reader = Reader(filed.run.user)
        self._prompts: list[tuple[str, int, int]] = []
        self._touches: list[Touch] = []
        self._fork_of = NOBODY_ELSE
        self._known_before = learned
        self._decided_with = set[RunOrigin]()
        self._shared = False  # another Run holds a prompt of this one
        self._paused: ParserState | None = None
        self.learned = learned
        self.start_over = False

    @property
    def learned_better(self) -> bool:
        return any(known != self.learned for known in self._decided_with)

    def run(self, stretch: RunLines) -> RunSummary:
        run, storage, mind = self._filed.run, self._storage, stretch.mind
        stretch.lines.pause = lambda place: self._pause(place, stretch)
        before = storage.runs.get(run.id, self._reader)
        begin = mind.so_far.told + 1 if stretch.goes_on else self._begin(mind.reading)
        with storage.transaction():
            storage.chunks.replace(run.id, run.user, begin, self._chunks(mind, begin))
            storage.touches.replace(run.id, run.user, begin, self._touches)
            storage.prompts.replace(run.id, run.user, begin, self._prompts)
            summary = self._summary(mind, stretch.lines)
            storage.runs.put(summary)
            self.learned = self._known_so_far(mind)
            self._done(mind, goes_on=stretch.goes_on)
        known = before is not None and (before.started, before.parent) == (summary.started, summary.parent)
        self.start_over = stretch.goes_on and (self._shared or not known)
        return summary

    def _begin(self, reading: Parser) -> int:
        """The first Turn to write: the last one known, if only bytes were added since."""
        mark = self._storage.work.indexed(self._filed.run.id)
        if mark is None or not reading.append_only or self._known_before is not None:
            return 0
        same = mark.generation == self._filed.generation.n and mark.rules == self._gate.version
        return mark.turn if same and mark.size <= self._filed.generation.size else 0

    def _pause(self, place: LinePosition, stretch: RunLines) -> None:
        self._paused = stretch.mind.pause(place, stretch.lines, stretch.source)

    def _done(self, mind: PassState, *, goes_on: bool) -> None:
        """The mark, and the bookmark: none that another Run may make wrong, else the newest the Gate lets pass."""
        run, generation, work = self._filed.run, self._filed.generation, self._storage.work
        work.index_done(run.id, IndexMark(generation.n, generation.size, max(0, mind.so_far.told), self._gate.version))
        if self._paused is not None and not self._shared and may_be_kept(self._paused, self._gate):
            work.keep_bookmark(run.id, Bookmark(generation.n, mind.so_far.place.offset, self._paused.state))
        elif not goes_on or self._shared:
            work.keep_bookmark(run.id, None)

    def _chunks(self, mind: PassState, begin: int) -> Iterator[Chunk]:
        for turn in mind.reading.turns():
            mind.so_far.tally.add(turn, self._gate.mask)
            mind.so_far.told = turn.n
            copied = self._is_copied(turn, mind)
            if turn.n >= begin and not copied:
                masked = self._gate.mask_turn(trimmed(turn))
                self._touches += touches_of(self._filed.run.id, masked)
                yield from chunks_of(self._filed.run.id, masked)

    def _is_copied(self, turn: Turn, mind: PassState) -> bool:
        """A fork repeats its parent's Turns under the same ids: they are found once, in the Run that owns them."""
        native_id = turn.steps[0].native_id if turn.n and turn.steps else ""
        if not native_id:
            return False
        self._prompts.append((native_id, turn.n, len(turn.steps)))
        for other, _turn, steps in self._storage.prompts.holders(native_id, self._reader):
            if other == self._filed.run.id:
                continue
            self._shared = True
            if self._owns_less(other, mind):
                self._fork_of = self._fork_of or other
                return steps >= len(turn.steps)
            self._storage.work.index_again(other)
        return False

    def _owns_less(self, other: str, mind: PassState) -> bool:
        """Whether the other Run is the original: by what the two say of each other, else by which began first."""
        theirs, mine = self._storage.runs.get(other, self._reader), self._filed.run
        if theirs is None:
            return False
        known = self._known_before or self._known_so_far(mind)
        self._decided_with.add(known)
        if known.parent_native_id == theirs.native_id:
            return True
        they_began_first = (str(theirs.started), other) < (str(known.started or self._filed.started), mine.id)
        return they_began_first and theirs.parent != mine.id  # they may think so no longer: they are asked again

    def _known_so_far(self, mind: PassState) -> RunOrigin:
        return RunOrigin(
            mind.so_far.tally.started, self._filed.parent_native_id or mind.reading.facts().parent_native_id
        )

    def _summary(self, mind: PassState, lines: LineStream) -> RunSummary:
        filed, tally, mask = self._filed, mind.so_far.tally, self._gate.mask
        facts = self._gate.mask_facts(mind.reading.facts())
        begun_from = filed.parent_native_id or facts.parent_native_id
        parent, relation = self._parent(begun_from, facts.relation)
        cwd = facts.cwd or mask(filed.cwd)
        named = Project(mask(filed.project.name), mask(filed.project.key))
        summary = RunSummary(
            id=filed.run.id,
            owner=filed.run.user,
            machine=filed.run.machine,
            agent=filed.run.agent,
            native_id=filed.run.native_id,
            generation=filed.generation.n,
            source_path=mask(filed.generation.source_path),
            bytes=filed.bytes,
            account=facts.account,
            project=project_or(Project(cwd, cwd), named),
            cwd=cwd,
            branch=facts.branch,
            title=title_of(facts, tally),
            started=tally.started or filed.started,
            ended=tally.ended or filed.started,
            first=tally.first,
            last=tally.last,
            parent=parent,
            parent_native_id=mask(begun_from),
            relation=relation,
            files=tuple(mask(file) for file in tally.files),
            skills=facts.skills,
            commands=facts.commands,
            kind=tally.kind,
        )
        return replace(
            summary,
            turns=tally.turns,
            person_turns=tally.person_turns,
            steps=tally.steps,
            tool_calls=tally.tool_calls,
            errors=tally.errors,
            models=facts.models,
            tokens=facts.tokens,
            version=facts.version,
            headless=facts.headless,
            unknown=facts.unknown,
            broken=(*facts.broken, *lines.broken),
            withheld=lines.withheld,
        )

    def _parent(self, native_id: str, relation: Relation | None) -> tuple[str, str]:
        run = self._filed.run
        if native_id:
            named = self._filed.relation or (relation.value if relation else "")
            return run_id(Machine(run.user, run.machine), run.agent, native_id), named
        if self._fork_of:
            return self._fork_of, Relation.FORK.value
        return "", ""
