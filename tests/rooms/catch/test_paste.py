"""What somebody else wrote is cut out of a message; what the person typed beside it stays."""

from __future__ import annotations

import pytest

from memlane.catch.embedded.paste import is_printed, is_review, without_pasted

REVIEW = (
    "The loadCrates function in belt.py reads the whole manifest into memory before it checks the size limit. However, "
    "this could cause memory exhaustion for large manifests. Consider streaming the file instead."
)
UNTIDY = (
    "git fetch is run without a limit. Since this reads from the network, the call may hang for long. Consider using "
    "the limit that the push has, so that the command ends and says why."
)
ADVICE = "Consider adding a test for manifests without crates as well."
LABELLED = "Belt counter is never reset\n\nMedium Severity\n\nThe counter keeps its value between two shifts."
TRACE = (
    "Traceback (most recent call last):\n"
    '  File "belt.py", line 12, in move\n'
    "    raise BeltError\n"
    "belt.BeltError: the belt is stuck"
)
TESTS = "=== RUN   TestBelt\n--- FAIL: TestBelt (0.01s)\n    belt_test.go:14: got 3, want 4\nFAIL\tcrates/belt\t0.4s"
LOG = "2026-03-02T10:00:01 belt started\n2026-03-02T10:00:04 crate lost\n2026-03-02T10:00:09 belt stopped"
TABLE = "| belt | crates | lost |\n|---|---|---|\n| north | 14 | 0 |\n| south | 9 | 2 |"
MAIL = "On Tue, 3 Mar 2026 at 10:12, Ines <ines@crates.example> wrote:\nNever ship on Fridays, please."


@pytest.mark.parametrize("text", [REVIEW, UNTIDY, f"{REVIEW}\n\n{ADVICE}", LABELLED, TRACE, TESTS, LOG, TABLE, MAIL])
def test_what_somebody_else_wrote_is_not_the_persons(text: str) -> None:
    assert without_pasted(text).strip() == ""


@pytest.mark.parametrize("pasted", [REVIEW, TRACE, TESTS, LOG, TABLE, MAIL])
def test_the_line_above_what_was_pasted_is_the_persons(pasted: str) -> None:
    assert without_pasted(f"we never retry here, can you look?\n\n{pasted}") == "we never retry here, can you look?"


def test_the_words_before_a_pasted_review_in_the_same_line_are_the_persons() -> None:
    assert without_pasted(f"can you take a look at this one: {REVIEW}") == "can you take a look at this one:"


@pytest.mark.parametrize(
    "said",
    [
        "we should never load the whole manifest, because it gets large and the belt waits for it. can you stream it "
        "instead? I think the loadCrates function does that in three places, and they all need the same change",
        "The belt must stop when the door opens.",
        "don't touch belt.py:12, it is generated",
        "no, use metres. feet are wrong here: the scale only knows metres",
        "- use tabs\n- never use feet\n- keep the labels short",
    ],
)
def test_what_a_person_typed_stays(said: str) -> None:
    assert without_pasted(said) == said


def test_a_review_says_neither_i_nor_you() -> None:
    assert is_review(REVIEW)
    assert not is_review(REVIEW.replace("Consider", "I would like you to consider"))


def test_one_line_of_output_in_a_message_is_an_example() -> None:
    assert not is_printed("it says\nerror: no crates\nwhen the belt is empty, that should be a warning")
