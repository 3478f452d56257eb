"""The second look: its numbers are the formula's, a note is the same kept or not, its file is its own."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from memlane import embed
from memlane.embed import EmbedderError
from memlane.embed.encoder import SecondLook, TunedEncoder
from memlane.embed.encoder.cross_attention import cross_attention
from memlane.embed.encoder.second_look import LayerStates
from memlane.embed.encoder.weights import opened
from memlane.embed.models import ENCODER_SHA256, TUNED
from tests.rooms.embed.looks import APART, FACTS, WIDTH, Arrays, some_arrays, written

PROMPT = "the container build cannot find the new package"
NOTES = [
    "Add every new workspace package to the Dockerfile COPY list",
    "The weekly newsletter goes out on Thursday at nine",
    "Never retry on a 4xx answer, " * 20,
]
Doubles = NDArray[np.float64]


@pytest.fixture(scope="module")
def tuned() -> TunedEncoder:
    return TunedEncoder()


@pytest.fixture
def look(tuned: TunedEncoder, tmp_path: Path) -> SecondLook:
    return SecondLook(tuned, tmp_path / "look", written(tmp_path / "look", some_arrays()))


def plainly(arrays: Arrays, prompt: Doubles, note: Doubles, layers: int = 2) -> float:
    """The formula, a prompt and a note at a time, as training/look.py has it."""

    def whole(name: str) -> Doubles:
        return arrays[name].astype(np.float64) * arrays.get(f"{name}.scale", np.ones(1))

    def normal(x: Doubles, name: str) -> Doubles:
        x = x - x.mean(axis=1, keepdims=True)
        return x / np.sqrt((x * x).mean(axis=1, keepdims=True) + 1e-12) * whole(name)[0] + whole(name)[1]

    x, known = prompt + arrays["sides"][0], note + arrays["sides"][1]
    for n in range(layers):
        rows = x if n + 1 < layers else x[:1]
        matrix, bias = whole(f"{n}.heads"), whole(f"{n}.heads_bias")
        made, read = rows @ matrix + bias, np.concatenate([x, known]) @ matrix + bias
        taken = np.empty_like(rows)
        for head in range(0, WIDTH, 32):
            q, k, v = (s[:, at + head : at + head + 32] for s, at in ((made, 0), (read, WIDTH), (read, 2 * WIDTH)))
            shares = np.exp(q @ k.T - (q @ k.T).max(axis=1, keepdims=True))
            taken[:, head : head + 32] = shares / shares.sum(axis=1, keepdims=True) @ v
        x = normal(rows + taken @ whole(f"{n}.mix") + whole(f"{n}.mix_bias"), f"{n}.mixed")
        inner = x @ whole(f"{n}.up") + whole(f"{n}.up_bias")
        inner *= 0.5 * (1 + np.vectorize(math.erf)(inner / math.sqrt(2)))
        x = normal(x + inner @ whole(f"{n}.down") + whole(f"{n}.down_bias"), f"{n}.done")
    return float(x[0] @ arrays["out"] + arrays["bias"][0])


def test_its_numbers_are_those_of_the_formula(tmp_path: Path) -> None:
    dice, arrays = np.random.default_rng(1), some_arrays()
    prompt, *notes = (dice.standard_normal((rows, WIDTH)).astype(np.float32) for rows in (7, 3, 12, 5))
    model = cross_attention(opened(tmp_path / "look", written(tmp_path / "look", arrays)))
    wanted = [plainly(arrays, prompt, note) for note in notes]
    assert np.ptp(wanted) > 0.1
    assert model.log_odds(prompt, notes) == pytest.approx(wanted, abs=0.02)


def test_a_note_says_the_same_alone_beside_others_and_once_it_is_kept(look: SecondLook) -> None:
    together_ = look.log_odds(PROMPT, NOTES)
    assert [*NOTES] == [text for text in NOTES if text in look.kept]
    assert look.log_odds(PROMPT, NOTES) == together_
    alone = [look.log_odds(PROMPT, [text])[0] for text in reversed(NOTES)]
    assert alone == pytest.approx(together_[::-1], abs=1e-4)
    assert look.log_odds(PROMPT, []) == []


def test_a_prompt_that_was_just_understood_is_not_read_again(tuned: TunedEncoder, look: SecondLook) -> None:
    assert look.kept.bytes == 0
    assert tuned.states(PROMPT, 24, APART) is not tuned.states(PROMPT, 24, APART)
    before = tuned.query(PROMPT)
    kept = tuned.states(PROMPT, 24, APART)
    assert kept is tuned.states(PROMPT, 24, APART)
    assert np.array_equal(before, TunedEncoder().query(PROMPT))
    tuned.query("long " * 60)
    assert len(tuned.states("long " * 60, 24, APART)) == 24


def test_what_was_not_needed_longest_makes_room() -> None:
    kept = LayerStates(most_bytes=3 * (10 * WIDTH * 2 + 400))
    for text in ("one", "two", "three"):
        kept.put(text, np.ones((10, WIDTH), np.float32))
    kept.get("one")
    kept.put("four", np.ones((10, WIDTH), np.float32))
    assert [text for text in ("one", "two", "three", "four") if text in kept] == ["one", "three", "four"]
    for n in range(50):
        kept.put(str(n), np.ones((10, WIDTH), np.float32))
        assert kept.bytes <= 3 * (10 * WIDTH * 2 + 400)
    assert kept.get("one") is None
    kept.put("too large", np.ones((99, WIDTH), np.float32))
    assert (len(kept), kept.bytes) == (0, 0)


def test_it_reads_on_from_the_encoder_it_was_made_for_and_from_no_other(tuned: TunedEncoder, tmp_path: Path) -> None:
    other = written(tmp_path / "other", some_arrays(), behind="0" * 64)
    with pytest.raises(EmbedderError, match="another encoder"):
        SecondLook(tuned, tmp_path / "other", other)
    with pytest.raises(EmbedderError, match="is damaged"):
        SecondLook(tuned, tmp_path / "other", ENCODER_SHA256)
    with pytest.raises(EmbedderError, match="is missing"):
        SecondLook(tuned, tmp_path / "gone", ENCODER_SHA256)


def test_its_name_has_its_digest_and_means_nothing_behind_an_encoder_nobody_fitted_it_for(
    tuned: TunedEncoder, tmp_path: Path
) -> None:
    digest = written(tmp_path / "look", some_arrays(), **FACTS)
    look = SecondLook(tuned, tmp_path / "look", digest)
    assert look.tag == f"tried-{digest[:8]}"
    assert embed.look_calibration(TUNED, look.tag) is None


def test_the_one_that_ships_is_the_one_it_is_named_after_and_is_fitted() -> None:
    assert embed.second_look().tag == embed.SECOND_LOOK
    assert embed.look_calibration(TUNED, embed.SECOND_LOOK) is not None
    assert embed.look_calibration("another@384", embed.SECOND_LOOK) is None
