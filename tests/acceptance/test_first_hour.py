"""A fresh user's first hour, small: `python -m campaigns.first_hour` breaks more than these two."""

from __future__ import annotations

import pytest

from campaigns import first_hour

HERE = ("hooks removed from the settings", "a journal line removed")


@pytest.mark.fault("M1", "X3")
def test_every_screen_is_true_before_and_after_each_fault() -> None:
    hour = first_hour.campaign([damage for damage in first_hour.DAMAGES if damage.name in HERE])
    assert hour.found == []


@pytest.mark.fault("M1")
def test_the_script_sees_what_is_not_true() -> None:
    """A damage that nothing names is a fault of the product."""
    nothing = first_hour.Damage("nothing at all", lambda _hour: None, ("a word that no screen says",))
    hour = first_hour.campaign([nothing])
    assert [fault for fault, _what in hour.found] == ["silent"]
