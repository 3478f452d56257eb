"""Plans, lists of tasks and summaries beside a transcript: kept with their run, shown, searched, masked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memlane.agents import beside_text
from memlane.app import Lane
from memlane.domain import BESIDE, RunFilter
from tests.flow.homes import SESSION, a_lane, prompt, transcript, write

TODOS = [{"content": "migrate the zeppelin table", "status": "pending", "activeForm": "Migrating"}]


def todos(folder: Path, *tasks: dict[str, str], session: str = SESSION) -> Path:
    path = folder / "home" / ".claude" / "todos" / f"{session}-agent-{session}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(tasks))
    return path


def task(folder: Path, n: int, **fields: str) -> None:
    path = folder / "home" / ".claude" / "tasks" / SESSION / f"{n}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"id": str(n), **fields}))


def found(lane: Lane, words: str) -> list[tuple[str, int]]:
    return [(hit.chunk.run, hit.chunk.turn) for hit in lane.search.find(words, RunFilter(), 5).search.best]


def test_todos_and_tasks_are_kept_with_their_run_shown_and_found(tmp_path: Path) -> None:
    write(transcript(tmp_path), [prompt("plan the move", 1)])
    todos(tmp_path, *TODOS)
    task(tmp_path, 1, subject="Order the zirconium hinges", description="From the usual shop", status="completed")
    with a_lane(tmp_path) as lane:
        lane.capture.sweep()
        (run,) = lane.runs.select()
        assert run.turns == 1
        assert found(lane, "zeppelin") == [(run.id, BESIDE)]
        *_own, beside = lane.runs.show(run.id).turns
        told = "\n".join(step.text for step in beside.steps)
        assert "- [ ] migrate the zeppelin table" in told
        assert "- [x] Order the zirconium hinges\n  From the usual shop" in told
        (alone,) = lane.runs.show(f"{run.id}#t{BESIDE}").turns
        assert alone == beside


def test_a_list_that_changes_is_followed_when_nothing_was_said_and_when_the_run_goes_on(tmp_path: Path) -> None:
    write(transcript(tmp_path), [prompt("plan the move", 1)])
    todos(tmp_path, *TODOS)
    with a_lane(tmp_path) as lane:
        lane.capture.sweep()
        todos(tmp_path, {"content": "polish the theremin", "status": "completed"})
        lane.capture.sweep()
        assert found(lane, "theremin") != []
        assert found(lane, "zeppelin") == []
        write(transcript(tmp_path), [prompt("go on with it", 2)])
        lane.capture.sweep()
        assert found(lane, "theremin") != []
        before = found(lane, "theremin")
        lane.archive.rebuild()
        assert found(lane, "theremin") == before
        (run,) = lane.runs.select()
        assert next(step.text for step in lane.runs.beside(run.id)).endswith("- [x] polish the theremin")


def test_a_secret_in_it_is_masked_and_a_list_of_no_run_is_left_alone(tmp_path: Path) -> None:
    key = "AKIA" + "Q7TRZ4WNP2LEXH5V"
    write(transcript(tmp_path), [prompt("plan the move", 1)])
    todos(tmp_path, {"content": f"rotate the key {key} of the theremin", "status": "pending"})
    todos(tmp_path, *TODOS, session="99999999-2222-4333-8444-555555555555")
    with a_lane(tmp_path) as lane:
        lane.capture.sweep()
        (run,) = lane.runs.select()
        assert found(lane, "theremin") == [(run.id, BESIDE)]
        assert found(lane, "zeppelin") == []
        assert all(key not in step.text for step in lane.runs.beside(run.id))


def test_plans_and_tasks_of_gemini_cli_are_kept_with_their_session(tmp_path: Path) -> None:
    project = tmp_path / "home" / ".gemini" / "tmp" / "app"
    (project / "chats").mkdir(parents=True)
    head = {"sessionId": SESSION, "projectHash": "h", "startTime": "2026-05-01T10:00:00.000Z", "kind": "main"}
    asked = {"id": "m1", "timestamp": "2026-05-01T10:00:01.000Z", "type": "user", "content": [{"text": "plan it"}]}
    chat = project / "chats" / f"session-2026-05-01T10-00-{SESSION[:8]}.jsonl"
    chat.write_text("".join(f"{json.dumps(one)}\n" for one in (head, asked)))
    for name, text in {
        "plans/move.md": "# Move the theremin",
        "tracker/0a1b2c.json": json.dumps({"id": "0a1b2c", "title": "Tune the zither", "status": "closed"}),
        "tool-outputs/x.txt": "forty lines about a xylophone",
    }.items():
        path = project / SESSION / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    with a_lane(tmp_path) as lane:
        lane.capture.sweep()
        (run,) = lane.runs.select()
        assert (run.agent, found(lane, "theremin")) == ("gemini-cli", [(run.id, BESIDE)])
        assert [step.text.partition("\n\n")[2] for step in lane.runs.beside(run.id)] == [
            "# Move the theremin",
            "- [x] Tune the zither",
        ]
        assert found(lane, "xylophone") == []


@pytest.mark.parametrize(
    ("name", "data", "text"),
    [
        ("plan.md", b"# Plan\n\n1. do it\n", "# Plan\n\n1. do it"),
        ("plans--move.md", b"Move it", "Move it"),
        ("checkpoints--001-start.md", b"Summary of it", "Summary of it"),
        ("todos--x.json~2", b'[{"content": "a", "status": "completed"}, 7, {"other": 1}]', "- [x] a"),
        ("tasks--1.json", b'{"subject": "b", "status": "pending"}', "- [ ] b"),
        ("todos--x.json", b'[{"content": ', ""),
        ("tool-results--x.txt", b"forty lines", ""),
        ("workspace.yaml", b"token: x", ""),
        ("plan.md", b"x" * 300_000, ""),
    ],
)
def test_what_is_read_of_a_file_beside_a_transcript(name: str, data: bytes, text: str) -> None:
    assert beside_text(name, data) == text
