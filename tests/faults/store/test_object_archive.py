"""An archive in an object store under kills, racing writers, a writer that comes back late, and a store that lies."""

from __future__ import annotations

import http.client
import os
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from campaigns.mutants import put_in_place_of
from memlane.archive import Answer, Layout, journal
from memlane.archive.register import Register
from memlane.domain import Entry
from memlane.errors import OvertakenError, StoreAwayError, UsageError
from memlane.store.bucket import Bucket
from memlane.store.disk import StoreDisk
from tests.rooms.archive.sides import LAPTOP, NOW, Side

pytestmark = pytest.mark.usefixtures("seaweed")


class KilledError(BaseException):
    """Nothing that is caught on the way."""


def side_at(name: str) -> Side:
    """A process of its own: nothing remembered, nothing shared."""
    base = Path(f"s3://lane/{name}")
    disk = StoreDisk(Bucket(f"s3://lane/{name}", plain_http=True), base)
    return Side(Layout(base, "noor", None, disk), disk)


@contextmanager
def killed_before(change: int) -> Generator[None]:
    """The n-th request that changes something does not happen, and nothing after it."""
    left = [change]

    def counted(whole: Any) -> Callable[..., Any]:
        def change_of(bucket: Bucket, *given: Any) -> Any:
            left[0] -= 1
            if left[0] <= 0:
                raise KilledError
            return whole(bucket, *given)

        return change_of

    with (
        put_in_place_of(Bucket, "create", counted(Bucket.create)),
        put_in_place_of(Bucket, "swap", counted(Bucket.swap)),
        put_in_place_of(Bucket, "delete", counted(Bucket.delete)),
    ):
        yield


def one_step(side: Side, step: int) -> bytes:
    """What is acknowledged with it, if it returns."""
    line = f"{step}\n".encode()
    with side.disk.steady():
        side.capture("one", line)
        side.remember(f"m_{step:013}")
        if step % 5 == 4:
            side.side_file("one", line * 10)
    return line


@pytest.mark.parametrize("change", range(1, 26, 2))
def test_a_kill_between_two_requests_loses_nothing(change: int, tmp_path: Path) -> None:
    Register((side := side_at(tmp_path.name)).disk, side.layout, "laptop").begin(NOW)
    said = one_step(side, 0) + one_step(side, 1)
    with killed_before(change), suppress(KilledError):
        for step in range(2, 6):
            said += one_step(side_at(tmp_path.name), step)
    after = side_at(tmp_path.name)
    after.clock = side.clock.replace(hour=12)
    Register(after.disk, after.layout, "laptop").settle_all(after.clock)
    said_next = one_step(after, 9)
    later = side_at(tmp_path.name)
    folder = later.layout.find(later.run("one").id)
    assert folder is not None
    held = later.disk.read_whole(folder / "g1.raw")
    assert held.startswith(said)
    assert held.endswith(said_next)
    assert later.wrong() == []


def test_of_racing_writers_each_line_is_kept_once_or_refused(tmp_path: Path) -> None:
    Register((side := side_at(tmp_path.name)).disk, side.layout, "laptop").begin(NOW)
    side.remember("m_first")
    kept, lock = list[str](), threading.Lock()

    def write(number: int) -> None:
        mine = side_at(tmp_path.name)
        for line in range(6):
            name = f"m_{number}_{line}"
            entry = Entry("state", name, NOW, "noor", "laptop", "person", {"memory": name})
            with suppress(OvertakenError), mine.disk.steady():
                journal.write(mine.disk, mine.layout, LAPTOP, [entry])
                with lock:
                    kept.append(name)

    writers = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for one in writers:
        one.start()
    for one in writers:
        one.join()
    later = side_at(tmp_path.name)
    Register(later.disk, later.layout, "laptop").settle_all(NOW)
    lines = [one for one in journal.read(later.disk, later.layout, {}) if isinstance(one, journal.PlacedEntry)]
    names = [one.entry.id for one in lines]
    assert len(set(names)) == len(names)
    assert set(kept) <= set(names)
    assert later.wrong() == []


