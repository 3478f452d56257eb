"""Which weights ship with memlane, by name and digest: known without loading them, or the library that runs them."""

from __future__ import annotations

from pathlib import Path

from memlane.embed.known import tagged

NAME, DIMENSION = "minilm-recall", 384
WEIGHTS = Path(__file__).parent / "encoder" / "minilm-recall.weights"
SHA256 = "eff38e218a8e24e9d3b99505a08ea3bc0d0d7b84aa8a2cb28c68b8d44346c1b5"
LOOK = "second-look"
LOOK_WEIGHTS = Path(__file__).parent / "encoder" / "second-look.weights"
LOOK_SHA256 = ""  # none ships yet
TUNED = tagged(f"{NAME}-{SHA256[:8]}", DIMENSION)  # on every vector of it
SECOND_LOOK = f"{LOOK}-{LOOK_SHA256[:8]}" if LOOK_SHA256 else ""  # as it is named in every recall it judged
