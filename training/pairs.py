"""Two texts of one moment, as `from_transcripts` writes them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts of one moment; `key` names the moment: its texts are never each other's negatives."""

    kind: str
    project: str
    key: str
    a: str
    b: str


def read(path: Path) -> Iterator[Pair]:
    with path.open() as lines:
        for line in lines:
            yield Pair(**json.loads(line))
