"""The journals of two machines, joined in whichever order and whichever pieces: storage says what it would say if all
of it had happened on one."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import permutations
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memlane.archive import Layout, entries_with, journal
from memlane.domain import Entry, Evidence, Feedback, Machine, Memory, Mention, NameAnswer, State
from memlane.domain import journal as kinds
from memlane.flow.journal import NOTE, catch_up
from memlane.flow.tools import Tools
from memlane.gate import Gate
from memlane.storage import Engine, Storage, apply, life, memory_data, memory_of
from memlane.system.disk import Disk
from memlane.work import WriteLock
from tests.conformance.conftest import ENGINES
from tests.conformance.histories import entries
from tests.conformance.rows import NOON, NOOR, a_memory, everything_of, give_memory_vectors

CALM = settings(
    max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
MACHINES = ("desk", "laptop")
Delivery = Sequence[tuple[str, int]]  # so many lines of that machine's arrive, one after the other


@dataclass(frozen=True)
class Joining:
    """A home whose journal grows by what arrives from two machines."""

    folder: Path
    storage: Storage

    @property
    def tools(self) -> Tools:
        return Tools(
            disk=Disk(),
            layout=self.layout,
            machine=Machine("noor", "desk"),
            storage=self.storage,
            lock=WriteLock(self.folder / "lock"),
            gate=Gate,
            sources={},
            clock=lambda: NOON,
            new_id=lambda letter: f"{letter}_1",
        )

    @property
    def layout(self) -> Layout:
        return Layout(self.folder, "noor")

    def arrives(self, lines: Sequence[Entry]) -> None:
        if lines:
            journal.write(Disk(), self.layout, Machine("noor", lines[0].machine), lines)
            catch_up(self.tools)

    def memory(self, id: str = "m_1") -> Memory:
        found = self.storage.memories.get(id, NOOR)
        assert found is not None
        return found

    def told(self) -> list[object]:
        """All that can be asked of it; and what its history ends with is what it says."""
        give_memory_vectors(self.storage)
        for memory in self.storage.memories.listed(list(State), NOOR):
            lines = entries_with(Disk(), self.layout, memory.id, f'"kind":"{kinds.ENTITY}"')
            assert [*life(memory.id, lines)][-1].after == replace(memory, recall_count=0)
        return told(self.storage)


def told(storage: Storage) -> list[object]:
    give_memory_vectors(storage)
    return [*everything_of(storage, NOOR), list(storage.recalls.judged(["m_1", "m_2"], NOOR))]


@contextmanager
def a_home(make: Callable[[Path], Engine], folder: Path) -> Iterator[Joining]:
    here = Path(tempfile.mkdtemp(dir=folder))
    storage = make(here).begin()
    try:
        yield Joining(here, storage)
    finally:
        storage.close()


def verdicts() -> st.SearchStrategy[Entry]:
    def line(n: int, *, up: bool, back: bool) -> Entry:
        given = Feedback(f"f_{n}", "noor", "l_1", f"m_{n}", up, "words", NOON)
        data = {"feedback": msgspec.to_builtins(given), "taken_back": back}
        return Entry(kinds.FEEDBACK, given.id, NOON, "noor", "desk", "person", data)

    return st.builds(line, st.integers(1, 2), up=st.booleans(), back=st.booleans())


@st.composite
def histories(draw: st.DrawFn) -> list[Entry]:
    """As it happened: nothing is said about a Memory before it was made, and whoever moves one knows where it stood."""
    drawn = draw(st.lists(st.tuples(entries(("noor",)) | verdicts(), st.sampled_from(MACHINES)), max_size=25))
    history, states = list[Entry](), dict[str, str]()
    for n, (entry, machine) in enumerate(drawn):
        memory, data = memory_of(entry), dict(entry.data)
        if memory and memory not in states and entry.kind != kinds.MEMORY:
            continue
        if entry.kind == kinds.STATE:
            knows = draw(st.booleans())
            data["before"] = states[memory] if knows else State.ACTIVE.value
        history.append(replace(entry, at=NOON + timedelta(hours=1, minutes=n), machine=machine, data=data))
        if memory:
            states[memory] = str(data.get("state", states.get(memory, State.ACTIVE.value)))
    return history


deliveries = st.lists(st.tuples(st.sampled_from(MACHINES), st.integers(1, 6)), max_size=8)


@CALM
@given(history=histories(), delivery=deliveries)
def test_two_machines_joined_in_any_pieces_are_one_history(
    folder: Path, history: list[Entry], delivery: Delivery
) -> None:
    for make in ENGINES.values():
        with a_home(make, folder) as truth:
            for entry in history:
                apply(entry, truth.storage)
            expected = told(truth.storage)
        with a_home(make, folder) as joined:
            left = {machine: [entry for entry in history if entry.machine == machine] for machine in MACHINES}
            for machine, count in (*delivery, *((machine, len(history)) for machine in MACHINES)):
                joined.arrives(left[machine][:count])
                del left[machine][:count]
            assert joined.told() == expected
            with a_home(make, folder) as fresh:
                rebuilt = replace(joined, storage=fresh.storage)
                catch_up(rebuilt.tools)
                assert rebuilt.told() == expected, "delete the database: everything comes back"


# -- each case that was lost ------------------------------------------------------------------------------------------


def at(minute: int) -> datetime:
    return NOON + timedelta(minutes=minute)


def a_line(kind: str, machine: str, minute: int, data: dict[str, object]) -> Entry:
    return Entry(kind, str(data.get("memory", "x")), at(minute), "noor", machine, "person", data)


def made(machine: str, minute: int, **more: object) -> Entry:
    whole = dict(memory_data(a_memory("m_1", minute=0, **more)))
    return replace(a_line(kinds.MEMORY, machine, minute, whole), id="m_1")


def moved(machine: str, minute: int, state: State, before: State = State.ACTIVE) -> Entry:
    data: dict[str, object] = {"memory": "m_1", "state": state.value, "before": before.value}
    return a_line(kinds.STATE, machine, minute, data)


def seen(machine: str, minute: int) -> Entry:
    evidence = msgspec.to_builtins(Evidence("r_9", 1, 1, "r_9#t1.1", "again"))
    data = {"memory": "m_1", "evidence": evidence, "formed_at": at(minute).isoformat(), "confidence": 88}
    return a_line(kinds.OBSERVATION, machine, minute, data)


Outcome = Callable[..., Memory]


@pytest.fixture
def outcome(make: Callable[[Path], Engine], folder: Path) -> Outcome:
    """What is known when these lines have come one by one: the same in every order that keeps a machine's own."""

    def told_in_every_order(*lines: Entry) -> Memory:
        ends = [_joined(order, make, folder) for order in permutations(lines) if _own(order) == _own(lines)]
        assert all(end == ends[0] for end in ends)
        return ends[0]

    return told_in_every_order


