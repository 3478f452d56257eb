"""How a Run went: said by a person or an agent, it counts for the Memories recalled in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from memlane.app.home import Home
from memlane.app.home.journal import OURS, ActLine, ActWriter, actor_of, memory_line
from memlane.domain import Memory, RunFilter, RunSummary, State
from memlane.domain.journal import OUTCOME
from memlane.domain.memory import credited
from memlane.errors import NotFoundError
from memlane.storage import Result


@dataclass(frozen=True, slots=True)
class OutcomeEffect:
    """What was said about a Run, and what it did to the Memories recalled in it."""

    run: str
    before: bool | None  # what was said the last time: True is success
    success: bool
    memories: Sequence[str]
    changed: Sequence[tuple[Memory, Memory]]
    act: str


@dataclass(frozen=True, slots=True)
class SaidOutcome:
    """How an agent said that a Run went, to be written down."""

    run: str
    success: bool
    agent: str


class Outcomes:
    def __init__(self, home: Home, writer: ActWriter) -> None:
        self._home = home
        self._writer = writer

    def newest_in(self, folder: Path) -> RunSummary:
        """The Run of this folder that a person most likely means: its newest that nobody else's Run started."""
        project = self._home.project_at(str(folder))
        found = self._home.storage().runs.listed(RunFilter(project=project.key), self._home.reader)
        here = [run for run in found if Path(run.cwd or ".") == folder] or found
        first = next((run for run in here if not run.parent), None)
        if first is None:
            raise NotFoundError("there is no run in this folder", hint="lane runs")
        return first

    def outcome(self, run: str, *, success: bool, because: str = "", by: str = "") -> OutcomeEffect:
        """`by`: the agent that says so, if it is not the person."""
        storage, reader = self._home.storage(), self._home.reader
        before = storage.results.get(run, reader)
        memories = list(dict.fromkeys(self._recalled_in(run)))
        result = Result(run, success, self._home.clock(), tuple(memories))
        moved = [(memory, after) for memory, after in self._credited(result) if memory != after]
        data: dict[str, object] = {"run": run, "outcome": "success" if success else "failure", "memories": memories}
        if because:
            data["because"] = self._home.gate.mask(because)
        told = f"its run {run} went {'well' if success else 'wrong'}"
        lines = [memory_line(after, OURS, because=told) for _before, after in moved]
        act = self._writer.write([ActLine(OUTCOME, run, data, actor_of(by)), *lines])
        said = before.success if before is not None and before.memories else None
        return OutcomeEffect(run, said, success, memories, moved, act)

    def _recalled_in(self, run: str) -> Iterator[str]:
        """Notes the agent was told."""
        for recall in self._home.storage().recalls.shown_in(run, self._home.reader):
            yield from (match.memory.id for match in recall.told)

    def _credited(self, result: Result) -> Iterator[tuple[Memory, Memory]]:
        """With what was said of other Runs; the newest word about this one is the one that counts."""
        storage, reader = self._home.storage(), self._home.reader
        for name in result.memories:
            memory = storage.memories.get(name, reader)
            if memory is not None and memory.state is not State.FORGOTTEN:
                others = [known for known in storage.results.of(name, reader) if known.run != result.run]
                yield memory, credited(memory, [known.success for known in (*others, result)])
