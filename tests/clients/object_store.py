"""A real object store for tests: SeaweedFS on loopback, which speaks S3."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

BUCKET = "lane"
_WEED = Path(sys.executable).with_name("weed")
PORTS = ("master.port", "volume.port", "filer.port", "s3.port")


def free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


SMALL = (
    "-ip=127.0.0.1",
    "-master.electionTimeout=500ms",  # it is alone: its default is a wait of twenty seconds after each kill
    "-master.heartbeatInterval=50ms",
    "-s3.port.iceberg=0",
    "-s3.port.lance=0",
    "-master.volumeSizeLimitMB=64",
    "-volume.max=10",
    "-master.telemetry=false",
)


@dataclass
class Seaweed:
    """One server, which may be killed and started again: its ports and its folder stay."""

    folder: Path
    ports: Mapping[str, int] = field(default_factory=lambda: _ports())
    server: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.ports['s3.port']}"

    @property
    def variables(self) -> Mapping[str, str]:
        """With which a client reaches it; its bucket is `s3://lane`."""
        keys = {"AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any", "AWS_REGION": "us-east-1"}
        return {"AWS_ENDPOINT": self.url, "AWS_ALLOW_HTTP": "true", **keys}

    def start(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        options = [f"-{name}={port}" for name, port in self.ports.items()]
        with (self.folder / "log").open("ab") as log:
            self.server = subprocess.Popen(
                [_WEED, "-logtostderr=true", "server", f"-dir={self.folder}", "-s3", *SMALL, *options],
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        _wait(self.server, self.url, self.folder / "log", self._knows_its_volumes)

    def _knows_its_volumes(self) -> bool:
        """It answers before it has found what it holds: until then an object that is there cannot be read."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.ports['master.port']}/dir/status", timeout=2) as said:
            centers: list[Any] = json.load(said)["Topology"]["DataCenters"] or []
        nodes: list[Any] = [node for center in centers for rack in center["Racks"] for node in rack["DataNodes"] or []]
        return bool(nodes) and sum(node["Volumes"] for node in nodes) >= len(list(self.folder.glob("*.dat")))

    def make_bucket(self) -> None:
        self._told(f"s3.bucket.create -name {BUCKET}")

    def sync_each_put(self) -> None:
        """As the operator's page says: otherwise what it answered may be lost with the machine's power."""
        self._told(f"fs.configure -locationPrefix=/buckets/{BUCKET}/ -fsync -apply")

    def _told(self, command: str) -> None:
        master = f"127.0.0.1:{self.ports['master.port']}.{self.ports['master.port.grpc']}"
        given = f"{command}\n".encode()
        subprocess.run([_WEED, "shell", "-master", master], input=given, check=True, capture_output=True, timeout=60)

    def kill(self) -> None:
        """Its own way out takes ten seconds."""
        if self.server is not None:
            self.server.kill()
            self.server.wait()
            self.server = None


def _ports() -> Mapping[str, int]:
    return dict(zip((*PORTS, *(f"{port}.grpc" for port in PORTS)), free_ports(2 * len(PORTS)), strict=True))


@contextmanager
def running_store(folder: Path) -> Generator[Seaweed, None, None]:
    store = Seaweed(folder)
    try:
        store.start()
        store.make_bucket()
        yield store
    finally:
        store.kill()


@contextmanager
def object_store(folder: Path) -> Generator[Mapping[str, str], None, None]:
    """The variables with which a client reaches it; its bucket is `s3://lane`."""
    with running_store(folder) as store:
        yield store.variables


@contextmanager
def in_environment(variables: Mapping[str, str]) -> Generator[None, None, None]:
    """Its client reads them there, and nowhere else."""
    was = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(was)


def _wait(server: subprocess.Popen[bytes], url: str, log: Path, ready: Callable[[], bool]) -> None:
    for _try in range(600):
        if server.poll() is not None:
            break
        try:
            urllib.request.urlopen(f"{url}/healthz", timeout=2).close()
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
        else:
            with suppress(OSError):
                if ready():
                    return
            time.sleep(0.1)
    raise AssertionError(f"the object store did not start:\n{log.read_text(errors='replace')[-2000:]}")
