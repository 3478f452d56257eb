"""Any plan at all, as a model gone mad might write it: what of it passes the rules loses nothing and raises nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlane.domain import Change, Evidence, Memory, Proposal, Scope, State, Trust, Type
from memlane.dream import Knowledge, Past, Retirement, gather, merged, sift
from memlane.storage import same_place
from tests.examples import examples

NOW = datetime(2026, 6, 15, tzinfo=UTC)
TRUST = tuple(Trust)
IDS = [f"m_{n}" for n in range(6)]


def said(name: str) -> Evidence:
    return Evidence(f"r_{name}", 1, 1, f"r_{name}#t1.1", f"words of {name}")


def memories() -> st.SearchStrategy[tuple[Memory, ...]]:
    def note(id: str, trust: Trust, state: State, project: str, owner: str, pinned: bool) -> Memory:
        at = NOW - timedelta(days=20)
        return Memory(
            id, owner, Type.DECISION, f"Title {id}", f"Says {id}.", at, at, at, at, evidence=(said(id),),
            trust=trust, state=state, project_key=project, pinned=pinned, confidence=80, maker="embedded@1",
        )  # fmt: skip

    one = (
        st.sampled_from(TRUST),
        st.sampled_from([State.ACTIVE, State.ACTIVE, State.HELD, State.RETIRED]),
        st.sampled_from(["a", "a", "b"]),
        st.sampled_from(["ann", "ann", "ann", "bob"]),
        st.sampled_from([False, False, False, True]),
    )
    return st.tuples(*(st.builds(note, st.just(id), *one) for id in IDS))


CHANGES: dict[str, st.SearchStrategy[object]] = {
    "state": st.sampled_from(list(State)),
    "superseded_by": st.sampled_from(["", "m_new", "nobody", *IDS]),
    "trust": st.sampled_from(TRUST),
    "title": st.sampled_from(["", "Other", "Title m_0"]),
    "confidence": st.integers(0, 100),
    "times_observed": st.integers(0, 9),
    "owner": st.sampled_from(["ann", "bob"]),
    "project_key": st.sampled_from(["a", "b"]),
    "scope": st.sampled_from(list(Scope)),
    "pinned": st.booleans(),
    "evidence": st.lists(st.sampled_from([said(id) for id in IDS]), unique=True).map(tuple),
}


@st.composite
def plans(draw: st.DrawFn, known: tuple[Memory, ...]) -> Proposal:
    """Near enough to a good one to slip through: a true one, with nothing, one thing or two things changed."""
    change, first = draw(st.sampled_from(list(Change))), draw(st.sampled_from(known))
    alike = [one for one in known if one.id != first.id and _place(one) == _place(first)]
    others = draw(st.lists(st.sampled_from(alike), max_size=2, unique_by=lambda m: m.id)) if alike else []
    if draw(st.integers(0, 9)) == 0:
        others = [draw(st.sampled_from([one for one in known if one.id != first.id]))]
    before = [first, *others]
    after = list(good(change, before))
    for _mutation in range(draw(st.sampled_from([0, 0, 1, 1, 2]))):
        n, name = draw(st.integers(0, len(after) - 1)), draw(st.sampled_from(sorted(CHANGES)))
        after[n] = replace(after[n], **{name: draw(CHANGES[name])})  # type: ignore[arg-type]
    if draw(st.integers(0, 9)) == 0:
        after.pop()
    return Proposal(change, tuple(before), tuple(after), "because")


def _place(memory: Memory) -> tuple[str, str, bool]:
    return memory.owner, memory.project_key, memory.state in (State.ACTIVE, State.HELD) and not memory.pinned


def good(change: Change, before: list[Memory]) -> list[Memory]:
    first, *others = before
    match change:
        case Change.MERGED:
            return [merged(first, others), *(gone(one, first.id) for one in others)]
        case Change.GRADUATED:
            return [*(gone(one, "m_new") for one in before), replace(merged(first, others), id="m_new")]
        case Change.SUPERSEDED:
            return [first, *(gone(one, first.id) for one in others)]
        case Change.RETIRED:
            return [replace(one, state=State.RETIRED) for one in before]
        case Change.RESTORED:
            return [replace(one, state=State.ACTIVE) for one in before]
        case Change.FADED:
            return [replace(one, confidence=one.confidence - 1) for one in before]
        case Change.EXACT | Change.SHORTER:
            return [replace(one, content="Other.") for one in before]


def gone(memory: Memory, by: str) -> Memory:
    return replace(memory, state=State.SUPERSEDED, superseded_by=by)


@pytest.mark.fault("G3")
@settings(max_examples=examples(150), deadline=None)
@given(st.data())
def test_whatever_passes_loses_nothing_raises_nothing_and_crosses_nothing(data: st.DataObject) -> None:
    there = data.draw(memories())
    plan = data.draw(st.lists(plans(there), max_size=4))
    retired = data.draw(st.dictionaries(st.sampled_from(IDS), st.sampled_from([State.ACTIVE, State.HELD])))
    past = Past(retired={id: Retirement("a.py is gone", state) for id, state in retired.items()})
    known = gather(there, (), (), past, NOW, 60)
    sifted = sift(plan, known)
    assert len(sifted.kept) + len(sifted.refused) + len(sifted.doubts) == len(plan)
    check(known, sifted.state)


def check(known: Knowledge, now: dict[str, Memory]) -> None:
    assert len(set(now) - {memory.id for memory in (*known.memories, *known.resting)}) <= 1
    for memory in known.resting:  # back as it was, or as it is
        assert now[memory.id] in (memory, replace(memory, state=known.past.retired[memory.id].state))
    for memory in known.memories:
        after = now[memory.id]
        by = stands_for(after, now)
        assert all(any(same_place(e, other) for other in (*after.evidence, *by.evidence)) for e in memory.evidence)
        assert after.times_observed >= memory.times_observed
        assert TRUST.index(after.trust) >= TRUST.index(memory.trust)
        assert (after.owner, after.maker, after.pinned) == (memory.owner, memory.maker, memory.pinned)
        assert after == memory or memory.id not in known.untouched
        assert after.state not in (State.FORGOTTEN, State.PAUSED)
        assert not (memory.state is State.HELD and after.state is State.ACTIVE)
        if after.state is State.SUPERSEDED:
            assert by.state in (State.ACTIVE, State.HELD)
            assert by.owner == memory.owner
            assert by.scope is not Scope.PROJECT or by.project_key == memory.project_key
            assert not (memory.state is State.ACTIVE and by.state is State.HELD)
    for memory in now.values():
        if memory.id == "m_new":
            sources = [one for one in known.memories if now[one.id].superseded_by == "m_new"]
            assert sources
            assert TRUST.index(memory.trust) >= max(TRUST.index(one.trust) for one in sources)


def stands_for(memory: Memory, now: dict[str, Memory]) -> Memory:
    met = set[str]()
    while memory.state is State.SUPERSEDED and memory.superseded_by not in met:
        met.add(memory.superseded_by)
        memory = now[memory.superseded_by]
    return memory
