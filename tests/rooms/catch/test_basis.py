"""What a Draft stands on: the person's words, their yes, a proof in the Window, or somebody's word alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memlane.catch.basis import Basis, basis_of
from memlane.catch.trust import trust_of
from memlane.catch.verdict import memory_of
from memlane.domain import Draft, Quote, Spot, State, Step, Type, Window
from tests.rooms.catch.small_runs import START, agent, answer, prompt, run, shell, window

FOUND = "The flaky tide test needs TZ=UTC, because the tables are cut at midnight."


def lesson(*quotes: Quote, title: str = "The tide test needs TZ=UTC") -> Draft:
    return Draft(Type.LEARNING, title, "Tide tables are cut at midnight.", quotes, "", 90)


def of(draft: Draft, seen: Window) -> Basis:
    return basis_of(draft, seen, trust_of(draft, seen))


def after(*steps: Step) -> Window:
    return window(run(prompt("why is the build red?"), agent(FOUND), *steps))


SAID_BY_THE_AGENT = lesson(Quote(Spot(1, 2), "tide test needs TZ=UTC"))


def test_what_a_person_said_is_theirs_also_where_more_is_quoted() -> None:
    seen = window(
        run(prompt("the tide test needs TZ=UTC, remember that"), agent("Noted."), shell("make", "tide test ok"))
    )
    own = Quote(Spot(1, 1), "the tide test needs TZ=UTC")
    assert of(lesson(own), seen) is Basis.PERSON
    assert of(lesson(own, Quote(Spot(1, 2), "Noted"), Quote(Spot(1, 3), "tide test ok")), seen) is Basis.PERSON


@pytest.mark.parametrize("words", ["正午以外にテストを実行しないでください", "niemals nachmittags Gezeiten testen"])
def test_words_we_cannot_compare_are_believed(words: str) -> None:
    seen = window(run(prompt(words), agent("Understood.")))
    assert of(lesson(Quote(Spot(1, 1), words)), seen) is Basis.PERSON


@pytest.mark.parametrize(
    "reply",
    [
        "yes, that was it",
        "thanks!",
        "Great, go on with the others",
        "ok do it",
        "continue",
        "add this to CLAUDE.md",
        "now commit it",
        "option B",
        "ah, you are right",
        "wow, exactly what I wanted",
        "danke, passt",
        "はい、お願いします",
        "now put TZ=UTC into the tide test of the other suite",
    ],
)
def test_what_the_agent_said_counts_when_the_person_goes_along(reply: str) -> None:
    assert of(SAID_BY_THE_AGENT, after(prompt(reply))) is Basis.AGREED


@pytest.mark.parametrize(
    "reply",
    [
        "no, that is wrong, it fails there too",
        "yes but why?",
        "why would the tide test need TZ=UTC?",
        "now look at the wind tables",
        "right now it is red again",
    ],
)
def test_a_no_a_question_and_another_matter_are_no_agreement(reply: str) -> None:
    assert of(SAID_BY_THE_AGENT, after(prompt(reply))) is Basis.AGENT


def test_a_yes_to_a_question_is_an_agreement() -> None:
    seen = window(run(prompt("go on"), agent("Shall I cut tables at midnight UTC?"), prompt("yes")))
    assert of(lesson(Quote(Spot(2, 1), "yes"), title="Tables are cut at midnight UTC"), seen) is Basis.AGREED
    picked = window(run(prompt("go on"), agent("Which zone?"), answer("the second one")))
    assert of(lesson(Quote(Spot(1, 3), "the second one")), picked) is Basis.AGREED


def test_an_agent_that_gives_in_agrees_with_the_person() -> None:
    seen = window(
        run(
            prompt("fix it"),
            agent("Pinned the zone to CET."),
            prompt("no, that is wrong"),
            agent("You're right: the tide test needs TZ=UTC."),
        )
    )
    assert of(lesson(Quote(Spot(2, 2), "the tide test needs TZ=UTC")), seen) is Basis.AGREED


def test_what_failed_and_then_worked_is_a_proof() -> None:
    seen = after(shell("make tides", "1 failed", error=True), agent("TZ=UTC helps."), shell("make tides", "1 passed"))
    told = lesson(Quote(Spot(1, 4), "TZ=UTC helps"))
    assert of(told, seen) is Basis.WORKED
    assert memory_of(told, seen, START, "model@1/command/claude").state is State.ACTIVE
    assert of(lesson(Quote(Spot(1, 5), "make tides")), seen) is Basis.WORKED


def test_another_thing_that_worked_and_one_the_person_denies_prove_nothing() -> None:
    failed, said = shell("make tides", "1 failed", error=True), agent("TZ=UTC helps.")
    told = lesson(Quote(Spot(1, 4), "TZ=UTC helps"))
    assert of(told, after(failed, said, shell("git status", "clean"))) is Basis.AGENT
    denied = after(failed, said, shell("make tides", "ok"), prompt("no, that is wrong, it is still red"))
    assert of(told, denied) is Basis.AGENT


def test_a_tools_output_alone_is_a_tools_output_even_where_it_worked() -> None:
    seen = after(
        shell("make tides", "needs TZ=UTC", error=True), shell("make tides", "passed with TZ=UTC"), prompt("thanks")
    )
    printed = lesson(Quote(Spot(1, 4), "passed with TZ=UTC"))
    assert of(printed, seen) is Basis.TOOL
    made = memory_of(printed, seen, START, "agent@1/claude-code")
    assert (made.state, made.held_because) == (State.HELD, "only a tool's output says so")


def test_in_a_run_nobody_typed_in_only_a_proof_counts() -> None:
    seen = replace(after(prompt("thanks")), headless=True)
    assert of(SAID_BY_THE_AGENT, seen) is Basis.AGENT
    made = memory_of(SAID_BY_THE_AGENT, seen, START, "agent@1/claude-code")
    assert made.held_because.startswith("only the agent said so")
