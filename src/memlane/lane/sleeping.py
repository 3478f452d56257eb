"""The process that dreams, seen from outside: started, listened to, stopped. What it says is foreign text until it has
the shape of a Thought; why it said nothing is said in words."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import IO

import msgspec

from memlane.domain import Thought

MODULE = "memlane.lane.sleeper"
DEADLINE = 900.0  # seconds: a home of a hundred thousand memories, on a slow machine
LARGEST = 256 << 20  # bytes of one Thought
LOOK = 0.5  # seconds between two looks at whether somebody needs the machine
_PIECE = 1 << 16


class DisturbedError(Exception):
    """A person needs the machine: the Dream stepped aside."""


@dataclass(frozen=True, slots=True)
class Sleeper:
    """`command` gets the time it is as its last word."""

    variables: Mapping[str, str]
    command: Sequence[str] = field(default=(sys.executable, "-P", "-m", MODULE))
    deadline: float = DEADLINE

    def think(self, now: datetime, disturbed: Callable[[], bool]) -> Thought | str:
        """What it thought, or why that is not known."""
        with tempfile.TemporaryFile() as aside:
            child = subprocess.Popen(
                [*self.command, now.isoformat()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=aside,
                env={
                    **self.variables,
                    "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                    "PYTHONDONTWRITEBYTECODE": "1",
                },
                start_new_session=True,
            )
            assert child.stdout is not None
            try:
                said = self._listen(child.stdout, disturbed)
            finally:
                _end(child)
                child.stdout.close()
            aside.seek(0)
            return said if isinstance(said, str) else _understood(said, child.returncode, aside.read())

    def _listen(self, pipe: IO[bytes], disturbed: Callable[[], bool]) -> bytes | str:
        """All it says until it is silent; or why nobody listened to the end."""
        until, heard = time.monotonic() + self.deadline, bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            while True:
                if disturbed():
                    raise DisturbedError
                if time.monotonic() > until:
                    return f"it was not done after {self.deadline:g} seconds, and was stopped"
                if not selector.select(LOOK):
                    continue
                piece = os.read(pipe.fileno(), _PIECE)
                if not piece:
                    return bytes(heard)
                heard += piece
                if len(heard) > LARGEST:
                    return f"it said more than {LARGEST >> 20} MB, and was stopped"


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
        return "it said nothing at all"
    try:
        return msgspec.json.decode(said, type=_Whole).thought()
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return f"what it said makes no sense ({error})"


class _Whole(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every part must be there: `{}` is no Thought."""

    proposals: msgspec.Raw
    doubts: msgspec.Raw
    ideas: msgspec.Raw

    def thought(self) -> Thought:
        parts = (b'{"proposals":', self.proposals, b',"doubts":', self.doubts, b',"ideas":', self.ideas, b"}")
        return msgspec.json.decode(b"".join(bytes(part) for part in parts), type=Thought)
