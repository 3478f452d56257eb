"""A prompt that names hardly anything and asks for nothing is like a short Cue by chance: the note must be sure."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memlane.domain import CueMatch
from memlane.recall import WEIGHTS, Chooser, LikelyMemory, Shortlist, needed, said_before
from tests.rooms.recall.test_choose import NO_CAP, NOW, QUERY, a_memory


@pytest.mark.parametrize(
    ("words", "cue", "likely", "shown"),
    [
        ("sounds like a plan", True, 0.74, False),
        ("sounds like a plan", True, 0.75, True),
        ("sounds like a plan", False, 0.55, True),
        ("plan the move of the ledger tables", True, 0.55, True),
        ("fix the planner", True, 0.55, True),
        ("why is the plan empty?", True, 0.55, True),
    ],
)
def test_few_words_take_a_surer_note_where_a_cue_found_it(words: str, cue: bool, likely: float, shown: bool) -> None:
    one = LikelyMemory(a_memory("one"), 0.5, "meaning", needed=likely, cue=CueMatch(0, 0.5) if cue else None)
    chooser = Chooser(replace(QUERY, words=words), needed(words), NOW, WEIGHTS, NO_CAP)
    assert bool(chooser.choose(Shortlist(near=[one]), said_before((), 0)).shown) is shown
