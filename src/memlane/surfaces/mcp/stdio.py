"""MCP on a pipe: a line of JSON in, a line out, until whoever started us closes it. One message at a time."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import IO

import msgspec

from memlane.surfaces.mcp.desk import Desk
from memlane.surfaces.mcp.protocol import ONE_QUESTION, Answered, answered, not_json

LARGEST = 4 << 20  # bytes of one message


def serve(desk: Desk, given: IO[bytes], told: IO[bytes]) -> None:
    while line := given.readline(LARGEST + 1):
        if len(line) > LARGEST:
            _pass_over(given, line)
            line = b"too large"
        if line.strip() and not _tell(told, _answer(line, desk)):
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
