"""Names of people are seen as such where no directory knows them; names of things are not."""

from __future__ import annotations

import pytest

from memlane.entities import name_words, people


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Amy Hoy prefers a casual tone.", [("amy", "hoy")]),
        ("draft a mail to Amy Hoy about the invoice", [("amy", "hoy")]),
        ("Do not call Jordan before noon.", [("jordan",)]),
        ("Priya Raman and Tomasz Zielinski agreed", [("priya", "raman"), ("tomasz", "zielinski")]),
        ("the change for Tomasz Zielinski", [("tomasz", "zielinski")]),
        ("GitHub Actions runs the Vue Router tests", []),
        ("Use React Router with Claude Code on Google Drive", []),
        ("open src/jordan/curve.ts", []),
        ("will you mark this as done in May", []),
    ],
)
def test_who_is_named(text: str, found: list[tuple[str, ...]]) -> None:
    assert list(people(text)) == found


def test_a_first_name_may_be_one_however_it_is_written() -> None:
    assert name_words("draft a mail to amy about React") >= {"amy"}
    assert name_words("fix the login test") == frozenset()
