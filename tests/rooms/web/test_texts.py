"""An answer as HTML that leads nowhere but to the web, and what differs between two texts, word by word."""

from __future__ import annotations

from memlane.surfaces.web.texts import pieces, rendered


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


def test_a_link_into_the_checkout_keeps_its_words_and_shows_its_path() -> None:
    said = rendered("See [`a.py` here](src/a.py:3), [the docs](https://docs.example) and [x](javascript:alert(1)).")
    assert '<span title="src/a.py:3"><code>a.py</code> here</span>' in said
    assert '<a href="https://docs.example"' in said
    assert said.count("href=") == 1
