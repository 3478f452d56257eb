"""The figures of `/metrics`, sent to the OpenTelemetry collector that the operator names (OTLP over HTTP, as JSON).

Without a name nothing is sent. Of a collector that does not answer it is said once; it is asked again, and no request
waits for it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager

import msgspec

import memlane
from memlane.config import Config
from memlane.errors import LaneError, UnreachableError
from memlane.surfaces.serve.metrics import BUCKETS, Metrics
from memlane.system.http_client import Asker, Endpoint

EVERY = 30.0  # seconds
PATIENCE = 5.0
WELL = 300
CUMULATIVE = 2  # since this process began
ASKER = Asker(UnreachableError, "metrics.otlp", "collector")
Json = Mapping[str, object]


@contextmanager
def exporting(config: Config, metrics: Metrics, say: Callable[[str, str], None]) -> Generator[None]:
    """As long as the server runs, and once more when it ends."""
    if not (url := config.text("metrics.otlp")):
        yield
        return
    exporter, over = Exporter(url, config.machine, metrics, say), threading.Event()

    def export() -> None:
        while not over.wait(EVERY):
            exporter.send()

    thread = threading.Thread(target=export, name="otlp", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(2 * PATIENCE)
        exporter.send()


class Exporter:
    def __init__(self, url: str, machine: str, metrics: Metrics, say: Callable[[str, str], None]) -> None:
        self._endpoint = Endpoint(url, ASKER)
        self._machine, self._metrics, self._say = machine, metrics, say
        self._began = time.time_ns()
        self._failed = False

    def send(self) -> None:
        """Cumulative: what is missed now comes with the next."""
        try:
            reply = self._endpoint.once(f"{self._endpoint.path}/v1/metrics", self._document(), PATIENCE)
            why = "" if reply.status < WELL else f"status {reply.status}"
        except LaneError as error:
            why = error.message
        except Exception as error:  # noqa: BLE001 - whatever a collector does, Central goes on
            why = str(error)
        if why and not self._failed:
            self._say("WARN", f"metrics are not taken by {self._endpoint.shown}: {why}")
        self._failed = bool(why)

    def _document(self) -> bytes:
        attributes = _labels(
            {"service.name": "memlane", "service.version": memlane.__version__, "host.name": self._machine}
        )
        scope = {"scope": {"name": "memlane.serve"}, "metrics": self._points()}
        resource = {"resource": {"attributes": attributes}, "scopeMetrics": [scope]}
        return msgspec.json.encode({"resourceMetrics": [resource]})

    def _points(self) -> Sequence[Json]:
        known = self._metrics
        requests, seconds, sums = known.requests.copy(), known.seconds.copy(), known.sums.copy()
        counted = [
            self._point({"method": method, "path": path, "status": str(status)}, {"asInt": str(n)})
            for (method, path, status), n in sorted(requests.items())
        ]
        timed = list[Json]()
        for path in sorted({path for path, _bucket in seconds}):
            buckets = [seconds[path, bound] for bound in (*BUCKETS, float("inf"))]
            counts = {"count": str(sum(buckets)), "bucketCounts": [str(n) for n in buckets]}
            timed.append(self._point({"path": path}, {**counts, "sum": sums[path], "explicitBounds": BUCKETS}))
        received = [self._point({}, {"asInt": str(known.received)})]
        return [
            {"name": "lane.requests", "unit": "1", "sum": _sum(counted)},
            {"name": "lane.received", "unit": "By", "sum": _sum(received)},
            {
                "name": "lane.request.seconds",
                "unit": "s",
                "histogram": {"dataPoints": timed, "aggregationTemporality": CUMULATIVE},
            },
        ]

    def _point(self, labels: Mapping[str, str], values: Json) -> Json:
        times = {"startTimeUnixNano": str(self._began), "timeUnixNano": str(time.time_ns())}
        return {"attributes": _labels(labels), **times, **values}


def _sum(points: Sequence[Json]) -> Json:
    return {"dataPoints": points, "aggregationTemporality": CUMULATIVE, "isMonotonic": True}


def _labels(labels: Mapping[str, str]) -> Sequence[Json]:
    return [{"key": key, "value": {"stringValue": value}} for key, value in labels.items()]
