"""What holds for one task is held: an order to be carried out once, a word for something of this conversation."""

from __future__ import annotations

import pytest

from memlane.catch.embedded.rules import passing
from memlane.catch.embedded.titles import titled
from memlane.catch.embedded.vetoes import of_reply, of_title
from memlane.catch.moment import Moment

ONCE = (
    "Do not open a pull request, just a branch",
    "Just tell them how the belt stops and why we cannot hurry it, because the motor is old",
    "Post a comment on the ticket with what you measured",
    "Copy the scale's drivers to the new folder, so the old belt still works",
    "Option B, because crates arrive late",
    "The trouble with the old approach is that nobody counts twice",
    "The door switch broke in 4be19c07, not in the release after it",
    "In edge case (3) the belt should wait",
    "The counter does not solve this problem either",
)
STANDING = (
    "Never open a pull request, just push the branch",
    "Use metres on the labels, no feet",
    "Do not commit the measurements",
    "Add the unit to every label",
    "Update the handbook, but make sure nobody is told to run the long tests",
    "The belt should stop when the door opens, because the scale drifts",
    "We ship the crates open, so the scale must be read first",
)


@pytest.mark.parametrize("title", ONCE)
def test_an_order_for_once_and_a_word_for_something_of_here_are_passing(title: str) -> None:
    assert passing(title)


@pytest.mark.parametrize("title", STANDING)
def test_a_rule_is_not_passing_whatever_verb_it_begins_with(title: str) -> None:
    assert not passing(title)


def test_what_is_passing_is_never_active() -> None:
    moment = Moment("do not open a pull request, just a branch", next="You're right, a branch it is.")
    title = titled(moment, None, lambda _sentence: 0.5)
    assert title is None or title.bound


def test_what_the_agent_says_is_strong_only_where_it_gave_in() -> None:
    said = "why does the belt stop when the door opens?"
    finding = "The belt must stop because the scale drifts when the door opens."
    alone, gave_in = (
        titled(Moment(said, next=reply), None, lambda _s: 0.5) for reply in (finding, f"You're right. {finding}")
    )
    assert gave_in is not None
    assert (gave_in.text, gave_in.strong) == (finding.rstrip("."), True)
    assert alone is not None
    assert (alone.granted, alone.strong) == (True, False)


def test_what_the_agent_came_across_is_no_rule_of_its_own() -> None:
    doubt = "does the belt keep the scale it was built with?"
    seen = titled(
        Moment(doubt, next="You're right. The belt keeps the place of the scale, not the scale."), None, _half
    )
    rule = titled(Moment(doubt, next="You're right. The belt must ask for the scale on every turn."), None, _half)
    assert [title and (title.granted, title.strong) for title in (seen, rule)] == [(True, False), (True, True)]


def _half(_sentence: str) -> float:
    return 0.5


@pytest.mark.parametrize("said", ["We can let the belt wait for the scale", "We should add a switch to the door"])
def test_what_an_agent_will_do_next_waits_though_it_gave_in(said: str) -> None:
    asked = "why does the belt not wait for the scale and the door?"
    title = titled(Moment(asked, next=f"You're right. {said}, because the scale drifts."), None, lambda _s: 0.5)
    assert title is None or not title.strong


def test_a_verdict_without_a_subject_is_a_fragment() -> None:
    assert of_title("Still not absolutely straight") == "a_fragment"


@pytest.mark.parametrize(
    "said",
    [
        "The width now scales with the number of crates, so small belts look calm",
        "The simplest fix is to hide the counter of open crates",
        "No need for separate doors or for counting keys",
    ],
)
def test_what_an_agent_did_is_no_lesson(said: str) -> None:
    assert of_reply(said) == "a_deed"


def test_a_word_about_the_agents_plan_is_over_with_this_answer() -> None:
    assert of_title("Back to the belt, your plan is good, but there is a better way to stop it") == "about_the_agent"
