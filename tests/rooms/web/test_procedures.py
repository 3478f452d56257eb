"""The page of procedures: what corrections would change, written by a click and taken back by another."""

from __future__ import annotations

from pathlib import Path

from tests.flow.homes import a_lane, answer, called, prompt, transcript, write
from tests.flow.test_procedures import RULE, corrected, skill
from tests.rooms.api.http_home import served


def test_a_change_is_shown_written_and_taken_back(tmp_path: Path) -> None:
    path = skill(tmp_path)
    before = path.read_text()
    write(transcript(tmp_path), [prompt("write them"), answer([called("Skill", {"skill": "release-notes"})])])
    with a_lane(tmp_path) as lane:
        lane.capture.sweep()
        corrected(lane)
    with served(tmp_path) as http:
        (change,) = http.ask("GET", "/procedures/changes.json").document["data"]["changes"]
        assert f"+- {RULE}" in http.ask("GET", "/procedures/changes").body.decode()
        assert http.ask("POST", "/procedures/apply", {"change": change["id"]}).status == 200
        assert RULE in path.read_text()
        (written,) = http.ask("GET", "/procedures/changes.json").document["data"]["written"]
        assert http.ask("POST", "/procedures/undo", {"change": written["id"]}).status == 200
        assert path.read_text() == before
        assert http.ask("POST", "/procedures/apply", {"change": "i_aaaaaaaaaaaaa"}).status == 404
