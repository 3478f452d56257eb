"""The first prompt of a daemon, whose model is not open yet: an answer by words, or a better one if there is time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from memlane.domain import Outcome
from memlane.surfaces.daemon.current_lane import OPENING_TAKES, THINKING_TAKES, Answerer
from memlane.surfaces.daemon.protocol import HookRequest
from tests.acceptance.hooks import NOTE, PROMPT, HookHome, recalls, until

TRIAGE = "Email triage: archive first, answer what takes two minutes, the rest waits"
BY_MEANING = "What's my approach to email triage?"  # two words are not enough to be sure by words alone
LONG = 60.0  # seconds


@pytest.fixture
def triage(hooked: HookHome) -> HookHome:
    with hooked.lane() as lane:
        lane.memories.remember(TRIAGE, hooked.project)
    return hooked


@pytest.fixture
def answering(triage: HookHome, monkeypatch: pytest.MonkeyPatch) -> Iterator[Answerer]:
    """In this process, as the daemon's loop has it."""
    for name, value in triage.variables.items():
        monkeypatch.setenv(name, value)
    made = Answerer()
    made.prepare()
    yield made
    made.opened.close()


def request(home: HookHome, words: str, session: str, seconds: float = LONG) -> HookRequest:
    body = home.given("UserPromptSubmit", words, session)
    return HookRequest("claude-code", "UserPromptSubmit", body, time.monotonic() + seconds)


def looks() -> tuple[Callable[[], bool], list[float]]:
    """Nobody else asks; and when that was looked at."""
    at = list[float]()

    def alone() -> bool:
        at.append(time.monotonic())
        time.sleep(0.005)
        return True

    return alone, at


def test_where_there_is_time_it_is_answered_by_the_model(triage: HookHome) -> None:
    triage.served()
    assert TRIAGE in triage.answer(BY_MEANING, session="one")
    assert until(lambda: len(recalls(triage)) == 1)
    (found,) = recalls(triage)
    assert (found.outcome, "fallback" in found.extra) == (Outcome.SHOWN, False)


def test_whoever_is_not_alone_is_answered_by_words_at_once(answering: Answerer, triage: HookHome) -> None:
    sure, unsure = (answering.answer(request(triage, one, one), alone=lambda: False) for one in (PROMPT, BY_MEANING))
    assert (sure.by_words, unsure.by_words) == (True, True)
    assert NOTE in str(sure.output)
    assert unsure.output == {}


def test_without_the_time_to_open_it_nobody_waits(answering: Answerer, triage: HookHome) -> None:
    alone, at = looks()
    answer = answering.answer(request(triage, BY_MEANING, "one", OPENING_TAKES + THINKING_TAKES), alone)
    assert answer.by_words
    assert at == []


def test_what_the_model_says_takes_the_place_of_the_words(answering: Answerer, triage: HookHome) -> None:
    alone, at = looks()
    answer = answering.answer(request(triage, BY_MEANING, "one"), alone)
    assert TRIAGE in str(answer.output)
    assert not answer.by_words
    assert len(at) > 1
    assert at[-1] < time.monotonic() < at[0] + LONG
    assert answering.answer(request(triage, BY_MEANING, "two"), lambda: pytest.fail("it is open")).recall is not None
