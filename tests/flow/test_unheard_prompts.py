"""An agent that calls no hook for a prompt (`droid exec`): the prompt is found in its transcript, and told and kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.recall import HookAnswer
from memlane.domain import Outcome, Recall, RecallMoment
from tests.flow.homes import a_lane, write
from tests.flow.test_recall import context

NOTE = "Add every new workspace package to the Dockerfile COPY list"
ABOUT = "add another workspace package to the Dockerfile"
TEACHING = "please remember: releases of the shop are cut on Thursdays only"
KEPT = "Releases of the shop are cut on Thursdays only."
SESSION = "10d3d24d-2542-47f9-b3c9-834c523b3502"


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[Lane]:
    with a_lane(tmp_path) as opened:
        opened.memories.remember(NOTE, tmp_path / "home")
        yield opened


def transcript(lane: Lane) -> Path:
    return lane.config.person_home / ".factory" / "sessions" / "-home" / f"{SESSION}.jsonl"


def types(lane: Lane, words: str) -> None:
    """As Droid writes it down before it asks its model."""
    path = transcript(lane)
    path.parent.mkdir(parents=True, exist_ok=True)
    message = {"role": "user", "content": [{"type": "text", "text": words}]}
    write(path, [{"type": "message", "id": words, "timestamp": "2026-11-18T15:44:40.673Z", "message": message}])


def call(lane: Lane, event: str, **more: object) -> HookAnswer:
    """One event as Droid tells it, and what the daemon writes down afterwards."""
    known = {"session_id": SESSION, "cwd": str(lane.config.person_home), "transcript_path": str(transcript(lane))}
    answer = lane.recall.hooked("droid", event, {**known, **more})
    for recall in filter(None, (answer.ahead, answer.recall)):
        lane.recall.keep(recall)
    if answer.taught is not None:
        lane.recall.keep_taught(answer.taught)
    return answer


def prompts(lane: Lane) -> list[Recall]:
    return [one for one in lane.recall.newest() if one.query.moment is RecallMoment.PROMPT]


def kept(lane: Lane) -> list[str]:
    return [memory.title for memory in lane.memories.all() if memory.content != NOTE]


def test_it_is_told_with_the_first_tool_and_once(lane: Lane) -> None:
    call(lane, "SessionStart", source="startup")
    types(lane, ABOUT)
    told = call(lane, "PostToolUse", tool_name="Execute")
    assert NOTE in context(told)
    assert told.output["hookSpecificOutput"]["hookEventName"] == "PostToolUse"  # pyright: ignore[reportIndexIssue]
    assert call(lane, "PostToolUse", tool_name="Execute").output == {}
    assert [one.query.words for one in prompts(lane)] == [ABOUT]


def test_the_next_prompt_of_a_session_that_goes_on_is_found_too(lane: Lane) -> None:
    for words in ("what is the capital of France?", ABOUT):
        call(lane, "SessionStart", source="resume")
        types(lane, words)
        told = call(lane, "PostToolUse", tool_name="Execute")
    assert NOTE in context(told)
    assert [one.query.words for one in prompts(lane)] == [ABOUT, "what is the capital of France?"]


def test_what_is_taught_is_kept_when_the_turn_ends_without_a_tool(lane: Lane) -> None:
    call(lane, "SessionStart", source="startup")
    types(lane, TEACHING)
    for event in ("Stop", "SessionEnd"):
        call(lane, event)
    assert kept(lane) == [KEPT]
    (missed,) = prompts(lane)
    assert (missed.outcome, missed.why) == (Outcome.NOT_LOOKED, "its agent called no hook for this prompt")


def test_what_is_taught_is_kept_with_the_first_tool(lane: Lane) -> None:
    call(lane, "SessionStart", source="startup")
    types(lane, TEACHING)
    assert KEPT in context(call(lane, "PostToolUse", tool_name="Execute"))
    call(lane, "Stop")
    assert kept(lane) == [KEPT]


def test_a_prompt_that_a_hook_was_called_for_is_not_looked_for(lane: Lane) -> None:
    call(lane, "SessionStart", source="startup")
    types(lane, ABOUT)
    assert NOTE in context(call(lane, "UserPromptSubmit", prompt=ABOUT))
    assert call(lane, "PostToolUse", tool_name="Execute").output == {}
    call(lane, "Stop")
    assert len(prompts(lane)) == 1


def test_who_switched_it_off_is_told_nothing(lane: Lane) -> None:
    call(lane, "SessionStart", source="startup")
    types(lane, "/lane:off")
    call(lane, "PostToolUse", tool_name="Execute")
    call(lane, "SessionStart", source="resume")
    types(lane, f"{ABOUT}; {TEACHING}")
    assert call(lane, "PostToolUse", tool_name="Execute").output == {}
    call(lane, "Stop")
    assert kept(lane) == []


def test_only_a_transcript_in_the_agents_own_folder_is_opened(lane: Lane) -> None:
    types(lane, ABOUT)
    elsewhere = lane.config.person_home / f"{SESSION}.jsonl"
    elsewhere.write_bytes(transcript(lane).read_bytes())
    call(lane, "SessionStart", source="startup")
    assert call(lane, "PostToolUse", tool_name="Execute", transcript_path=str(elsewhere)).output == {}
    assert prompts(lane) == []


@pytest.mark.parametrize("damage", [b"", b"{", b"[1]\n\xff\n", json.dumps({"type": "message"}).encode() + b"\n"])
def test_a_transcript_that_cannot_be_read_stops_nothing(lane: Lane, damage: bytes) -> None:
    transcript(lane).parent.mkdir(parents=True)
    transcript(lane).write_bytes(damage)
    call(lane, "SessionStart", source="startup")
    assert call(lane, "PostToolUse", tool_name="Execute").output == {}
    assert call(lane, "Stop").output == {}
    assert prompts(lane) == []
