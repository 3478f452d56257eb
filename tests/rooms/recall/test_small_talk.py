"""Small talk needs no note; what looks like it and asks for something does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memlane.recall import needed

DATA = Path(__file__).parents[3] / "benchmarks" / "data" / "small-talk"
LATIN_SHARE = 0.8  # of the list it was written with; what is left, and other scripts, the models keep quiet about


@pytest.mark.parametrize(
    "words",
    [
        "haha that typo of yours made my day, anyway go on",
        "thanks for the migration, you saved my evening",
        "sorry, the phone rang. Could you carry on where you stopped?",
        "Wow. Just wow.",
        "I agree with the second suggestion",
        "nothing to commit, working tree clean",
        "it is raining here and I am so tired",
    ],
)
def test_small_talk_needs_nothing(words: str) -> None:
    assert needed(words).none(within_talk=True)


@pytest.mark.parametrize(
    "words",
    [
        "haha nice, now deploy it to staging",
        "thanks! please add a column to the users table",
        "lol the build is broken again",
        "go on with task 4 and 5",
        "wow, `make lint` found nothing",
        "great, which port does the gateway use?",
        "short thank you note to the museum director",
        "the continue button in the onboarding is disabled",
        "ship it",
        "do the usual",
        "same as last time",
        "back it up",
        "for the kids",
    ],
)
def test_a_request_among_friendly_words_is_heard(words: str) -> None:
    assert not needed(words).routine


def test_most_of_the_list_it_was_written_with_is_known_by_words_alone() -> None:
    prompts = [json.loads(line)["prompt"] for line in (DATA / "seen.jsonl").read_text().splitlines()]
    latin = [one for one in prompts if one[:1].isascii()]
    assert sum(needed(one).none(within_talk=False) for one in latin) >= LATIN_SHARE * len(latin)


def test_the_lists_have_enough_and_share_no_theme() -> None:
    lists = [[json.loads(line) for line in path.read_text().splitlines()] for path in sorted(DATA.glob("*.jsonl"))]
    assert sum(map(len, lists)) >= 120
    themes = [theme for one in lists for theme in {line["theme"] for line in one}]
    assert len(themes) == len(set(themes))


@pytest.mark.parametrize(
    ("words", "personal"),
    [
        ("my back hurts from this terrible chair", True),
        ("I was up all night", True),
        ("you forgot to fill in the template on the scoring PR", False),
        ("my branch has conflicts", False),
        ("where do I put it?", False),
        ("please add my name", False),
    ],
)
def test_talk_about_you_and_me_takes_a_surer_note(words: str, personal: bool) -> None:
    assert needed(words).personal is personal
