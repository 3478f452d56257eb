"""An import that is killed before any of its writes, and done again: each run is there once, whole, and listed."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from campaigns.sync import Doomed
from campaigns.sync import run as killed_syncs
from memlane.domain import RunFilter
from tests.flow.homes import a_lane

RUN = {"type": "run", "id": "harbour-7", "agent": "dockhand", "started": "2026-05-01T09:00:00Z"}
TURN = {"type": "turn", "id": "one", "at": "2026-05-01T09:00:00Z", "person": "Calibrate the crane."}
STEPS = 45  # more than an import of one run has


@pytest.mark.parametrize("step", range(0, STEPS, 3))
def test_a_killed_import_is_made_good_by_the_next(tmp_path: Path, step: int) -> None:
    file = tmp_path / "runs.jsonl"
    file.write_text(json.dumps(RUN) + "\n" + json.dumps(TURN) + "\n")
    child = os.fork()
    if child == 0:
        try:
            with a_lane(tmp_path, disk=Doomed(step)) as lane:
                lane.capture.imports.take([file])
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    with a_lane(tmp_path) as lane:
        lane.capture.imports.take([file])
        (run,) = lane.runs.select(RunFilter())
        assert (run.turns, run.bytes) == (1, file.stat().st_size)
        assert [finding.what for finding in lane.archive.verify() if finding.level == "fail"] == []


def test_two_machines_killed_while_they_sync_lose_nothing() -> None:
    seen = killed_syncs(12)
    assert seen.kills > 0
    assert (seen.lost, seen.doubled, seen.torn, seen.unlike) == ([], [], [], [])
