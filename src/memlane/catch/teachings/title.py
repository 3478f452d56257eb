"""Words a Teaching as one clean sentence: padding off, first person to third, a capital and a full stop.

Only openings and endings change; every other word stays as it was typed.
"""

from __future__ import annotations

import re

from memlane.catch.embedded.sentences import capital, clipped, plain
from memlane.catch.teachings.rules import CompiledRules

LONGEST = 300  # characters
CUT = "…"  # ends what is longer
_CJK_END = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]$")
_OPEN = re.compile(r"^[\s\"'“”„«»(\[,;:.!–—…-]+|[\s,;:–—-]+$")


def worded(quote: str, rules: CompiledRules) -> str:
    """ "" where nothing is left."""
    said = _OPEN.sub("", plain(quote))
    if (shorter := rules.ending.sub("", said)).strip():
        said = shorter
    for pattern, into in rules.rewrites:
        changed = pattern.sub(into, said, count=1)
        if changed != said:
            said = changed
            break
    said = clipped(_OPEN.sub("", said), LONGEST)
    return _ended(capital(said)) if said else ""


def _ended(said: str) -> str:
    if said[-1] in ".!?…。！？":
        return said
    return said + ("。" if _CJK_END.search(said) else ".")
