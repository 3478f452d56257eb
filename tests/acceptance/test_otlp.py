"""Central's figures reach the collector that its operator names, and one that is away changes nothing."""

from __future__ import annotations

import json
import signal
import threading
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.central import machine, serving


class Collector(ThreadingHTTPServer):
    """Takes what comes, as a collector does."""

    def __init__(self) -> None:
        self.took: list[tuple[str, str, Any]] = []
        super().__init__(("127.0.0.1", 0), _Taker)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Taker(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.took.append((self.path, self.headers["Content-Type"], json.loads(body)))
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None:
        """Nothing on the screen."""


@pytest.fixture
def collector() -> Iterator[Collector]:
    with Collector() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def asked_and_stopped(home: Path, otlp: str) -> str:
    """Three questions, then a stop; what it said on its way."""
    assert machine(home, "overlook", "operator").lane("config", "set", "metrics.otlp", otlp).code == 0
    with serving(home) as central:
        for _ in range(3):
            with urllib.request.urlopen(f"{central.url}/health") as reply:
                assert reply.read() == b"ok\n"
        central.server.send_signal(signal.SIGTERM)
        _out, err = central.server.communicate(timeout=60)
    assert central.server.returncode == 0
    return err.decode()


def test_a_collector_gets_the_figures(collector: Collector, tmp_path: Path) -> None:
    assert "WARN" not in asked_and_stopped(tmp_path / "central", collector.url)
    path, kind, said = collector.took[-1]
    assert (path, kind) == ("/v1/metrics", "application/json")
    (resource,) = said["resourceMetrics"]
    names = {one["key"]: one["value"]["stringValue"] for one in resource["resource"]["attributes"]}
    assert names["service.name"] == "memlane"
    figures = {one["name"]: one for one in resource["scopeMetrics"][0]["metrics"]}
    (requests,) = figures["lane.requests"]["sum"]["dataPoints"]
    assert requests["asInt"] == "3"
    assert {one["key"]: one["value"]["stringValue"] for one in requests["attributes"]} == {
        "method": "GET",
        "path": "/health",
        "status": "200",
    }
    (seconds,) = figures["lane.request.seconds"]["histogram"]["dataPoints"]
    assert sum(map(int, seconds["bucketCounts"])) == int(seconds["count"]) == 3
    assert len(seconds["bucketCounts"]) == len(seconds["explicitBounds"]) + 1


def test_one_that_is_away_is_said_once(collector: Collector, tmp_path: Path) -> None:
    url = collector.url
    collector.server_close()
    said = asked_and_stopped(tmp_path / "central", url)
    assert said.count("metrics are not taken by") == 1
