"""A title is read months later by somebody who was not there; the text beneath it adds something, and quotes nobody."""

from __future__ import annotations

import pytest

from memlane.catch.embedded.body import MOST, body
from memlane.catch.embedded.questions import question
from memlane.catch.embedded.shape import is_quoted, reads_alone
from memlane.catch.embedded.titles import LONGEST, Title, titled
from memlane.catch.moment import Moment

ALONE = (
    "Do not commit the measurements",
    "Drop a label once it is printed",
    "`belt.stop` must not wait for the door",
    "We count by hand because the scale drifts when it is cold",
    "Make sure that crates are closed in this repository",
    "Run `git show <commit-sha>` before naming a commit",
    "It's fine to weigh two crates at once",
    "There is no scale at the south belt",
)
NOT_ALONE = (
    "Do not give it a number",
    "Mind fixing the labels",
    "I would rather not have labels on crates",
    "More that the crates are counted twice",
    "The search order should be:",
    "Labels go there and",
    "The counter will not matter anymore",
    'The expected output should be `x`, not {"crates": 3}',
    "Question: for the north belt we assumed closed crates",
    "If the scale cannot find the crate",
    "It's fine",
    "Integrate in this section that crates are closed",
)


@pytest.mark.parametrize("title", ALONE)
def test_a_sentence_that_names_its_subject_reads_alone(title: str) -> None:
    assert reads_alone(title)


@pytest.mark.parametrize("title", NOT_ALONE)
def test_a_piece_of_a_conversation_does_not(title: str) -> None:
    assert not reads_alone(title)


def test_words_held_up_to_the_agent_are_the_agents() -> None:
    before = "We can read the scale twice and take the larger value of both."
    assert is_quoted("You said: read the scale once", before)
    assert is_quoted("read the scale twice and take the larger value", before)
    assert not is_quoted("never read the scale twice, because it drifts", before)


def test_what_a_person_only_shows_is_no_title_of_theirs() -> None:
    shown = "  The label always names the crate that was weighed before the door had opened."
    title = titled(Moment(f"Can you clarify this:\n\n{shown}"), None, lambda _sentence: 0.5)
    assert title is None


def made(said: str, before: str = "", after: str = "", **more: tuple[str, ...]) -> tuple[Title, str]:
    moment = Moment(said, before_agent=before, next=after, **more)  # pyright: ignore[reportArgumentType]
    asked = question(before, said)
    title = titled(moment, asked, lambda _sentence: 0.5)
    assert title is not None
    return title, body(moment, asked, title)


def test_the_text_gives_the_reason_and_does_not_repeat_the_title() -> None:
    title, text = made("never stack open crates. open crates tip over because the belt is shaking. thanks!")
    assert title.text == "Never stack open crates"
    assert text == "Open crates tip over because the belt is shaking."


def test_the_answer_tells_the_lesson_when_the_person_only_asked() -> None:
    title, text = made(
        "why do we weigh crates twice and not once?",
        before="I weigh every crate twice.",
        after="You're right. Weigh crates once, because the second weighing never changes the label. Let me fix it.",
    )
    assert title.text == "Weigh crates once, because the second weighing never changes the label"
    assert text == "The agent found this when the person questioned its work."


def test_what_an_agent_regrets_is_said_as_a_rule() -> None:
    title, _text = made(
        "you changed the labels without a test?", after="You're right, I should have written a test first."
    )
    assert title.text == "Write a test first"


def test_a_text_has_no_quotes_and_at_most_two_sentences() -> None:
    _title, text = made(
        "never stack open crates. open crates tip over because the belt shakes. crates must be closed, since open "
        "crates lose parts. also crates should not be stacked when wet, otherwise crates slip",
        after="You're right. Open crates tip over when the belt shakes, so crates must be closed first.",
    )
    assert text.count(". ") < MOST
    assert not set('"“”') & set(text)


def test_where_nobody_said_more_the_text_says_how_it_came_about() -> None:
    edit = ('Edit {"file_path": "/home/ines/crates/src/belt/labels.py", "old_string": "x"}',)
    _title, text = made("never print labels in capitals", before_tools=edit)
    assert text == "The person said so after the agent had changed `src/belt/labels.py`."


def test_the_text_is_the_whole_sentence_where_the_title_is_a_part_of_it() -> None:
    title, text = made(
        "closed crates never tip over, but the belt of the night shift was measured with wet crates of the harbour, "
        "and those are heavier by far than dry ones"
    )
    assert title.text == "Closed crates never tip over"
    assert "wet crates of the harbour" in text


def test_no_title_is_cut_and_none_is_longer_than_wanted() -> None:
    long = "never stack crates " + "on the north belt " * 12 + "because they tip over"
    assert titled(Moment(long), None, lambda _sentence: 0.5) is None
    title, _text = made(f"{long}. never stack open crates")
    assert (title.text, len(title.text) <= LONGEST) == ("Never stack open crates", True)


def test_a_placeholder_in_a_command_stays() -> None:
    title, _text = made("always run `git show <commit-sha>` before you name a commit, because it may be another one")
    assert "<commit-sha>" in title.text


def test_a_list_of_wishes_is_this_tasks_and_waits_for_a_yes() -> None:
    title, _text = made("- labels should not have a frame\n- never print the date on a label", after="You're right.")
    assert not title.strong


def test_a_statement_that_asks_to_be_confirmed_waits_for_a_yes() -> None:
    title, _text = made("the north belt never stops at night, right?", after="You're right.")
    assert not title.strong


def test_a_state_that_the_agent_reports_is_no_lesson() -> None:
    moment = Moment(
        "did you count the crates?", next="You're right. The count is still 0 since the belt has no crates."
    )
    assert titled(moment, None, lambda _sentence: 0.5) is None
