"""Memories counted and listed without being read: every engine says what counting all of them by hand says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise
from random import Random

import pytest

from memlane.domain import Memory, Mention, Order, Scope, Selection, State, Traits, Type
from memlane.storage import Storage
from tests.conformance.rows import MIRA, NOON, NOOR, a_memory, a_recall

WORDS = ("Ferry", "ledger", "ÄNDERUNG", "100%", "queue_7")
NAMES = (
    Mention("person", "Mira", "mira-a", resolved=True),
    Mention("person", "Mira"),
    Mention("file", "src/Mail.py", "src/Mail.py", resolved=True),
    Mention("business", "harbour"),
)
FILTERS = (
    Selection(),
    Selection(states=(State.ACTIVE, State.HELD)),
    Selection(states=()),
    Selection(order=Order.YOUNG),
    Selection(type="decision", order=Order.SURE),
    Selection(scope="person", order=Order.OLD),
    Selection(project="shop", category="tools", order=Order.TOLD),
    Selection(names="mira-a"),
    Selection(names="Mira", states=(State.ACTIVE,)),
    Selection(level=60, again=True),
    Selection(told=True, order=Order.TOLD),
    Selection(told=False, skip=2, limit=3),
    Selection(always=True),
    Selection(always=False, states=(State.ACTIVE,), order=Order.TOLD),
    Selection(words="ferry LEDGER"),
    Selection(words="änderung"),
    Selection(words="100% queue_7"),
    Selection(words=" ".join(f"w{n}" for n in range(3000))),
    Selection(since=NOON, until=NOON + timedelta(minutes=40)),
)


def made_up(dice: Random, n: int) -> Memory:
    seen = NOON + timedelta(minutes=dice.randrange(60))
    return a_memory(
        f"m_{n}",
        minute=dice.randrange(60),
        type=dice.choice(list(Type)[:3]),
        state=dice.choice(list(State)),
        scope=dice.choice([Scope.PROJECT, Scope.PERSON]),
        project=dice.choice(["", "shop", "mill"]),
        project_key=dice.choice(["", "host/shop"]),
        category=dice.choice(["", "tools"]),
        confidence=dice.choice([30, 60, 75, 90]),
        times_observed=dice.randint(1, 2),
        always=dice.random() < 0.3,
        last_observed_at=seen,
        title=" ".join(dice.sample(WORDS, 2)),
        related_entities=tuple(dice.sample(NAMES, dice.randrange(3))),
    )


@pytest.fixture
def many(storage: Storage) -> Sequence[Memory]:
    """Put, changed, told, dropped: what is left, as it can be read."""
    dice = Random(9)
    for n in [*range(60), *dice.sample(range(60), 20)]:
        storage.memories.put(made_up(dice, n))
    for n in dice.sample(range(60), 15):
        storage.memories.set_state(f"m_{n}", "noor", dice.choice(list(State)), "")
    for n in range(40):
        shown = a_memory(f"m_{dice.randrange(70)}")
        storage.recalls.record(a_recall(f"l_{n}", "noor", n, f"r_{dice.randrange(3)}", shown))
    for n in range(60, 65):
        storage.memories.put(made_up(dice, n))
    for n in (3, 30):
        storage.memories.drop(f"m_{n}", "noor")
    storage.memories.put(a_memory("m_hers", "mira", related_entities=NAMES))
    return storage.memories.listed(list(State), NOOR)


def traits(memory: Memory) -> Traits:
    level = 90 if memory.confidence >= 90 else 60 if memory.confidence >= 60 else 0
    again, told = memory.times_observed > 1, memory.recall_count > 0
    what = (memory.state, memory.type, memory.scope, memory.project, memory.category)
    return Traits(*what, level, again=again, told=told, always=memory.always)


def fits(memory: Memory, which: Selection) -> bool:
    mine, said = traits(memory), f"{memory.title}\n{memory.content}\n{memory.id}".casefold()
    wanted = [(getattr(mine, name), getattr(which, name)) for name in ("type", "scope", "project", "category")]
    asked = [(getattr(mine, name), getattr(which, name)) for name in ("level", "again", "told", "always")]
    named = {one.slug if one.resolved else one.raw for one in memory.related_entities}
    return (
        memory.state in which.states
        and all(not value or has == value for has, value in wanted)
        and all(value is None or has == value for has, value in asked)
        and (not which.names or which.names in named)
        and all(word in said for word in which.words.casefold().split())
        and (which.since is None or memory.formed_at >= which.since)
        and (which.until is None or memory.formed_at < which.until)
    )


def ordered(memories: Sequence[Memory], by: Order) -> list[str]:
    def key(memory: Memory) -> tuple[float, ...]:
        formed = memory.formed_at.timestamp()
        first = {Order.SEEN: memory.last_observed_at.timestamp(), Order.TOLD: memory.recall_count}
        if by in (Order.OLD, Order.YOUNG):
            return (formed if by is Order.OLD else -formed,)
        return (-first.get(by, memory.confidence), -formed)

    return [memory.id for memory in sorted(memories, key=lambda memory: (key(memory), memory.id))]


def test_a_page_of_memories_is_what_all_of_them_would_give(storage: Storage, many: Sequence[Memory]) -> None:
    for which in FILTERS:
        fitting = [memory for memory in many if fits(memory, which)]
        found = storage.memories.found(which, NOOR)
        listed = [memory.id for memory in found]
        assert listed == ordered(fitting, which.order)[which.skip :][: which.limit], which
        assert all(one in many for one in found), which


def test_every_sort_of_memory_is_counted_once(storage: Storage, many: Sequence[Memory]) -> None:
    for which in FILTERS:
        fitting = [memory for memory in many if fits(memory, which)]
        assert storage.memories.tallied(which, NOOR) == Counter(map(traits, fitting)), which
        assert storage.memories.count(which.states, NOOR) == sum(memory.state in which.states for memory in many)


def test_memories_are_counted_from_each_edge_to_the_next(storage: Storage, many: Sequence[Memory]) -> None:
    edges = [NOON + timedelta(minutes=minute) for minute in (5, 10, 10, 30, 60)]
    which = Selection(states=(State.ACTIVE, State.HELD), scope="project")
    for by in ("type", "project", "category", ""):
        fitting = [(memory.formed_at, str(getattr(memory, by)) if by else "") for memory in many if fits(memory, which)]
        expected = [Counter(value for at, value in fitting if first <= at < last) for first, last in pairwise(edges)]
        assert list(storage.memories.over_time(edges, by, which, NOOR)) == expected, by


@pytest.mark.parametrize("known", [True, False])
def test_what_memories_name_is_counted_by_project_and_state(
    storage: Storage, many: Sequence[Memory], *, known: bool
) -> None:
    expected: dict[tuple[str, ...], list[Memory]] = {}
    for memory in many:
        for one in memory.related_entities:
            if one.resolved is known:
                name = one.slug if known else one.raw
                key = (one.type, name, memory.project_key, memory.project, memory.state.value)
                expected.setdefault(key, []).append(memory)
    found = {
        (one.type, one.name, one.project.key, one.project.name, one.state.value): (one.memories, one.seen)
        for one in storage.memories.names(NOOR, known=known)
    }
    assert found == {
        key: (len(some), max(memory.last_observed_at for memory in some)) for key, some in expected.items()
    }


def test_the_most_named_come_first(storage: Storage, many: Sequence[Memory]) -> None:
    for which in FILTERS:
        named = (one for memory in many if fits(memory, which) for one in memory.related_entities)
        counted = Counter(one.slug if one.resolved else one.raw for one in named)
        expected = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
        assert storage.memories.most_named(which, NOOR, 2) == (expected[:2], len(counted)), which


def test_each_has_its_type_and_nothing_is_told_of_anothers(storage: Storage, many: Sequence[Memory]) -> None:
    standing = [State.ACTIVE, State.HELD]
    expected = sorted((memory.id, memory.type) for memory in many if memory.state in standing)
    assert list(storage.memories.types(standing, NOOR)) == expected
    assert [id for id, _type in storage.memories.types(list(State), MIRA)] == ["m_hers"]
    assert sum(storage.memories.tallied(Selection(), MIRA).values()) == 1
    assert [memory.id for memory in storage.memories.found(Selection(words="content"), MIRA)] == ["m_hers"]


def test_a_change_of_a_memory_is_another_version(storage: Storage, many: Sequence[Memory]) -> None:
    before = storage.memories.version(NOOR)
    storage.memories.found(Selection(), NOOR)
    assert storage.memories.version(NOOR) == before
    storage.memories.put(many[0])
    assert storage.memories.version(NOOR) > before


def test_when_a_memory_was_last_told_is_known(storage: Storage) -> None:
    one, two = a_memory("m_1"), a_memory("m_2")
    for id, minute, run, shown in (("l_1", 9, "r_1", one), ("l_2", 5, "r_1", one), ("l_3", 2, "r_1", two)):
        storage.recalls.record(a_recall(id, "noor", minute, run, shown))
    assert storage.recalls.told_since(NOON + timedelta(minutes=3), NOOR) == {"m_1": NOON + timedelta(minutes=9)}
    assert storage.recalls.told_since(NOON, MIRA) == {}
