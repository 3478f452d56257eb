"""One more sight of a Memory may say it better; what a person wrote, and what was said about when it matters, stays."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memlane.catch.improvement import improved, surer, with_occasion
from memlane.domain import Memory, Occasion, State, Trust
from tests.rooms.app.memories import a_memory

GUESS = a_memory(title="No, casual", content="No, casual.", maker="embedded@4", state=State.HELD, confidence=50)
SEEN = a_memory(
    title="Mails to Amy are casual",
    content="She and the person are on familiar terms.",
    maker="agent@2/claude-code",
    reasoning="The person corrected a formal draft.",
    confidence=90,
    when="writing to Amy",
    cues=("mail Amy",),
)


def nobody(_memory: str) -> bool:
    return False


def test_a_reader_that_writes_words_what_a_rule_found() -> None:
    after = improved(GUESS, SEEN, nobody)
    assert (after.title, after.content, after.maker) == (SEEN.title, SEEN.content, SEEN.maker)
    assert (after.id, after.evidence, after.state) == (GUESS.id, GUESS.evidence, State.HELD)
    assert surer(after, SEEN).state is State.ACTIVE
    assert surer(replace(after, state=State.PAUSED), SEEN).state is State.PAUSED


@pytest.mark.parametrize(
    "known",
    [
        replace(GUESS, pinned=True),
        replace(GUESS, maker="agent@2/codex"),  # as good a reader, and as good a source
        replace(GUESS, maker="person"),
    ],
)
def test_what_is_worded_well_enough_keeps_its_words_and_learns_when_it_matters(known: Memory) -> None:
    after = improved(known, SEEN, nobody)
    assert (after.title, after.content, after.maker) == (known.title, known.content, known.maker)
    assert (after.when, after.cues) == (SEEN.when, SEEN.cues)


def test_a_persons_hand_is_asked_for_only_where_words_would_change() -> None:
    asked = list[str]()

    def theirs(memory: str) -> bool:
        asked.append(memory)
        return True

    assert improved(GUESS, SEEN, theirs).title == GUESS.title
    improved(replace(GUESS, maker="agent@2/codex"), SEEN, theirs)
    assert asked == [GUESS.id]


def test_a_person_s_words_replace_those_of_an_agent_and_never_the_other_way_round() -> None:
    by_agent = replace(GUESS, maker="model@2/x", trust=Trust.AGENT)
    assert improved(by_agent, SEEN, nobody).title == SEEN.title
    assert improved(GUESS, replace(SEEN, trust=Trust.AGENT), nobody).title == GUESS.title


def test_a_rule_improves_nothing_and_nothing_that_is_over_is_improved() -> None:
    assert improved(GUESS, replace(SEEN, maker="embedded@4"), nobody) == GUESS
    for state in (State.FORGOTTEN, State.RETIRED, State.SUPERSEDED):
        over = replace(GUESS, state=state)
        assert improved(over, SEEN, nobody) == over


def test_only_what_is_unsaid_about_when_it_matters_is_filled_in() -> None:
    then = Occasion("a situation", always=True, cues=("one", "two"))
    assert with_occasion(GUESS, then).occasion == then
    assert with_occasion(replace(GUESS, when="mine"), then).occasion == Occasion("mine", always=False, cues=then.cues)
    assert with_occasion(replace(GUESS, cues=("mine",)), then).cues == ("mine",)