def _own(lines: Sequence[Entry]) -> list[list[Entry]]:
    return [[line for line in lines if line.machine == machine] for machine in MACHINES]


def _joined(lines: Sequence[Entry], make: Callable[[Path], Engine], folder: Path) -> Memory:
    with a_home(make, folder) as home:
        for line in lines:
            home.arrives([line])
        assert home.told()
        return home.memory()


def test_a_state_or_an_observation_that_comes_before_its_memory_is_not_lost(outcome: Outcome) -> None:
    after = outcome(made("laptop", 1), moved("desk", 2, State.PAUSED), seen("desk", 3))
    assert (after.state, after.times_observed, after.confidence) == (State.PAUSED, 2, 88)


@pytest.mark.fault("A24")
def test_a_clock_that_is_behind_takes_nothing_away(outcome: Outcome) -> None:
    """What it wrote stands, by its times, before the memory was made."""
    after = outcome(made("laptop", 9), seen("desk", 3), moved("desk", 4, State.PAUSED))
    assert (after.state, after.times_observed) == (State.PAUSED, 2)


@pytest.mark.fault("A24")
def test_an_edit_by_a_clock_that_is_behind_is_an_edit(outcome: Outcome) -> None:
    after = outcome(made("laptop", 9), made("desk", -5, content="as the person wants it"))
    assert after.content == "as the person wants it"


def test_the_later_of_two_edits_holds_whichever_came_first(outcome: Outcome) -> None:
    lines = (made("laptop", 1), made("desk", 5, content="later"), made("laptop", 3, content="sooner"))
    assert outcome(*lines).content == "later"


def test_what_was_forgotten_on_one_machine_is_not_brought_back_by_an_edit_on_another(outcome: Outcome) -> None:
    lines = (made("laptop", 1), moved("desk", 2, State.FORGOTTEN), made("laptop", 3, content="edited"))
    assert outcome(*lines, moved("laptop", 4, State.PAUSED)).state is State.FORGOTTEN


def test_what_was_forgotten_comes_back_when_somebody_says_so(outcome: Outcome) -> None:
    lines = (made("laptop", 1), moved("desk", 2, State.FORGOTTEN), seen("laptop", 3))
    after = outcome(*lines, moved("laptop", 4, State.ACTIVE, before=State.FORGOTTEN))
    assert (after.state, after.times_observed) == (State.ACTIVE, 2)


def test_words_that_are_gone_for_good_do_not_come_back_from_another_machine(outcome: Outcome) -> None:
    lines = (made("laptop", 1, title="", content=""), moved("laptop", 2, State.FORGOTTEN))
    after = outcome(*lines, made("desk", 3, content="the old words"))
    assert (after.title, after.content, after.state) == ("", "", State.FORGOTTEN)


def test_a_name_that_was_answered_elsewhere_is_known_in_a_memory_that_comes_later(outcome: Outcome) -> None:
    said = {"mention": msgspec.to_builtins(NameAnswer("Mira", "person:mira-a"))}
    answered = replace(a_line(kinds.ENTITY, "desk", 5, said), id="person:mira-a")
    after = outcome(made("laptop", 1, related_entities=(Mention("person", "Mira"),)), answered)
    assert [mention.slug for mention in after.related_entities] == ["mira-a"]


@pytest.mark.parametrize("first", MACHINES)
def test_a_run_forgotten_on_one_machine_stays_so_though_it_grew_on_another(
    make: Callable[[Path], Engine], folder: Path, first: str
) -> None:
    bars = [a_line(kinds.TOMBSTONE, "desk", 1, {"run": "r_1"}), a_line(kinds.LEFT_OUT, "laptop", 2, {"run": "r_1"})]
    with a_home(make, folder) as home:
        for line in sorted(bars, key=lambda bar: bar.machine != first):
            home.arrives([replace(line, id="r_1")])
        assert home.storage.bars.barred(NOOR) == {"r_1": kinds.TOMBSTONE}


def test_a_note_of_how_far_it_came_that_is_lost_costs_nothing(make: Callable[[Path], Engine], folder: Path) -> None:
    with a_home(make, folder) as home:
        home.arrives([moved("desk", 5, State.PAUSED)])
        home.storage.notes.put(NOTE, "")
        home.arrives([made("laptop", 1)])
        assert home.memory().state is State.PAUSED
