"""What the tests of dreams are made of: a home with a clock of its own, memories as they were caught, and minds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memlane.app import Lane
from memlane.app.dream import Dreams, Thinker
from memlane.app.dream.thinker import at_rest, thought_of
from memlane.app.home.journal import OURS, memory_line
from memlane.config import Config, load
from memlane.domain import Evidence, Memory, Scope, State, Thought, Type
from memlane.system.disk import Disk

TODAY = datetime(2026, 6, 15, 9, 0, tzinfo=UTC)


class Clock:
    """It goes on a little with every look, as clocks do."""

    def __init__(self, at: datetime = TODAY) -> None:
        self.at = at

    def __call__(self) -> datetime:
        self.at += timedelta(milliseconds=1)
        return self.at


@dataclass(frozen=True, slots=True)
class InProcess:
    """The same thoughts, from storage that only answers, without a process of their own."""

    config: Config

    def think(self, now: datetime, disturbed: Callable[[], bool]) -> Thought | str:  # noqa: ARG002 - nobody does
        home = at_rest(self.config, now)
        try:
            return thought_of(home)
        finally:
            home.close()


@dataclass(frozen=True, slots=True)
class Says:
    """A mind that says what a test wants."""

    thought: Thought | str

    def think(self, now: datetime, disturbed: Callable[[], bool]) -> Thought | str:  # noqa: ARG002
        return self.thought


def a_home(folder: Path, clock: Callable[[], datetime] | None = None, *, disk: Disk | None = None, **more: str) -> Lane:
    (folder / "home").mkdir(parents=True, exist_ok=True)
    ours = {"HOME": str(folder / "home"), "LANE_HOME": str(folder / "lane"), "LANE_USER": "ann", "LANE_MACHINE": "desk"}
    lane = Lane(load(ours | more), clock or Clock(), disk)
    lane.home.begin()
    return lane


def dreaming(lane: Lane, mind: Thinker | None = None) -> Dreams:
    return Dreams(lane.home, lane.acts.writer, lane.acts, lane.folder, lane.dream_tools, mind or InProcess(lane.config))


def said_in(*runs: str, words: str = "") -> tuple[Evidence, ...]:
    return tuple(Evidence(run, 1, n, f"{run}#t1.1", words or f"said in {run}") for n, run in enumerate(runs, 1))


def caught(
    title: str, content: str = "", *, days_ago: float = 1, runs: Sequence[str] = ("r_one",), **more: object
) -> Memory:
    """A memory as the classifier makes them. Its id is made from its title."""
    at = TODAY - timedelta(days=days_ago)
    letters = [c for c in title.lower() if c.isalpha()]
    made = Memory(
        id=f"m_{''.join(letters[:13]):a<13}",
        owner="ann",
        type=Type.DECISION,
        title=title,
        content=content or title,
        formed_at=at,
        saved_at=at,
        first_observed_at=at,
        last_observed_at=at,
        evidence=said_in(*runs, words=title),
        times_observed=len(runs),
        scope=Scope.PROJECT,
        project="acme/app",
        project_key="host/acme/app",
        confidence=80,
        maker="embedded@1",
    )
    return replace(made, **more)  # type: ignore[arg-type] - by name, as a test says


def known(lane: Lane, *memories: Memory) -> None:
    lane.acts.writer.write([memory_line(memory, OURS) for memory in memories])


def stand(lane: Lane) -> dict[str, Memory]:
    """Everything that is not forgotten, as it stands; what recalls count is left out."""
    states = [state for state in State if state is not State.FORGOTTEN]
    return {memory.id: replace(memory, recall_count=0) for memory in lane.memories.all(states)}
