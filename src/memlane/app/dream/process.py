"""The process that dreams, seen from outside: started, listened to, stopped. What it says is foreign text until it has
the shape of a Thought; why it said nothing is said in words."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import IO

import msgspec

from memlane.domain import Thought

MODULE = "memlane.app.dream.thinker"
DEADLINE = 900.0  # seconds: a home of a hundred thousand memories, on a slow machine
LARGEST = 256 << 20  # bytes of one Thought
LOOK = 0.5  # seconds between two looks at whether somebody needs the machine
_PIECE = 1 << 16
_PYTHON = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONDONTWRITEBYTECODE": "1"}


class DisturbedError(Exception):
    """A person needs the machine: the Dream stepped aside."""


@dataclass(frozen=True, slots=True)
class DreamProcess:
    """`command` gets the time it is as its last word."""

    variables: Mapping[str, str]
    command: Sequence[str] = field(default=(sys.executable, "-P", "-m", MODULE))
    deadline: float = DEADLINE

    def think(self, now: datetime, disturbed: Callable[[], bool]) -> Thought | str:
        """What it thought, or why that is not known."""
        child = subprocess.Popen(
            [*self.command, now.isoformat()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**self.variables, **_PYTHON},
            start_new_session=True,
        )
        assert child.stdout is not None
        assert child.stderr is not None
        said, aside = bytearray(), bytearray()
        try:
            failed = self._listen({child.stdout: said, child.stderr: aside}, disturbed)
        finally:
            _end(child)
            child.stdout.close()
            child.stderr.close()
        return failed or _understood(bytes(said), child.returncode, bytes(aside))

    def _listen(self, pipes: Mapping[IO[bytes], bytearray], disturbed: Callable[[], bool]) -> str:
        """All it says until it is silent; or why nobody listened to the end."""
        until = time.monotonic() + self.deadline
        with selectors.DefaultSelector() as selector:
            for pipe, heard in pipes.items():
                selector.register(pipe, selectors.EVENT_READ, heard)
            while selector.get_map():
                if disturbed():
                    raise DisturbedError
                if time.monotonic() > until:
                    return f"it did not finish within {self.deadline:g} seconds, and was stopped"
                for ready, _events in selector.select(LOOK):
                    if piece := os.read(ready.fd, _PIECE):
                        ready.data.extend(piece)
                    else:
                        selector.unregister(ready.fileobj)
                if sum(map(len, pipes.values())) > LARGEST:
                    return f"it printed more than {LARGEST >> 20} MB, and was stopped"
        return ""


def _end(child: subprocess.Popen[bytes]) -> None:
    """One that has closed its pipe ends by itself in a moment; any other is ended."""
    try:
        child.wait(LOOK)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def _understood(said: bytes, code: int, aside: bytes) -> Thought | str:
    if code:
        last = aside.decode("utf-8", "replace").strip().rpartition("\n")[2]
        return f"it ended {'by signal' if code < 0 else 'with code'} {abs(code)}{f': {last[:200]}' if last else ''}"
    if not said.strip():
        return "it printed nothing"
    try:
        return msgspec.json.decode(said, type=_WholeThought).thought()
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return f"its output makes no sense ({error})"


class _WholeThought(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every part must be there: `{}` is no Thought."""

    proposals: msgspec.Raw
    doubts: msgspec.Raw
    ideas: msgspec.Raw
    confirmed: msgspec.Raw

    def thought(self) -> Thought:
        parts = (b'{"proposals":', self.proposals, b',"doubts":', self.doubts, b',"ideas":', self.ideas)
        parts = (*parts, b',"confirmed":', self.confirmed, b"}")
        return msgspec.json.decode(b"".join(bytes(part) for part in parts), type=Thought)
