"""A second look decides between a note and silence: among the nearest five, by how likely each is needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from memlane.domain import CueMatch
from memlane.recall import (
    WEIGHTS,
    Chooser,
    LikelyMemory,
    OddsCalibration,
    RecallChoice,
    SecondLookOdds,
    Shortlist,
    needed,
    said_before,
    text_to_read,
    texts_to_read,
    with_second_look,
)
from memlane.recall.second_look import probabilities
from tests.rooms.recall.test_choose import NO_CAP, NOTHING_SAID, NOW, QUERY, a_memory

SURE, UNSURE = 3.0, -3.0
MODEL = "encoder@384"


def near(*similar: float, **more: object) -> list[LikelyMemory]:
    return [replace(LikelyMemory(a_memory(f"m{n}"), one, "meaning"), **more) for n, one in enumerate(similar)]


def chooser(words: str = QUERY.words) -> Chooser:
    return Chooser(replace(QUERY, words=words), needed(words), NOW, WEIGHTS, NO_CAP)


def judged(looked: Shortlist, says: Mapping[str, float | None], words: str = QUERY.words) -> RecallChoice:
    asked = chooser(words)
    few = asked.closest(looked, NOTHING_SAID)
    again = SecondLookOdds("look", [says.get(one.memory.id) for one in few])
    return asked.choose(with_second_look(looked, few, again), NOTHING_SAID)


def ids(choice: RecallChoice) -> list[str]:
    return [match.memory.id for match in choice.shown]


def test_what_only_sounds_so_is_kept_back_and_what_is_needed_is_told_below_the_floor_too() -> None:
    found = judged(Shortlist(near=near(0.9, 0.2), model=MODEL), {"m0": UNSURE, "m1": SURE})
    assert ids(found) == ["m1"]
    assert [match.memory.id for match in found.near] == ["m0"]


def test_silence_says_how_likely_the_likeliest_was() -> None:
    found = judged(Shortlist(near=near(0.9, 0.8), model=MODEL), {"m0": -1.0, "m1": UNSURE})
    assert (found.shown, found.why) == ((), "nothing relevant (best 27%)")


@pytest.mark.parametrize("downs", [0.0, 4.0, -2.0])
def test_the_parts_add_up_and_its_own_turns_likeness_into_need(downs: float) -> None:
    (match,) = judged(Shortlist(near=near(0.6, downs=downs), model=MODEL), {"m0": SURE}).shown
    assert match.needed == pytest.approx(0.953)
    assert match.score == pytest.approx(sum(match.parts.values()))
    assert match.parts["meaning"] + match.parts["second look"] == pytest.approx(WEIGHTS.similarity * 0.953, abs=1e-3)


def test_the_likelier_is_first() -> None:
    assert ids(judged(Shortlist(near=near(0.9, 0.6), model=MODEL), {"m0": 1.0, "m1": SURE})) == ["m1", "m0"]


def test_the_nearest_five_are_looked_at_and_no_other_is_told() -> None:
    many = Shortlist(near=near(*[0.5 + 0.05 * n for n in range(8)]), model=MODEL)
    few = [one.memory.id for one in chooser().closest(many, NOTHING_SAID)]
    assert few == ["m7", "m6", "m5", "m4", "m3"]
    assert sorted(ids(judged(many, dict.fromkeys(few, SURE)))) == sorted(few)


def test_a_note_there_was_no_time_for_is_left_to_the_floor() -> None:
    looked = Shortlist(near=near(0.9, 0.3, 0.8), model=MODEL)
    assert ids(judged(looked, {"m0": UNSURE})) == ["m2"]
    assert ids(judged(looked, {})) == ["m0", "m2"]


def test_what_may_not_be_told_anyway_is_not_looked_at() -> None:
    unsure, other = a_memory("unsure", confidence=50), a_memory("other", target_agents=("codex",))
    looked = Shortlist(near=[LikelyMemory(one, 0.9, "meaning") for one in (unsure, other, a_memory("m0"))], model=MODEL)
    assert [one.memory.id for one in chooser().closest(looked, NOTHING_SAID)] == ["m0"]


def test_what_is_far_away_is_not_worth_a_look() -> None:
    looked = Shortlist(near=near(0.9, 0.01), model=MODEL)
    assert [one.memory.id for one in chooser().closest(looked, NOTHING_SAID)] == ["m0"]
    assert chooser().closest(Shortlist(near=near(0.019, 0.01), model=MODEL), NOTHING_SAID) == []


def test_what_was_told_already_takes_nobodys_place() -> None:
    looked, told = Shortlist(near=near(0.9, 0.8), model=MODEL), said_before(["m0"], 10)
    few = chooser().closest(looked, told)
    assert [one.memory.id for one in few] == ["m1"]
    again = with_second_look(looked, few, SecondLookOdds("look", [UNSURE]), told.memories)
    assert chooser().choose(again, told).why == "already shown in this run"


def test_words_alone_are_not_looked_at_again() -> None:
    assert chooser().closest(Shortlist(near=near(0.9)), NOTHING_SAID) == []


def test_what_is_known_about_the_named_is_told_without_it() -> None:
    others = [LikelyMemory(a_memory("other"), 0.9, "meaning")]
    known, vague = ([replace(near(one)[0], source="entity", covers=1)] for one in (0.45, 0.35))
    assert ids(judged(Shortlist(about=known, near=others, model=MODEL), {"m0": UNSURE, "other": SURE})) == ["m0"]
    assert chooser().closest(Shortlist(about=known, near=others, model=MODEL), NOTHING_SAID) == []
    assert ids(judged(Shortlist(about=vague, near=others, model=MODEL), {"other": SURE})) == ["other"]
    assert ids(judged(Shortlist(about=vague, near=others, model=MODEL), {"other": UNSURE})) == []


def test_who_asks_for_what_was_said_before_asks_for_notes_themselves() -> None:
    looked, words = Shortlist(near=near(0.6), model=MODEL), "what did we decide about the worker last week?"
    assert chooser(words).closest(looked, NOTHING_SAID) == []
    assert ids(judged(looked, {"m0": UNSURE}, words)) == ["m0"]


def likely(
    odds: Sequence[float | None], meaning: OddsCalibration, similar: Sequence[float] = (0.5, 0.5)
) -> list[float | None]:
    return probabilities(near(*similar), SecondLookOdds("look", odds, meaning))


def test_what_its_words_mean_is_fitted() -> None:
    plain = likely([0.0, -2.0], OddsCalibration())
    assert plain == [0.5, 0.119]
    assert likely([0.0, -2.0], OddsCalibration(bias=1.0)) == [0.731, 0.269]
    assert likely([0.0, -2.0], OddsCalibration(behind=1.0)) == [0.5, 0.018]
    assert likely([0.0, 0.0], OddsCalibration(near=1.0), (0.9, 0.2)) == [0.9, 0.2]
    assert likely([None, 999.0], OddsCalibration(look=99.0), (1.0, 0.0)) == [None, 1.0]


def test_of_a_memory_with_cues_it_reads_the_title_and_the_cue_that_fits() -> None:
    memory = a_memory(
        "m0", title="Squash before the merge", content="The log stays short.", cues=("open a pr", "ship it")
    )
    assert (
        text_to_read(LikelyMemory(memory, 0.5, "meaning", cue=CueMatch(1, 0.8))) == "Squash before the merge\nship it"
    )
    assert text_to_read(LikelyMemory(memory, 0.5, "meaning")) == memory.text
    assert text_to_read(LikelyMemory(memory, 0.5, "meaning", cue=CueMatch(2, 0.8))) == memory.text
    assert texts_to_read(memory) == ["Squash before the merge\nopen a pr", "Squash before the merge\nship it"]
    assert texts_to_read(replace(memory, cues=())) == [memory.text]


def test_what_it_says_of_a_memory_with_cues_has_a_meaning_of_its_own() -> None:
    plain, cued = near(0.5, 0.5)
    few = [plain, replace(cued, cue=CueMatch(0, 0.8))]
    stored = {"look": 1.0, "behind": 0.0, "near": 0.0, "bias": 0.0}
    both = OddsCalibration.of(stored | {"cued_look": 1.0, "cued_behind": 0.0, "cued_near": 0.0, "cued_bias": 1.0})
    assert probabilities(few, SecondLookOdds("look", [0.0, 0.0], both)) == [0.5, 0.731]
    assert probabilities(few, SecondLookOdds("look", [0.0, 0.0], OddsCalibration.of(stored))) == [0.5, 0.5]


def test_what_a_person_voted_up_is_among_the_few_however_far_it_is() -> None:
    far = near(*[0.9] * 6, 0.01)
    far[-1] = replace(far[-1], downs=-1.0)
    few = chooser().closest(Shortlist(near=far, model=MODEL), NOTHING_SAID)
    assert few[0].memory.id == "m6"
