"""What was said last in a run is kept after each turn for its next prompt, whoever captured the turn."""

from __future__ import annotations

from pathlib import Path

from memlane.app.capture.sweep import LATER
from memlane.app.home.last_words import LastWords
from tests.flow.homes import a_lane, answer, prompt, said, transcript, write


def test_a_hook_keeps_them_also_when_a_watch_took_the_turn_first(tmp_path: Path) -> None:
    lane, path = a_lane(tmp_path), transcript(tmp_path)
    lane.memories.remember("the gateway needs a timeout of 8 seconds", tmp_path)
    write(path, [prompt("raise the timeout of the gateway"), answer([said("It is 8 seconds now.")])])
    lane.capture.sweep_places(lane.capture.places(), meaning=LATER)
    (run,) = lane.runs.select()
    assert LastWords(lane.home).of(run.id) is None, "a watch computes nothing"
    assert not lane.capture.sweep_changed([path, path.parent]).changes
    assert LastWords(lane.home).of(run.id) is not None
