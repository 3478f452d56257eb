"""A prompt that asks for notes themselves is told from one that is about work."""

from __future__ import annotations

import pytest

from memlane.recall.need import needed
from memlane.recall.request import NoteRequest, requested


def asked(prompt: str, *names: str) -> NoteRequest:
    return requested(prompt, needed(prompt), names)


@pytest.mark.parametrize(
    "prompt",
    [
        "What mistakes have we made with the memory system?",
        "which habits do I have with email?",
        "Any past issues with MCP servers?",
        "what did we decide for the website?",
        "what have we learned about the importer?",
    ],
)
def test_for_a_type(prompt: str) -> None:
    assert asked(prompt).of_type


@pytest.mark.parametrize(
    "prompt",
    [
        "what pattern does the router use",
        "list the open issues assigned to me",
        "fix the error in the importer",
        "how do we choose between the last two applicants?",
        "any problem with that?",
        "which issues are in the backlog that we have not closed?",
    ],
)
def test_not_for_a_type(prompt: str) -> None:
    assert not asked(prompt).of_type


@pytest.mark.parametrize(
    "prompt",
    ["Remind me about that thing from last week", "what did we settle yesterday?", "what did we do last month?"],
)
def test_for_a_time(prompt: str) -> None:
    assert asked(prompt).of_time


@pytest.mark.parametrize(
    "prompt",
    [
        "what bugs did we close this week?",
        "that is all for today",
        "let's stop for today",
        "run it again today",
        "what changed since last week?",
    ],
)
def test_not_for_a_time(prompt: str) -> None:
    assert not asked(prompt).of_time


def test_all_about_somebody() -> None:
    assert asked("What do I know about Neal's preferences?", "Neal").about_names
    assert asked("remind me what Neal Brown likes", "Neal Brown").about_names
    assert not asked("what does Neal want", "Neal").about_names
    assert not asked("remind me to send Neal the agenda", "Neal").about_names


def test_the_subject_is_what_is_left() -> None:
    assert asked("What events does Indy Hall have last week?", "Indy Hall").subject == frozenset({"event"})
