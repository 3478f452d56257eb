"""What is about to be done brings the rule for it before it is done, once, and nothing else does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.recall import HookAnswer
from memlane.domain import Occasion, RecallMoment
from tests.flow.homes import SESSION, a_lane
from tests.flow.test_recall import ask, context

RULE = "Never commit for Rob; he signs his own work"
OTHER = "One fix, one commit"


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[Lane]:
    with a_lane(tmp_path) as opened:
        opened.memories.remember(RULE, tmp_path / "home", occasion=Occasion("before committing"))
        yield opened


def run(lane: Lane, command: str, **more: object) -> HookAnswer:
    return _after(lane, {"command": command}, **more)


def read(lane: Lane, path: str) -> HookAnswer:
    return _after(lane, {"file_path": path})


def _after(lane: Lane, tool_input: dict[str, str], **more: object) -> HookAnswer:
    given = {"session_id": SESSION, "cwd": str(lane.config.person_home), "tool_input": tool_input, **more}
    answer = lane.recall.hooked("claude-code", "PostToolUse", given)
    if answer.recall is not None:
        lane.recall.keep(answer.recall)
    return answer


def test_staging_a_commit_brings_the_rule_for_it_once(lane: Lane) -> None:
    assert run(lane, "ls -la").output == {}
    told = run(lane, "git add -A && git diff --staged")
    assert RULE in context(told)
    assert str(told.output["systemMessage"]).startswith("Lane: 1 memory, ")
    assert told.recall is not None
    assert (told.recall.query.moment, told.recall.query.activity) == (RecallMoment.COMMAND, "commit")
    assert run(lane, "git commit -m 'health check'").output == {}


def test_it_comes_again_after_a_compaction_and_in_another_run(lane: Lane) -> None:
    run(lane, "git add -A")
    assert RULE in context(run(lane, "git add -A", session_id="another"))
    ask(lane, "", event="SessionStart", source="compact")
    assert RULE in context(run(lane, "git status"))


def test_what_a_prompt_or_the_start_has_told_is_not_told_again(lane: Lane, tmp_path: Path) -> None:
    assert RULE in context(ask(lane, "shall I commit that work for Rob and sign it?"))
    assert run(lane, "git add -A").output == {}
    lane.memories.remember(OTHER, tmp_path / "home", occasion=Occasion("when committing", always=True))
    ask(lane, "", event="SessionStart", source="clear")
    assert RULE in context(run(lane, "git add -A"))
    assert run(lane, "git add -A").output == {}


def test_one_note_at_a_time(lane: Lane, tmp_path: Path) -> None:
    lane.memories.remember(OTHER, tmp_path / "home", occasion=Occasion("when committing"))
    told = [context(run(lane, "git status")) for _ in range(3)]
    assert [(RULE in text) + (OTHER in text) for text in told] == [1, 1, 0]


def test_only_what_holds_here_and_may_be_told(lane: Lane, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert run(lane, "git add -A", cwd=str(elsewhere)).output == {}
    (memory,) = lane.memories.all()
    lane.memories.pause([memory.id])
    assert run(lane, "git add -A").output == {}
    lane.memories.resume([memory.id])
    assert lane.recall.hooked("claude-code", "PostToolUse", {}, off=True).output == {}
    ask(lane, "/lane:off")
    assert run(lane, "git add -A").output == {}


def test_reading_a_file_brings_what_is_for_its_kind(lane: Lane, tmp_path: Path) -> None:
    lane.memories.remember("No sleeps", tmp_path / "home", occasion=Occasion("writing tests"))
    home = str(lane.config.person_home)
    assert read(lane, f"{home}/src/mail.py").output == {}
    told = read(lane, f"{home}/tests/test_mail.py")
    assert "No sleeps" in context(told)
    assert told.recall is not None
    assert (told.recall.query.moment, told.recall.query.activity) == (RecallMoment.FILE, "tests")
    assert read(lane, f"{home}/tests/test_send.py").output == {}


def test_the_hooks_list_follows_what_is_known(lane: Lane) -> None:
    signs = lane.home.run_folder / "signs"
    assert b"$ git add\n" in signs.read_bytes()
    assert not lane.home.lists_other_paths()
    (memory,) = lane.memories.all()
    lane.memories.forget([memory.id])
    assert signs.read_bytes() == b""
