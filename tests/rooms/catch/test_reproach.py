"""A question may be a rule in disguise; the agent's answer says whether it was one."""

from __future__ import annotations

import pytest

from memlane.catch.embedded.reproach import meant
from memlane.catch.embedded.titles import titled
from memlane.catch.moment import Moment


@pytest.mark.parametrize(
    ("question", "rule"),
    [
        ("shouldn't the belt stop before the door opens?", "the belt should stop before the door opens"),
        ("why don't we just weigh closed crates?", "weigh closed crates"),
        ("why not use one label for both belts?", "use one label for both belts"),
        ("could we just print the label once per crate?", "print the label once per crate"),
    ],
)
def test_a_reproach_says_what_should_be(question: str, rule: str) -> None:
    assert meant(question) == rule


@pytest.mark.parametrize(
    "question",
    [
        "why does the belt stop when the door opens?",
        "should the label have a frame?",
        "shouldn't the belt be stopped first, or?",
        "why don't we weigh crates? and what does the scale say?",
        "why not weighing crates twice?",
    ],
)
def test_a_question_that_only_asks_says_nothing(question: str) -> None:
    assert meant(question) == ""


def test_it_is_a_rule_only_where_the_agent_took_it_for_one() -> None:
    said = "shouldn't the north belt be stopped before the door opens?"
    granted = titled(Moment(said, next="You're right, let me change it."), None, lambda _s: 0.5)
    assert granted is not None
    assert granted.text == "The north belt should be stopped before the door opens"
    assert titled(Moment(said, next="It stops when the scale is done."), None, lambda _s: 0.5) is None
