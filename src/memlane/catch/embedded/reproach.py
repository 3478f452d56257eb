"""A question that means a rule: "why don't we just use tabs?", "shouldn't the id be stable?".

Says what the rule is, in the words of the question. Whether the agent took it so is for others to see.
"""

from __future__ import annotations

import re

_LEAD = r"^(?:but |so |and |also |hmm+,? |wait,? |then |ok(?:ay)?,? )*"
_VERBS = (
    "be|have|use|return|show|live|stay|go|come|run|get|work|contain|include|happen|only|just|rather|always|never|keep"
    "|store|point|match|follow|check|start|read|write|call|stop|fail|take|apply|move"
)
_INTO_RULE = (
    rf"{_LEAD}why (?:don'?t|can'?t|do not|can not|cannot) (?:we|you) (?:not )?(?:just |simply |also )?",
    rf"{_LEAD}why not (?:just |simply )?(?=[a-z]+(?<!ing)\b)",
    rf"{_LEAD}(?:can|could) (?:we|you) (?:maybe |also |please )*just (?=[a-z])",
)
_SHOULD = re.compile(
    rf"{_LEAD}should(?:n'?t| not) (?P<what>(?:the|this|that|we|our|all|each|every|any|an?|those|these)\b[^,?]{{0,50}}?)"
    rf" (?P<does>(?:{_VERBS})\b[^?]*)\?",
    re.IGNORECASE,
)
_MEANT = tuple(re.compile(pattern, re.IGNORECASE) for pattern in _INTO_RULE)
_ASKS_ON = re.compile(r"\b(?:or|right|correct)\s*\?|\?.*\w", re.IGNORECASE)


def meant(question: str) -> str:
    """The rule in it, "" if it only asks."""
    straight = question.replace("’", "'").strip()
    if _ASKS_ON.search(straight):
        return ""
    if found := _SHOULD.match(straight):
        return f"{found['what']} should {found['does']}".strip()
    rules = (pattern.sub("", straight, count=1) for pattern in _MEANT if pattern.match(straight))
    return next(rules, "").rstrip(" ?!.")
