"""A prompt, its nearest notes and a second look at them: what is told, what is kept back, and what is written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from memlane.app.home.second_look import SecondOpinion
from memlane.domain import Outcome, Recall
from tests.flow.example_bank import World, ids, world

WORDS = "when does the newsletter go out"
SIMILAR = {"M23": 0.7, "M7": 0.6, "M35": 0.3}
PLAIN = {"look": 1.0, "behind": 0.0, "near": 0.0, "bias": 0.0}
SURE, UNSURE = 3.0, -3.0
NAMES_SOMEBODY = "what does Neal want"


class Says:
    """A model that says of a note what it is given; of all others that nobody needs them."""

    def __init__(self, of: Mapping[str, float]) -> None:
        self._of, self.asked = of, list[str]()
        self.kept, self.tag, self.size = dict[str, bool](), "look", 0

    def note(self, text: str) -> None:
        self.kept[text] = True

    def log_odds(self, prompt: str, notes: Sequence[str]) -> list[float]:
        self.asked.append(prompt)
        return [self._of.get(text, UNSURE) for text in notes]


def looked_at(asked: World, of: Mapping[str, float], encoder: str = "stub@64") -> Says:
    says = Says({asked.memories[id].text: odds for id, odds in of.items()})
    asked.lane.home.second_look = SecondOpinion(
        asked.lane.config, "look", lambda: says, lambda model, _look: PLAIN if model == encoder else None
    )  # type: ignore[assignment]
    return says


def again(asked: World, found: Recall) -> Recall:
    """As it stands in the journal's index."""
    return next(one for one in asked.lane.recall.newest(5) if one.id == found.id)


def test_what_only_sounds_so_is_kept_back_and_the_right_one_is_told(tmp_path: Path) -> None:
    with world(tmp_path, {WORDS: SIMILAR}) as asked:
        looked_at(asked, {"M35": SURE})
        found = again(asked, asked.ask(WORDS))
    assert ids(found) == ["M35"]
    assert (found.shown[0].needed, found.extra["second_look"]) == (0.953, "look")
    assert {match.needed for match in found.near} == {0.047}
    for match in (*found.shown, *found.near):
        assert match.score == pytest.approx(sum(match.parts.values()))


def test_silence_is_by_what_it_says(tmp_path: Path) -> None:
    with world(tmp_path, {WORDS: SIMILAR}) as asked:
        looked_at(asked, {})
        found = again(asked, asked.ask(WORDS))
    assert (found.outcome, found.why.partition(" (")[0]) == (
        Outcome.SILENT,
        "nothing relevant",
    )


def test_where_it_is_skipped_the_floors_decide_and_the_recall_says_why(tmp_path: Path) -> None:
    with world(tmp_path, {WORDS: SIMILAR}) as asked:
        says = looked_at(asked, {})
        asked.lane.home.second_look.prepare("another@64")
        found = again(asked, asked.ask(WORDS))
        assert (ids(found), says.asked) == (["M23", "M7"], [])
        assert found.extra["second_look_skipped"] == "the model is still loading"
        assert {match.needed for match in (*found.shown, *found.near)} == {None}


def test_behind_a_model_nobody_fitted_it_for_it_is_not_asked(tmp_path: Path) -> None:
    with world(tmp_path, {WORDS: SIMILAR}) as asked:
        says = looked_at(asked, {}, encoder="another@64")
        found = asked.ask(WORDS)
    assert (ids(found), says.asked, "second_look" in found.extra) == (["M23", "M7"], [], False)


def test_what_is_known_about_the_named_is_told_without_it(tmp_path: Path) -> None:
    with world(tmp_path, {NAMES_SOMEBODY: {"M17": 0.6, "M18": 0.3}}) as asked:
        says = looked_at(asked, {})
        assert (ids(asked.ask(NAMES_SOMEBODY)), says.asked) == (["M17"], [])


def test_which_of_several_is_meant_is_asked_without_it(tmp_path: Path) -> None:
    words = "What did Mark say about the project?"
    with world(tmp_path, {words: {"M30": 0.60, "M31": 0.59}}) as asked:
        says = looked_at(asked, {})
        assert (asked.ask(words).outcome, says.asked) == (Outcome.QUESTION, [])


@pytest.mark.parametrize("words", ["yes", "thanks", "commit this"])
def test_what_carries_no_need_is_not_looked_at(words: str, tmp_path: Path) -> None:
    with world(tmp_path, {words: {"M23": 0.9}}) as asked:
        says = looked_at(asked, {"M23": SURE})
        assert (ids(asked.ask(words)), says.asked) == ([], [])


def test_where_nothing_is_remembered_nothing_is_looked_at(tmp_path: Path) -> None:
    with world(tmp_path, {WORDS: {}}, memories=()) as asked:
        says = looked_at(asked, {})
        assert (asked.ask(WORDS).outcome, says.asked) == (Outcome.SILENT, [])


def test_a_model_that_is_down_leaves_nothing_to_look_at(tmp_path: Path) -> None:
    with world(tmp_path, {WORDS: SIMILAR}, broken=True) as asked:
        says = looked_at(asked, {"M23": SURE})
        asked.ask(WORDS)
        assert says.asked == []
