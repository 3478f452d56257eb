"""Why a moment was kept, in words: the signs that spoke for it most, as a person would name them."""

from __future__ import annotations

from collections.abc import Sequence

from memlane.domain import Type

_MOST = 3
_WORDS = {
    "after: you are right": "the agent answered that they were right",
    "after: good point": "the agent called it a good point",
    "after: my mistake": "the agent owned up to a mistake",
    "after: finding": "the reply found a cause",
    "after: notes file": "it went into a notes file",
    "after: runs: notes file": "it went into a notes file",
    "after: runs: undo": "something was undone after it",
    "after: undo": "something was taken back after it",
    "after: rather": "the agent changed its course",
    "after: from now on": "the agent took it as a rule",
    "against what was done": "it goes against what the agent had just done",
    "against, and conceded": "it objects, and the agent gave in",
    "question, and conceded": "a doubt that the agent had to grant",
    "answers with a reason": "it answers the agent's question and says why",
    "before: ask": "it answers a question the agent had put",
    "before: options": "the agent had offered options",
    "before: rejected": "a call had just been rejected",
    "before: rejected with a reason": "a call had just been rejected with a reason",
    "before: interrupted": "the agent had just been interrupted",
    "before: errors": "several things had failed before",
    "conceded": "the agent gave in",
    "how often not": "it says what not to do",
    "opens: no": "it opens with an objection",
    "our rule": "it is worded as a rule for the project",
    "rule": "it is worded as a rule",
    "reason, no question": "it gives a reason",
    "says: always": "it says when this holds",
    "says: but": "it objects",
    "says: choice": "it makes a choice",
    "says: convention": "it speaks of a convention",
    "says: do not": "it says what not to do",
    "says: instead": "it names what to do instead",
    "says: is not": "it says that something is not so",
    "says: let's not": "it says what not to do",
    "says: mind": "it asks to keep something in mind",
    "says: never": "it says what must never be",
    "says: not": "it says what is not so",
    "says: not convinced": "the person was not convinced",
    "says: not so": "it says that something is wrong",
    "says: opinion": "it states a view",
    "says: prefer": "it states a preference",
    "says: reason": "it gives a reason",
    "says: should": "it says how things should be",
    "says: should not": "it says how things should not be",
    "says: wrong": "it says that something is wrong",
    "says: you did": "it is about what the agent did",
    "sounds like a lesson": "it sounds like people who state a lesson",
}
_WHAT = {
    Type.CORRECTION: "The person corrected the agent",
    Type.DECISION: "The person made a choice",
    Type.COMMITMENT: "The person said how they want it",
    Type.LEARNING: "Something was found out",
    Type.INSIGHT: "A connection came up",
    Type.WORKFLOW_NOTE: "It says how work is done here",
    Type.PATTERN_SEED: "It looks like a habit",
}


def reasoning(kind: Type, signs: Sequence[str]) -> str:
    said = list(dict.fromkeys(_WORDS[sign] for sign in signs if sign in _WORDS))[:_MOST]
    return f"{_WHAT.get(kind, 'It looked worth keeping')}: {'; '.join(said)}." if said else f"{_WHAT[kind]}."
