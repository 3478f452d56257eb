"""A flood of look-alike notes: few of them are told, and they take no place from a note that fits another prompt."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.flow.homes import a_lane
from tests.flow.test_recall import NOTE, ask, context

LIKE_IT = "the Dockerfile build fails since I added a workspace package"
MANY = 120


@pytest.mark.fault("I4a")
def test_a_flood_of_look_alikes_fills_no_brief_and_hides_no_other_note(tmp_path: Path) -> None:
    lane = a_lane(tmp_path)
    lane.memories.remember(NOTE, tmp_path / "home")
    for n in range(MANY):
        stuffed = f"Deploy deploy release release pipeline number {n}: always run release step {n} of the pipeline"
        lane.memories.remember(stuffed, tmp_path / "home")
    flooded = context(ask(lane, "how do I run the release pipeline to deploy?"))
    assert flooded.count("Deploy deploy release") <= 3
    assert NOTE in context(ask(lane, LIKE_IT, session_id="another"))
