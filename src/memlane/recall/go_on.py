"""Does a prompt only say "go on" with what the agent has just said? Then that decides what is needed. Pure."""

from __future__ import annotations

import re

MOST_WORDS = 8
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_YES = frozenset(
    re.findall(
        r"\S+",
        """
        yes yep yup yeah y ok okay sure continue proceed go ahead do please agreed approved lgtm sgtm right exactly
        correct perfect great good sounds looks fine resume retry commit
        ja genau weiter mach oui vas continuez si sí dale sigue sim pode continua はい 好 好的 继续
        """,
    )
)
_BESIDE = frozenset(
    re.findall(r"\w+", "it that this them all both on now then so just and the a is me to with for run try next")
)


def goes_on(prompt: str) -> bool:
    """Nothing but agreement: "thanks" ends a matter, "no" and "wait" stop it, and any other word is a prompt's own."""
    words = _WORD.findall(prompt.casefold())
    return 0 < len(words) <= MOST_WORDS and not _YES.isdisjoint(words) and set(words) <= _YES | _BESIDE
