"""What differs between two texts is told word by word."""

from __future__ import annotations

from memlane.surfaces.web.texts import pieces


def test_a_word_that_changed_stands_alone_and_what_stayed_is_left_out() -> None:
    long = " ".join(f"word{n}" for n in range(200))
    found = pieces(f"{long} on Monday", f"{long} on Friday")
    assert [(sign, text) for sign, text in found if sign != " "] == [("-", "Monday"), ("+", "Friday")]
    (stayed,) = [text for sign, text in found if sign == " "]
    assert stayed.startswith("… ")
    assert len(stayed.split()) < 12


def test_other_words_are_shown_whole() -> None:
    assert pieces("Deploy on Fridays", "The linter is ruff") == [
        ("-", "Deploy on Fridays"),
        ("+", "The linter is ruff"),
    ]


def test_the_new_text_can_be_read_from_the_pieces_where_nothing_is_left_out() -> None:
    before, after = "Never deploy on a Friday night", "Never deploy on a Sunday or a Friday"
    assert "".join(text for sign, text in pieces(before, after) if sign != "-").split() == after.split()
