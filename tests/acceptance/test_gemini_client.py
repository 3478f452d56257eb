"""The real Gemini CLI, offline: what it wrote is in the archive byte for byte, and its turns are what was asked."""

from __future__ import annotations

from collections.abc import Callable

from tests.acceptance.command_line import Person
from tests.clients.drive import Gemini
from tests.conftest import LaneHome

COUNT = 'please count @@call run_shell_command {"command": "printf MARK-%s 42", "description": "count"}@@'


def test_a_session_of_gemini_is_kept_as_it_wrote_it_and_read_as_it_was(
    gemini: Callable[..., Gemini], lane_home: LaneHome
) -> None:
    agent, person = gemini(), Person(lane_home.home)
    assert "MARK-42" in agent.run(COUNT).stdout
    assert person.lane("capture", "--json").code == 0
    assert "goodbye" in agent.run("and now @@say goodbye@@", "--resume", "latest").stdout
    assert person.lane("capture", "--json").code == 0
    (file,) = agent.transcripts()
    (run,) = person.lane("runs", "--agent", "gemini-cli", "--json").data
    assert person.raw(run["id"]) == file.read_bytes()
    assert (run["turns"], run["cwd"]) == (2, str(agent.cwd))
    asked = [turn for turn in person.lane("show", run["id"], "--json").data["turns"] if turn["person"]]
    assert [turn["person"] for turn in asked] == [COUNT, "and now @@say goodbye@@"]
    calls = [step["tool_call"] for turn in asked for step in turn["steps"] if step.get("tool_call")]
    assert [(call["name"], call["error"]) for call in calls] == [("run_shell_command", False)]
    assert asked[-1]["agent"] == "goodbye"
