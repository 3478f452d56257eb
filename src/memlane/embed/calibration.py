"""What the cosines of a model mean, for the models somebody has fitted: written by `python -m training.calibrate`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

FITTED = Path(__file__).with_name("calibrations.json")


def calibration(tag: str) -> Mapping[str, float] | None:
    """By the tag on its vectors: other weights or another dimension is another model."""
    return _fitted().get(tag)


def behind(encoder: str, look: str) -> Mapping[str, float] | None:
    """What a second look's log-odds mean of notes that this encoder found: fitted for the two of them."""
    return _fitted().get(f"{encoder}+{look}")


@cache
def _fitted() -> dict[str, dict[str, float]]:
    return msgspec.json.decode(FITTED.read_bytes(), type=dict[str, dict[str, float]])
