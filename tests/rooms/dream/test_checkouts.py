"""What is about something that is gone, or what a file says by now, steps back; nobody looks, nothing happens (E69)."""

from __future__ import annotations

from memlane.domain import Change, Memory, State
from memlane.dream import stale
from memlane.dream.lifecycle import CheckoutFinding
from tests.rooms.dream.memories import note

ABOUT = note("m_1", "tools/mkfont.py must be run after changing glyphs", "Else old shapes are shown.")
RULE = note("m_2", "Run `make lint` before every commit", "The person asked for it.")
DELETED = "tools/mkfont.py was deleted from main on 2026-05-02 (1a2b3c4)"


def look(found: CheckoutFinding) -> list[tuple[str, State, str]]:
    proposals = list(stale([ABOUT, RULE], lambda memory: found if memory is RULE else CheckoutFinding()))
    assert all(one.change is Change.RETIRED for one in proposals)
    return [(one.after[0].id, one.after[0].state, one.because) for one in proposals]


def test_what_is_about_something_that_is_gone_is_retired_with_its_name() -> None:
    (made,) = stale([ABOUT], lambda _memory: CheckoutFinding(gone=DELETED))
    assert (made.after[0].state, made.because) == (State.RETIRED, DELETED)
    assert made.after[0].title == ABOUT.title


def test_what_a_file_says_by_now_is_retired_and_the_file_is_named() -> None:
    assert look(CheckoutFinding(files={"CLAUDE.md": "# Work\n\nRun `make lint` before every commit.\n"})) == [
        ("m_2", State.RETIRED, "CLAUDE.md says it")
    ]


def test_what_a_file_says_otherwise_stays() -> None:
    assert look(CheckoutFinding(files={"CLAUDE.md": "Never run `make lint` before every commit."})) == []
    assert look(CheckoutFinding(files={"CLAUDE.md": "Run `make lint` after every commit."})) == []


def test_without_a_checkout_everything_stays() -> None:
    assert look(CheckoutFinding()) == []


def test_only_what_stands_is_looked_at() -> None:
    asked: list[Memory] = []

    def seen(memory: Memory) -> CheckoutFinding:
        asked.append(memory)
        return CheckoutFinding()

    list(stale([note("m_1", "a rule of old", state=State.PAUSED), RULE], seen))
    assert asked == [RULE]
