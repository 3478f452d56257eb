"""How many examples Hypothesis tries: few where everything is tried every time, many where somebody looks on purpose.

`MEMLANE_EXAMPLES=50 pytest tests/faults/dream` tries fifty times as many.
"""

from __future__ import annotations

import os

TIMES = int(os.environ.get("MEMLANE_EXAMPLES", "1"))


def examples(few: int) -> int:
    return few * TIMES
