"""When the scanner cannot look, nothing passes."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlane.errors import ClosedGateError
from memlane.gate import Gate
from memlane.gate import gate as room
from memlane.gate.rules import load, source


@pytest.mark.fault("H5")
@pytest.mark.parametrize(
    ("broken", "what"),
    [
        (b"", "an empty file"),
        (b"[[rule]\n", "no TOML"),
        (b"\xff\xfe", "no text"),
        (b"[parts]\n[allow]\nwords = 'x'\nrule = []\n", "no rules"),
        (source().replace(b'id = "github-token"', b'id = "gitlab-token"'), "two of one name"),
        (source().replace(b"'''(?i)gh[pousr]_", b"'''(?i)gh(pousr_"), "a pattern that does not compile"),
        (source().replace(b"<<quoted>>", b"<<nowhere>>"), "a part that is not there"),
        (source().replace(b'must = ["mixed"]', b'must = ["sorted"]'), "a check nobody knows"),
        (source().replace(b'allow = ["aws_docs"]', b'allow = ["anything"]'), "an exception nobody wrote"),
        (source().replace(b'\nkeywords = ["ghp_"', b'\nkeyword = ["ghp_"'), "a rule nothing wakes"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_broken_rules_close_the_gate(monkeypatch: pytest.MonkeyPatch, broken: bytes, what: str) -> None:
    assert broken != source(), what
    monkeypatch.setattr(room, "source", lambda: broken)
    with pytest.raises(ClosedGateError):
        Gate()


def test_a_missing_rules_file_closes_the_gate(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(room, "source", (tmp_path / "rules.toml").read_bytes)
    with pytest.raises(ClosedGateError):
        Gate()


def test_a_pattern_that_breaks_only_when_woken_closes_the_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its loose form compiles, the whole does not: no text passes in between."""
    secret = dict(Gate().samples(1))["github-token"].secret
    monkeypatch.setattr(room, "source", lambda: source().replace(b"]{36,255}'''", b"]{36,2550}'''"))
    gate = Gate()
    assert gate.mask("quiet words, all of them") == "quiet words, all of them"
    with pytest.raises(ClosedGateError):
        gate.mask(f"x {secret}")


@pytest.mark.fault("H5")
def test_a_fault_while_scanning_closes_the_gate_and_says_nothing_of_the_text(gate: Gate) -> None:
    for verb in (gate.mask, gate.findings, gate.mask_values):
        with pytest.raises(ClosedGateError) as caught:
            verb(b"not a text but hunter2")  # type: ignore[arg-type]
        assert "hunter2" not in str(caught.value)
        assert caught.value.__cause__ is None


def test_what_cannot_be_looked_into_closes_the_gate(gate: Gate) -> None:
    for value in ({"x": object()}, [b"bytes"], {"x": {1, 2}}):
        with pytest.raises(ClosedGateError):
            gate.mask_values(value)


def test_the_rules_that_ship_are_whole() -> None:
    assert load(source()).all
