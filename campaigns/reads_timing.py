"""Whether a refusal takes longer where there is something to refuse: asked in turns with what is not there."""

from __future__ import annotations

import time
from collections.abc import Callable

PAIRS = 400
EVEN = (0.4, 0.6)  # four standard deviations on either side of a half


def slower(ask: Callable[[str], object], real: str, unreal: str, pairs: int = PAIRS) -> float:
    """The share of pairs in which what is there took longer to refuse; a half where time says nothing."""
    ask(real), ask(unreal)
    longer = 0
    for n in range(pairs):
        first, second = (real, unreal) if n % 2 else (unreal, real)
        took = {first: _seconds(ask, first), second: _seconds(ask, second)}
        longer += took[real] > took[unreal]
    return longer / pairs


def _seconds(ask: Callable[[str], object], id: str) -> float:
    began = time.perf_counter()
    ask(id)
    return time.perf_counter() - began
