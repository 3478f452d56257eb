"""Tokens and codes: too long to guess, compared in constant time, and a wrong one is told nothing."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import memlane.surfaces
from memlane.surfaces.api.rules import BrowserSign, issued
from memlane.surfaces.daemon.files import token
from tests.flow.homes import a_lane

SECRETS = ("token", "proof", "secret", "code")
SURFACES = Path(memlane.surfaces.__path__[0])


@pytest.mark.fault("K1")
def test_a_token_has_256_bits_and_is_its_owners_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    fresh = token()
    assert len(bytes.fromhex(fresh)) == 32
    assert token() == fresh
    assert [path.stat().st_mode & 0o777 for path in tmp_path.iterdir()] == [0o600]


def compared(source: str) -> list[str]:
    """Comparisons by `==` or `in` that name a secret: they take longer the more of it is right."""
    found = list[str]()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare) and any(isinstance(op, ast.Eq | ast.NotEq) for op in node.ops):
            sides = [ast.unparse(side) for side in (node.left, *node.comparators)]
            if any(side.rpartition(".")[2] in SECRETS for side in sides):
                found.append(ast.unparse(node))
    return found


@pytest.mark.fault("K1")
def test_no_secret_is_compared_byte_by_byte() -> None:
    assert {str(path): bad for path in SURFACES.rglob("*.py") if (bad := compared(path.read_text()))} == {}


def test_the_look_for_comparisons_finds_them() -> None:
    assert compared("if given == place.token: pass") == ["given == place.token"]
    assert compared("hmac.compare_digest(given, token)") == []


@pytest.mark.fault("K12")
def test_wrong_codes_open_nothing_use_nothing_up_and_are_told_apart_by_nobody(tmp_path: Path) -> None:
    lane = a_lane(tmp_path)
    code = lane.access.code()
    assert len(code) == 22, "128 bits: nobody guesses one in five minutes"
    wrong = [code[:-1] + letter for letter in "abcdefghijklmnopqrstuvwxyz" if letter != code[-1]]
    assert not any(lane.access.accept(guess) for guess in [*wrong, "", code * 2, code.swapcase(), "../" + code])
    assert lane.access.accept(code), "guessing has not used it up"
    assert not lane.access.accept(code)


@pytest.mark.fault("K12")
def test_two_passes_of_one_token_have_nothing_to_tell_about_a_third() -> None:
    first, second = (issued("8" * 64, BrowserSign("lane-1.localhost"), 1_000_000 + n) for n in range(2))
    assert first.rpartition(".")[2] != second.rpartition(".")[2]
    assert len(bytes.fromhex(first.rpartition(".")[2])) >= 16
