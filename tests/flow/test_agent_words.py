"""What the agent says is looked at too: its person sees the note, and "go on" gives it to the agent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.domain import Outcome, RecallMoment
from memlane.recall import goes_on, proposed
from tests.flow.homes import SESSION, a_lane
from tests.flow.test_recall import ask, context

RULE = "Add every new workspace package to the Dockerfile COPY list"
DOING = "I would now add another workspace package to the Dockerfile. Shall I go on?"
OTHER = "The moon rises at nine this evening."


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[Lane]:
    with a_lane(tmp_path) as opened:
        opened.memories.remember(RULE, tmp_path / "home")
        yield opened


def stop(lane: Lane, words: str, event: str = "Stop", **more: object) -> dict[str, object]:
    return dict(ask(lane, "", event, last_assistant_message=words, **more).output)


def seen(lane: Lane) -> list[tuple[RecallMoment, Outcome, list[str]]]:
    newest = lane.recall.newest(10)
    return [(one.query.moment, one.outcome, [match.source for match in one.shown]) for one in newest]


def test_the_person_sees_it_and_the_agent_is_told_when_they_go_on(lane: Lane) -> None:
    shown = ask(lane, "", "Stop", last_assistant_message=DOING)
    assert shown.output == {"systemMessage": shown.output["systemMessage"]}, "a line for the person and no context"
    assert "on this answer" in str(shown.output["systemMessage"])
    assert shown.card is not None
    assert [(note.title, shown.card.recall) for note in shown.card.notes] == [(RULE, lane.recall.newest(1)[0].id)]
    assert lane.memories.get(lane.memories.all()[0].id).recall_count == 0, "the agent was not told"
    assert RULE in context(ask(lane, "yes, go ahead"))
    assert seen(lane)[0] == (RecallMoment.PROMPT, Outcome.SHOWN, ["answer"])
    assert lane.memories.get(lane.memories.all()[0].id).recall_count == 1
    assert context(ask(lane, "yes")) == "", "once"


@pytest.mark.parametrize("words", ["thanks", "no, wait", "ok, but what about the moon?", "stop"])
def test_a_prompt_that_does_not_go_on_is_not_told(lane: Lane, words: str) -> None:
    stop(lane, DOING)
    assert context(ask(lane, words)) == ""


def test_go_on_alone_is_told_nothing(lane: Lane) -> None:
    assert stop(lane, OTHER) == {}
    assert context(ask(lane, "yes")) == ""
    assert [moment for moment, _outcome, _sources in seen(lane)] == [RecallMoment.PROMPT], "silence is not kept"


def test_what_was_said_in_between_ends_it(lane: Lane) -> None:
    stop(lane, DOING)
    ask(lane, "what time does the moon rise?")
    assert context(ask(lane, "ok, go on")) == ""


def test_a_thumb_down_on_it_keeps_it_from_the_agent(lane: Lane) -> None:
    stop(lane, DOING)
    (note,) = lane.memories.all()
    lane.recall.feedback.judge(note.id, up=False, recall=lane.recall.newest(1)[0].id)
    assert context(ask(lane, "yes")) == ""


def test_what_was_forgotten_meanwhile_is_not_told(lane: Lane) -> None:
    stop(lane, DOING)
    lane.memories.forget([lane.memories.all()[0].id])
    assert context(ask(lane, "yes")) == ""


def test_it_is_seen_once_and_not_where_the_agent_knows_it(lane: Lane) -> None:
    assert stop(lane, DOING) != {}
    assert stop(lane, DOING) == {}
    assert stop(lane, DOING, session_id=f"9{SESSION[1:]}") != {}
    assert stop(lane, f"I will {RULE[0].lower()}{RULE[1:]}.", session_id=f"8{SESSION[1:]}") == {}
    ask(lane, "add another workspace package to the Dockerfile", session_id=f"7{SESSION[1:]}")
    assert stop(lane, DOING, session_id=f"7{SESSION[1:]}") == {}


def test_a_setting_turns_it_off(tmp_path: Path) -> None:
    with a_lane(tmp_path, LANE_RECALL_ANSWERS="false") as lane:
        lane.memories.remember(RULE, tmp_path / "home")
        assert (stop(lane, DOING), seen(lane)) == ({}, [])


def test_so_do_recall_off_and_a_subagent(lane: Lane) -> None:
    assert stop(lane, DOING, event="SubagentStop", agent_id="a7") == {}
    ask(lane, "/lane:off")
    assert stop(lane, DOING) == {}


def test_the_line_and_the_card_have_settings_of_their_own(tmp_path: Path) -> None:
    with a_lane(tmp_path, LANE_RECALL_LINE="false", LANE_RECALL_CARD="false") as lane:
        lane.memories.remember(RULE, tmp_path / "home")
        told = ask(lane, "add another workspace package to the Dockerfile")
        assert RULE in context(told)
        assert "systemMessage" not in told.output
        assert told.card is None


@pytest.mark.parametrize("words", ["yes", "ok do it", "Go ahead!", "sounds good, continue", "ja", "はい", "lgtm"])
def test_what_says_go_on(words: str) -> None:
    assert goes_on(words)


@pytest.mark.parametrize("words", ["", "thanks", "yes but not that", "stop", "no", "2", "it", "ok thanks", "yes " * 9])
def test_what_does_not(words: str) -> None:
    assert not goes_on(words)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("I added the package. All tests pass.", ""),
        ("Done.\n\nWant me to commit it?", "Want me to commit it?"),
        ("It fails. I\u2019ll rename the table next. That is all.", "I'll rename the table next."),
        ("終わりました。次に進みますか？", "次に進みますか？"),
        ("Shall I go on?" + " It is done." * 60, ""),
    ],
)
def test_only_what_is_proposed_is_looked_at(answer: str, words: str) -> None:
    assert proposed(answer) == words
