"""`lane import` as a person uses it: every conversation stands in the archive once, however often it is handed over."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memlane.app import Lane
from memlane.domain import RunFilter, RunSummary
from memlane.errors import UsageError
from memlane.surfaces.cli import run as cli
from tests.conftest import LaneHome
from tests.flow.homes import SESSION, a_lane, answer, prompt, said, transcript, write
from tests.rooms.agents.chats import FIXTURES, export, fixture, zipped

CHATGPT = [fixture("chatgpt/2023-edited-and-regenerated.json"), fixture("chatgpt/2026-tools-and-voice.json")]
CLAUDE_AI = [fixture("claude-ai/edited-with-tools.json"), fixture("claude-ai/flat-and-old.json")]
HUGGINGCHAT = [fixture("huggingchat/branches.json"), fixture("huggingchat/legacy.json")]
OTHER = "99999999-2222-4333-8444-555555555555"


def runs(lane: Lane, agent: str = "") -> list[RunSummary]:
    return list(lane.runs.select(RunFilter(agent=agent)))


def raw(lane: Lane, native_id: str) -> bytes:
    (found,) = [run for run in runs(lane) if run.native_id == native_id]
    return b"".join(lane.runs.raw(found.id))


def grown(conversation: dict[str, Any], words: str) -> dict[str, Any]:
    """The same ChatGPT conversation after one more prompt."""
    last = conversation["current_node"]
    told = {"id": words, "author": {"role": "user"}, "content": {"content_type": "text", "parts": [words]}}
    nodes = {**conversation["mapping"], words: {"id": words, "parent": last, "children": [], "message": told}}
    newer = {"mapping": nodes, "current_node": words, "update_time": conversation["update_time"] + 60}
    return {**conversation, **newer}


@pytest.mark.parametrize(
    ("agent", "conversations", "turns", "id"),
    [("chatgpt", CHATGPT, 7, "id"), ("claude-ai", CLAUDE_AI, 6, "uuid"), ("huggingchat", HUGGINGCHAT, 4, "title")],
)
@pytest.mark.parametrize("pack", [lambda p, c: export(p, *c), lambda p, c: zipped(p, conversations=c)])
def test_an_export_gives_one_run_per_conversation(
    tmp_path: Path, agent: str, conversations: list[Any], turns: int, id: str, pack: Callable[[Path, Any], Path]
) -> None:
    lane = a_lane(tmp_path)
    report = lane.capture.imports.take([pack(tmp_path / "export", conversations)])
    found = runs(lane, agent)
    assert report.set_aside == []
    assert len(found) == len(conversations) == len(report.changes)
    assert sum(run.person_turns for run in found) == turns == sum(change.turns_new for change in report.changes)
    archived = [json.loads(b"".join(lane.runs.raw(run.id))) for run in found]
    assert sorted(one[id] for one in archived) == sorted(one[id] for one in conversations)
    assert all(one in conversations for one in archived)
    assert all(finding.level.value != "fail" for finding in lane.archive.verify())


def test_the_bytes_are_those_of_the_export(tmp_path: Path) -> None:
    lane = a_lane(tmp_path)
    path = export(tmp_path / "conversations.json", *CHATGPT, indent=3)
    lane.capture.imports.take([path])
    for run in runs(lane):
        kept = b"".join(lane.runs.raw(run.id))
        assert kept.endswith(b"}\n")
        assert kept[:-1] in path.read_bytes()


def test_handed_over_again_nothing_is_doubled(tmp_path: Path) -> None:
    lane = a_lane(tmp_path)
    paths = [
        export(tmp_path / "conversations.json", *CHATGPT),
        zipped(tmp_path / "claude.zip", conversations=CLAUDE_AI),
        FIXTURES / "neutral",
    ]
    lane.capture.imports.take(paths)
    before = runs(lane)
    again = lane.capture.imports.take([*paths, *paths])
    assert again.changes == []
    assert runs(lane) == before


def test_a_newer_export_adds_a_generation_and_an_older_one_adds_nothing(tmp_path: Path) -> None:
    lane = a_lane(tmp_path)
    old, middle = CHATGPT[0], grown(CHATGPT[0], "And parsnips?")
    new = grown(middle, "And beets?")
    lane.capture.imports.take([export(tmp_path / "old.json", old)])
    (change,) = lane.capture.imports.take([export(tmp_path / "new.json", new)]).changes
    assert (change.generation, change.turns_new) == (2, 2)
    assert lane.capture.imports.take([tmp_path / "old.json"]).changes == []
    assert lane.capture.imports.take([export(tmp_path / "middle.json", middle)]).changes == []
    assert json.loads(raw(lane, old["id"])) == new
    (run,) = runs(lane)
    assert run.last.text == "And beets?"


def test_a_conversation_forgotten_stays_forgotten(tmp_path: Path) -> None:
    lane = a_lane(tmp_path)
    path = export(tmp_path / "conversations.json", *CHATGPT)
    lane.capture.imports.take([path])
    lane.archive.forget_run(runs(lane)[0].id)
    lane.capture.imports.take([path])
    assert len(runs(lane)) == len(CHATGPT) - 1


def test_a_folder_is_searched_for_what_we_know_and_the_rest_is_left_alone(tmp_path: Path) -> None:
    lane, folder = a_lane(tmp_path), tmp_path / "export"
    (folder / "deep").mkdir(parents=True)
    export(folder / "conversations-000.json", CHATGPT[0])
    export(folder / "deep" / "conversations-001.json", CHATGPT[1])
    export(folder / "user.json", {"email": "someone@example.org"})
    (folder / "chat.html").write_text("<html>")
    (folder / "link.json").symlink_to(tmp_path / "elsewhere.json")
    report = lane.capture.imports.take([folder])
    assert (len(report.changes), report.set_aside) == (2, [])
    archive = lane.config.archive_base
    assert not any(b"someone@example.org" in file.read_bytes() for file in archive.rglob("*") if file.is_file())


def test_an_export_that_was_cut_off_is_named_wherever_it_lies(tmp_path: Path) -> None:
    lane, folder = a_lane(tmp_path), tmp_path / "export"
    folder.mkdir()
    path = export(folder / "conversations.json", CHATGPT[0])
    path.write_bytes(path.read_bytes()[:500])
    (aside,) = lane.capture.imports.take([folder]).set_aside
    assert (aside.path, aside.reason) == (str(path), "object 1: the file ends in the middle of it")


def test_runs_are_found_by_the_agent_they_name(tmp_path: Path) -> None:
    lane = a_lane(tmp_path)
    lane.capture.imports.take([FIXTURES / "neutral"])
    (run,) = runs(lane, "dockhand")
    assert (run.native_id, run.project.name, run.title) == ("harbour-7", "quay/harbour", "Crane calibration")
    assert [turn.person for turn in lane.runs.show(run.id).turns][:1] == ["Calibrate the crane."]
    lane.archive.rebuild()
    assert runs(lane, "dockhand") == [run]


def test_what_was_shown_can_be_handed_over_as_a_neutral_run(tmp_path: Path) -> None:
    """The turns of `lane show --json` are turns of a neutral run."""
    from memlane.surfaces.cli.output import encoded
    from memlane.surfaces.documents import of_turn

    lane = a_lane(tmp_path)
    lane.capture.imports.take([export(tmp_path / "a.json", CLAUDE_AI[0])])
    shown = [of_turn("r", turn) for turn in lane.runs.show(runs(lane)[0].id).turns]
    lines = [encoded({"type": "run", "id": "copy", "agent": "copied"})]
    lines += [encoded({"type": "turn", **turn}) for turn in shown]
    (tmp_path / "copy.jsonl").write_text("\n".join(lines) + "\n")
    assert lane.capture.imports.take([tmp_path / "copy.jsonl"]).set_aside == []
    again = [of_turn("r", turn) for turn in lane.runs.show(runs(lane, "copied")[0].id).turns]
    told = [[(s["author"], s["kind"], s.get("text"), s.get("tool_call")) for s in t["steps"]] for t in shown]  # type: ignore[union-attr]
    assert told == [[(s["author"], s["kind"], s.get("text"), s.get("tool_call")) for s in t["steps"]] for t in again]  # type: ignore[union-attr]


def test_a_tale_of_a_run_never_takes_the_place_of_its_own_transcript(tmp_path: Path) -> None:
    lane, tale = a_lane(tmp_path), tmp_path / "tale.jsonl"
    write(transcript(tmp_path), [prompt("the real words"), answer([said("yes")])])
    lane.capture.sweep()
    write(tale, [{"type": "run", "id": SESSION, "agent": "claude-code"}, {"type": "turn", "person": "hearsay"}])
    assert lane.capture.imports.take([tale]).changes == []
    assert raw(lane, SESSION) == transcript(tmp_path).read_bytes()


# -- prompts of runs that are gone -------------------------------------------------------------------------------------


def history(folder: Path, *prompts: tuple[str, str]) -> Path:
    path = folder / "home" / ".claude" / "history.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    write(path, [_line(display, session, n) for n, (display, session) in enumerate(prompts)])
    return path


def _line(display: str, session: str, n: int) -> dict[str, object]:
    told = {"display": display, "pastedContents": {}, "timestamp": 1777629600000 + n * 1000, "project": "/home/dev/app"}
    return {**told, "sessionId": session} if session else told


def test_prompts_are_taken_only_of_runs_that_are_gone(tmp_path: Path) -> None:
    lane = a_lane(tmp_path)
    write(transcript(tmp_path), [prompt("still there")])
    path = history(tmp_path, ("still there", SESSION), ("long gone", OTHER))
    report = lane.capture.imports.take([path])
    assert [change.run.native_id for change in report.changes] == [OTHER]
    (run,) = runs(lane)
    assert (run.agent, run.title, run.relation, run.person_turns) == ("claude-code", "Prompts only: long gone", "", 1)


def test_a_run_that_was_archived_before_it_was_deleted_needs_no_prompts(tmp_path: Path) -> None:
    lane = a_lane(tmp_path)
    write(transcript(tmp_path), [prompt("archived in time"), answer([said("yes")])])
    lane.capture.sweep()
    transcript(tmp_path).unlink()
    path = history(tmp_path, ("archived in time", SESSION), ("of an older build", ""))
    assert lane.capture.imports.take([path]).changes == [], "neither by its id nor by when and where it was typed"


def test_a_transcript_that_comes_back_takes_the_place_of_its_prompts(tmp_path: Path) -> None:
    lane = a_lane(tmp_path)
    lane.capture.imports.take([history(tmp_path, ("the only words left", SESSION))])
    write(transcript(tmp_path), [prompt("the only words left"), answer([said("and an answer")])])
    lane.capture.sweep()
    (run,) = runs(lane)
    assert (run.generation, run.title) == (2, "the only words left")
    assert raw(lane, SESSION) == transcript(tmp_path).read_bytes()
    assert lane.capture.imports.take([tmp_path / "home" / ".claude" / "history.jsonl"]).changes == []


def test_a_history_that_grew_adds_its_new_lines(tmp_path: Path) -> None:
    lane = a_lane(tmp_path)
    lane.capture.imports.take([history(tmp_path, ("one", OTHER))])
    (change,) = lane.capture.imports.take([history(tmp_path, ("one", OTHER), ("two", OTHER))]).changes
    assert (change.generation, change.turns_new) == (1, 1)
    assert raw(lane, OTHER).count(b"\n") == 2


# -- the command -------------------------------------------------------------------------------------------------------


def test_bad_lines_are_named_by_number_and_the_rest_goes_on(
    lane_home: LaneHome, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_text(
        '{"type":"run","id":"a"}\n{"type":"turn","person":"one"}\nnonsense\n{"type":"turn","person":"two"}\n'
    )
    assert cli(["import", str(path), "--json"]) == 6
    document = json.loads(capsysbinary.readouterr().out)
    assert document["schema"] == "lane.import/1"
    assert [(run["session_id"], run["turns_new"]) for run in document["data"]] == [("a", 2)]
    (aside,) = document["meta"]["set_aside_files"]
    assert aside["path"] == f"{path}: line 3"
    assert cli(["import", str(path), "-q"]) == 6, "it is still there"
    assert lane_home.path.is_dir()


def test_a_file_that_is_no_export_is_named(
    lane_home: LaneHome, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = export(tmp_path / "user.json", {"email": "someone@example.org"})
    assert cli(["import", str(path)]) == 6
    assert b"no known conversation format in it" in capsysbinary.readouterr().err
    assert cli(["import", str(tmp_path / "nothing")]) == 2
    assert cli(["import"]) == 2
    assert lane_home.home.is_dir()


def test_only_what_was_asked_for_is_taken(tmp_path: Path) -> None:
    lane, folder = a_lane(tmp_path), tmp_path / "downloads"
    folder.mkdir()
    export(folder / "a.json", *CHATGPT)
    export(folder / "b.json", *CLAUDE_AI)
    assert {c.run.agent for c in lane.capture.imports.take([folder], kind="claude.ai").changes} == {"claude-ai"}
    with pytest.raises(UsageError, match="nothing can be imported from 'gopher'"):
        lane.capture.imports.take([folder], kind="gopher")
    report = lane.capture.imports.take([folder], kind="chatgpt", machine="phone")
    assert {change.run.machine for change in report.changes} == {"phone"}


def test_a_conversation_whose_metadata_is_lost_is_known_again(tmp_path: Path) -> None:
    lane = a_lane(tmp_path)
    lane.capture.imports.take([export(tmp_path / "conversations.json", *CHATGPT)])
    before = runs(lane)
    (lane.home.layout.find(before[0].id) or tmp_path).joinpath("metadata.json").unlink()
    assert [finding.kind for finding in lane.archive.repair()] == ["repaired"]
    lane.archive.rebuild()
    assert [run.native_id for run in runs(lane)] == [run.native_id for run in before]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-8-sig"])
def test_an_export_that_a_windows_program_saved_is_read(tmp_path: Path, encoding: str) -> None:
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    file = tmp_path / "conversations.json"
    file.write_bytes((mark + json.dumps(CLAUDE_AI, ensure_ascii=False)).encode(encoding))
    lane = a_lane(tmp_path)
    report = lane.capture.imports.take([file])
    assert report.set_aside == []
    assert len(runs(lane, "claude-ai")) == len(CLAUDE_AI)


def test_a_project_of_claude_ai_is_the_project_of_its_runs(tmp_path: Path) -> None:
    within = {**CLAUDE_AI[0], "project": {"uuid": OTHER, "name": "Harbour lights"}}
    lane = a_lane(tmp_path)
    lane.capture.imports.take([export(tmp_path / "export.json", within, CLAUDE_AI[1])])
    projects = {run.native_id: run.project for run in runs(lane)}
    assert (projects[within["uuid"]].name, projects[within["uuid"]].key) == ("Harbour lights", f"claude.ai/{OTHER}")
    assert projects[CLAUDE_AI[1]["uuid"]].name == ""


def test_nothing_is_said_to_be_in_when_nothing_is(
    lane_home: LaneHome, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert lane_home.home.is_dir()
    (tmp_path / "broken.json").write_text('[{"mapping": {"a": ')
    assert cli(["import", str(tmp_path / "broken.json")]) == 6
    said = capsys.readouterr().err
    assert "nothing was imported" in said
    assert "1 part could not be read" in said
    assert "nothing new" not in said
