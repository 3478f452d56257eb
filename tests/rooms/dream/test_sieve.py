"""Rules that do not trust whoever proposed: each forbidden wish is refused, by name, and nothing of it is applied."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlane.domain import (
    Change,
    Evidence,
    Match,
    Memory,
    Outcome,
    Project,
    Proposal,
    Query,
    Recall,
    RecallMoment,
    Scope,
    State,
    Trust,
    Type,
)
from memlane.dream import Knowledge, Past, gather, merged, runs_away, sift

NOW = datetime(2026, 6, 15, tzinfo=UTC)


def note(id: str, **more: object) -> Memory:
    at = NOW - timedelta(days=20)
    evidence = (Evidence(f"r_{id}", 1, 1, f"r_{id}#t1.1", f"words of {id}"),)
    made = Memory(
        id, "ann", Type.DECISION, f"Title {id}", f"Says {id}.", at, at, at, at, evidence=evidence, confidence=80
    )
    return replace(made, **{"maker": "embedded@1", "project_key": "host/app", **more})  # type: ignore[arg-type]


ONE, TWO, THREE = note("m_1"), note("m_2"), note("m_3")


def among(*memories: Memory, past: Past | None = None, told_from: int = 60) -> Knowledge:
    return gather(memories or (ONE, TWO, THREE), (), (), past or Past(), NOW, told_from)


def gone(memory: Memory, by: str = "") -> Memory:
    return replace(memory, state=State.SUPERSEDED, superseded_by=by)


def merge(kept: Memory, *others: Memory, **instead: object) -> Proposal:
    made = replace(merged(kept, others), **instead)  # type: ignore[arg-type]
    return Proposal(Change.MERGED, (kept, *others), (made, *(gone(one, kept.id) for one in others)), "the same")


def retire(memory: Memory, **more: object) -> Proposal:
    return Proposal(Change.RETIRED, (memory,), (replace(memory, state=State.RETIRED, **more),), "stale")  # type: ignore[arg-type]


def outdo(loser: Memory, winner: Memory) -> Proposal:
    return Proposal(Change.SUPERSEDED, (winner, loser), (winner, gone(loser, winner.id)), "newer")


def refusal(proposal: Proposal, known: Knowledge) -> str:
    sifted = sift([proposal], known)
    assert not sifted.kept
    assert sifted.state == {memory.id: memory for memory in known.memories}
    return sifted.refused[0].rule if sifted.refused else sifted.doubts[0].because


def test_what_is_in_order_is_kept() -> None:
    wishes = [merge(ONE, TWO), retire(THREE)]
    assert sift(wishes, among()).kept == wishes


BAD = {
    "it names a memory that does not exist": retire(note("m_9")),
    "it names no memory, or the same one twice": Proposal(Change.RETIRED, (), (), "x"),
    "the memory changed in the meantime": retire(replace(ONE, title="Other")),
    "it would delete a memory": Proposal(Change.MERGED, (ONE, TWO), (merged(ONE, [TWO]),), "x"),
    "it would create more than one memory, or one that exists already": Proposal(
        Change.MERGED, (ONE, TWO), (gone(ONE, "m_8"), gone(TWO, "m_8"), note("m_8"), note("m_9")), "x"
    ),
    "it changes nothing": Proposal(Change.EXACT, (ONE,), (ONE,), "x"),
    "it loses evidence": merge(ONE, TWO, evidence=ONE.evidence),
    "it loses observations": merge(ONE, TWO, times_observed=1),
    "it raises confidence": merge(ONE, TWO, confidence=99),
    'it changes more than "retired" allows': retire(ONE, title="Other"),
    "its text would be empty, or much longer than before": Proposal(
        Change.EXACT, (ONE,), (replace(ONE, title=""),), "x"
    ),
    "only a person approves, pauses or forgets a memory": Proposal(
        Change.RETIRED, (ONE,), (replace(ONE, state=State.FORGOTTEN),), "x"
    ),
    "nothing would replace it": Proposal(Change.SUPERSEDED, (ONE,), (gone(ONE, "m_7"),), "x"),
    "exactly one memory must remain": Proposal(
        Change.MERGED, (ONE, TWO), (replace(ONE, times_observed=2), replace(TWO, times_observed=2)), "x"
    ),
}


@pytest.mark.parametrize("rule", BAD)
def test_what_is_forbidden_is_refused_by_name(rule: str) -> None:
    assert refusal(BAD[rule], among()) == rule


def test_nobody_is_trusted_more_than_before() -> None:
    less = replace(TWO, trust=Trust.TOOL)
    assert refusal(merge(ONE, less, trust=Trust.PERSON), among(ONE, less)) == "it raises trust"
    assert refusal(Proposal(Change.EXACT, (less,), (replace(less, title="T", trust=Trust.PERSON),), "x"), among(less))


def test_text_from_outside_neither_joins_nor_outdoes_what_a_person_said() -> None:
    outside = replace(TWO, trust=Trust.OUTSIDE, state=State.HELD)
    assert refusal(merge(ONE, outside), among(ONE, outside)) == "it would add text from outside"
    active = replace(TWO, trust=Trust.OUTSIDE)
    sifted = sift([outdo(ONE, active)], among(ONE, active))
    assert (sifted.kept, sifted.refused) == ([], [])
    assert "less trusted" in sifted.doubts[0].because


@pytest.mark.fault("K11")
@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"owner": "bob"}, "it mixes owners"),
        ({"project_key": "host/other"}, "it mixes projects"),
        ({"scope": Scope.PERSON}, "it mixes projects"),
        ({"target_agents": ("codex",)}, "it mixes agents"),
    ],
)
def test_a_merge_crosses_neither_owners_nor_projects_nor_agents(change: dict[str, object], rule: str) -> None:
    other = replace(TWO, **change)  # type: ignore[arg-type]
    assert refusal(merge(ONE, other), among(ONE, other)) == rule


def test_only_what_holds_there_outdoes_a_memory() -> None:
    elsewhere, everywhere = note("m_5", project_key="host/other"), note("m_6", project_key="x", scope=Scope.GLOBAL)
    assert refusal(outdo(ONE, elsewhere), among(ONE, elsewhere)) == "it mixes projects"
    assert sift([outdo(ONE, everywhere)], among(ONE, everywhere)).kept
    held = replace(TWO, state=State.HELD)
    assert refusal(outdo(ONE, held), among(ONE, held)) == "its replacement is never recalled"


@pytest.mark.parametrize(
    ("memory", "past", "why"),
    [
        (replace(ONE, pinned=True), Past(), "pinned"),
        (replace(ONE, maker="person"), Past(), "yours"),
        (ONE, Past(edited=frozenset({"m_1"})), "yours"),
    ],
)
def test_what_is_a_persons_is_not_touched_but_may_outdo_another(memory: Memory, past: Past, why: str) -> None:
    known = among(memory, TWO, past=past)
    assert refusal(retire(memory), known) == why
    assert refusal(merge(memory, TWO), known) == why
    assert sift([outdo(TWO, memory)], known).kept
    doubts = sift([outdo(memory, TWO)], known).doubts
    assert why in doubts[0].because


@pytest.mark.parametrize(("moment", "why"), [(RecallMoment.PROMPT, "used this week"), (RecallMoment.START, "")])
def test_what_fitted_lately_is_not_touched_a_title_at_the_start_of_a_run_did_not_fit(
    moment: RecallMoment, why: str
) -> None:
    """Where somebody works every day all titles are named every day: nothing would ever be tidied."""
    query = Query("the words", Project("app", "host/app"), "/app", "claude-code", "s", "r_1", moment)
    told = Recall("l_1", "ann", NOW, query, Outcome.SHOWN, "", (Match(ONE, 0.0, 0.0, {}, "x"),))
    known = gather((ONE, TWO), (told,), (), Past(), NOW, 60)
    assert known.untouched.get(ONE.id, "") == why
    assert known.last_used(ONE) == (NOW if why else ONE.saved_at)


@pytest.mark.fault("G10")
def test_a_memory_is_rewritten_three_times_and_no_more() -> None:
    exact = Proposal(Change.EXACT, (ONE,), (replace(ONE, content="Says it on 2026-06-01."),), "x")
    assert sift([exact], among(past=Past(rewritten={"m_1": 2}))).kept
    assert refusal(exact, among(past=Past(rewritten={"m_1": 3}))) == "it has been rewritten 3 times"


def test_what_faded_has_back_what_it_lost_and_not_more() -> None:
    def surer(points: int) -> Proposal:
        return Proposal(Change.FADED, (ONE,), (replace(ONE, confidence=80 + points),), "used")

    known = among(past=Past(faded={"m_1": 3}))
    assert sift([surer(3)], known).kept
    assert refusal(surer(4), known) == "it raises confidence"
    assert len(sift([surer(2), Proposal(Change.FADED, surer(2).after, (ONE,), "x")], known).kept) == 1


def test_a_later_proposal_stands_on_what_the_earlier_one_left() -> None:
    first = merge(ONE, TWO)
    second = Proposal(
        Change.MERGED, (first.after[0], THREE), (merged(first.after[0], [THREE]), gone(THREE, "m_1")), "x"
    )
    assert len(sift([first, second], among()).kept) == 2
    assert sift([second], among()).refused[0].rule == "the memory changed in the meantime"


def test_nobody_steps_back_behind_what_goes_in_the_same_dream() -> None:
    first = merge(ONE, TWO)
    sifted = sift([first, retire(first.after[0])], among())
    assert sifted.kept == [first]
    assert sifted.refused[0].rule == "it has just replaced another memory"


def test_a_merge_changes_nothing_on_the_side() -> None:
    assert refusal(merge(ONE, TWO, pinned=True), among()) == 'it changes more than "merged" allows'
    assert refusal(merge(ONE, TWO, maker="person"), among()) == 'it changes more than "merged" allows'


def test_the_setting_says_which_of_those_that_fade_are_told_to_nobody_any_more() -> None:
    memories = [note(f"m_{n}", confidence=70) for n in range(8)]
    wishes = [Proposal(Change.FADED, (one,), (replace(one, confidence=55),), "x") for one in memories]
    assert len(sift(wishes, among(*memories)).kept) == 3
    assert len(sift(wishes, among(*memories, told_from=50)).kept) == 8
    assert len(sift(wishes, among(*memories, told_from=80)).kept) == 8


@given(st.integers(11, 200), st.floats(0, 1))
def test_at_most_one_in_ten_leaves_and_a_wish_for_half_of_it_is_not_believed(count: int, share: float) -> None:
    memories = [note(f"m_{n:03}") for n in range(count)]
    known, wishes = among(*memories), [retire(one) for one in memories[: int(share * count)]]
    sifted = sift(wishes, known)
    assert len(sifted.kept) <= max(3, count // 10)
    assert len(sifted.kept) + len(sifted.refused) == len(wishes)
    assert runs_away(wishes, known) == (len(wishes) > max(10, count / 2))


TREES = st.lists(st.tuples(st.sampled_from(list(Trust)), st.integers(1, 5)), min_size=2, max_size=8)


@pytest.mark.fault("I2a")
@given(TREES, st.randoms(use_true_random=False))
def test_whatever_is_merged_in_whichever_order_has_the_least_trust_and_all_that_was_seen(
    tree: list[tuple[Trust, int]], order: object
) -> None:
    memories = [note(f"m_{n}", trust=trust, times_observed=times) for n, (trust, times) in enumerate(tree)]
    left = list(memories)
    while len(left) > 1:
        order.shuffle(left)  # type: ignore[attr-defined]
        left = [merged(left[0], left[1:2]), *left[2:]]
    (root,) = left
    assert root.trust == max((one.trust for one in memories), key=list(Trust).index)
    assert root.times_observed == sum(one.times_observed for one in memories)
    assert {evidence.run for evidence in root.evidence} == {
        evidence.run for one in memories for evidence in one.evidence
    }
