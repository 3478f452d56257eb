from __future__ import annotations

import numpy as np

from training import figures

MEMORIES = np.eye(4, dtype=np.float32)
PROJECTS = ("a", "a", "a", "b")


def _scored(*rows: tuple[float, float, float, float], owners: tuple[int, ...]) -> figures.Scored:
    return figures.scored(np.asarray(rows, dtype=np.float32), owners, MEMORIES, PROJECTS)


def test_a_memory_is_ranked_among_its_own_project_only() -> None:
    found = _scored((0.4, 0.5, 0.1, 0.9), owners=(0,))
    assert found.rank.tolist() == [1]
    assert figures.hits(found) == {"hit1": 0.0, "hit3": 1.0, "hit5": 1.0}


def test_a_tie_counts_against_us() -> None:
    assert _scored((0.5, 0.5, 0.1, 0.0), owners=(0,)).rank.tolist() == [1]


def test_right_is_the_share_of_the_notes_shown() -> None:
    probes = _scored((0.8, 0.7, 0.1, 0.0), (0.2, 0.9, 0.1, 0.0), owners=(0, 1))
    at = figures.at_floor(probes, _scored((0.6, 0.0, 0.0, 0.0), owners=(0,)), 0.5)
    assert (at["shown"], at["right"], at["notes"], at["non_probe_shown"]) == (1.0, 0.6667, 1.5, 1.0)


def test_a_floor_lets_no_more_than_its_share_of_non_probes_through() -> None:
    astray = _scored(*((score, 0.0, 0.0, 0.0) for score in (0.1, 0.2, 0.3, 0.4)), owners=(0, 0, 0, 0))
    for share, through in ((0.0, 0.0), (0.25, 0.25), (0.5, 0.5)):
        assert figures.shown(astray, figures.floor_at(astray, share)).mean() == through


def test_the_area_is_one_half_of_what_cannot_be_told_apart() -> None:
    yes, no = (np.asarray(side, dtype=np.float32) for side in ((1, 4), (2, 3)))
    assert figures.area(yes, no) == 0.5
