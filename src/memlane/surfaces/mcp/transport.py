"""MCP's two ways in: the pipe of a process an agent starts, and one POST behind our HTTP. Knows no token."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

import msgspec

from memlane.config import load
from memlane.domain.door import plain
from memlane.errors import LaneError
from memlane.surfaces.mcp.desk import AgentDesk
from memlane.surfaces.mcp.protocol import ONE_QUESTION, STATELESS, WITH_HANDSHAKE, RpcAnswer, answered, not_json

if TYPE_CHECKING:
    from memlane.app import Lane

# What the folder of Claude Code says, repeated: the first answer loads no agents.
PROJECT_VARIABLE, RUN_VARIABLE = "CLAUDE_PROJECT_DIR", "CLAUDE_CODE_SESSION_ID"

LARGEST = 4 << 20  # bytes of one message
Whole = Callable[[], AbstractContextManager[None]]
ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class SignalGuard:
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


def serve(desk: AgentDesk, given: IO[bytes], told: IO[bytes], whole: Whole = nullcontext) -> None:
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


def _answer(line: bytes, desk: AgentDesk) -> RpcAnswer:
    try:
        message: object = msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return RpcAnswer(not_json())
    return answered(message, desk)


def _tell(told: IO[bytes], answer: RpcAnswer) -> bool:
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
                sys.stderr.write(f"lane mcp: a recall could not be saved: {plain(str(error))}\n")
    return True


def start() -> int:
    """Until the agent closes the pipe. Only the protocol is ever written to stdout."""
    os.umask(0o077)
    try:
        config = load()
    except LaneError as error:
        sys.stderr.write(f"lane mcp: {plain(error.message)}\nhint: {plain(error.hint)}\n")
        return error.exit_code

    @cache
    def lane() -> Lane:
        from memlane.app import Lane  # noqa: PLC0415 - the first answer waits for no Lane

        opened = Lane(config)
        opened.home.heal = opened.home.create_storage  # memories at once; the next tick indexes the runs
        return opened

    told, given = sys.stdout.buffer, sys.stdin.buffer
    sys.stdout = sys.stderr
    variables = config.variables
    folder = Path(variables.get(PROJECT_VARIABLE) or ".").absolute()
    desk = AgentDesk(lane, folder, native_id=variables.get(RUN_VARIABLE, ""))
    serve(desk, given, told, SignalGuard().after_this)
    if lane.cache_info().currsize:
        lane().close()
    return 0


HEADER_MISMATCH = -32020
_NAMED_BY = {"tools/call": "name", "resources/read": "uri"}


@dataclass(frozen=True, slots=True)
class PostReply:
    """The status, the body (empty for a notification), and what to do once it is gone."""

    status: int
    body: bytes = b""
    after: Callable[[], None] | None = None


def posted(body: bytes, headers: Mapping[str, str], desk: AgentDesk) -> PostReply:
    """`headers` by their names in lower case."""
    try:
        message: object = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError):
        return PostReply(400, msgspec.json.encode(not_json()))
    version = headers.get("mcp-protocol-version", WITH_HANDSHAKE[2])
    if version not in (STATELESS, *WITH_HANDSHAKE):
        return PostReply(400, _wrong(message, -32022, "unsupported protocol version"))
    if version == STATELESS and (why := _mismatch(message, headers)):
        return PostReply(400, _wrong(message, HEADER_MISMATCH, why))
    answer = answered(message, desk)
    if answer.reply is None:
        return PostReply(202, after=answer.after)
    return PostReply(200, msgspec.json.encode(answer.reply), answer.after)


def _mismatch(message: object, headers: Mapping[str, str]) -> str:
    """The newest revision repeats method and name in the headers: both must say the same."""
    if not isinstance(message, dict):
        return ""
    given = cast(Mapping[str, object], message)
    method, params = given.get("method"), given.get("params")
    if "id" in given and headers.get("mcp-method") != method:
        return "mcp-method does not match the body's method"
    key = _NAMED_BY.get(str(method))
    named = cast(Mapping[str, object], params).get(key) if key and isinstance(params, dict) else None
    if isinstance(named, str) and named.isascii() and headers.get("mcp-name") != named:
        return f"mcp-name does not match the body's {key}"
    return ""


def _wrong(message: object, code: int, says: str) -> bytes:
    id_ = cast(Mapping[str, object], message).get("id") if isinstance(message, dict) else None
    return msgspec.json.encode({"jsonrpc": "2.0", "id": id_, "error": {"code": code, "message": says}})
