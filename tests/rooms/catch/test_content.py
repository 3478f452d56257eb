"""What is not worth remembering is refused by name, and what only sounds like it is not."""

from __future__ import annotations

import pytest

from memlane.catch.content import unstored
from tests.rooms.catch.sentences import KEPT, NOT_STORED


def title_of(sentence: str) -> str:
    return " ".join(sentence.split("\n")[0].split())[:120].rstrip(".")


@pytest.mark.parametrize("sentence", KEPT)
def test_a_lesson_is_not_taken_for_state_or_structure(sentence: str) -> None:
    assert unstored(title_of(sentence), sentence) is None


@pytest.mark.parametrize("rule", NOT_STORED)
def test_what_is_written_elsewhere_or_over_tomorrow_is_named(rule: str) -> None:
    """Precision comes first, so not every one has to be found; these are, as measured."""
    found = [unstored(title_of(sentence), sentence) for sentence in NOT_STORED[rule]]
    assert found.count(rule) >= len(found) - 1
    assert set(found) <= {rule, None}


def test_one_sentence_that_lasts_saves_the_rest() -> None:
    state = "The build is failing. "
    assert unstored("Build on ARM", state + "It needs host networking on that runner") is None
    assert unstored("The build is failing", state * 3) == "task-state"


def test_an_error_quoted_in_a_lesson_is_not_a_log() -> None:
    lesson = (
        "npm ci fails here with a lock file of another version.\nThe message misleads:\n\n```\nnpm ERR! code EUSAGE\n"
        "npm ERR! can only install with an existing lock\n```\n\nWhat helps is npm install once.\nThen npm ci works."
    )
    assert unstored("npm ci needs a lock file of its own version", lesson) is None


def test_forty_lines_of_a_stack_trace_are_a_log_whatever_the_title_says() -> None:
    trace = "Traceback (most recent call last):\n" + "".join(f'  File "m{n}.py", line {n}, in f\n' for n in range(40))
    assert unstored("Always remember this error", trace) == "log"


@pytest.mark.parametrize("said", ["now run the tests", "ok, go ahead and push it", "please fix the typo first"])
def test_what_an_agent_said_beside_it_does_not_make_a_request_a_lesson(said: str) -> None:
    content = f"The person said: “{said}” Before that the agent had said: “I always wait. Shall I?”"
    content += " It answered: “Never mind, because CI is slow, I ran them.”."
    assert unstored(said.capitalize(), content) == "task-state"
    lesson = content.replace(said, "never push before the tests are green")
    assert unstored("Never push before the tests are green", lesson) is None
