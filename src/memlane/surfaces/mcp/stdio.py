"""MCP on a pipe: a line of JSON in, a line out, until whoever started us closes it. One message at a time."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import IO

import msgspec

from memlane.surfaces.mcp.desk import Desk
from memlane.surfaces.mcp.protocol import ONE_QUESTION, Answered, answered, not_json

LARGEST = 4 << 20  # bytes of one message
Whole = Callable[[], AbstractContextManager[None]]
ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Ending:
    """An agent that has its answer may end us at once: what was told is written down before that.

    A handler, not a mask: other threads would still take the signal.
    """

    def __init__(self) -> None:
        self._telling, self._asked = False, 0
        for number in ENDINGS:
            signal.signal(number, self._end)

    def _end(self, number: int, _frame: object) -> None:
        self._asked = number
        if not self._telling:
            os._exit(128 + number)

    @contextmanager
    def after_this(self) -> Generator[None]:
        self._telling = True
        yield
        self._telling = False
        if self._asked:
            os._exit(128 + self._asked)


def serve(desk: Desk, given: IO[bytes], told: IO[bytes], whole: Whole = nullcontext) -> None:
    """`whole` holds around each answer and what is done after it."""
    while line := given.readline(LARGEST + 1):
        if len(line) > LARGEST:
            _pass_over(given, line)
            line = b"too large"
        if line.strip():
            answer = _answer(line, desk)
            with whole():
                if not _tell(told, answer):
                    return


def _pass_over(given: IO[bytes], line: bytes) -> None:
    while line and not line.endswith(b"\n"):
        line = given.readline(LARGEST)


def _answer(line: bytes, desk: Desk) -> Answered:
    try:
        message: object = msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return Answered(not_json())
    return answered(message, desk)


def _tell(told: IO[bytes], answer: Answered) -> bool:
    """Whether anybody still listens. What is to be done after an answer never spoils the next one."""
    if answer.reply is not None:
        try:
            told.write(msgspec.json.encode(answer.reply) + b"\n")
            told.flush()
        except BrokenPipeError:
            return False
    if answer.after is not None:
        try:
            answer.after()
        except ONE_QUESTION as error:
            with suppress(OSError):
                sys.stderr.write(f"lane mcp: a recall could not be written down: {error}\n")
    return True
