"""While the model is being opened only what is surely meant is told."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from memlane.domain import Memory, Type
from memlane.recall.cold import surely_meant
from memlane.recall.words import content_terms

THEN = datetime(2026, 6, 1, tzinfo=UTC)


def note(id: str, text: str, *cues: str) -> Memory:
    return replace(Memory(id, "ann", Type.LEARNING, text, "", THEN, THEN, THEN, THEN), cues=cues)


SHIP = note("m_ship", "Deploy the billing worker with make ship, never with kubectl")
CUED = note("m_cued", "Customer ids start with C-", "export table shows who bought the ticket")
OTHER = note("m_other", "The billing page has a blue header")


def meant(prompt: str, *notes: Memory) -> str:
    found = surely_meant(content_terms(prompt), notes)
    return found.id if found else ""


def test_four_words_of_a_note_or_three_of_a_cue_that_no_other_has() -> None:
    assert meant("deploy the billing worker by kubectl", SHIP, OTHER) == "m_ship"
    assert meant("the export table must show who bought it", CUED, OTHER) == "m_cued"


def test_less_than_that_is_silence() -> None:
    assert meant("deploy the worker", SHIP, OTHER) == ""
    assert meant("the billing page", SHIP, OTHER) == ""
    assert meant("deploy the billing worker by kubectl", SHIP, replace(SHIP, id="m_twin")) == ""
    assert meant("anything") == ""
