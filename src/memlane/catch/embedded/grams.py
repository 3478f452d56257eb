"""Words and their neighbours as places in a vector: a hash of each, so that no vocabulary has to be shipped."""

from __future__ import annotations

import re
from collections import Counter
from zlib import crc32

BITS = 15
SIZE = 1 << BITS

_TOKEN = re.compile(r"[a-z']+|[?!]")


def grams(text: str, most: int) -> Counter[int]:
    """How often each word and each run of up to `most` words stands there."""
    tokens = _TOKEN.findall(text.lower())
    runs = (" ".join(tokens[i : i + n]) for n in range(1, most + 1) for i in range(len(tokens) - n + 1))
    return Counter(crc32(run.encode()) & (SIZE - 1) for run in runs)
