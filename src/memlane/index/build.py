"""How a Run becomes findable: its Turns masked, cut into Chunks, and summed up, in one transaction.

Only the Turns that are new, or still growing, are masked and written again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from memlane.domain import (
    Chunk,
    Machine,
    Project,
    Reader,
    Relation,
    Run,
    RunSummary,
    Said,
    Turn,
    run_id,
)
from memlane.domain.delta import Generation
from memlane.gate import Gate
from memlane.index.chunk import chunks_of, trimmed
from memlane.index.summary import Tally, project_or, shortened, title_of
from memlane.sources import Reading
from memlane.storage import Mark, Storage

NOBODY_ELSE = ""


@dataclass(frozen=True, slots=True)
class Filed:
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
class Learned:
    """What only a whole pass can tell, and what decides which of two Runs is the fork."""

    started: datetime | None
    parent_native_id: str


class Build:
    """One pass over one Run.

    Which Turns a fork has copied is decided while they go by. If the end of the pass knows better, `learned_better`
    says so and the pass is done again with what it `learned`: so the order Runs are indexed in changes nothing.
    """

    def __init__(self, filed: Filed, gate: Gate, storage: Storage, learned: Learned | None = None) -> None:
        self._filed = filed
        self._gate = gate
        self._storage = storage
        self._reader = Reader(filed.run.user)
        self._tally = Tally()
        self._prompts: list[tuple[str, int, int]] = []
        self._fork_of = NOBODY_ELSE
        self._last_turn = 0
        self._known_before = learned
        self._decided_with = set[Learned]()
        self.learned = learned

    @property
    def learned_better(self) -> bool:
        return any(known != self.learned for known in self._decided_with)

    def run(self, reading: Reading) -> RunSummary:
        run, storage = self._filed.run, self._storage
        mark = storage.work.indexed(run.id)
        begin = self._begin(mark) if reading.append_only and self._known_before is None else 0
        with storage.transaction():
            storage.chunks.replace(run.id, run.user, begin, self._chunks(reading, begin))
            storage.prompts.replace(run.id, run.user, begin, self._prompts)
            summary = self._summary(reading)
            storage.runs.put(summary)
            generation = self._filed.generation
            self.learned = self._known_so_far(reading)
            storage.work.index_done(run.id, Mark(generation.n, generation.size, self._last_turn, self._gate.version))
        return summary

    def _begin(self, mark: Mark | None) -> int:
        """The first Turn to write: the last one known, if only bytes were added since."""
        same = mark is not None and mark.generation == self._filed.generation.n and mark.rules == self._gate.version
        return mark.turn if same and mark is not None and mark.size <= self._filed.generation.size else 0

    def _chunks(self, reading: Reading, begin: int) -> Iterator[Chunk]:
        for turn in reading.turns():
            self._tally.add(turn)
            self._last_turn = max(self._last_turn, turn.n)
            copied = self._is_copied(turn, reading)
            if turn.n >= begin and not copied:
                yield from chunks_of(self._filed.run.id, self._gate.mask_turn(trimmed(turn)))

    def _is_copied(self, turn: Turn, reading: Reading) -> bool:
        """A fork repeats its parent's Turns under the same ids: they are found once, in the Run that owns them."""
        native_id = turn.steps[0].native_id if turn.n and turn.steps else ""
        if not native_id:
            return False
        self._prompts.append((native_id, turn.n, len(turn.steps)))
        for other, _turn, steps in self._storage.prompts.holders(native_id, self._reader):
            if other == self._filed.run.id:
                continue
            if self._owns_less(other, reading):
                self._fork_of = self._fork_of or other
                return steps >= len(turn.steps)
            self._storage.work.index_again(other)
        return False

    def _owns_less(self, other: str, reading: Reading) -> bool:
        """Whether the other Run is the original: by what the two say of each other, else by which began first."""
        theirs, mine = self._storage.runs.get(other, self._reader), self._filed.run
        if theirs is None:
            return False
        known = self._known_before or self._known_so_far(reading)
        self._decided_with.add(known)
        if known.parent_native_id == theirs.native_id:
            return True
        they_began_first = (str(theirs.started), other) < (str(known.started or self._filed.started), mine.id)
        return they_began_first and theirs.parent != mine.id  # they may think so no longer: they are asked again

    def _known_so_far(self, reading: Reading) -> Learned:
        return Learned(self._tally.started, self._filed.parent_native_id or reading.facts().parent_native_id)

    def _summary(self, reading: Reading) -> RunSummary:
        filed, tally, mask = self._filed, self._tally, self._gate.mask
        facts = self._gate.mask_facts(reading.facts())
        parent, relation = self._parent(facts.parent_native_id, facts.relation)
        first, last = (Said(mask(said.text), said.at) for said in (shortened(tally.first), shortened(tally.last)))
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
            title=title_of(facts, first),
            started=tally.started or filed.started,
            ended=tally.ended or filed.started,
            first=first,
            last=last,
            parent=parent,
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
            broken=facts.broken,
        )

    def _parent(self, native_id: str, relation: Relation | None) -> tuple[str, str]:
        run = self._filed.run
        native_id = self._filed.parent_native_id or native_id
        if native_id:
            named = self._filed.relation or (relation.value if relation else "")
            return run_id(Machine(run.user, run.machine), run.agent, native_id), named
        if self._fork_of:
            return self._fork_of, Relation.FORK.value
        return "", ""
