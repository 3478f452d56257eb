from __future__ import annotations

import copy
from dataclasses import replace
from pathlib import Path

import torch
from safetensors.torch import save_file

from training import bert, objective, static_table
from training.bert import Bert, BertEncoder, Shape
from training.fit import Plan
from training.run import Data, blended, measured, train
from training.split import Side
from training.static_table import StaticTable

FIVE = Plan(steps=5, size=8, rate=1e-2)
SMALL = Shape(layers=2, width=64, inner=96, words=40)


def _table(tokenizer: Path) -> StaticTable:
    torch.manual_seed(1)
    return StaticTable(torch.randn(40, 16), tokenizer)


def _encoder(tokenizer: Path) -> BertEncoder:
    torch.manual_seed(1)
    return BertEncoder(Bert(SMALL), tokenizer)


def test_five_steps_on_a_cpu_lower_the_loss_of_a_static_table(data: Path, tokenizer: Path) -> None:
    found = Data.load(data)
    losses = train(_table(tokenizer), found, FIVE, found.by_side[Side.FITTING])
    assert len(losses) == 5
    assert losses[-1] < losses[0]


def test_five_steps_with_the_same_seed_give_the_same_encoder(data: Path, tokenizer: Path) -> None:
    found = Data.load(data)
    first, second = (_encoder(tokenizer) for _ in range(2))
    losses = [train(model, found, FIVE, found.by_side[Side.FITTING]) for model in (first, second)]
    assert losses[0] == losses[1]
    assert torch.equal(first.encode(["push the build"]), second.encode(["push the build"]))


def test_no_memory_of_validation_is_among_those_that_are_trained_on(data: Path) -> None:
    found = Data.load(data)
    trained = found.fitting(1.0, everything=True, seed=1)
    assert {memory.project for memory in found.by_side[Side.VALIDATION]} == {"tower"}
    assert "tower" not in {memory.project for memory in trained}


def test_half_of_a_blend_lies_between_what_was_and_what_became(tokenizer: Path) -> None:
    model = _table(tokenizer)
    before = copy.deepcopy(model.state_dict())
    model.weight.data += 2.0
    assert torch.allclose(blended(model, before, 0.5).weight, torch.ones(40))


def test_a_saved_table_reads_back_as_plain_means_of_its_rows(tokenizer: Path, tmp_path: Path) -> None:
    model = _table(tokenizer)
    model.weight.data = torch.linspace(-1, 1, 40)
    static_table.save(model, tmp_path / "table.safetensors")
    again = static_table.load(tmp_path / "table.safetensors", tokenizer)
    assert torch.allclose(model.encode(["run the tests"]), again.encode(["run the tests"]), atol=1e-2)


def test_figures_of_a_side_without_mistakes_are_all_there(data: Path, tokenizer: Path) -> None:
    found = Data.load(data)
    found.by_side[Side.TUNING] += found.by_side[Side.FITTING][:4]
    about = measured(_encoder(tokenizer), found, data)
    assert about["validation"]["probes"] == 12
    assert 0 <= about["validation"]["hit1"] <= about["validation"]["hit3"] <= 1


def test_texts_of_one_moment_are_no_negatives_of_each_other() -> None:
    here = torch.eye(3)[[0, 1, 1]]
    apart, together = (objective.pairs(here, here, keys, 0.05) for keys in (["a", "b", "c"], ["a", "b", "b"]))
    assert together < apart


def test_an_encoder_with_fewer_layers_is_read_from_the_same_weights(tokenizer: Path, tmp_path: Path) -> None:
    whole = Bert(replace(SMALL, layers=3))
    save_file(bert.stored(whole), tmp_path / "whole.safetensors")
    assert len(bert.load(tmp_path / "whole.safetensors", keep=(0, 2)).layers) == 2
