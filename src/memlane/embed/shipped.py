"""Which weights ship with memlane, by name and digest: known without loading them, or the library that runs them."""

from __future__ import annotations

from pathlib import Path

from memlane.embed.known import tagged

NAME, DIMENSION = "minilm-recall", 384
WEIGHTS = Path(__file__).parent / "encoder" / "minilm-recall.weights"
SHA256 = "afe65a40ce625c66f70fb369156e9447b6493ea677ce88baf9fe7b88837ed376"
LOOK = "second-look"
LOOK_WEIGHTS = Path(__file__).parent / "encoder" / "second-look.weights"
LOOK_SHA256 = "ec7f5eeb5a979372950e41352cac74fb8b8c940532ecd5fcd6d5079db17d5b66"
TUNED = tagged(f"{NAME}-{SHA256[:8]}", DIMENSION)  # on every vector of it
SECOND_LOOK = f"{LOOK}-{LOOK_SHA256[:8]}"  # as it is named in every recall it judged
