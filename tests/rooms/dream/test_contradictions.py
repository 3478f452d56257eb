"""What denies another outdoes it when it is newer and no worse; else a person is asked (E67)."""

from __future__ import annotations

from memlane.domain import Change, Doubt, Proposal, Scope, State, Trust
from memlane.dream import against
from tests.rooms.dream.memories import JUNE, MARCH, every_pair, note

FINE = note("m_1", "Deploy on Fridays is fine", at=MARCH)
NEVER = note("m_2", "Never deploy on a Friday", at=JUNE, times_observed=2)
DOCS = note("m_3", "Deploy docs on Friday is fine", at=MARCH)


def test_the_newer_rule_outdoes_the_older_and_its_exception_stays() -> None:
    (made,) = against([FINE, NEVER, DOCS], every_pair([FINE, NEVER, DOCS], 0.95))
    assert isinstance(made, Proposal)
    assert made.change is Change.SUPERSEDED
    assert {memory.id: memory.state for memory in made.after} == {"m_1": State.SUPERSEDED, "m_2": State.ACTIVE}
    (left,) = [memory for memory in made.after if memory.id == "m_1"]
    assert (left.superseded_by, left.title) == ("m_2", FINE.title)


def test_the_order_of_pairs_changes_nothing() -> None:
    assert list(against([NEVER, FINE], [("m_1", "m_2", 0.9)])) == list(against([FINE, NEVER], [("m_2", "m_1", 0.9)]))


def test_a_single_newer_slip_does_not_undo_a_habit() -> None:
    often = note("m_1", FINE.title, at=MARCH, times_observed=5)
    once = note("m_2", NEVER.title, at=JUNE)
    (said,) = against([often, once], [("m_1", "m_2", 0.9)])
    assert isinstance(said, Doubt)
    assert set(said.memories) == {"m_1", "m_2"}
    assert NEVER.title in said.because


def test_what_a_tool_printed_never_outdoes_what_a_person_said() -> None:
    printed = note("m_2", NEVER.title, at=JUNE, trust=Trust.TOOL)
    (said,) = against([FINE, printed], [("m_1", "m_2", 0.9)])
    assert isinstance(said, Doubt)
    habit = note("m_1", FINE.title, at=MARCH, times_observed=4)
    (made,) = against([habit, printed], [("m_1", "m_2", 0.9)])
    assert isinstance(made, Proposal)
    assert made.before[0].id == "m_1"


def test_what_waits_for_a_yes_outdoes_nothing() -> None:
    (said,) = against([FINE, note("m_2", NEVER.title, at=JUNE, state=State.HELD)], [("m_1", "m_2", 0.9)])
    assert isinstance(said, Doubt)


def test_two_of_the_same_moment_are_a_persons_to_settle() -> None:
    (said,) = against([FINE, note("m_2", NEVER.title, at=MARCH)], [("m_1", "m_2", 0.9)])
    assert isinstance(said, Doubt)


def test_another_owner_project_or_scope_may_say_otherwise() -> None:
    for changes in ({"owner": "kim"}, {"project_key": "x"}, {"scope": Scope.PERSON}, {"target_agents": ("codex",)}):
        other = note("m_2", NEVER.title, at=JUNE, **changes)  # type: ignore[arg-type]
        assert list(against([FINE, other], [("m_1", "m_2", 0.9)])) == []
