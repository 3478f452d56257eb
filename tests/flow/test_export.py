"""Runs leave as files: every format says what was said, masked, and comes back or opens where it should."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from memlane.app import Lane
from memlane.app.search import Mode
from memlane.domain import RunFilter
from memlane.errors import UsageError
from tests.flow.homes import SESSION, a_lane, answer, called, prompt, returned, said, transcript, write
from tools.sts import problems

FORMATS = ("neutral", "sts", "atif", "markdown", "html", "native", "parquet")
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
ATIF_ROOT = {"schema_version", "session_id", "trajectory_id", "agent", "steps", "final_metrics", "extra"}
ATIF_STEP = {
    "step_id",
    "source",
    "message",
    "timestamp",
    "model_name",
    "reasoning_content",
    "tool_calls",
    "observation",
    "extra",
}


@pytest.fixture
def lane(tmp_path: Path) -> Lane:
    records = [
        prompt("why does the ferry refuse to dock? <script>alert(1)</script>", 1),
        answer([said("I look at the **pier**."), called("Read", {"file_path": "/home/dev/app/pier.py"}, "toolu_1")], 2),
        returned("def dock(): ...", "toolu_1", 3),
        answer([said("The pier is closed on Mondays: [pier.py:3](src/pier.py#3).")], 4),
        prompt(f"use {TOKEN} for the harbour", 5),
        answer([said("Done.")], 6),
    ]
    write(transcript(tmp_path), records)
    made = a_lane(tmp_path)
    made.capture.sweep()
    return made


def exported(lane: Lane, folder: Path, form: str) -> Path:
    runs = lane.exports.choose((), RunFilter())
    return lane.exports.write(runs, form, folder, lambda *_: None).folder


def texts(folder: Path) -> bytes:
    return b"\n".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_names_what_it_masked_and_lists_its_files(lane: Lane, tmp_path: Path, form: str) -> None:
    folder = exported(lane, tmp_path / "out", form)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert sum(manifest["masked"].values()) == 1
    (place, *_more) = [json.loads(line) for line in (folder / "masked.jsonl").read_text().splitlines()]
    assert place["place"].endswith(("#t2.1", "line 5"))
    assert TOKEN.encode() not in texts(folder)
    listed = {file["path"] for file in manifest["files"]}
    assert listed | {"manifest.json"} == {str(f.relative_to(folder)) for f in folder.rglob("*") if f.is_file()}
    assert all((folder / name).stat().st_mode & 0o077 == 0 for name in listed)


def test_neutral_lines_come_back_with_the_same_answers(lane: Lane, tmp_path: Path) -> None:
    folder = exported(lane, tmp_path / "out", "neutral")
    (run,) = lane.runs.select(RunFilter())
    (tmp_path / "elsewhere").mkdir()
    other = a_lane(tmp_path / "elsewhere")
    other.capture.imports.take([folder / "claude-code"])
    (copy,) = other.runs.select(RunFilter())
    assert (copy.id, copy.turns, copy.steps, copy.tool_calls) == (run.id, run.turns, run.steps, run.tool_calls)
    shown = [[(s.author, s.kind, s.text, s.call) for turn in one.runs.show(run.id).turns for s in turn.steps]
             for one in (lane, other)]  # fmt: skip
    assert shown[0] == shown[1]
    found = [one.search.find("pier Mondays", mode=Mode.WORDS).search.best for one in (lane, other)]
    assert [(hit.chunk.key, hit.chunk.text) for hit in found[0]] == [
        (hit.chunk.key, hit.chunk.text) for hit in found[1]
    ]


def test_all_that_is_known_of_a_run_comes_back_with_it(tmp_path: Path) -> None:
    """Also what no neutral turn says by itself: a command that was a task, skills, tokens, its parent, its lists."""
    path = transcript(tmp_path)
    usage = {"input_tokens": 7, "output_tokens": 5, "cache_read_input_tokens": 3}
    answered = answer([called("Skill", {"skill": "rigging"})], 3)
    told = answer([said("Rigged.")], 5)
    told["message"] = {**answered["message"], "id": "msg_9", "content": [said("Rigged.")], "usage": usage}  # type: ignore[dict-item]
    command = "<command-name>/goal</command-name>\n<command-args>rig the ferry</command-args>"
    write(path, [prompt(command, 2, cwd="D:\\ferry"), answered, returned("ok", n=4), told])
    agent = path.with_suffix("") / "subagents" / "agent-a1b2c3.jsonl"
    agent.parent.mkdir(parents=True)
    write(agent, [prompt("look below deck", 6, isSidechain=True, agentId="a1b2c3", cwd="D:\\ferry")])
    todos = tmp_path / "home" / ".claude" / "todos" / f"{SESSION}-agent-{SESSION}.json"
    todos.parent.mkdir(parents=True)
    todos.write_text(json.dumps([{"content": "migrate the zeppelin table", "status": "pending"}]))
    (tmp_path / "elsewhere").mkdir()
    lane, other = a_lane(tmp_path), a_lane(tmp_path / "elsewhere")
    lane.capture.sweep()
    other.capture.imports.take([exported(lane, tmp_path / "out", "neutral")])
    was, now = ({run.id: run for run in one.runs.select(RunFilter())} for one in (lane, other))
    mine = ("source_path", "bytes")  # these say where its bytes are
    for run in was.values():
        there = asdict(now[run.id])
        assert {name: value for name, value in there.items() if name not in mine} == {
            name: value for name, value in asdict(run).items() if name not in mine
        }
    (parent,) = (run for run in was.values() if not run.parent)
    assert (parent.first.text, parent.skills, parent.tokens.output) == ("/goal rig the ferry", ("rigging",), 5)
    assert [run.relation for run in was.values() if run.parent == parent.id] == ["subagent"]
    found = [one.search.find("zeppelin", mode=Mode.WORDS).search.best for one in (lane, other)]
    assert [(hit.chunk.key, hit.chunk.text) for hit in found[0]] == [
        (hit.chunk.key, hit.chunk.text) for hit in found[1]
    ]


def test_what_stood_before_the_first_prompt_stays_turn_zero(tmp_path: Path) -> None:
    write(transcript(tmp_path), [answer([said("Hello before you ask.")], 1), prompt("and now?", 2)])
    lane = a_lane(tmp_path)
    lane.capture.sweep()
    folder = exported(lane, tmp_path / "out", "neutral")
    (tmp_path / "elsewhere").mkdir()
    other = a_lane(tmp_path / "elsewhere")
    other.capture.imports.take([folder / "claude-code"])
    numbers = [[turn.n for turn in one.runs.show(one.runs.select(RunFilter())[0].id).turns] for one in (lane, other)]
    assert numbers == [[0, 1], [0, 1]]


def test_a_line_without_a_secret_keeps_its_bytes(lane: Lane, tmp_path: Path) -> None:
    folder = exported(lane, tmp_path / "out", "native")
    (file,) = (folder / "claude-code").iterdir()
    was, now = transcript(tmp_path).read_bytes().splitlines(), file.read_bytes().splitlines()
    changed = [number for number, (before, after) in enumerate(zip(was, now, strict=True), 1) if before != after]
    assert changed == [5]
    assert json.loads(now[4])["message"]["content"].startswith("use [masked: ")


def test_sts_pairs_each_call_with_its_result(lane: Lane, tmp_path: Path) -> None:
    folder = exported(lane, tmp_path / "out", "sts")
    (file,) = (folder / "claude-code").iterdir()
    session, *rest = [json.loads(line) for line in file.read_text().splitlines()]
    assert session["type"] == "session"
    assert session["harness"] == "claude-code"
    messages = [line["message"] for line in rest]
    assert [message["role"] for message in messages] == [
        "user",
        "assistant",
        "assistant",
        "tool",
        "assistant",
        "user",
        "assistant",
    ]
    (call,) = messages[2]["toolCalls"]
    assert json.loads(call["function"]["arguments"]) == {"file_path": "/home/dev/app/pier.py"}
    assert messages[3]["toolCallId"] == call["id"]
    assert messages[3]["content"] == "def dock(): ..."


def test_sts_breaks_no_rule_of_its_page(lane: Lane, tmp_path: Path) -> None:
    folder = exported(lane, tmp_path / "out", "sts")
    (file,) = (folder / "claude-code").iterdir()
    lines = file.read_text().splitlines()
    assert list(problems(lines)) == []
    orphan = json.dumps({"type": "message", "message": {"role": "tool", "toolCallId": "t9", "content": "x"}})
    assert list(problems([*lines[1:], orphan])) == [
        "line 1: the first line is no session with a harness and an id",
        f"line {len(lines)}: it answers the call t9, which was not made before",
    ]


def test_atif_steps_have_no_gap_and_no_unknown_key(lane: Lane, tmp_path: Path) -> None:
    """The rules of its published models; `python -m tools.atif FOLDER` asks those models themselves."""
    folder = exported(lane, tmp_path / "out", "atif")
    (file,) = (folder / "claude-code").iterdir()
    trajectory: dict[str, Any] = json.loads(file.read_text())
    assert set(trajectory) <= ATIF_ROOT
    assert trajectory["schema_version"] == "ATIF-v1.8"
    steps = trajectory["steps"]
    assert [step["step_id"] for step in steps] == list(range(1, len(steps) + 1))
    for step in steps:
        assert set(step) <= ATIF_STEP
        calls = {call["tool_call_id"] for call in step.get("tool_calls", ())}
        assert {one["source_call_id"] for one in step.get("observation", {"results": []})["results"]} == calls
        assert step["source"] == "agent" or not {"tool_calls", "model_name", "reasoning_content"} & set(step)


def test_parquet_tables_have_the_rows_of_the_index(lane: Lane, tmp_path: Path) -> None:
    from pyarrow import parquet

    note = lane.memories.remember("The pier is closed on Mondays.", tmp_path)
    lane.recall.keep(lane.recall.asked("when is the pier closed, on Mondays?", tmp_path))
    folder = exported(lane, tmp_path / "out", "parquet")
    (run,) = lane.runs.select(RunFilter())
    rows = {file.stem: parquet.read_table(file).to_pylist() for file in folder.glob("*.parquet")}
    counts = {name: len(rows[name]) for name in ("runs", "turns", "steps", "tool_calls", "files")}
    assert counts == {"runs": 1, "turns": run.turns, "steps": run.steps, "tool_calls": run.tool_calls, "files": 1}
    assert rows["tool_calls"][0]["result"] == "def dock(): ..."
    assert [row["memory"] for row in rows["memories"]] == [note.id]
    assert len(rows["recalls"]) == 1
    assert rows["runs"][0]["started"] == run.started


def test_html_needs_no_network_and_runs_nothing(lane: Lane, tmp_path: Path) -> None:
    folder = exported(lane, tmp_path / "out", "html")
    (file,) = (folder / "claude-code").iterdir()
    page = file.read_text()
    assert "&lt;script&gt;" in page
    assert "<script" not in page
    assert "default-src 'none'" in page
    assert "<strong>pier</strong>" in page
    assert '<span title="src/pier.py#3">pier.py:3</span>' in page, "no link that leads nowhere from here"


@pytest.mark.parametrize(("form", "page"), [("markdown", "README.md"), ("html", "index.html"), ("native", "README.md")])
def test_the_folder_has_a_page_that_leads_to_every_run(lane: Lane, tmp_path: Path, form: str, page: str) -> None:
    folder = exported(lane, tmp_path / "out", form)
    (run,) = lane.runs.select(RunFilter())
    text = (folder / page).read_text()
    links = re.findall(r'href="([^"]+)"|\]\(([^)]+)\)', text)
    (path,) = ["".join(link) for link in links]
    assert path.startswith("claude-code/")
    assert run.id in (folder / path).name
    assert "why does the ferry refuse to dock?" in text


def test_a_folder_with_something_in_it_is_refused(lane: Lane, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("keep me")
    with pytest.raises(UsageError, match="not empty"):
        exported(lane, tmp_path / "out", "sts")
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["mine.txt"]


def test_a_damaged_run_is_named_and_the_others_leave(lane: Lane, tmp_path: Path) -> None:
    second = transcript(tmp_path, "22222222-2222-4333-8444-555555555555")
    write(second, [prompt("the second one", 1, sessionId="22222222-2222-4333-8444-555555555555")])
    lane.capture.sweep()
    damaged = next(file for file in lane.config.archive_base.rglob("g1.raw") if b"ferry" in file.read_bytes())
    damaged.write_bytes(damaged.read_bytes().replace(b"ferry", b"fairy"))
    report = lane.exports.write(lane.exports.choose((), RunFilter()), "sts", tmp_path / "out", lambda *_: None)
    assert len(report.runs) == 1
    assert [run for run, _reason in report.set_aside] == [damaged.parent.name]


def test_a_search_chooses_runs(lane: Lane) -> None:
    assert len(lane.exports.choose((), RunFilter(), "ferry dock")) == 1
    assert lane.exports.choose((), RunFilter(), "zzqqxy") == []
