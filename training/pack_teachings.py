"""`python -m training.pack_teachings WEIGHTS APART READ ENCODER NAME OUT`: layers that read sentences, as they run.

APART layers of the packed file ENCODER stand before WEIGHTS and read READ tokens of a sentence. Prints the digest that
belongs into `embed/models.py`.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

from training.pack import Array, Stored, layer, packed


def arrays(stored: Stored) -> Iterator[tuple[str, Array]]:
    yield "out", stored["out.weight"][0]
    yield "bias", stored["out.bias"]
    for n in stored.numbered:
        yield from ((f"{n}.{name}", array) for name, array in layer(stored, f"encoder.layer.{n}"))


def pack(stored: Stored, name: str, encoder: str, *, apart: int, asked: int) -> bytes:
    return packed(arrays(stored), [], name=name, layers=len(stored.numbered), apart=apart, behind=encoder, asked=asked)


def main() -> None:
    weights, apart, asked, encoder, name, out = sys.argv[1:7]
    behind = hashlib.sha256(Path(encoder).read_bytes()).hexdigest()
    made = pack(Stored(Path(weights)), name, behind, apart=int(apart), asked=int(asked))
    Path(out).write_bytes(made)
    sys.stdout.write(f"{len(made):,} bytes, sha256 {hashlib.sha256(made).hexdigest()}\n")


if __name__ == "__main__":
    main()
