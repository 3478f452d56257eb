"""The real OpenCode, offline: every row it wrote stands in the archive once, and its turns are what it exports."""

from __future__ import annotations

import json
from collections.abc import Callable

import apsw

from tests.acceptance.command_line import Person
from tests.clients.drive import OpenCode
from tests.conftest import LaneHome

COUNT = 'please count @@call bash {"command": "exit 3", "description": "fails"}@@'


def test_a_session_of_opencode_is_kept_row_by_row_and_read_as_it_exports_it(
    opencode: Callable[..., OpenCode], lane_home: LaneHome
) -> None:
    agent, person = opencode(), Person(lane_home.home)
    assert agent.run(COUNT).exit_code == 0
    assert person.lane("capture", "--json").code == 0
    assert agent.run("and now @@say goodbye@@", "--continue").exit_code == 0
    assert person.lane("capture", "--json").code == 0
    (run,) = person.lane("runs", "--agent", "opencode", "--json").data
    kept = [json.loads(line) for line in person.raw(run["id"]).splitlines()]
    known = {(line["table"], line["row"]["id"]) for line in kept}
    db = apsw.Connection(str(agent.database), flags=apsw.SQLITE_OPEN_READONLY)
    for table in ("session", "message", "part"):
        assert {(table, row[0]) for row in db.execute(f"SELECT id FROM {table}")} <= known
    exported = json.loads(agent.command("export", run["session_id"]).stdout)
    texts = [
        part["text"]
        for message in exported["messages"]
        if message["info"]["role"] == "user"
        for part in message["parts"]
        if part["type"] == "text" and not part.get("synthetic")
    ]
    turns = person.lane("show", run["id"], "--json").data["turns"]
    assert [turn["person"] for turn in turns] == [COUNT, "and now @@say goodbye@@"]
    assert all(text.startswith('"') for text in texts), "its command line puts quotes around what was typed"
    assert [turn["agent"] for turn in turns][-1] == "goodbye"
    calls = [step["tool_call"] for turn in turns for step in turn["steps"] if step.get("tool_call")]
    assert [(call["name"], call["error"]) for call in calls] == [("bash", True)], "a command that fails says completed"
