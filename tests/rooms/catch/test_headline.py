"""A title of more than 120 characters is cut where nothing is lost that changes it, and not at all elsewhere."""

from __future__ import annotations

import pytest

from memlane.catch.headline import WANTED_TITLE, shortened

LONG = (
    "the harbour office reads the printed list at four in the morning and has no time to look at any screen before that"
)


@pytest.mark.parametrize(
    ("title", "kept"),
    [
        (f"Tide tables are printed in local time. As {LONG}", "Tide tables are printed in local time"),
        (f"Tide tables are printed in local time because {LONG}", "Tide tables are printed in local time"),
        (f"Tide tables are printed in local time; {LONG}", "Tide tables are printed in local time"),
        (f"Tide tables are printed in local time, so {LONG}", "Tide tables are printed in local time"),
    ],
)
def test_the_explanation_goes(title: str, kept: str) -> None:
    assert len(title) > WANTED_TITLE
    assert shortened(title) == kept


@pytest.mark.parametrize(
    "title",
    [
        f"Tide tables are printed in local time unless {LONG}",
        f"Tide tables are printed in local time; but not when {LONG}",
        f"Tide tables are printed in local time. Except when {LONG}",
        f"Yes. {LONG.capitalize()} and this goes on for some more words",
        " ".join(["word"] * 40),
    ],
)
def test_a_condition_or_an_exception_is_never_cut_off(title: str) -> None:
    assert shortened(title) is None
