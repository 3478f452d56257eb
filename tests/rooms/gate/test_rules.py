"""The rules: broad, well formed, each good for at least its own sample."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memlane.gate import Gate, rules
from memlane.gate.rules import SecretRule, checked, load, prepared, relaxed, source
from memlane.gate.sample import made
from memlane.gate.scanner import families

RULES = load(source()).all
SEEDS = (1, 2, 3)


def test_there_are_at_least_two_hundred_kinds() -> None:
    assert len(RULES) >= 200


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_takes_its_own_sample_for_a_secret(rule: SecretRule) -> None:
    """Alone, in its own words: no other rule helps, and what it calls the secret holds all of it."""
    for seed in SEEDS:
        sample = made(rule.sample, seed)
        data = sample.text.encode()
        match = rule.pattern.now.search(data)
        assert match, "the pattern does not match"
        found = rule.secret(match, data)
        assert found, "the sample is refused"
        start = sample.text.index(sample.secret)
        assert found[0] <= start, "it starts late"
        assert start + len(sample.secret) <= found[1], "it ends early"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_is_woken_by_its_own_sample(rule: SecretRule) -> None:
    """What looks for it (a looser pattern, then its keywords) never misses what the rule itself would find."""
    (family,) = families((rule,))
    for seed in SEEDS:
        assert rule.id in {span.rule for span in family.spans(made(rule.sample, seed).text.encode())}


def test_a_looser_pattern_counts_no_further_than_it_must() -> None:
    assert relaxed("a{36,255}b{2}c{0,400}?d{3,}") == "a{8,}?b{2}c{0,}?d{3,}?"


def test_samples_differ_by_seed_and_come_again_with_it(gate: Gate) -> None:
    one, again, other = (dict(gate.samples(seed)) for seed in (1, 1, 2))
    assert one == again
    assert all(one[rule].secret != other[rule].secret for rule in one)


def test_the_version_names_the_rules_and_the_code(gate: Gate) -> None:
    assert gate.version == Gate().version
    assert len(gate.version) == 16


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_no_rule_runs_from_one_text_into_the_next(rule: SecretRule) -> None:
    """A class of what may *not* be there names the byte that stands between two texts."""
    open_classes = re.findall(r"\[\^(?:\\.|[^\]\\])*\]", rule.pattern.text)
    assert [
        one for one in open_classes if r"\xff" not in one and not one.startswith(("[^0-9A-Za-z", "[^A-Za-z0-9"))
    ] == []


def test_what_is_prepared_is_what_the_rules_say() -> None:
    """Not? `python -m tools.gate_rules`."""
    assert prepared(source()) == checked(source())


@pytest.mark.parametrize("at", [0, 63, 70, -2])
def test_what_is_prepared_is_not_believed_once_a_byte_of_it_is_another(
    at: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    damaged = bytearray(rules.READY.read_bytes())
    damaged[at] ^= 1
    monkeypatch.setattr(rules, "READY", tmp_path / "rules.json")
    rules.READY.write_bytes(damaged)
    assert prepared(source()) is None
    assert [rule.id for rule in load(source()).all] == [rule.id for rule in RULES]
    rules.READY.unlink()
    assert prepared(source()) is None
