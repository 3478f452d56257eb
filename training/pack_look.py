"""`python -m training.pack_look WEIGHTS APART ASKED NOTED ENCODER NAME OUT`: a second look as memlane runs it.

APART layers of the packed file ENCODER stand before WEIGHTS and read ASKED tokens of a prompt and NOTED of a note.
Prints the digest that belongs into `embed/shipped.py`.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from training.pack import HEAD, Array, Stored, norm, packed


def arrays(stored: Stored) -> Iterator[tuple[str, Array]]:
    yield "sides", stored["sides"]
    yield "out", stored["out.weight"][0]
    yield "bias", stored["out.bias"]
    for n, place in enumerate(f"encoder.layer.{n}" for n in stored.numbered):
        yield from ((f"{n}.{name}", array) for name, array in _layer(stored, place))


def _layer(stored: Stored, place: str) -> Iterator[tuple[str, Array]]:
    """Matrices as they are multiplied with: many rows at once need no blocks."""
    each = [stored.numbers(f"{place}.attention.self.{part}.weight") for part in ("query", "key", "value")]
    biases = [stored[f"{place}.attention.self.{part}.bias"] for part in ("query", "key", "value")]
    root = np.float32(HEAD**-0.5)
    yield "heads", np.concatenate([numbers for numbers, _scale in each]).T
    yield "heads.scale", np.concatenate([each[0][1] * root, each[1][1], each[2][1]])
    yield "heads_bias", np.concatenate([biases[0] * root, *biases[1:]])
    for name, theirs in (("mix", "attention.output"), ("up", "intermediate"), ("down", "output")):
        numbers, scale = stored.numbers(f"{place}.{theirs}.dense.weight")
        yield from ((name, numbers.T), (f"{name}.scale", scale))
        yield f"{name}_bias", stored[f"{place}.{theirs}.dense.bias"]
    yield "mixed", norm(stored, f"{place}.attention.output.LayerNorm")
    yield "done", norm(stored, f"{place}.output.LayerNorm")


def pack(stored: Stored, name: str, encoder: str, *, apart: int, asked: int, noted: int) -> bytes:
    reads = {"apart": apart, "behind": encoder, "asked": asked, "noted": noted}
    return packed(arrays(stored), [], name=name, layers=len(stored.numbered), **reads)


def main() -> None:
    weights, apart, asked, noted, encoder, name, out = sys.argv[1:8]
    behind = hashlib.sha256(Path(encoder).read_bytes()).hexdigest()
    made = pack(Stored(Path(weights)), name, behind, apart=int(apart), asked=int(asked), noted=int(noted))
    Path(out).write_bytes(made)
    sys.stdout.write(f"{len(made):,} bytes, sha256 {hashlib.sha256(made).hexdigest()}\n")


if __name__ == "__main__":
    main()
