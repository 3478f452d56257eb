"""How often and how much: a bucket for each machine and each address. In memory: a restart forgives."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

from memlane.surfaces.api.http import RefusedError

MOST_KEPT = 20_000  # buckets; then those that are full again are dropped


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


@dataclass(slots=True)
class Limit:
    """So many at once, and so many a second after that."""

    most: float
    each_second: float
    says: str
    _buckets: dict[str, _Bucket] = field(default_factory=dict[str, _Bucket])

    def take(self, who: str, cost: float = 1.0) -> None:
        """Raises the answer that says when to come back."""
        now = time.monotonic()
        bucket = self._buckets.setdefault(who, _Bucket(self.most, now))
        bucket.left = min(self.most, bucket.left + (now - bucket.at) * self.each_second)
        bucket.at = now
        cost = min(cost, self.most)
        if bucket.left < cost:
            wait = math.ceil((cost - bucket.left) / self.each_second)
            raise RefusedError(429, "too-many", self.says, f"come back in {wait} s", retry_after=wait)
        bucket.left -= cost
        self._drop_full(now)

    def give_back(self, who: str) -> None:
        """It was an honest one after all."""
        if who in self._buckets:
            self._buckets[who].left += 1.0

    def _drop_full(self, now: float) -> None:
        """Those that are full again by now."""
        if len(self._buckets) > MOST_KEPT:
            emptied = self.most / self.each_second
            self._buckets = {name: one for name, one in self._buckets.items() if now - one.at < emptied}
