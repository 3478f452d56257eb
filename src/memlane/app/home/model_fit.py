"""What the cosines of the model of recall mean, and which languages it reads: as it ships, or as fitted here, once."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec

from memlane import embed
from memlane.errors import BusyError
from memlane.system.disk import Disk
from memlane.system.json_file import JsonFile
from memlane.work import WriteLock

FILE, LOCK = "recall-models.json", "recall-models.lock"
SAMPLES = 1  # which sample notes it was fitted on; others: fitted anew
OURS = ("English",)  # what the models that ship read
MEASURED = frozenset({"Japanese", "Chinese", "Korean", "German", "Spanish", "French", "Portuguese", "Russian"})


class FittedModel(msgspec.Struct, frozen=True):
    """`reads` nothing: it does not tell the sample notes apart."""

    weights: dict[str, float]
    reads: tuple[str, ...]
    samples: int = 0

    def knows(self, language: str) -> bool:
        """A language without samples counts as read if most of those with samples are."""
        return language in self.reads or (language not in MEASURED and 2 * len(self.reads) > len(MEASURED))


class FittedModels(msgspec.Struct):
    """By the tag on their vectors."""

    models: dict[str, FittedModel] = {}


class ModelMeanings:
    """Those of one home."""

    def __init__(self, home: Path, run_folder: Path, disk: Disk) -> None:
        lock = partial(WriteLock.held, WriteLock(run_folder / LOCK))
        self._kept = JsonFile(home / FILE, FittedModels, disk, lock, derived=True)

    def of(self, model: embed.Embedder) -> FittedModel:
        """Fitted on the sample notes if nobody has done it yet: at most 1,800 short texts."""
        known = shipped(model.tag) or self._kept.read().models.get(model.tag)
        found = known if known is not None and known.samples == SAMPLES else self._fitted(model)
        if not found.reads:
            raise embed.EmbedderError(
                f"{model.tag} does not tell sample notes apart, so recall cannot use it", "lane config get recall.model"
            )
        return found

    def _fitted(self, model: embed.Embedder) -> FittedModel:
        from memlane.recall.fit import on_samples  # numpy; once for a model

        meaning = on_samples(model)
        found = FittedModel(dict(meaning.weights), meaning.reads, SAMPLES)
        with suppress(OSError, BusyError), self._kept.changed() as kept:  # a home nobody may write in: fitted each time
            kept.models[model.tag] = found
        return found


def shipped(tag: str) -> FittedModel | None:
    weights: Mapping[str, float] | None = embed.calibration(tag)
    return None if weights is None else FittedModel(dict(weights), OURS, SAMPLES)
