"""How near is a Memory by its note and its best Cue, and what does that make of its similarity?"""

from __future__ import annotations

from memlane.domain import CueMatch
from memlane.recall.score import Calibration, nearness, similarities
from memlane.storage import MemoryMatch
from tests.rooms.recall.test_choose import a_memory

PLAIN = {"cosine": 4.0, "behind": 8.0, "shared": 0.5, "bias": -2.0}
CUED = {"cued_cosine": 6.0, "cued_behind": 8.0, "cued_shared": 0.5, "cued_bias": -2.0}
FITTED = Calibration.of(PLAIN | CUED)
WORDS = frozenset({"deploy"})


def without_cues(*notes: float) -> list[MemoryMatch]:
    return [MemoryMatch(a_memory(f"m{n}"), note) for n, note in enumerate(notes)]


def with_cue(note: float, cue: float) -> MemoryMatch:
    return MemoryMatch(a_memory("cued", cues=("ship it",)), note, CueMatch(0, cue))


def test_a_memory_is_as_near_as_its_note_and_its_best_cue_together() -> None:
    assert nearness(0.4, None) == 0.4
    assert nearness(0.4, 0.8) == (0.4 + 0.8) / 2


def test_where_no_memory_has_cues_nothing_changes() -> None:
    near = without_cues(0.7, 0.5)
    assert similarities(near, WORDS, FITTED) == similarities(near, WORDS, Calibration.of(PLAIN))


def test_the_cues_of_one_memory_take_nothing_from_another_that_has_none() -> None:
    near = without_cues(0.7, 0.5)
    alone = similarities([*near, *without_cues(0.3)], WORDS, FITTED)
    beside = similarities([*near, with_cue(0.3, 0.9)], WORDS, FITTED)
    assert beside[:2] == alone[:2]


def test_a_memory_with_cues_is_weighed_by_weights_of_its_own() -> None:
    near = [with_cue(0.5, 0.7)]
    assert similarities(near, WORDS, FITTED) > similarities(near, WORDS, Calibration.of(PLAIN))
    assert similarities([with_cue(0.5, 0.9)], WORDS, FITTED) > similarities(near, WORDS, FITTED)
