"""Why a moment was kept, in words: what the person wrote, what the agent answered, what had happened before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from memlane.catch.embedded.sentences import clipped
from memlane.catch.embedded.telling import told
from memlane.catch.embedded.titles import Title, conceded
from memlane.catch.moment import Moment
from memlane.domain import Type

_MOST = 3
_QUOTED = 40  # characters of somebody's words
_HAPPENED: Mapping[str, str] = {
    "before: ask": "it answers a question the agent had put",
    "before: options": "the agent had offered options",
    "answers with a reason": "it answers the agent's question",
    "after: notes file": "it went into a notes file",
    "after: runs: notes file": "it went into a notes file",
    "after: runs: undo": "something was undone after it",
    "after: finding": "the reply found a cause",
    "against what was done": "it goes against what the agent had just done",
    "before: errors": "several things had failed before",
}
_WHAT: Mapping[Type, str] = {
    Type.CORRECTION: "You corrected the agent",
    Type.DECISION: "You made a choice",
    Type.COMMITMENT: "You said how you want it",
    Type.LEARNING: "Something was found out",
    Type.INSIGHT: "A connection came up",
    Type.WORKFLOW_NOTE: "It says how work is done here",
    Type.PATTERN_SEED: "It looks like a habit",
}


def reasoning(kind: Type, moment: Moment, title: Title, signs: Sequence[str]) -> str:
    """ "You corrected the agent: you wrote “never”; the agent answered “you're right”." """
    why = list(dict.fromkeys([*_spoken(moment, title), *(_HAPPENED[sign] for sign in signs if sign in _HAPPENED)]))
    what = _WHAT.get(kind, "It looked worth keeping")
    return f"{what}: {'; '.join(why[:_MOST])}." if why else f"{what}."


def _spoken(moment: Moment, title: Title) -> Iterator[str]:
    if not title.granted and (words := [f"“{each.words}”" for each in told(title.heart)[:2]]):
        yield f"you wrote {' and '.join(words)}"
    if granted := conceded(moment.next):
        yield f"the agent answered “{clipped(granted, _QUOTED)}”"
    if moment.interrupted:
        yield "you had interrupted it"
    elif any("doesn't want to proceed" in error for error in moment.before_errors):
        yield "you had rejected a call"
