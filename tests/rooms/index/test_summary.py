"""What a Run is called: by what was typed first, a prompt or a task given as a slash command."""

from __future__ import annotations

import pytest

from memlane.domain import Author, Facts, Kind, Step, Turn
from memlane.index.summary import RunTally, title_of

Said = tuple[Author, Kind, str]
GOAL: Said = (Author.PERSON, Kind.COMMAND, "/goal simplify this repo")
WORK: Said = (Author.AGENT, Kind.TEXT, "I begin with the parser.")
MODEL: Said = (Author.PERSON, Kind.COMMAND, "/model opus")
PRINTED: Said = (Author.SYSTEM, Kind.META, "Set model to opus")
PROMPT: Said = (Author.PERSON, Kind.PROMPT, "fix the login")
SUMMARY: Said = (Author.AGENT, Kind.SUMMARY, "we fixed the login")


def _tally(*turns: tuple[int, list[Said]]) -> RunTally:
    tally = RunTally()
    for n, said in turns:
        steps = tuple(Step(at, author, kind, at, text) for at, (author, kind, text) in enumerate(said, 1))
        tally.add(Turn(n, said[0][0] if n else Author.SYSTEM, steps), lambda text: text)
    return tally


@pytest.mark.parametrize("n", [0, 1])  # a command of the client's own starts no Turn
def test_a_task_typed_as_a_slash_command_is_the_first_words_and_the_title(n: int) -> None:
    tally = _tally((n, [GOAL, WORK]), (n + 1, [PROMPT, WORK]))
    assert (tally.first.text, tally.last.text) == (GOAL[2], PROMPT[2])
    assert title_of(Facts(), tally) == "/goal simplify this repo"


@pytest.mark.parametrize(
    "nothing",
    [
        "pick up where we left off",
        "Good morning Claude. Please pick up where we left off.",
        "continue",
        "let's continue from where you stopped",
        "hi",
        "/mode",
        "where were we?",
        "mach bitte weiter, wo wir waren",
        "👍",
    ],
)
def test_a_run_that_begins_with_nothing_is_called_after_the_next_prompt_that_tells(nothing: str) -> None:
    said = [(Author.PERSON, Kind.PROMPT, words) for words in (nothing, "go on", "paint the crane", "and the pier")]
    tally = _tally(*((n, [one, WORK]) for n, one in enumerate(said, 1)))
    assert (tally.first.text, title_of(Facts(), tally)) == (nothing, "paint the crane")
    assert title_of(Facts(title=nothing), tally) == "paint the crane"
    assert title_of(Facts(title="The crane"), tally) == "The crane"


@pytest.mark.parametrize(
    "first", ["continue with the login", "/goal paint", "桟橋を修理してください", "test the crane"]
)
def test_a_first_prompt_that_tells_is_the_title(first: str) -> None:
    tally = _tally((1, [(Author.PERSON, Kind.PROMPT, first), WORK]), (2, [PROMPT, WORK]))
    assert title_of(Facts(), tally) == first


def test_a_run_without_a_telling_prompt_is_called_after_its_first() -> None:
    tally = _tally((1, [(Author.PERSON, Kind.PROMPT, "hi"), WORK]), (2, [(Author.PERSON, Kind.PROMPT, "ok"), WORK]))
    assert title_of(Facts(), tally) == "hi"


def test_commands_the_client_answers_itself_are_no_task() -> None:
    tally = _tally((0, [MODEL, PRINTED]), (1, [PROMPT, WORK, MODEL, PRINTED]))
    assert tally.first.text == tally.last.text == "fix the login"
    assert _tally((0, [(Author.PERSON, Kind.COMMAND, "/compact keep the plan"), SUMMARY])).first.text == ""
    assert _tally((1, [(Author.PERSON, Kind.COMMAND, "/review"), WORK])).first.text == ""


def test_of_two_commands_the_one_the_agent_worked_on_counts() -> None:
    assert _tally((0, [MODEL, PRINTED, GOAL, WORK])).first.text == GOAL[2]
    assert _tally((1, [GOAL, MODEL, PRINTED])).first.text == ""
