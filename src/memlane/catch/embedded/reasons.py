"""Why a moment was kept, in one plain sentence: what happened, in which words, and what came of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from memlane.catch.embedded.sentences import clipped
from memlane.catch.embedded.telling import told
from memlane.catch.embedded.titles import Title, conceded
from memlane.catch.moment import Moment
from memlane.domain import Type

_QUOTED = 40  # characters of somebody's words
_WHAT: Mapping[Type, str] = {
    Type.CORRECTION: "You corrected the agent",
    Type.DECISION: "You made a choice",
    Type.COMMITMENT: "You said how you want it",
    Type.LEARNING: "You and the agent found something out",
    Type.INSIGHT: "You saw a connection",
    Type.WORKFLOW_NOTE: "You said how work is done here",
    Type.PATTERN_SEED: "You did what looks like a habit",
}
_BY_THE_AGENT: Mapping[Type, str] = {
    Type.CORRECTION: "The agent said so when you questioned it",
    Type.DECISION: "The agent said so when you made a choice",
    Type.COMMITMENT: "The agent said so when you told it how you want it",
}
_IN_WORDS: Mapping[str, str] = {
    "rule": "stating a rule (“{words}”)",
    "reason": "giving a reason (“{words}”)",
    "contrast": "saying what it is not (“{words}”)",
}
_BEFORE: Mapping[str, str] = {
    "against what was done": "after something it had done",
    "before: ask": "in answer to its question",
    "before: options": "when it had offered options",
    "answers with a reason": "in answer to its question",
    "before: errors": "after several things had failed",
}
_AFTER: Mapping[str, str] = {
    "after: runs: undo": "something was undone after it",
    "after: notes file": "it went into a notes file",
    "after: runs: notes file": "it went into a notes file",
    "after: finding": "the agent then found the cause",
}


def reasoning(kind: Type, moment: Moment, title: Title, signs: Sequence[str]) -> str:
    """ "You corrected the agent after interrupting it, stating a rule (“never”), and it answered “You're right”." """
    what = _WHAT.get(kind, "It looked worth keeping")
    if title.granted:
        what = _BY_THE_AGENT.get(kind, "The agent said so in answer to you")
    before, words, after = _before(moment, signs), _in_words(title), _after(moment, signs)
    return f"{what}{before and f' {before}'}{words and f', {words}'}{after and f', and {after}'}."


def _in_words(title: Title) -> str:
    """The weightiest sign in the person's own sentence."""
    found = next(iter(told(title.heart)), None) if not title.granted else None
    return _IN_WORDS[found.sort].format(words=found.words) if found else ""


def _before(moment: Moment, signs: Collection[str]) -> str:
    if moment.interrupted:
        return "after interrupting it"
    if any("doesn't want to proceed" in error for error in moment.before_errors):
        return "after rejecting a call"
    return next((said for sign, said in _BEFORE.items() if sign in signs), "")


def _after(moment: Moment, signs: Collection[str]) -> str:
    if granted := conceded(moment.next):
        return f"it answered “{clipped(granted, _QUOTED)}”"
    return next((said for sign, said in _AFTER.items() if sign in signs), "")
