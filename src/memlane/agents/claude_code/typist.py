"""Whether a person types in a session that came through another program, judged by when its prompts come.

A window like Conductor's passes on what a person types through the SDK, as a script does. A script sends its next
prompt at once or sends the same one again; a person reads the answer first and says something else. Knows two prompts
and their times, nothing of records.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta

READS = timedelta(seconds=5)  # from the agent's last words to the next prompt: no script waits so long
APART = timedelta(minutes=1)  # from one prompt to the next
MOST_SHARED = 0.5  # of the words of two prompts: more is one template, filled in twice
_LONGEST = 4000  # characters; more was not typed
_WORD = re.compile(r"\w+")
_ADDRESSED = re.compile(r"\W*(?:you are (?:the|an?)\b|act as\b|your task is\b)", re.IGNORECASE)


def follows_as_typed(before: str, said: str) -> bool:
    """Whether two prompts in a row read like one person's: each typed, and not the same thing twice."""
    return _may_be_typed(before) and _may_be_typed(said) and _shared(before, said) <= MOST_SHARED


def came_as_typed(asked: datetime | None, answered: datetime | None, now: datetime | None) -> bool:
    """Whether the second prompt came when a person would send it."""
    if asked is None or answered is None or now is None:
        return False
    return now - answered >= READS and now - asked >= APART


def _may_be_typed(said: str) -> bool:
    return 0 < len(said.strip()) <= _LONGEST and _ADDRESSED.match(said) is None


def _shared(one: str, other: str) -> float:
    mine, theirs = (frozenset(_WORD.findall(text.casefold())) for text in (one, other))
    return len(mine & theirs) / max(1, len(mine | theirs))