def test_a_writer_who_was_away_too_long_has_written_nothing(tmp_path: Path) -> None:
    """Its bytes are in the store, its run is not committed; another cut them off. It must not commit them now."""
    first, other = side_at(tmp_path.name), side_at(tmp_path.name)
    first.capture("one", b"first\n")
    arrived = threading.Event()
    back = threading.Event()
    whole = StoreDisk.replace

    def late(disk: StoreDisk, path: Path, data: bytes) -> None:
        if disk is first.disk:
            arrived.set()
            assert back.wait(60)
        whole(disk, path, data)

    failed = list[BaseException]()

    def go() -> None:
        try:
            with first.disk.steady():
                first.capture("one", b"never acknowledged\n")
        except OvertakenError as error:
            failed.append(error)

    with put_in_place_of(StoreDisk, "replace", late):
        writer = threading.Thread(target=go)
        writer.start()
        assert arrived.wait(60)
        with other.disk.steady():
            other.capture("one", b"second\n")
        back.set()
        writer.join()
    assert failed
    later = side_at(tmp_path.name)
    folder = later.layout.find(later.run("one").id)
    assert folder is not None
    assert later.disk.read_whole(folder / "g1.raw") == b"first\nsecond\n"
    assert later.wrong() == []


def test_a_late_piece_under_a_number_that_is_free_again_never_counts(tmp_path: Path) -> None:
    late = side_at(tmp_path.name)
    late.capture("one", b"first\n")
    folder = late.layout.find(late.run("one").id)
    assert folder is not None
    path = folder / "g1.raw"
    descriptor = late.disk.open_to_write(path)
    late.disk.truncate(descriptor, 2)
    late.disk.write(descriptor, b"too late", 2)
    other = side_at(tmp_path.name)
    for step in range(70):
        other.capture("one", f"{step}\n".encode())
    with pytest.raises(OvertakenError):
        late.disk.sync(descriptor)
    late.disk.close(descriptor)
    assert side_at(tmp_path.name).wrong() == []
    other.capture("one", b"last\n")
    assert side_at(tmp_path.name).disk.read_whole(path).startswith(b"first\n0\n1\n")


def test_a_store_that_takes_the_second_of_two_is_refused(seaweed: Mapping[str, str], tmp_path: Path) -> None:
    with _careless(seaweed["AWS_ENDPOINT"]) as url:
        os.environ["AWS_ENDPOINT"] = url
        side = side_at(tmp_path.name)
        with pytest.raises(UsageError, match="two writers") as raised:
            side.capture("one", b"first\n")
        assert raised.value.hint
        os.environ["AWS_ENDPOINT"] = seaweed["AWS_ENDPOINT"]
    assert not side_at(tmp_path.name).disk.is_folder(side.layout.root)


@contextmanager
def _careless(upstream: str) -> Generator[str]:
    """The same store, without its conditions."""

    class Careless(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _pass_on(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            kept = {name: value for name, value in self.headers.items() if name.lower() != "if-none-match"}
            line = http.client.HTTPConnection(urlsplit(upstream).netloc)
            line.request(self.command, self.path, body, kept)
            answer = line.getresponse()
            data = answer.read()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in ("transfer-encoding", "content-length", "connection"):
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data if self.command != "HEAD" else b"")
            line.close()

        do_GET = do_PUT = do_HEAD = do_DELETE = do_POST = _pass_on  # noqa: N815 - the names that the library calls

        def log_message(self, format: str, *args: Any) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Careless) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_store_that_is_away_is_said_so_and_nothing_is_taken(seaweed: Mapping[str, str], tmp_path: Path) -> None:
    laptop, central = Side(Layout(tmp_path / "laptop", "noor")), side_at(tmp_path.name)
    laptop.capture("one", b"first\n")
    (frame,) = laptop.frames()
    os.environ["AWS_ENDPOINT"] = "http://127.0.0.1:9"
    away = side_at(tmp_path.name)
    with pytest.raises(StoreAwayError):
        away.take(frame)
    os.environ["AWS_ENDPOINT"] = seaweed["AWS_ENDPOINT"]
    assert central.take(frame).answer is Answer.TAKEN
    assert central.files() == laptop.files()
