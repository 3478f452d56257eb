"""What is said about meaning: nothing when all is well, one plain line when it is not."""

from __future__ import annotations

import pytest

from memlane.app.search import Search, SearchAnswer
from memlane.app.vectors import VectorProgress
from memlane.surfaces.cli.search_report import meaning_document, meaning_line, mode_of

NOTHING = Search([], 0, 0, {})


def found(by: str = "hybrid", why: str = "") -> SearchAnswer:
    return SearchAnswer(NOTHING, by, why)


@pytest.mark.parametrize(
    ("meant", "said"),
    [
        (VectorProgress("small@256", 100, 100), ""),
        (VectorProgress("small@256", 0, 0), ""),
        (VectorProgress("small@256", 71, 100), "71 % indexed for meaning: the rest is found by its words"),
        (VectorProgress("small@256", 9_999, 10_000), "99 % indexed for meaning: the rest is found by its words"),
        (
            VectorProgress("small@256", 71, 100, "the endpoint is down"),
            "71 % indexed for meaning: the endpoint is down",
        ),
        (VectorProgress("small@256", 0, 100), "words only: meaning is being built, 0 % so far"),
    ],
)
def test_how_far_it_is_is_said_plainly(meant: VectorProgress, said: str) -> None:
    assert meaning_line("auto", found(), meant) == said
    assert meaning_line("words", found(), meant) == ""


def test_a_model_that_does_not_answer_is_named_whatever_is_built() -> None:
    silent = found("words", "ollama at 127.0.0.1:11434 does not answer")
    assert (
        meaning_line("auto", silent, VectorProgress("m@1", 5, 5))
        == "words only: ollama at 127.0.0.1:11434 does not answer"
    )
    assert meaning_document(silent, VectorProgress("m@1", 5, 5))["why"] == "ollama at 127.0.0.1:11434 does not answer"


def test_without_a_single_vector_it_was_words_that_answered() -> None:
    assert mode_of(found("hybrid"), VectorProgress("m@1", 0, 5)) == "words"
    assert mode_of(found("meaning"), VectorProgress("m@1", 2, 5)) == "meaning"
