"""OpenCode: rows of a database that somebody else is writing, and the folders of files before it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path, PurePath

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlane.agents import Container, Document, LineStream, Transcript
from memlane.agents.opencode.hooks import HOOKS
from memlane.agents.opencode.source import OpenCode
from memlane.domain import Author, Facts, Kind, Relation, RunFilter, Turn
from tests.flow.homes import a_lane
from tests.rooms.agents.busy_writer import ROUNDS, refused_while

OPENCODE = OpenCode()
SCHEMA = """
CREATE TABLE session(id text PRIMARY KEY, parent_id text, directory text, title text, version text, cost real,
  tokens_input integer, tokens_output integer, tokens_cache_read integer, time_created integer, time_updated integer);
CREATE TABLE message(id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text);
CREATE TABLE part(id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer,
  data text);
"""


class Writer:
    """OpenCode's side: a database in WAL mode that it never stops writing to."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.db = apsw.Connection(str(path))
        self.db.execute("PRAGMA journal_mode=WAL")
        self.db.execute(SCHEMA)
        self.clock = 1_780_000_000_000

    def session(self, name: str, parent: str | None = None, title: str = "A title") -> None:
        row = (name, parent, "/home/dev/app", title, "1.18.33", 0.5, 10, 2, 1, self.tick(), self.clock)
        self.db.execute("INSERT INTO session VALUES (?,?,?,?,?,?,?,?,?,?,?)", row)

    def say(self, session: str, role: str, parts: Iterable[dict[str, object]], **info: object) -> str:
        at = self.tick()
        name = f"msg_{at}"
        data = {"role": role, "time": {"created": at}, **info}
        self.db.execute("INSERT INTO message VALUES (?,?,?,?,?)", (name, session, at, at, json.dumps(data)))
        for n, part in enumerate(parts):
            row = (f"prt_{at}_{n}", name, session, at + n, at + n, json.dumps(part))
            self.db.execute("INSERT INTO part VALUES (?,?,?,?,?,?)", row)
        return name

    def tick(self) -> int:
        self.clock += 1000
        return self.clock


def text(words: str, **more: object) -> dict[str, object]:
    return {"type": "text", "text": words, **more}


def tool(name: str, status: str, given: dict[str, object], **more: object) -> dict[str, object]:
    return {"type": "tool", "tool": name, "callID": "c", "state": {"status": status, "input": given, **more}}


@pytest.fixture
def writer(tmp_path: Path) -> Writer:
    return Writer(tmp_path / "home" / ".local" / "share" / "opencode" / "opencode.db")


def read(document: Document) -> tuple[list[Turn], Facts]:
    reading = OPENCODE.read(LineStream(iter([b"\n".join(document.lines) + b"\n"])), document.transcript)
    return list(reading.turns()), reading.facts()


def test_a_session_becomes_turns(writer: Writer) -> None:
    writer.session("ses_1")
    writer.say("ses_1", "user", [text("fix the tests"), text("<file>…</file>", synthetic=True)])
    writer.say(
        "ses_1",
        "assistant",
        [
            {"type": "step-start"},
            {"type": "reasoning", "text": "think"},
            text("On it."),
            tool("bash", "completed", {"command": "make test"}, output="1 failed", metadata={"exit": 2}),
            tool("edit", "completed", {"filePath": "/home/dev/app/a.py"}, output="ok"),
            tool("read", "error", {"filePath": "/x"}, error="no such file"),
            tool("invalid", "completed", {}, output="?"),
        ],
        modelID="m-1",
        error={"name": "MessageAbortedError", "data": {"message": "aborted"}},
    )
    ((turn,), facts) = read(next(OPENCODE.documents(writer.path)))
    assert (turn.person, turn.agent) == ("fix the tests", "On it.")
    calls = [(s.call.name, s.call.error, s.call.changes) for s in turn.steps if s.call]
    assert calls == [
        ("bash", True, False),
        ("edit", False, True),
        ("read", True, False),
        ("invalid", True, False),
    ]
    assert turn.steps[-1].kind is Kind.INTERRUPT
    assert (facts.title, facts.cwd, facts.models, facts.cost) == ("A title", "/home/dev/app", ("m-1",), 0.5)
    assert not facts.unknown


@pytest.mark.parametrize(
    ("kept", "typed"),
    [
        ('"from now on use \\"make ship\\""', 'from now on use "make ship"'),
        ('"so she said" and left', '"so she said" and left'),
        ('"a" "b c"', '"a" "b c"'),
        ('"yes"', '"yes"'),
    ],
)
def test_the_quotes_of_its_command_line_are_not_the_persons(writer: Writer, kept: str, typed: str) -> None:
    writer.session("ses_1")
    writer.say("ses_1", "user", [text(kept)])
    ((turn,), _facts) = read(next(OPENCODE.documents(writer.path)))
    assert turn.person == typed
    call = HOOKS.hook_call("UserPromptSubmit", {"session_id": "ses_1", "prompt": kept})
    assert call is not None
    assert call.prompt == typed


def test_a_sub_session_was_asked_by_an_agent(writer: Writer) -> None:
    writer.session("ses_1")
    writer.session("ses_2", parent="ses_1", title="New session - x")
    writer.say("ses_2", "user", [text("look around")])
    document = list(OPENCODE.documents(writer.path))[1]
    ((turn,), facts) = read(document)
    assert document.transcript == Transcript("ses_2", "ses_1", Relation.SUBAGENT)
    assert (turn.author, turn.person, facts.title) == (Author.PROGRAM, "", "")


