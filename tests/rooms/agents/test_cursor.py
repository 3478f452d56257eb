"""Cursor: conversations out of two generations of databases, and transcripts as records or plain text."""

from __future__ import annotations

import json
from pathlib import Path, PurePath

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlane.agents import Container, Document, LineStream, Transcript
from memlane.agents.cursor.source import Cursor
from memlane.domain import Author, Facts, Kind, Relation, RunFilter, Turn
from tests.flow.homes import a_lane
from tests.rooms.agents.busy_writer import ROUNDS, refused_while

CURSOR = Cursor()
SECRET_KEY = "cursorAuth/accessToken"


def database(path: Path, items: dict[str, object], rows: dict[str, object] | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    db = apsw.Connection(str(path))
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("CREATE TABLE IF NOT EXISTS ItemTable (key TEXT UNIQUE, value BLOB)")
    db.execute("CREATE TABLE IF NOT EXISTS cursorDiskKV (key TEXT UNIQUE, value BLOB)")
    for table, values in (("ItemTable", items), ("cursorDiskKV", rows or {})):
        for key, value in values.items():
            cell = None if value is None else json.dumps(value).encode()
            db.execute(f"INSERT OR REPLACE INTO {table} VALUES (?, ?)", (key, cell))
    db.close()
    return path


def user_folder(folder: Path) -> Path:
    return folder / "home" / ".config" / "Cursor" / "User"


def read(data: bytes, transcript: Transcript) -> tuple[list[Turn], Facts]:
    reading = CURSOR.read(LineStream(iter([data])), transcript)
    return list(reading.turns()), reading.facts()


def of(document: Document) -> tuple[list[Turn], Facts]:
    return read(b"\n".join(document.lines) + b"\n", document.transcript)


def bubble(name: str, kind: int, words: str, **more: object) -> dict[str, object]:
    return {"bubbleId": name, "type": kind, "text": words, **more}


def test_a_conversation_of_rows_is_in_the_order_its_head_says(tmp_path: Path) -> None:
    heads = {"allComposers": [{"composerId": "c1", "type": "head"}]}
    storage = user_folder(tmp_path) / "workspaceStorage" / "w1"
    database(storage / "state.vscdb", {"composer.composerData": heads})
    (storage / "workspace.json").write_text('{"folder": "file:///home/dev/my%20app"}')
    used = {"name": "edit_file", "rawArgs": '{"target_file": "a.py"}', "result": '{"ok":1}', "status": "completed"}
    failed = {"name": "run_terminal_cmd", "rawArgs": '{"command": "make"}', "result": "no", "status": "error"}
    path = database(
        user_folder(tmp_path) / "globalStorage" / "state.vscdb",
        {SECRET_KEY: "not to be kept"},
        {
            "composerData:c1": {
                "composerId": "c1",
                "name": "Dark mode",
                "createdAt": 1_780_000_000_000,
                "fullConversationHeadersOnly": [{"bubbleId": b} for b in ("z", "a", "m", "n")],
                "modelConfig": {"modelName": "m-1"},
            },
            "composerData:empty": {"composerId": "empty", "fullConversationHeadersOnly": []},
            "composerData:gone": None,
            "bubbleId:c1:z": bubble("z", 1, "make it dark"),
            "bubbleId:c1:a": bubble("a", 2, "Editing.", thinking={"text": "hmm"}),
            "bubbleId:c1:m": bubble("m", 2, "", toolFormerData=used),
            "bubbleId:c1:n": bubble("n", 2, "", toolFormerData=failed),
            "bubbleId:c1:old": bubble("old", 1, "regenerated away"),
        },
    )
    (document,) = CURSOR.documents(path)
    ((turn,), facts) = of(document)
    assert (turn.person, turn.agent) == ("make it dark", "Editing.")
    calls = [(s.call.name, s.call.error, s.call.changes, s.call.files) for s in turn.steps if s.call]
    assert calls == [("edit_file", False, True, ("a.py",)), ("run_terminal_cmd", True, False, ())]
    assert turn.steps[-1].text == "taken back: regenerated away"
    assert (facts.title, facts.models, document.peek.cwd) == ("Dark mode", ("m-1",), "/home/dev/my app")
    assert b"not to be kept" not in b"".join(document.lines)


def test_older_conversations_stand_inside_one_value(tmp_path: Path) -> None:
    composers = {
        "allComposers": [
            {"composerId": "c1", "conversation": [bubble("b1", 1, "add a bar"), bubble("b2", 2, "ok")]},
            {"composerId": "c2", "conversation": []},
        ]
    }
    ask, tell = {"type": "user", "id": "t1", "text": "why?"}, {"type": "ai", "id": "t2", "rawText": "because"}
    box = {"type": "user", "id": "t3", "text": ""}
    tabs = {"tabs": [{"tabId": "t", "chatTitle": "Reasons", "bubbles": [ask, tell, box]}]}
    path = database(
        user_folder(tmp_path) / "workspaceStorage" / "w" / "state.vscdb",
        {"composer.composerData": composers, "workbench.panel.aichat.view.aichat.chatdata": tabs},
    )
    composer, tab = CURSOR.documents(path)
    assert [turn.person for turn in of(composer)[0]] == ["add a bar"]
    (turns, facts) = of(tab)
    assert [(turn.person, turn.agent) for turn in turns] == [("why?", "because")], "an empty input box is no turn"
    assert facts.title == "Reasons"


def test_a_conversation_that_goes_on_is_one_run_and_only_new_rows_are_added(tmp_path: Path) -> None:
    path = user_folder(tmp_path) / "globalStorage" / "state.vscdb"
    order = [{"bubbleId": "a"}]
    rows: dict[str, object] = {
        "composerData:c": {"composerId": "c", "fullConversationHeadersOnly": order, "createdAt": 1_780_000_000_000},
        "bubbleId:c:a": bubble("a", 1, "one"),
    }
    database(path, {}, rows)
    lane = a_lane(tmp_path)
    lane.capture.sweep(agent="cursor")
    grown = {"composerId": "c", "fullConversationHeadersOnly": [*order, {"bubbleId": "b"}]}
    database(path, {}, rows | {"composerData:c": grown, "bubbleId:c:b": bubble("b", 1, "two")})
    (change,) = lane.capture.sweep(agent="cursor").changes
    assert (change.generation, change.turns_new) == (1, 1)
    (run,) = lane.runs.select(RunFilter())
    assert len(b"".join(lane.runs.raw(run.id)).splitlines()) == 4
    assert run.started is not None
    assert [turn.person for turn in lane.runs.show(run.id).turns] == ["one", "two"]


def test_the_writer_never_waits_and_nothing_is_torn(tmp_path: Path) -> None:
    """Head and bubble are written in one transaction: at no look is there one without the other."""
    path = user_folder(tmp_path) / "globalStorage" / "state.vscdb"
    head: dict[str, object] = {"composerId": "c", "fullConversationHeadersOnly": []}
    database(path, {}, {"composerData:c": head})
    lane, order = a_lane(tmp_path), list[dict[str, str]]()

    def read() -> None:
        assert not lane.capture.sweep(agent="cursor").set_aside
        for run in lane.runs.select(RunFilter()):
            steps = [s for turn in lane.runs.show(run.id).turns for s in turn.steps]
            assert all(step.kind is Kind.PROMPT for step in steps), "a bubble its head does not know yet"

    def write(db: apsw.Connection, n: int) -> None:
        order.append({"bubbleId": f"b{n}"})
        grown = json.dumps(head | {"fullConversationHeadersOnly": order}).encode()
        said = json.dumps(bubble(f"b{n}", 1, f"prompt {n}")).encode()
        db.execute("INSERT OR REPLACE INTO cursorDiskKV VALUES (?, ?)", ("composerData:c", grown))
        db.execute("INSERT INTO cursorDiskKV VALUES (?, ?)", (f"bubbleId:c:b{n}", said))

    assert refused_while(read, path, write) == []
    (run,) = lane.runs.select(RunFilter())
    assert [t.person for t in lane.runs.show(run.id).turns] == [f"prompt {n}" for n in range(ROUNDS)]


def test_a_transcript_of_records_keeps_only_what_was_typed() -> None:
    query = "<user_query>\nmake it dark\n</user_query>"
    data = "\n".join(
        json.dumps(record)
        for record in [
            {
                "role": "user",
                "message": {"content": [{"type": "text", "text": f"<attached_files>x</attached_files>\n{query}"}]},
            },
            {
                "role": "assistant",
                "message": {
                    "content": [
                        {"type": "text", "text": "Editing."},
                        {"type": "tool_use", "name": "StrReplace", "input": {"path": "/p/a.css"}},
                    ]
                },
            },
            {"type": "turn_ended", "status": "success"},
            {"role": "oracle"},
        ]
    )
    ((turn,), facts) = read(data.encode() + b"\n", Transcript("u"))
    assert (turn.person, turn.agent) == ("make it dark", "Editing.")
    assert turn.steps[-1].call is not None
    assert (turn.steps[-1].call.files, turn.steps[-1].call.changes) == (("/p/a.css",), True)
    assert facts.unknown == {"oracle": 1}


def test_a_transcript_of_plain_text_becomes_turns() -> None:
    data = b"""user:
<user_query>
make it dark
</user_query>

assistant:
[Thinking] which file?
[Tool call] Read
  path: /p/a.css
[Tool result] Read
It is done.
user:
thanks
"""
    turns, _facts = read(data, Transcript("u.txt"))
    assert [turn.person for turn in turns] == ["make it dark", "thanks"]
    assert [(s.author, s.kind) for s in turns[0].steps] == [
        (Author.PERSON, Kind.PROMPT),
        (Author.AGENT, Kind.THINKING),
        (Author.TOOL, Kind.TOOL_CALL),
        (Author.AGENT, Kind.TEXT),
    ]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("globalStorage/state.vscdb", Container()),
        ("workspaceStorage/abc/state.vscdb", Container()),
        ("globalStorage/state.vscdb.backup", None),
        ("slug/agent-transcripts/u1/u1.jsonl", Transcript("u1")),
        ("slug/agent-transcripts/u1.jsonl", Transcript("u1")),
        ("slug/agent-transcripts/u1.txt", Transcript("u1.txt")),
        ("slug/agent-transcripts/u1/subagents/u2.jsonl", Transcript("u2", "u1", Relation.SUBAGENT)),
        ("slug/agent-tools/u1.txt", None),
    ],
)
def test_a_file_is_known_by_its_name(path: str, expected: object) -> None:
    assert CURSOR.recognise(PurePath(path)) == expected


PIECES = st.sampled_from(
    [
        b'{"table":"bubble","row":',
        b'{"table":"cursorDiskKV","row":{"key":"composerData:c","value":',
        b'{"role":"user"}',
        b"user:\n",
        b"assistant:\n",
        b"[Tool call] x\n",
        b"null",
        b"[]",
        b'"x"',
        b"{",
        b"}",
        b"\n",
    ]
)


@given(st.lists(st.one_of(PIECES, st.binary(max_size=10)), max_size=15))
def test_no_bytes_are_more_than_it_can_take(pieces: list[bytes]) -> None:
    turns, _facts = read(b"".join(pieces), Transcript("u"))
    for turn in turns:
        assert [step.n for step in turn.steps] == list(range(1, len(turn.steps) + 1))
