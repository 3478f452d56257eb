"""Random histories, dreamt over: nothing that was said is lost, nobody is trusted more, and undo gives back what was.

Twins, contradictions, chains of both, patterns, edits, pins, thumbs; in every engine.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import cast

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from campaigns.postgres_server import shared
from campaigns.world import scratch
from memlane.app import Lane
from memlane.domain import Evidence, Memory, Scope, State, Trust, Type
from memlane.domain.journal import UNDO
from memlane.storage import same_place
from tests.flow.dreams import TODAY, Clock, a_home, caught, dreaming, known, stand
from tests.flow.test_dream import told

# In groups: said twice, said otherwise, an exception to both, something else.
TITLES = (
    "Release notes are short and without emoji",
    "Keep release notes short, without emoji",
    "Short release notes without emoji",
    "Deploy on Fridays is fine",
    "Never deploy on a Friday",
    "Deploying docs on Friday is fine",
    "Tests run with vitest",
    "Run the tests with vitest",
    "Mails are put off to Friday",
)
PROJECTS = ("host/acme/app", "host/acme/other")
TRUST = tuple(Trust)


@dataclass(frozen=True, slots=True)
class Life:
    """One memory and what people did with it."""

    title: int
    days: int
    runs: int
    project: int
    type: Type
    trust: Trust
    state: State
    scope: Scope
    pinned: bool
    deed: str  # edit, up, down, old thumb, told


lives = st.builds(
    Life,
    title=st.integers(0, len(TITLES) - 1),
    days=st.integers(1, 500),
    runs=st.integers(1, 4),
    project=st.sampled_from([0, 0, 0, 1]),
    type=st.sampled_from([Type.DECISION, Type.DECISION, Type.PATTERN_SEED, Type.GAP]),
    trust=st.sampled_from([Trust.PERSON, Trust.PERSON, Trust.AGENT, Trust.TOOL, Trust.OUTSIDE]),
    state=st.sampled_from([State.ACTIVE, State.ACTIVE, State.ACTIVE, State.HELD]),
    scope=st.sampled_from([Scope.PROJECT, Scope.PROJECT, Scope.PERSON]),
    pinned=st.sampled_from([False, False, False, False, True]),
    deed=st.sampled_from(["", "", "", "", "edit", "up", "down", "old thumb", "told"]),
)
histories = st.lists(lives, min_size=2, max_size=9)
numbers = count()


def postgres(_folder: Path) -> dict[str, str]:
    name = f"dream_{next(numbers)}"
    with psycopg.connect(shared().url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")  # type: ignore[arg-type] - our own name
    return {"LANE_STORAGE_URL": shared().url.replace("/postgres?", f"/{name}?")}


ENGINES: dict[str, Callable[[Path], dict[str, str]]] = {"embedded": lambda _folder: {}, "postgres": postgres}
EXAMPLES = {"embedded": 16, "postgres": 6}


@dataclass(slots=True)
class World:
    """A home that begins anew for every history, with models that stay loaded."""

    folder: Path
    engine: str

    def lane(self, history: list[Life]) -> Lane:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        lane = a_home(self.folder, Clock(), **ENGINES[self.engine](self.folder))
        for n, life in enumerate(history):
            lived(lane, n, life)
        return lane


def lived(lane: Lane, n: int, life: Life) -> None:
    runs = [f"r_{(n + step) % 7}" for step in range(life.runs)]
    memory = caught(
        TITLES[life.title],
        days_ago=life.days,
        runs=runs,
        id=f"m_{n:0>13}".replace("0", "a"),
        type=life.type,
        trust=life.trust,
        state=life.state,
        scope=life.scope,
        pinned=life.pinned,
        project_key=PROJECTS[life.project],
        project=PROJECTS[life.project].partition("/")[2],
    )
    known(lane, memory)
    match life.deed:
        case "edit":
            lane.memories.edit(memory.id, {"category": f"by hand {n}"})
        case "up" | "down" | "old thumb":
            ago = 200 if life.deed == "old thumb" else 3
            told(lane, memory.title, memory.id, days_ago=ago, up=life.deed != "down")
        case "told":
            told(lane, memory.title, memory.id, days_ago=2)
        case _:
            pass


@pytest.fixture(params=ENGINES, scope="module")
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    folder = scratch()
    yield World(folder / "w", request.param)
    shutil.rmtree(folder)


def stands_for(memory: Memory, now: dict[str, Memory]) -> Memory:
    met = set[str]()
    while memory.state is State.SUPERSEDED and memory.superseded_by not in met:
        met.add(memory.superseded_by)
        memory = now[memory.superseded_by]
    return memory


def behind(memory: Memory, now: dict[str, Memory]) -> list[Evidence]:
    """All that speaks for it, wherever it went."""
    return [*now[memory.id].evidence, *stands_for(now[memory.id], now).evidence]


def test_whatever_was_lived_a_dream_loses_nothing_and_raises_nothing(world: World) -> None:
    @settings(max_examples=EXAMPLES[world.engine], deadline=None, suppress_health_check=list(HealthCheck))
    @given(histories)
    def holds(history: list[Life]) -> None:
        with world.lane(history) as lane:
            before = stand(lane)
            untouchable = {id for id, memory in before.items() if memory.pinned} | {
                f"m_{n:0>13}".replace("0", "a") for n, life in enumerate(history) if life.deed in ("edit", "up", "told")
            }
            dream = dreaming(lane).run()
            now = stand(lane)
            assert not dream.failed
            assert set(before) <= set(now)
            for memory in before.values():
                after = now[memory.id]
                assert all(any(same_place(e, other) for other in behind(memory, now)) for e in memory.evidence)
                assert after.times_observed >= memory.times_observed
                assert TRUST.index(after.trust) >= TRUST.index(memory.trust)
                assert after == memory or memory.id not in untouchable
                assert not (memory.state is State.HELD and after.state is State.ACTIVE)
                by = stands_for(after, now)
                if by.id != memory.id:
                    assert (by.owner, by.scope) == (memory.owner, memory.scope)
                    assert by.project_key == memory.project_key
                    assert by.state in (State.ACTIVE, State.HELD)
            merges = [one for one in dream.done if one.change == "merged"]
            for one in merges:
                (kept,) = one.result
                assert TRUST.index(now[kept].trust) >= max(TRUST.index(before[id].trust) for id in one.memories)
                assert now[kept].times_observed >= sum(before[id].times_observed for id in one.memories)
            again = dreaming(lane).run()
            assert [refusal.rule for refusal in dream.refused if "one in ten" in refusal.rule] or not again.done
            if dream.done:
                dreaming(lane).undo(dream.id)
            assert {id: stand(lane)[id] for id in before} == before

    holds()


def test_undo_of_any_part_gives_back_what_was(world: World) -> None:
    @settings(max_examples=EXAMPLES[world.engine] // 2, deadline=None, suppress_health_check=list(HealthCheck))
    @given(histories, st.integers(0, 20))
    def holds(history: list[Life], chosen: int) -> None:
        with world.lane(history) as lane:
            states, dreams = [stand(lane)], list[str]()
            for days in (0, 40):
                lane.home.clock = Clock(TODAY + timedelta(days=days, hours=1))
                dream = dreaming(lane).run()
                if dream.done:
                    dreams.append(dream.id)
                    states.append(stand(lane))
            if dreams and chosen % 2:
                done = dreaming(lane).report(dreams[-1]).dream.done
                dreaming(lane).undo(dreams[-1], done[chosen % len(done)].memories[0])
            for dream_id, was in zip(reversed(dreams), reversed(states[:-1]), strict=True):
                if not all_back(lane, dream_id):
                    dreaming(lane).undo(dream_id)
                assert {id: stand(lane)[id] for id in was} == was

    holds()


def all_back(lane: Lane, dream: str) -> bool:
    """One memory taken back was all there was."""
    done = dreaming(lane).report(dream).dream.done
    names = {name for one in done for name in one.memories}
    undone = [entry for act in lane.acts.all() for entry in act.entries if entry.data.get("dream") == dream]
    taken = {name for entry in undone if entry.kind == UNDO for name in cast("list[str]", entry.data["only"])}
    return names <= taken


def test_a_rebuild_after_dreams_is_what_stands(world: World) -> None:
    history = [
        Life(title, 10 + title, 3, 0, Type.DECISION, Trust.PERSON, State.ACTIVE, Scope.PROJECT, pinned=False, deed="")
        for title in range(len(TITLES))
    ]
    with world.lane(history) as lane:
        assert dreaming(lane).run().done
        before = {id: replace(memory, recall_count=0) for id, memory in stand(lane).items()}
        lane.archive.rebuild()
        assert stand(lane) == before
