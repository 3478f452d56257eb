"""Every error has a kind for programs, a code for shells, and a line on its page."""

from __future__ import annotations

import inspect
import re

from memlane import errors
from memlane.errors import LaneError
from tests.house.tree import ROOT
from tools.pages import error_classes, error_table

CODES = {1, 2, 3, 4, 5, 6, 7}  # few, stable: 0 is done, 130 interrupted


def test_every_error_has_a_kind_of_its_own_and_a_known_code() -> None:
    kinds = [error.__dict__.get("kind") for error in error_classes()]
    assert [error.__name__ for error, kind in zip(error_classes(), kinds, strict=True) if not kind] == []
    assert len(set(kinds)) == len(kinds)
    assert {error.exit_code for error in error_classes()} <= CODES


def test_every_error_is_documented() -> None:
    assert error_table() in (ROOT / "docs" / "reference" / "errors.md").read_text(), "run: python -m tools.pages"


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    drawn = dict(re.findall(r"(\w+Error) +(\d)", inspect.getdoc(errors) or ""))
    here = [error for error in error_classes() if error.__module__ == LaneError.__module__]
    assert drawn == {error.__name__: str(error.exit_code) for error in here}
