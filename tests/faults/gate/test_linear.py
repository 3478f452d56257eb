"""Ten times the text is about ten times the work, whatever somebody wrote to make it more."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from memlane.gate import Gate, SecretSample
from memlane.gate.rules import SecretRule, load, source
from memlane.gate.sample import made

SMALL, LARGE = 1_000, 10_000
QUADRATIC = 40  # ten times the text: 10 is linear, 100 is quadratic
LINEAR = 15
RULES = load(source()).all


def repeated(piece: str, size: int) -> str:
    return (piece * (size // len(piece) + 1))[:size]


def shapes(rule: SecretRule, size: int) -> str:
    """What is worst for this rule, ten ways: its keyword again and again, its sample cut, flattened, wrapped."""
    word, sample = rule.keywords[0].decode(), made(rule.sample, 1)
    flat = sample.text.replace(sample.secret, "a" * len(sample.secret))
    pieces = (
        word, word + " ", word + "=", word + '="', sample.text, sample.text[:-1], sample.text + "\n", flat + " ",
        "\\" + sample.text, sample.text[: len(sample.text) // 2] + "\n",
    )  # fmt: skip
    return "\n\n".join(repeated(piece, size // len(pieces)) for piece in pieces)


def took(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def grows(work: Callable[[str], object], small: str, large: str) -> float:
    """How much longer the large one takes, at best of three: a busy machine is no slow rule."""
    ratios: list[float] = []
    for _ in range(3):
        base = max(took(lambda: work(small)), 1e-5)
        ratios.append(took(lambda: work(large)) / base)
        if ratios[-1] < QUADRATIC:
            break
    return min(ratios)


@pytest.mark.fault("E13")
def test_every_rule_is_linear_on_what_is_worst_for_it(gate: Gate) -> None:
    slow = {
        rule.id: ratio
        for rule in RULES
        if (ratio := grows(gate.mask, shapes(rule, SMALL), shapes(rule, LARGE))) > QUADRATIC
    }
    assert slow == {}


HOSTILE: dict[str, str] = {
    "one letter": "a",
    "backslashes": "\\",
    "percents": "%41",
    "quotes": '"',
    "open tags": "<private>",
    "open keys": "-----BEGIN PRIVATE KEY-----\n",
    "closed keys": "-----END PRIVATE KEY-----\n",
    "base64": "QUJDREVGR0hJSktM",
    "hex": "41424344",
    "spaced": "a b c ",
    "colours": "\x1b[31m",
    "open colours": "\x1b]8;",
    "zero width": "\u200b",
    "lines": "ab1\n",
    "dots": "eyJ.eyJ-",
    "escapes of escapes": "\\\\\\\\n",
    "markers": "[masked: jwt] ",
    "entities": "&#65;",
}


@pytest.mark.fault("E13")
@pytest.mark.parametrize("shape", HOSTILE)
def test_ten_times_the_text_is_ten_times_the_work(gate: Gate, shape: str) -> None:
    """20 kB against 200 kB."""
    piece = HOSTILE[shape]
    assert grows(gate.mask, repeated(piece, 20_000), repeated(piece, 200_000)) < QUADRATIC


def test_all_of_it_together_stays_below_fifteen(gate: Gate) -> None:
    """One shape's few milliseconds say little; their sum does."""

    def all_shapes(size: int) -> None:
        for piece in HOSTILE.values():
            gate.mask(repeated(piece, size))

    all_shapes(20_000)
    ratios: list[float] = []
    while len(ratios) < 3 and min(ratios, default=LINEAR) >= LINEAR:
        ratios.append(took(lambda: all_shapes(200_000)) / took(lambda: all_shapes(20_000)))
    assert min(ratios) < LINEAR


def test_a_text_full_of_secrets_is_linear_too(gate: Gate) -> None:
    samples: list[SecretSample] = [sample for _, sample in gate.samples(2)]
    text = "\n".join(sample.text for sample in samples)
    assert grows(gate.mask, text[:4000], repeated(text, 40_000)) < QUADRATIC
