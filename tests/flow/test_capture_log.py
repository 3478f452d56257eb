"""What was captured says by whom, and a folder of exports is looked at by itself."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memlane.app import Lane
from memlane.domain import Level
from tests.flow.homes import a_lane, prompt, transcript, write
from tests.rooms.agents.chats import fixture

NOW = datetime.now(UTC)
CHAT = "chatgpt/2023-edited-and-regenerated.json"


def test_each_capture_is_a_line_with_run_bytes_turns_and_who_did_it(tmp_path: Path) -> None:
    path = transcript(tmp_path)
    with a_lane(tmp_path) as lane:
        write(path, [prompt("one", 1)])
        lane.capture.sweep()
        size = path.stat().st_size
        write(path, [prompt("two", 2)])
        lane.capture.sweep_changed([path])
        lane.capture.sweep()
        write(path, [prompt("three", 3)])
        lane.capture.tick()
        (run,) = lane.runs.select()
        lines = lane.capture.diary.lines()
        assert [(line.run, line.by, line.turns) for line in lines] == [
            (run.id, "command", 1),
            (run.id, "hook", 1),
            (run.id, "tick", 1),
        ]
        assert lines[0].bytes == size
        assert sum(line.bytes for line in lines) == path.stat().st_size


def test_a_line_that_a_kill_cut_off_hides_no_other(tmp_path: Path) -> None:
    write(transcript(tmp_path), [prompt("one", 1)])
    with a_lane(tmp_path) as lane:
        lane.capture.sweep()
        with (tmp_path / "lane" / "log" / "capture.jsonl").open("a") as file:
            file.write('{"at": "2026-\n')
        write(transcript(tmp_path), [prompt("two", 2)])
        lane.capture.sweep()
        assert len(lane.capture.diary.lines()) == 2


def test_a_new_export_in_the_folder_is_taken_once_and_its_age_is_told(tmp_path: Path) -> None:
    chats = tmp_path / "home" / "chats"
    chats.mkdir(parents=True)
    with a_lane(tmp_path, LANE_CAPTURE_EXPORTS="~/chats") as lane:
        lane.home.begin()
        assert lane.capture.imports.take_new() is None
        export = chats / "conversations.json"
        export.write_text(json.dumps([fixture(CHAT)]))
        report = lane.capture.imports.take_new()
        assert report is not None
        assert len(report.changes) == 1
        assert lane.capture.imports.take_new() is None
        assert told(lane)[0] is Level.OK
        old = (NOW - timedelta(days=43)).timestamp()
        os.utime(export, (old, old))
        level, what = told(lane)
        assert level is Level.NOTE
        assert "43 days old" in what


def told(lane: Lane) -> tuple[Level, str]:
    found = [one for one in lane.health.doctor.findings() if one.kind == "exports"]
    return found[0].level, found[0].what
