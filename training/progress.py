"""How a run goes, on standard output, with the seconds since it began."""

from __future__ import annotations

import sys
import time

_BEGAN = time.monotonic()


def say(*words: object) -> None:
    sys.stdout.write(f"{time.monotonic() - _BEGAN:.1f} {' '.join(str(word) for word in words)}\n")
    sys.stdout.flush()
