"""What Prometheus reads: how many questions, how they went, how long they took. No name of anybody is in it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

BUCKETS = (0.005, 0.02, 0.1, 0.5, 2.0, 10.0)  # seconds


@dataclass(slots=True)
class Metrics:
    requests: Counter[tuple[str, str, int]] = field(default_factory=Counter[tuple[str, str, int]])
    seconds: Counter[tuple[str, float]] = field(default_factory=Counter[tuple[str, float]])
    sums: Counter[str] = field(default_factory=Counter[str])
    received: int = 0

    def took(self, method: str, path: str, status: int, seconds: float, received: int) -> None:
        """`path` is a route's, never what somebody asked for: a label must not grow with what strangers type."""
        self.requests[method, path, status] += 1
        self.seconds[path, next((b for b in BUCKETS if seconds <= b), float("inf"))] += 1
        self.sums[path] += seconds  # type: ignore[assignment]  # a Counter of floats
        self.received += received

    def text(self) -> str:
        lines = ["# TYPE lane_requests_total counter"]
        for (method, path, status), n in sorted(self.requests.items()):
            lines.append(f'lane_requests_total{{method="{method}",path="{path}",status="{status}"}} {n}')
        lines.append("# TYPE lane_request_seconds histogram")
        for path in sorted({path for path, _bucket in self.seconds}):
            total = 0
            for bucket in (*BUCKETS, float("inf")):
                total += self.seconds[path, bucket]
                name = "+Inf" if bucket == float("inf") else f"{bucket:g}"
                lines.append(f'lane_request_seconds_bucket{{path="{path}",le="{name}"}} {total}')
            lines.append(f'lane_request_seconds_sum{{path="{path}"}} {self.sums[path]:.6f}')
            lines.append(f'lane_request_seconds_count{{path="{path}"}} {total}')
        lines += ["# TYPE lane_received_bytes_total counter", f"lane_received_bytes_total {self.received}"]
        return "\n".join([*lines, ""])
