"""Which weights ship with memlane, by name and digest: known without loading them, or the library that runs them."""

from __future__ import annotations

from pathlib import Path

from memlane.embed.known import tagged

NAME, DIMENSION = "minilm-recall", 384
WEIGHTS = Path(__file__).parent / "encoder" / "minilm-recall.weights"
SHA256 = "78af07321c314c404eafc4ef88797a80f72792b99ad554672710a7910f7fc533"
TUNED = tagged(f"{NAME}-{SHA256[:8]}", DIMENSION)  # on every vector of it
