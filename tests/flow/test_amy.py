"""The guide's own example as runs: Amy's tone is corrected in one, read by whoever reads, and told in the next."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.domain import Memory, State
from tests.flow.homes import a_lane
from tests.flow.talks import Talk, days_ago, lesson
from tests.flow.test_recall import ask, context

CORRECTED = "No, Amy and I are casual, use a friendly tone"
NEXT = ("Help me reply to Amy's email", "draft a mail to Amy Hoy about the invoice")
TONE = lesson(
    "correction",
    "Emails to Amy Hoy are casual and friendly",
    "The person and Amy are on casual terms: emails to her have a friendly tone, not a formal one.",
    "t2.1",
    CORRECTED,
    scope="person",
)


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[Lane]:
    with a_lane(tmp_path) as opened:
        opened.entities.add("Amy Hoy", "person")
        talk = Talk(tmp_path, day=days_ago(1)).person("Send an email to Amy").agent("Dear Ms Hoy,").person(CORRECTED)
        talk.agent("Hi Amy!").person("thanks").kept()
        opened.capture.sweep()
        yield opened


def told_next(lane: Lane) -> Memory:
    """The one memory there is, once it was told for each mail to her and for no other."""
    (memory,) = lane.memories.all()
    assert (memory.state, [mention.slug for mention in memory.related_entities]) == (State.ACTIVE, ["hoy-amy"])
    assert CORRECTED in memory.source_chunk
    for n, words in enumerate(NEXT):
        answered = ask(lane, words, session_id=f"{n + 2:08d}-2222-4333-8444-555555555555")
        assert answered.recall is not None
        assert memory.title in context(answered), (words, answered.recall.why, answered.recall.near)
        assert [match.source for match in answered.recall.shown] == ["entity"]
    assert context(ask(lane, "draft a mail to Neal Brown", session_id="00000009-2222-4333-8444-555555555555")) == ""
    return memory


def test_the_built_in_reader_keeps_it_because_it_is_taught_plainly(lane: Lane) -> None:
    lane.catch.run()
    assert told_next(lane).title == "The person and Amy are casual, use a friendly tone."


def test_a_helper_reads_it_for_lane(lane: Lane) -> None:
    given = lane.catch.assignments.next("helper")
    assert given is not None
    assert CORRECTED in given.text
    lane.catch.assignments.submit(given.token, json.dumps({"memories": [TONE]}))
    assert told_next(lane).title == TONE["title"]


def test_taught_at_the_prompt_it_knows_what_it_was_about(tmp_path: Path) -> None:
    with a_lane(tmp_path) as lane:
        lane.entities.add("Amy Hoy", "person")
        ask(lane, "Send an email to Amy")
        taught = ask(lane, CORRECTED).taught
        assert taught is not None
        (memory,) = lane.recall.keep_taught(taught)
        assert memory.content == f'{memory.title} Said about: "Send an email to Amy"'
        assert memory.title in context(ask(lane, NEXT[0], session_id="00000002-2222-4333-8444-555555555555"))
