"""Wishes that come again, and the rules a drafted skill keeps, whatever was typed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlane.domain import Author, Kind, Step, ToolCall, Type
from memlane.dream.skill_draft import did, draft, problems
from memlane.dream.skills import PersonRequest, RequestGroup, repeated
from tests.rooms.app.memories import NOON, a_memory, evidence
from tests.rooms.dream.test_folder import WORDS

GOOD = "---\nname: notes\ndescription: Writes notes\n---\n\nDo it.\n"


def same(one: str, other: str) -> bool:
    """For the test: the same number of words."""
    return len(one.split()) == len(other.split())


def asked(number: int, text: str, run: str = "") -> PersonRequest:
    return PersonRequest(run or f"r_{number:013d}", 1, text, NOON + timedelta(days=number), "codex", "desk")


REQUESTS = st.lists(WORDS, max_size=25).map(lambda texts: [asked(n, text) for n, text in enumerate(texts)])


@given(REQUESTS, st.integers(2, 4))
def test_every_request_counts_once_and_only_what_enough_runs_asked_is_a_habit(
    made: list[PersonRequest], least: int
) -> None:
    found = repeated(made, (), same, least)
    counted = [request for habit in found for request in habit.requests]
    assert len(counted) == len(set(counted))
    assert set(counted) <= set(made)
    assert all(len(habit.runs) >= least for habit in found)
    assert found == repeated(list(reversed(made)), (), same, least)


@given(st.lists(WORDS, min_size=1, max_size=5), WORDS, WORDS)
def test_a_draft_is_a_skill_whatever_was_typed(texts: list[str], tool: str, given: str) -> None:
    found = RequestGroup(tuple(asked(n, text) for n, text in enumerate(texts)), (a_memory(title=tool, content=given),))
    step = Step(1, Author.AGENT, Kind.TOOL_CALL, 1, call=ToolCall(tool, {"command": given}))
    text = draft(found, {found.runs[0]: did([step])})
    assert problems(text.encode("utf-8", "replace"), found.name) == []
    assert all(f"{run}#t1" in text for run in found.runs)


def test_the_same_words_in_one_run_are_no_habit_and_a_fork_repeats_nobody() -> None:
    made = [asked(n, "please make the weekly report", "r_one") for n in range(5)]
    assert repeated(made, (), same) == []
    forked = [PersonRequest(f"r_{n}", 1, "please make the weekly report", NOON) for n in range(5)]
    assert repeated(forked, (), same) == []
    tried = [PersonRequest(f"r_{n}", 1, "please make the Weekly  report", NOON + timedelta(hours=n)) for n in range(5)]
    assert repeated([*tried, *forked], (), same) == []


def test_one_prompt_tried_again_with_other_numbers_is_one_wish_that_day_and_three_on_three_days() -> None:
    def shares_three(one: str, other: str) -> bool:
        return len(set(one.split()) & set(other.split())) >= 3

    words = ("Fix the flaky parser test 12", "fix the flaky parser test, 13", "Fix the flaky parser test (14)")
    tried = [PersonRequest(f"r_{n}", 1, text, NOON + timedelta(minutes=n)) for n, text in enumerate(words)]
    assert repeated(tried, (), shares_three) == []
    (habit,) = repeated([asked(n, text) for n, text in enumerate(words)], (), shares_three)
    assert len(habit.runs) == 3


def test_a_habit_never_drifts_into_another_wish() -> None:
    def shares_half(one: str, other: str) -> bool:
        return len(set(one.split()) & set(other.split())) >= 2

    made = [asked(n, f"word{n} word{n + 1} word{n + 2}") for n in range(12)]
    assert max(len(habit.requests) for habit in repeated(made, (), shares_half, 2)) <= 4


def test_a_memory_joins_what_it_was_caught_from() -> None:
    made = [asked(n, text) for n, text in enumerate(("ship it now", "out with the thing today please", "away"))]
    cited = tuple(evidence(one.text, one.run) for one in made)
    (habit,) = repeated(made, [a_memory(type=Type.PATTERN_SEED, evidence=cited)], same)
    assert (habit.runs, len(habit.requests)) == (tuple(one.run for one in made), 3)
    assert repeated(made, [a_memory(type=Type.CORRECTION, evidence=cited)], same) == []


def test_what_failed_or_is_ours_is_no_step() -> None:
    calls = (
        Step(1, Author.AGENT, Kind.TOOL_CALL, 1, call=ToolCall("Bash", {"command": "make"}, error=True)),
        Step(2, Author.AGENT, Kind.TOOL_CALL, 2, call=ToolCall("Bash", {"command": "lane search x"}), ours=True),
        Step(3, Author.AGENT, Kind.TOOL_CALL, 3, call=ToolCall("Bash", {"command": "git log v1..v2"})),
        Step(4, Author.AGENT, Kind.TOOL_CALL, 4, call=ToolCall("Bash", {"command": "git log v2..v3"})),
        Step(5, Author.AGENT, Kind.TEXT, 5, text="done"),
    )
    assert [(one.tool, one.with_what) for one in did(calls)] == [("Bash", "git log v1..v2")]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (GOOD, ""),
        (GOOD.replace("notes\n", "Notes\n", 1), "small letters"),
        (GOOD.replace("notes\n", "other\n", 1), "what its folder is called"),
        (GOOD.replace("notes\n", "claude-notes\n", 1), "are reserved"),
        (GOOD.replace("name: notes\n", ""), "there is no name"),
        (GOOD.replace("Writes notes", ""), "there is no description"),
        (GOOD.replace("Writes notes", "x" * 1025), "at most 1024"),
        (GOOD.replace("Writes notes", "for <b>all</b>"), "a tag in it"),
        (GOOD.replace("Do it.", ""), "nothing below its head"),
        (GOOD.replace("Do it.", "x\n" * 600), "at most 500 lines"),
        (GOOD.replace("description", "tags: x\ndescription", 1), "unknown field 'tags'"),
        ("name: notes", "begins its head is missing"),
        (GOOD.replace("---\n\nDo", "Do"), "ends its head is missing"),
    ],
)
def test_the_rules_of_a_skill(text: str, wrong: str) -> None:
    assert wrong in "; ".join(problems(text.encode(), "notes"))
    assert bool(problems(text.encode(), "notes")) == bool(wrong)
