"""Taking an act back when something else happened since: only what the act did goes."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from memlane.domain import State
from memlane.storage.reversal import entity_back, mark_back, outcome_back, taken_back
from tests.rooms.app.memories import NOON, a_memory, evidence

BEFORE = a_memory(evidence=(evidence("one"),), times_observed=2)


def test_with_nothing_in_between_it_is_exactly_what_it_was() -> None:
    after = replace(BEFORE, title="Other", state=State.PAUSED, confidence=10, evidence=())
    assert taken_back(BEFORE, after, after) == BEFORE


def test_what_was_made_is_forgotten_unless_it_moved_on() -> None:
    assert taken_back(None, BEFORE, BEFORE) == replace(BEFORE, state=State.FORGOTTEN)
    paused = replace(BEFORE, state=State.PAUSED)
    assert taken_back(None, BEFORE, paused) == paused


def test_an_observation_made_since_is_kept() -> None:
    merged = replace(BEFORE, evidence=(*BEFORE.evidence, evidence("two")), times_observed=5)
    later = NOON + timedelta(days=1)
    now = replace(merged, evidence=(*merged.evidence, evidence("three")), times_observed=6, last_observed_at=later)
    back = taken_back(BEFORE, merged, now)
    assert [one.quote for one in back.evidence] == ["one", "three"]
    assert back.times_observed == 3
    assert back.last_observed_at == later


def test_a_field_that_changed_again_stays_as_it_is_now() -> None:
    after = replace(BEFORE, title="Second", confidence=10)
    now = replace(after, title="Third")
    assert taken_back(BEFORE, after, now) == replace(BEFORE, title="Third")


def test_a_label_put_on_since_stays() -> None:
    first = {"run": "r", "title": "Mine", "tags": ["a"], "pinned": False}
    now = {**first, "pinned": True}
    assert mark_back("r", {}, first, now) == {"run": "r", "title": "", "tags": [], "pinned": True}
    assert mark_back("r", first, first, now) is None


def test_an_outcome_without_one_before_counts_for_nobody() -> None:
    said = {"run": "r", "outcome": "success", "memories": ["m"]}
    assert outcome_back("r", {}, said, said) == {**said, "memories": [], "because": "taken back"}
    assert outcome_back("r", said, {**said, "outcome": "failure"}, {**said, "outcome": "failure"}) == said
    assert outcome_back("r", {}, said, {**said, "outcome": "failure"}) is None


def test_an_entity_made_by_hand_is_removed_and_a_merged_one_is_free_again() -> None:
    made = {"entity": {"origin": "hand", "merged_into": "", "removed": False}}
    merged = {"entity": {"origin": "folder", "merged_into": "person:x", "removed": False}}
    assert entity_back("e", {}, made, made) == {"entity": {"origin": "hand", "merged_into": "", "removed": True}}
    assert entity_back("e", {}, merged, merged) == {"entity": {**merged["entity"], "merged_into": ""}}
    assert entity_back("e", made, merged, merged) == made
    assert entity_back("e", {}, made, merged) is None
