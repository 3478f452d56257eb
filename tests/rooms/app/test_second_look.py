"""Whether a second look is taken, within its time; and what it had no time for is read once the answer is out."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from memlane.app.home.second_look import WITHIN, SecondOpinion
from memlane.config import load
from memlane.domain import Level
from memlane.embed import EmbedderError

ENCODER, NAME = "encoder@384", "look-12345678"
NOTES = ["one", "two", "three", "four", "five"]
FITTED = {"look": 1.0, "behind": 0.0, "near": 0.0, "bias": 0.0}


class Hands:
    """A clock, and a model that takes so many of its seconds for a note and for a look."""

    def __init__(self, note: float = 0.0, look: float = 0.0, broken: str = "") -> None:
        self.now, self._note, self._look, self._broken = 100.0, note, look, broken
        self.tag, self.size = NAME, 5_000_000
        self.kept: dict[str, bool] = {}
        self.looks = 0

    def clock(self) -> float:
        return self.now

    def made(self) -> Hands:
        if self._broken:
            raise EmbedderError(self._broken)
        return self

    def note(self, text: str) -> None:
        self.now += self._note
        self.kept[text] = True

    def log_odds(self, _prompt: str, notes: Sequence[str]) -> list[float]:
        self.now += self._look
        self.looks += 1
        return [float(len(text)) for text in notes]


def fitted(encoder: str, look: str) -> Mapping[str, float] | None:
    return FITTED if (encoder, look) == (ENCODER, NAME) else None


def looking(hands: Hands, folder: Path, **settings: str) -> SecondOpinion:
    config = load({"HOME": str(folder), "LANE_HOME": str(folder / "lane"), **settings})
    return SecondOpinion(config, NAME, hands.made, fitted, hands.clock)  # type: ignore[arg-type]


def test_who_asks_by_hand_waits_for_all_of_it(tmp_path: Path) -> None:
    again = looking(Hands(note=1.0, look=1.0), tmp_path)
    found = again.look(ENCODER, "p", NOTES)
    assert found is not None
    assert (found.model, list(found.log_odds), found.skipped) == (NAME, [3.0, 3.0, 5.0, 4.0, 4.0], "")


def test_where_somebody_waits_it_is_opened_before_or_skipped(tmp_path: Path) -> None:
    hands = Hands()
    again = looking(hands, tmp_path)
    again.prepare("another@384")
    found = again.look(ENCODER, "p", NOTES, again.soon())
    assert found is not None
    assert (set(found.log_odds), found.skipped, hands.looks) == ({None}, "the model is still loading", 0)
    again.prepare(ENCODER)
    assert again.look(ENCODER, "p", NOTES, again.soon()).log_odds[0] == 3.0  # type: ignore[union-attr]


def test_near_the_deadline_it_is_skipped_and_soon_tried_again(tmp_path: Path) -> None:
    hands = Hands(look=WITHIN / 2)
    again = looking(hands, tmp_path)
    again.prepare(ENCODER)
    assert not again.look(ENCODER, "p", NOTES, again.soon()).skipped  # type: ignore[union-attr]
    late = again.soon()
    hands.now += 0.6 * WITHIN
    found = again.look(ENCODER, "p", NOTES, late)
    assert found is not None
    assert (set(found.log_odds), found.skipped, hands.looks) == ({None}, "no time left", 1)
    late = again.soon()
    hands.now += 0.6 * WITHIN
    assert not again.look(ENCODER, "p", NOTES, late).skipped  # type: ignore[union-attr]


def test_notes_it_has_no_time_to_read_are_read_afterwards(tmp_path: Path) -> None:
    hands = Hands(note=0.3 * WITHIN, look=0.1 * WITHIN)
    again = looking(hands, tmp_path)
    again.prepare(ENCODER)
    found = again.look(ENCODER, "p", NOTES, again.soon())
    assert found is not None
    assert [odds is None for odds in found.log_odds] == [False, False, False, True, True]
    assert found.skipped == "no time left for 2 of 5 notes"
    until = time.monotonic() + 10
    while len(hands.kept) < len(NOTES) and time.monotonic() < until:
        time.sleep(0.01)
    assert set(hands.kept) == set(NOTES)
    assert None not in again.look(ENCODER, "p", NOTES, again.soon()).log_odds  # type: ignore[union-attr]
    again.close()


@pytest.mark.parametrize(
    ("encoder", "settings", "why"),
    [
        (ENCODER, {"LANE_RECALL_SECOND_LOOK": "false"}, "recall.second_look is false"),
        ("other@768", {}, f"{NAME} is not calibrated for other@768"),
    ],
)
def test_it_is_off_where_a_person_says_so_and_behind_a_model_nobody_fitted_it_for(
    encoder: str, settings: dict[str, str], why: str, tmp_path: Path
) -> None:
    hands = Hands(broken="never opened")
    again = looking(hands, tmp_path, **settings)
    assert again.look(encoder, "p", NOTES) is None
    assert (again.why_not(encoder), again.finding(encoder).level) == (why, Level.NOTE)
    assert why in again.finding(encoder).what


def test_one_that_cannot_be_opened_leaves_it_to_the_floors_and_the_doctor_says_so(tmp_path: Path) -> None:
    again = looking(Hands(broken="it is damaged"), tmp_path)
    found = again.look(ENCODER, "p", NOTES)
    assert found is not None
    assert (set(found.log_odds), found.skipped) == ({None}, "it is damaged")
    assert again.finding(ENCODER).level is Level.WARN


def test_the_doctor_names_it_its_size_and_how_long_it_takes(tmp_path: Path) -> None:
    found = looking(Hands(look=0.02), tmp_path).finding(ENCODER)
    assert (found.level, found.what) == (Level.OK, f"{NAME} (5.0 MB), fitted for {ENCODER}, 5 notes in 20 ms")
