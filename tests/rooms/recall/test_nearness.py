"""How near a memory is: from its note and its best cue."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memlane.domain import CueMatch
from memlane.recall.score import AS_IT_IS, Calibration, nearness, similarities
from memlane.storage import MemoryMatch
from tests.conformance.rows import a_memory

NOTHING = frozenset[str]()


def test_without_a_cue_it_is_the_note_alone() -> None:
    assert nearness(0.42, None) == 0.42


def test_with_a_cue_both_count() -> None:
    assert nearness(0.2, 0.8) == pytest.approx(0.5)
    assert nearness(0.8, 0.2) == pytest.approx(0.5)


@pytest.mark.parametrize("calibration", [AS_IT_IS, Calibration(cosine=10.0, behind=10.0, shared=0.2, bias=-5.5)])
def test_a_nearer_cue_never_makes_a_memory_less_similar(calibration: Calibration) -> None:
    found = MemoryMatch(a_memory("m_1"), 0.3)
    cues = [CueMatch(0, cosine / 10) for cosine in range(3, 11)]
    alone = [similarities([replace(found, cue=cue)], NOTHING, calibration)[0] for cue in cues]
    assert alone == sorted(alone)
    assert similarities([found], NOTHING, calibration)[0] <= alone[0]
