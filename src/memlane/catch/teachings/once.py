"""A preference and the rule beside it that says the same are one Teaching.

English only: in other languages both are kept.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from memlane.catch.teachings.lesson import Plainness, Teaching
from memlane.claims import claim

PERSON = "The person "  # begins what an English preference says
MORE = 2  # words that the rule may have besides
_WISHING = claim("prefers likes loves wants needs hates").words
_HERE = re.compile(r"\b(?:here|this|these|repo|repository|project|codebase)\b", re.IGNORECASE)


def said_once(found: Sequence[Teaching]) -> list[Teaching]:
    """The rule is kept, and holds where the person does."""
    kept = list(found)
    for one, other in pairwise(found):
        for wish, rule in ((one, other), (other, one)):
            if wish in kept and rule in kept and _is_in(wish, rule):
                kept[kept.index(rule)] = replace(rule, scope=wish.scope)
                kept.remove(wish)
    return kept


def _is_in(wish: Teaching, rule: Teaching) -> bool:
    """Not where the rule says that it holds here only."""
    if not wish.title.startswith(PERSON) or rule.title.startswith(PERSON) or _HERE.search(rule.title):
        return False
    here, there = claim(wish.title), claim(rule.title)
    words = here.words - _WISHING
    same = bool(words) and words <= there.words and here.denied & words == there.denied & words
    return same and len(there.words - words) <= MORE and rule.plainness is Plainness.PLAIN
