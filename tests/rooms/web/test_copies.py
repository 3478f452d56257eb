"""What a button copies is one line of what is seen: nothing hidden in a transcript reaches a terminal by a paste."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import memlane.surfaces.web
from memlane.surfaces.web.formats import FILTERS
from tests.hostile import HOSTILE, obeyed

TEMPLATES = Path(memlane.surfaces.web.__path__[0]) / "templates"
COPIED = re.compile(r'data-copy="([^"]*)"')
VALUE = re.compile(r"\{\{(.*?)\}\}")
IDS = {"run.id"}  # letters and digits of our own


def copied() -> list[tuple[str, str]]:
    found = [(path.name, text) for path in TEMPLATES.glob("*.html") for text in COPIED.findall(path.read_text())]
    return [(name, value.strip()) for name, text in found for value in VALUE.findall(text)]


@pytest.mark.fault("L5")
def test_every_value_that_is_copied_is_one_plain_line() -> None:
    assert len(copied()) >= 3
    assert [(name, value) for name, value in copied() if value not in IDS and "|one_line(" not in value] == []


@pytest.mark.fault("L5")
def test_one_line_has_no_newline_and_nothing_hidden() -> None:
    shown = str(FILTERS["one_line"](f"lane why\n rm -rf ~ {HOSTILE}", 4000))
    assert "\n" not in shown
    assert obeyed(shown) == []
