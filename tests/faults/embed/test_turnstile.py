"""A question in one process goes before the bulk of another."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from memlane.embed import EmbedderSpec, EmbedQueue, Priority, embedder
from memlane.embed.priority import Turnstile
from tests.faults.embed.server import DIMENSION, Asked, Endpoint, answer

BULK = """
import sys
from pathlib import Path
from memlane.embed import EmbedderSpec, EmbedQueue, embedder
spec = EmbedderSpec("ollama", name="tiny", url=sys.argv[1], dimension=int(sys.argv[2]))
queue = EmbedQueue(embedder(spec, {}), Path(sys.argv[3]))
for number in range(int(sys.argv[4])):
    queue.passages([f"bulk {number}"])
queue.close()
"""
ASKS = """
import sys
from pathlib import Path
from memlane.embed import Priority
from memlane.embed.priority import Turnstile
with Turnstile(Path(sys.argv[1])).announced(Priority.QUERY):
    print("asking", flush=True)
    sys.stdin.read()
"""
MANY = 40


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "run"


@pytest.fixture
def asking(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that asks, until it is killed."""
    command = [sys.executable, "-c", ASKS, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "asking\n"
        yield process
        process.kill()


def test_who_is_less_urgent_sees_who_asks_until_the_kernel_says_it_is_gone(
    folder: Path, asking: subprocess.Popen[str]
) -> None:
    turnstile = Turnstile(folder)
    assert [turnstile.taken(priority) for priority in Priority] == [False, True, True]
    asking.kill()
    asking.wait()
    assert [turnstile.taken(priority) for priority in Priority] == [False, False, False]


def test_several_may_ask_at_once_and_what_is_new_keeps_only_the_bulk_waiting(folder: Path) -> None:
    turnstile = Turnstile(folder)
    with turnstile.announced(Priority.LIVE), turnstile.announced(Priority.LIVE):
        assert [turnstile.taken(priority) for priority in Priority] == [False, False, True]
    assert not turnstile.taken(Priority.BULK)


def test_the_files_are_their_owners_alone(folder: Path) -> None:
    with Turnstile(folder).announced(Priority.QUERY):
        (lock,) = folder.iterdir()
        assert (lock.stat().st_mode & 0o777, folder.stat().st_mode & 0o777) == (0o600, 0o700)


def test_the_bulk_of_another_process_stands_still_while_somebody_asks(folder: Path, endpoint: Endpoint) -> None:
    """Questions are asked while the bulk runs: between the first and the last of them it gets one request through,
    which was on its way already."""
    made = embedder(EmbedderSpec("ollama", name="tiny", url=endpoint.url, dimension=DIMENSION), {})
    queue, turnstile = EmbedQueue(made, folder), Turnstile(folder)
    command = [sys.executable, "-c", BULK, endpoint.url, str(DIMENSION), str(folder), str(MANY)]

    def ask_in_the_middle(asked: Asked, rows: list[list[float]]) -> None:
        endpoint.faults = []
        announced.enter_context(turnstile.announced(Priority.QUERY))
        answer(asked, rows)

    with ExitStack() as announced:
        endpoint.faults = [answer, answer, ask_in_the_middle]
        bulk = subprocess.Popen(command)
        while not turnstile.taken(Priority.BULK):
            assert bulk.poll() is None
            time.sleep(0.005)
        for number in range(10):
            queue.query(f"question {number}", 30)
        during = [texts[0] for texts in endpoint.texts]
        assert bulk.poll() is None
    assert bulk.wait(60) == 0
    queue.close()
    assert during == ["bulk 0", "bulk 1", "bulk 2", *(f"question {number}" for number in range(10))]
    assert len(endpoint.texts) == MANY + 10
