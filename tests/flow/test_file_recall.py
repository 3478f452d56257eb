"""A file is read or changed, and the correction from last time is there before the next edit; other files: silence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.recall import HookAnswer
from memlane.app.recall.staleness import gone
from memlane.config import load
from memlane.domain import Mention, Outcome, Query, Recall, RecallMoment, Scope
from memlane.surfaces.hooks.client import is_listed
from tests.flow.example_bank import BANK, world
from tests.flow.homes import SESSION, a_lane, answer, called, prompt, returned, transcript, write
from tests.flow.test_recall import context

NOTE = "In src/mail/send.py never retry on a 4xx, only on a 5xx and on timeouts"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "home" / "shop"
    for name in ("src/mail/send.py", "src/mail/read.py", "send.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("pass\n")
    (folder / ".git").mkdir()
    return folder


@pytest.fixture
def lane(tmp_path: Path, project: Path) -> Iterator[Lane]:
    with a_lane(tmp_path) as opened:
        opened.memories.remember(NOTE, project)
        yield opened


def touch(lane: Lane, path: Path, cwd: Path, session: str = SESSION, **more: object) -> HookAnswer:
    given = {"session_id": session, "cwd": str(cwd), "tool_input": {"file_path": str(path)}, **more}
    touched = lane.recall.hooked("claude-code", "PostToolUse", given)
    if touched.recall is not None:
        lane.recall.keep(touched.recall)
    return touched


def compact(lane: Lane, cwd: Path) -> None:
    given = {"session_id": SESSION, "cwd": str(cwd), "source": "compact"}
    began = lane.recall.hooked("claude-code", "SessionStart", given)
    assert began.recall is not None
    lane.recall.keep(began.recall)


def listed(lane: Lane) -> bytes:
    return (lane.home.run_folder / "paths").read_bytes()


def test_touching_a_file_brings_what_is_known_about_it_and_touching_another_does_not(lane: Lane, project: Path) -> None:
    assert touch(lane, project / "src/mail/read.py", project).output == {}
    assert touch(lane, project / "send.py", project).output == {}
    told = touch(lane, project / "src/mail/send.py", project)
    assert NOTE in context(told)
    assert told.recall is not None
    (match,) = told.recall.shown
    assert (match.source, told.recall.query.moment, told.recall.query.files) == (
        "file",
        RecallMoment.FILE,
        (str(project / "src/mail/send.py"),),
    )
    assert "on this file" in str(told.output["systemMessage"])


def test_it_is_told_once_and_again_after_a_compaction_even_where_that_says_nothing(
    lane: Lane, project: Path, tmp_path: Path
) -> None:
    file = project / "src/mail/send.py"
    assert NOTE in context(touch(lane, file, project))
    assert touch(lane, file, project).recall is None
    with a_lane(tmp_path, LANE_RECALL_START_CHARACTERS="0") as quiet:
        compact(quiet, project)
    assert NOTE in context(touch(lane, file, project))


def test_a_subagent_has_a_context_of_its_own(lane: Lane, project: Path) -> None:
    file = project / "src/mail/send.py"
    assert NOTE in context(touch(lane, file, project))
    assert NOTE in context(touch(lane, file, project, agent_id="a1"))
    assert touch(lane, file, project, agent_id="a1").recall is None


def test_one_note_a_file_and_another_time_the_next_best(lane: Lane, project: Path) -> None:
    lane.memories.remember("The timeout of src/mail/send.py is 8 seconds since the outage", project)
    told = touch(lane, project / "src/mail/send.py", project).recall
    assert told is not None
    assert (len(told.shown), len(told.near)) == (1, 1)


def test_a_note_of_another_project_stays_there(lane: Lane, project: Path, tmp_path: Path) -> None:
    other = tmp_path / "home" / "other"
    (other / "src/mail").mkdir(parents=True)
    (other / ".git").mkdir()
    assert touch(lane, other / "src/mail/send.py", other).output == {}


def test_what_was_already_told_on_a_prompt_is_not_told_on_the_file(lane: Lane, project: Path) -> None:
    given = {"session_id": SESSION, "cwd": str(project), "prompt": "may src/mail/send.py retry on a 4xx or a 5xx?"}
    asked = lane.recall.hooked("claude-code", "UserPromptSubmit", given)
    assert asked.recall is not None
    assert NOTE in context(asked)
    lane.recall.keep(asked.recall)
    silent = touch(lane, project / "src/mail/send.py", project).recall
    assert silent is not None
    assert (silent.outcome, silent.why) == (Outcome.SILENT, "already shown in this run")


def test_switched_off_for_a_run_it_says_nothing_until_it_is_switched_on(lane: Lane, project: Path) -> None:
    def say(words: str) -> HookAnswer:
        given = {"session_id": SESSION, "cwd": str(project), "prompt": words}
        said = lane.recall.hooked("claude-code", "UserPromptSubmit", given)
        assert said.recall is not None
        lane.recall.keep(said.recall)
        return said

    assert "off for this run" in str(say("/lane:off").output["systemMessage"])
    assert say("may src/mail/send.py retry on a 4xx or a 5xx?").output == {}
    assert say("and what about src/mail/send.py and a 5xx?").output == {}
    compact(lane, project)
    assert touch(lane, project / "src/mail/send.py", project).output == {}
    assert touch(lane, project / "src/mail/send.py", project, agent_id="a1").output == {}
    assert NOTE in context(touch(lane, project / "src/mail/send.py", project, session="another"))
    say("/lane:on")
    assert NOTE in context(touch(lane, project / "src/mail/send.py", project))


def test_the_list_for_hooks_names_what_is_known_and_follows_it(lane: Lane, project: Path) -> None:
    send, read = (str(project / "src/mail" / name).encode() for name in ("send.py", "read.py"))
    assert (is_listed(send, listed(lane)), is_listed(read, listed(lane))) == (True, False)
    (memory,) = lane.memories.all()
    lane.memories.forget([memory.id])
    assert not is_listed(send, listed(lane))


def test_a_correction_right_after_an_edit_is_about_that_file(tmp_path: Path, project: Path) -> None:
    """E28: nobody named the file, neither when it was caught nor when it is needed."""
    file = project / "src/mail/send.py"
    edit = called("Edit", {"file_path": str(file), "old_string": "pass", "new_string": "retry()"}, "c1")
    cwd = str(project)
    write(
        transcript(tmp_path),
        [
            prompt("make sending mail more robust", 1, cwd=cwd),
            {**answer([edit], 1), "cwd": cwd},
            {**returned("done", "c1", 2), "cwd": cwd},
            prompt("no, never retry on a 4xx, those will never succeed", 3, cwd=cwd),
            {**answer([{"type": "text", "text": "Right, only on a 5xx."}], 4), "cwd": cwd},
        ],
    )
    lesson = {
        "type": "correction",
        "title": "Never retry on a 4xx",
        "content": "Sending never retries on a 4xx: those never succeed.",
        "quotes": [{"step": "t2.1", "words": "no, never retry on a 4xx"}],
        "reasoning": "The person corrected it.",
        "confidence": 92,
    }
    known = {"HOME": str(tmp_path / "home"), "LANE_HOME": str(tmp_path / "lane"), "LANE_USER": "ann"}
    later = datetime(2026, 5, 2, 9, tzinfo=UTC)
    with Lane(load(known), lambda: later) as lane:
        lane.capture.sweep()
        handed = lane.catch.assignments.next("reader")
        assert handed is not None
        lane.catch.assignments.submit(handed.token, json.dumps({"memories": [lesson]}))
        (memory,) = lane.memories.all()
        assert [(m.type, m.slug, m.resolved) for m in memory.related_entities] == [("file", "src/mail/send.py", True)]
        assert "Never retry on a 4xx" in context(touch(lane, file, project, session="another"))


def test_a_persons_page_brings_what_fits_and_stays_silent_about_the_rest(tmp_path: Path) -> None:
    """E29: the entity comes from the path; what is being done decides."""
    page = tmp_path / "relationships" / "contacts" / "brown-neal.md"
    page.parent.mkdir(parents=True)
    page.write_text("# Neal Brown\n")
    agenda = "the agenda for tomorrow"
    given = {f"{agenda}\nbrown-neal.md": {"M17": 0.50, "M18": 0.30}}
    anywhere = [replace(one, scope=Scope.PERSON) for one in BANK]
    folders = f"person={page.parent}"
    with world(tmp_path / "w", given, memories=anywhere, LANE_ENTITIES_FOLDERS=folders) as asked:
        said = {"session_id": SESSION, "cwd": str(tmp_path), "prompt": agenda}
        first = asked.lane.recall.hooked("claude-code", "UserPromptSubmit", said).recall
        assert first is not None
        asked.lane.recall.keep(first)
        told = touch(asked.lane, page, tmp_path).recall
        assert told is not None
        assert [(match.memory.id, match.source) for match in told.shown] == [("M17", "file")]
        assert [match.memory.id for match in told.near] == ["M18"]
        assert touch(asked.lane, page.with_name("another.md"), tmp_path).recall is None
        asked.lane.home.list_paths(asked.lane.home.storage())
        assert is_listed(str(page).encode(), listed(asked.lane))


def test_what_is_about_a_file_that_is_gone_is_not_told_and_can_be_seen(lane: Lane, project: Path) -> None:
    """E38: a hint, not the truth."""

    def say(session: str) -> Recall:
        given = {"session_id": session, "cwd": str(project), "prompt": "may src/mail/send.py retry on a 4xx or a 5xx?"}
        found = lane.recall.hooked("claude-code", "UserPromptSubmit", given).recall
        assert found is not None
        return found

    assert len(say("before").shown) == 1
    (project / "src/mail/send.py").unlink()
    found = say("after")
    assert (found.shown, found.why) == ((), "the match is about src/mail/send.py, which no longer exists")
    assert [match.source for match in found.near] == ["stale"]


@pytest.mark.parametrize("named", [".worktrees/2/src/mail/send.py", "/Users/ada/shop/src/mail/send.py"])
def test_a_file_named_in_a_worktree_or_another_checkout_is_not_gone_while_it_stands_here(
    tmp_path: Path, project: Path, named: str
) -> None:
    with a_lane(tmp_path) as lane:
        memory = lane.memories.remember("Mail is never retried on a 4xx answer", project)
        about = (Mention("file", named, named, resolved=True),)
        asked = Query("", lane.home.project_at(str(project)), str(project), "claude-code", "", "")
        assert gone(replace(memory, related_entities=about), asked) == ""
        missing = (Mention("file", "src/gone.py", "src/gone.py", resolved=True),)
        assert gone(replace(memory, related_entities=missing), asked) == "src/gone.py"


SYMBOL = "`retry_all` in src/mail/send.py decides which answers of the mail server are tried a second time"


def test_what_is_about_a_name_of_code_that_is_gone_is_not_told_either(tmp_path: Path, project: Path) -> None:
    """E38: the file is there, what the note tells of is not; one that says what not to do is as true without it."""
    file = project / "src/mail/send.py"
    file.write_text("def retry_all(): ...\n")
    with a_lane(tmp_path) as lane:
        lane.memories.remember(SYMBOL, project)
        assert SYMBOL in context(touch(lane, file, project, session="before"))
        file.write_text("def send(): ...\n")
        found = touch(lane, file, project, session="after").recall
        assert found is not None
        assert (found.shown, found.why) == (
            (),
            "the match is about retry_all in src/mail/send.py, which no longer exists",
        )
        assert [match.source for match in found.near] == ["stale"]
        never = "Never call `retry_all` in src/mail/send.py again: the mail server blocks us"
        lane.memories.remember(never, project)
        assert never in context(touch(lane, file, project, session="later"))
