"""`python -m training.run KIND --base DIR --data DIR --out DIR [--set name=value …]`: one model, trained and measured.

KIND is `static` or `bert`. DATA holds recall-train.jsonl, recall-windows.jsonl, pairs.jsonl, splits.json and, for the
check of ordinary search, longmemeval/. Writes the weights and a record of the run: every number, no text.
"""

from __future__ import annotations

import argparse
import copy
import hashlib
import json
import random
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import safetensors.torch
import torch

from training import bert, memories, pairs, static_table
from training.batches import batches
from training.bert import BertEncoder
from training.fit import Group, Plan, fit
from training.measure import haystack, recall_figures, recalled, search_figures
from training.memories import Labelled
from training.pairs import Pair
from training.split import Side, Split
from training.static_table import StaticTable


@dataclass(frozen=True, slots=True)
class Data:
    """Memories by side of the split, and pairs of the fitting side."""

    by_side: dict[Side, list[Labelled]]
    pairs: list[Pair]

    @classmethod
    def load(cls, folder: Path) -> Data:
        split = Split.load(folder / "splits.json")
        by_side: dict[Side, list[Labelled]] = {side: [] for side in Side}
        for name in ("recall-train.jsonl", "recall-windows.jsonl"):
            for memory in memories.read(folder / name):
                by_side[split.side(memory.project)].append(memory)
        found = [p for p in pairs.read(folder / "pairs.jsonl") if split.side(p.project) is Side.FITTING]
        return cls(by_side, found)

    def fitting(self, share: float, *, everything: bool, seed: int) -> list[Labelled]:
        """A share of the fitting projects; or all of training, for the run whose weights are kept."""
        chosen = list(self.by_side[Side.FITTING])
        if everything:
            return chosen + self.by_side[Side.TUNING]
        projects = sorted({memory.project for memory in chosen if not memory.real})
        random.Random(seed).shuffle(projects)
        left_out = set(projects[round(len(projects) * share) :])
        kept = [m for m in chosen if m.project not in left_out]
        return [m for n, m in enumerate(kept) if not m.real or n % 100 < share * 100]


Model = StaticTable | BertEncoder


def load(kind: str, base: Path, keep: Sequence[int] | None = None) -> Model:
    weights = next(base.glob("*.safetensors"))
    tokenizer = next(base.glob("tokenizer*.json"))
    if kind == "static":
        return static_table.load(weights, tokenizer)
    return BertEncoder(bert.load(weights, keep), tokenizer)


def groups(model: Model, plan: Plan) -> list[Group]:
    if isinstance(model, StaticTable):
        return [Group((model.change,), plan.table), Group((model.weight,), plan.weights)]
    for kept in (model.pooled.bert.positions.weight, model.pooled.bert.segments.weight):
        kept.requires_grad = False
    return [Group(tuple(p for p in model.parameters() if p.requires_grad))]


def measured(model: Model, data: Data, folder: Path) -> dict[str, Any]:
    """Floors come from the tuning side, figures from validation: its real projects alone, and all of it."""
    if isinstance(model, BertEncoder):
        model.longest = 256
    tuning = recalled(model, data.by_side[Side.TUNING])
    floors = tuning.floors()
    validation = data.by_side[Side.VALIDATION]
    out = {
        "tuning": recall_figures(tuning, floors),
        "validation": recall_figures(recalled(model, validation), floors),
        "validation_real": recall_figures(recalled(model, [m for m in validation if m.real]), floors),
    }
    sessions = folder / "longmemeval" / "sessions.jsonl"
    if sessions.exists():
        out["longmemeval"] = search_figures(model, haystack(sessions, sessions.with_name("questions-dev.json")))
    return out


def train(model: Model, data: Data, plan: Plan, labelled: Sequence[Labelled]) -> list[float]:
    torch.manual_seed(plan.seed)
    before = copy.deepcopy(model)
    return fit(model, before, groups(model, plan), plan, batches(labelled, data.pairs, plan.size, plan.seed))


def blended(model: Model, before: dict[str, torch.Tensor], share: float) -> Model:
    """Part of the way from where it started to where training took it: what it knew before is kept better so."""
    mixed = copy.deepcopy(model)
    after = model.state_dict()
    mixed.load_state_dict({name: torch.lerp(before[name], after[name], share) for name in after})
    return mixed


def save(model: Model, path: Path) -> None:
    if isinstance(model, StaticTable):
        static_table.save(model, path)
    else:
        safetensors.torch.save_file(bert.stored(model.pooled.bert), path)


def changed(plan: Plan, settings: Sequence[str]) -> Plan:
    """`rate=1e-4`: the type is the one the plan has."""
    new: dict[str, Any] = {}
    for setting in settings:
        name, _, value = setting.partition("=")
        new[name] = type(getattr(plan, name))(value)
    return replace(plan, **new)


def record(kind: str, base: Path, plan: Plan, labelled: Sequence[Labelled], data: Data) -> dict[str, Any]:
    weights = next(base.glob("*.safetensors"))
    return {
        "kind": kind,
        "base": {"file": weights.name, "sha256": hashlib.sha256(weights.read_bytes()).hexdigest()},
        "plan": asdict(plan),
        "memories": len(labelled),
        "projects": len({m.project for m in labelled}),
        "pairs": len(data.pairs),
        "torch": torch.__version__,
        "device": torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu",
    }


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("static", "bert"))
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--name", default="model")
    parser.add_argument("--blends", type=float, nargs="*", default=[1.0])
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--everything", action="store_true")
    parser.add_argument("--set", nargs="*", default=[], dest="settings")
    return parser.parse_args()


def main() -> None:
    given = arguments()
    began = time.monotonic()
    plan = changed(Plan(), given.settings)
    data = Data.load(given.data)
    model = load(given.kind, given.base)
    model.to("cuda" if torch.cuda.is_available() else "cpu")
    labelled = data.fitting(given.share, everything=given.everything, seed=plan.seed)
    if isinstance(model, StaticTable) and plan.rarity:
        model.weigh_by_rarity((text for pair in data.pairs for text in (pair.a, pair.b)), plan.rarity)
    about = record(given.kind, given.base, plan, labelled, data)
    before = copy.deepcopy(model.state_dict())
    losses = train(model, data, plan, labelled) if plan.steps else []
    about["loss"] = [round(sum(part) / len(part), 4) for part in _parts(losses)]
    about["seconds"] = round(time.monotonic() - began, 1)
    given.out.mkdir(parents=True, exist_ok=True)
    for share in given.blends:
        name = given.name if given.blends == [1.0] else f"{given.name}-{share}"
        mixed = blended(model, before, share)
        figures = about | {"blend": share} | measured(mixed, data, given.data)
        (given.out / f"{name}.json").write_text(json.dumps(figures, indent=1) + "\n")
        save(mixed, given.out / f"{name}.safetensors")


def _parts(losses: Sequence[float]) -> list[Sequence[float]]:
    return [losses[at : at + 50] for at in range(0, len(losses), 50)]


if __name__ == "__main__":
    main()
