"""A model inside an open session: asked only while one is open, and no question is left behind."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from memlane.llm import LlmError, LlmQuestion, NotAskedError, SessionAnswer, SessionMailbox
from memlane.llm.model import LateAnswerError
from memlane.llm.session import OPEN, SessionLlm

QUESTION = LlmQuestion("be brief", "what is worth keeping?", {}, "memories", 500)


@pytest.fixture
def mailbox(tmp_path: Path) -> SessionMailbox:
    return SessionMailbox(tmp_path / "session")


def left(mailbox: SessionMailbox) -> set[str]:
    return {path.name for path in mailbox.folder.iterdir()} - {"open", "asked"}


def beside(do: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=do)
    thread.start()
    return thread


def test_without_an_open_session_nothing_is_asked_or_written(mailbox: SessionMailbox) -> None:
    with pytest.raises(NotAskedError) as raised:
        SessionLlm(mailbox, "haiku", 1).ask(QUESTION)
    assert raised.value.free
    assert not mailbox.folder.exists()


def test_a_session_that_has_not_looked_for_a_while_is_closed(mailbox: SessionMailbox) -> None:
    mailbox.next()
    assert mailbox.is_open
    looked = (mailbox.folder / "open").stat().st_mtime - OPEN - 1
    os.utime(mailbox.folder / "open", (looked, looked))
    assert not mailbox.is_open


def test_the_answer_of_the_session_comes_back_with_what_it_took(mailbox: SessionMailbox) -> None:
    mailbox.next()

    def answers() -> None:
        while (asked := mailbox.next()) is None:
            pass
        assert (asked.system, asked.prompt, asked.most, asked.model) == ("be brief", QUESTION.user, 500, "haiku")
        assert mailbox.next() is None, "a question is taken once"
        assert mailbox.give(asked.id, SessionAnswer("{}", tokens_in=7, tokens_out=2))

    session = beside(answers)
    reply = SessionLlm(mailbox, "haiku", 30).ask(QUESTION)
    session.join()
    assert (reply.text, reply.tokens_in, reply.tokens_out, reply.model) == ("{}", 7, 2, "session/claude-haiku")
    assert left(mailbox) == set()


def test_a_question_nobody_took_costs_nothing_and_one_that_was_taken_is_late(mailbox: SessionMailbox) -> None:
    mailbox.next()
    model = SessionLlm(mailbox, "haiku", 0.3)
    with pytest.raises(NotAskedError):
        model.ask(QUESTION)

    def takes() -> None:
        while mailbox.next() is None:
            pass

    session = beside(takes)
    with pytest.raises(LateAnswerError):
        model.ask(QUESTION)
    session.join()
    assert left(mailbox) == set()


def test_an_answer_that_nobody_waits_for_is_dropped(mailbox: SessionMailbox) -> None:
    mailbox.next()
    assert not mailbox.give("abcdefgh", SessionAnswer("{}"))
    assert left(mailbox) == set()


def test_a_session_that_cannot_answer_says_why(mailbox: SessionMailbox) -> None:
    mailbox.next()

    def fails() -> None:
        while (asked := mailbox.next()) is None:
            pass
        mailbox.give(asked.id, SessionAnswer(reason="api-error"))

    session = beside(fails)
    with pytest.raises(LlmError, match="api-error"):
        SessionLlm(mailbox, "haiku", 30).ask(QUESTION)
    session.join()