def test_a_summary_is_never_something_the_agent_said(writer: Writer) -> None:
    writer.session("ses_1")
    writer.say("ses_1", "user", [{"type": "compaction", "auto": True}])
    writer.say("ses_1", "assistant", [text("So far: …")], summary=True)
    (turns, _facts) = read(next(OPENCODE.documents(writer.path)))
    assert [step.kind for turn in turns for step in turn.steps] == [Kind.SUMMARY]


def test_every_row_stands_in_the_archive_once_and_a_changed_one_twice(writer: Writer, tmp_path: Path) -> None:
    writer.session("ses_1")
    first = writer.say("ses_1", "user", [text("one")])
    lane = a_lane(tmp_path)
    assert [change.turns_new for change in lane.capture.sweep(agent="opencode").changes] == [1]
    assert lane.capture.sweep(agent="opencode").changes == []
    writer.say("ses_1", "user", [text("two")])
    data = json.dumps({"type": "text", "text": "one, corrected"})
    writer.db.execute("UPDATE part SET data = ? WHERE message_id = ?", (data, first))
    (change,) = lane.capture.sweep(agent="opencode").changes
    assert (change.generation, change.turns_new) == (1, 1)
    raw = b"".join(lane.runs.raw(change.run.id)).splitlines()
    assert len(raw) == len(set(raw)) == 6
    assert [t.person for t in lane.runs.show(change.run.id).turns] == ["one, corrected", "two"]


def test_the_writer_never_waits_and_nothing_is_torn(writer: Writer, tmp_path: Path) -> None:
    """A hundred rounds of writing while we read: no write is ever refused, and each look is one moment's truth."""
    writer.session("ses_1")
    lane = a_lane(tmp_path)

    def read() -> None:
        assert not lane.capture.sweep(agent="opencode").set_aside

    def write(db: apsw.Connection, n: int) -> None:
        at = writer.tick()
        message = (f"msg_{at}", "ses_1", at, at, '{"role":"user"}')
        part = (f"prt_{at}", f"msg_{at}", "ses_1", at, at, json.dumps(text(f"prompt {n}")))
        db.execute("INSERT INTO message VALUES (?,?,?,?,?)", message)
        db.execute("INSERT INTO part VALUES (?,?,?,?,?,?)", part)

    assert refused_while(read, writer.path, write) == []
    (run,) = lane.runs.select(RunFilter())
    assert [t.person for t in lane.runs.show(run.id).turns] == [f"prompt {n}" for n in range(ROUNDS)]


def test_looking_leaves_nothing_in_its_folder_and_costs_one_look(writer: Writer, tmp_path: Path) -> None:
    writer.session("ses_1")
    writer.say("ses_1", "user", [text("hello")])
    writer.db.close()
    before = {path.name: path.stat().st_mtime_ns for path in writer.path.parent.iterdir()}
    lane = a_lane(tmp_path)
    assert lane.capture.sweep(agent="opencode").changes
    assert {path.name: path.stat().st_mtime_ns for path in writer.path.parent.iterdir()} == before
    known = lane.home.storage().checkpoints.all()
    lane.capture.sweep(agent="opencode")
    assert lane.home.storage().checkpoints.all() == known
    assert list(before) == ["opencode.db"]


def test_the_older_folders_give_the_same_turns(tmp_path: Path) -> None:
    storage = tmp_path / "storage"

    def put(path: str, value: dict[str, object]) -> Path:
        file = storage / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value))
        return file

    head = put(
        "session/p/ses_1.json", {"id": "ses_1", "directory": "/d", "title": "T", "time": {"created": 1780000000000}}
    )
    put("message/ses_1/msg_1.json", {"id": "msg_1", "role": "user", "time": {"created": 1}})
    put("part/msg_1/prt_1.json", {"id": "prt_1", "type": "text", "text": "hello"})
    put("message/ses_1/msg_2.json", {"id": "msg_2", "role": "assistant", "time": {"created": 2}})
    put("part/msg_2/prt_2.json", {"id": "prt_2", "type": "text", "text": "hi"})
    (document,) = OPENCODE.documents(head)
    ((turn,), facts) = read(document)
    assert (turn.person, turn.agent, facts.title, facts.cwd) == ("hello", "hi", "T", "/d")


@pytest.mark.parametrize(
    ("path", "known"),
    [
        ("opencode.db", True),
        ("opencode-dev.db", True),
        ("opencode.db-wal", False),
        ("storage/session/p/ses_1.json", True),
    ],
)
def test_a_file_is_known_by_its_name(path: str, known: bool) -> None:
    assert (OPENCODE.recognise(PurePath(path)) == Container()) is known


def test_a_broken_database_is_set_aside_by_name(tmp_path: Path) -> None:
    path = tmp_path / "home" / ".local" / "share" / "opencode" / "opencode.db"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"not a database at all" * 100)
    (problem,) = a_lane(tmp_path).capture.sweep(agent="opencode").set_aside
    assert problem.path == str(path)


@given(
    st.lists(st.one_of(st.text(), st.sampled_from(["null", "[]", '{"role":"user"}', '{"type":"tool"}'])), max_size=6)
)
def test_no_data_is_more_than_it_can_take(cells: list[str]) -> None:
    rows = [{"table": "session", "row": {"id": "s", "cost": cells}}]
    rows += [{"table": "message", "row": {"id": f"m{n}", "data": cell}} for n, cell in enumerate(cells)]
    rows += [{"table": "part", "row": {"id": f"p{n}", "message_id": f"m{n}", "data": c}} for n, c in enumerate(cells)]
    lines = tuple(json.dumps(row).encode() for row in rows)
    turns, _facts = read(Document(Transcript("s"), lines, OPENCODE.peek([])))
    for turn in turns:
        assert [step.n for step in turn.steps] == list(range(1, len(turn.steps) + 1))
