"""A real object store for tests: SeaweedFS on loopback, which speaks S3."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

BUCKET = "lane"
PORTS = ("master.port", "volume.port", "filer.port", "s3.port")


def _free(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


@contextmanager
def object_store(folder: Path) -> Generator[Mapping[str, str], None, None]:
    """The variables with which a client reaches it; its bucket is `s3://lane`."""
    weed, ports = Path(sys.executable).with_name("weed"), _free(2 * len(PORTS))
    named = dict(zip((*PORTS, *(f"{port}.grpc" for port in PORTS)), ports, strict=True))
    folder.mkdir(parents=True, exist_ok=True)
    options = [f"-{name}={port}" for name, port in named.items()]
    small = (
        "-ip=127.0.0.1",
        "-s3.port.iceberg=0",
        "-s3.port.lance=0",  # it would take one fixed port: two stores could not run side by side
        "-master.volumeSizeLimitMB=64",
        "-volume.max=10",
        "-master.telemetry=false",
    )
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [weed, "-logtostderr=true", "server", f"-dir={folder}", "-s3", *small, *options],
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    url = f"http://127.0.0.1:{named['s3.port']}"
    try:
        _wait(server, url, folder / "log")
        master = f"127.0.0.1:{named['master.port']}.{named['master.port.grpc']}"
        make = f"s3.bucket.create -name {BUCKET}\n".encode()
        subprocess.run([weed, "shell", "-master", master], input=make, check=True, capture_output=True, timeout=60)
        keys = {"AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any", "AWS_REGION": "us-east-1"}
        yield {"AWS_ENDPOINT": url, "AWS_ALLOW_HTTP": "true", **keys}
    finally:
        server.kill()  # its own way out takes ten seconds
        server.wait()


def _wait(server: subprocess.Popen[bytes], url: str, log: Path) -> None:
    for _try in range(300):
        if server.poll() is not None:
            break
        try:
            urllib.request.urlopen(f"{url}/healthz", timeout=2).close()
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
        else:
            return
    raise AssertionError(f"the object store did not start:\n{log.read_text(errors='replace')[-2000:]}")
