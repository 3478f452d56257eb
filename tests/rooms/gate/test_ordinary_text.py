"""What is no secret passes as it is: hashes, ids, lock files, code, logs and prose about passwords."""

from __future__ import annotations

import random

import pytest

from benchmarks.gate import LINES, SEED, Ordinary, false_alarms
from memlane.gate import Gate


@pytest.mark.fault("H4")
def test_ordinary_lines_pass(gate: Gate) -> None:
    """The goal is two in a thousand."""
    figures = false_alarms(gate, list(Ordinary(SEED).lines(LINES)))
    assert figures["per_1000"] <= 2, figures


def test_ordinary_lines_pass_side_by_side(gate: Gate) -> None:
    """Nothing is read over a line end that is not there: a page of such lines is as clean as each of them."""
    lines = list(Ordinary(SEED + 1).lines(2000))
    pages = ["\n".join(lines[i : i + 40]) for i in range(0, len(lines), 40)]
    wrong = {finding.rule for page in pages for finding in gate.findings(page)}
    assert wrong == set()


@pytest.mark.fault("E10")
def test_a_picture_passes(gate: Gate) -> None:
    for seed in range(5):
        blob = Ordinary(seed).base64(40_000)
        text = f"data:image/png;base64,iVBORw0KGgo{blob}=="
        assert gate.mask(text) is text


def test_the_lines_are_of_many_sorts() -> None:
    """A control: the corpus speaks of secrets and is full of what looks like them."""
    text = "\n".join(Ordinary(random.Random(3).randrange(99)).lines(3000))
    assert all(word in text for word in ("password", "token=", "sha512-", "Bearer", "secretKeyRef", "base64,iVBOR"))
