"""An agent's headless command (`claude -p`): the question on its standard input, the answer out of what it prints.

Such a call must never become a Run of the person, nor fire hooks of ours: it runs in a folder of ours that capture
leaves alone, with LANE_OFF set, and where the command is Claude Code's it is told to keep nothing and to run no tool.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import msgspec

from memlane.llm.model import LlmError, LlmQuestion, LlmReply, Price, Stop
from memlane.llm.spend import price_of
from memlane.system.disk import private_folder

USUAL = "claude -p"
_MOST = 4 << 20  # bytes of what it prints
_OVERHEAD = 4_000  # tokens of its own it puts in front of the question
_SHOWN = 160
_GRACE = 2.0  # seconds for what it printed last
# An agent that calls us has told its child who it is; the command would take itself for a part of that run.
_INHERITED = re.compile(
    r"CLAUDECODE$|CLAUDE_PID$|CLAUDE_EFFORT$|AI_AGENT$"
    r"|CLAUDE_CODE_(?:ENTRYPOINT|CHILD_SESSION|SESSION_\w+|MESSAGING_\w+|EXECPATH|SSE_PORT)$|CODEX_THREAD\w*$"
)
_QUIET: Sequence[str] = ("--safe-mode", "--no-session-persistence", "--strict-mcp-config", "--tools", "")
_STOPS = {"max_tokens": Stop.CUT, "refusal": Stop.REFUSED}


class _ClaudeUsage(msgspec.Struct):
    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_input_tokens: int | None = 0
    cache_read_input_tokens: int | None = 0


class _ClaudeOutput(msgspec.Struct):
    """What `--output-format json` prints."""

    type: str
    result: str = ""
    is_error: bool = False
    stop_reason: str | None = None
    total_cost_usd: float | None = None
    usage: _ClaudeUsage = msgspec.field(default_factory=_ClaudeUsage)


@dataclass(frozen=True, slots=True)
class _CommandExit:
    code: int
    printed: bytes
    errors: str


class CommandLlm:
    def __init__(self, line: str, name: str, folder: Path, variables: Mapping[str, str], timeout: float) -> None:
        self._words = _split(line or USUAL)
        self._model, self._folder, self._timeout = name, folder, timeout
        self._is_claude = Path(self._words[0]).name == "claude"
        kept = {key: value for key, value in variables.items() if not _INHERITED.match(key)}
        self._variables = {**kept, "LANE_OFF": "1", "DISABLE_AUTOUPDATER": "1"}
        self._quiet = _QUIET  # older ones do not know all of it
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def name(self) -> str:
        return f"command/{Path(self._words[0]).name}{'/' if self._model else ''}{self._model}"

    @property
    def price(self) -> Price | None:
        return price_of(self._model or "claude") if self._is_claude else price_of(self._model)

    @property
    def overhead(self) -> int:
        return _OVERHEAD if self._quiet else 40_000

    def ask(self, question: LlmQuestion) -> LlmReply:
        ran = self._run(question)
        if ran.code and self._is_claude and self._quiet and "unknown option" in ran.errors:
            self._quiet = ()
            ran = self._run(question)
        result = _result(ran.printed)
        if ran.code or (result is not None and result.is_error):
            raise self._failed(ran, result)
        return self._reply(ran.printed, result)

    def close(self) -> None:
        if self._process is not None:
            _end(self._process)

    def _run(self, question: LlmQuestion) -> _CommandExit:
        private_folder(self._folder)
        limits = {"CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(question.most)}
        try:
            process = self._process = subprocess.Popen(
                self._line(question),
                cwd=self._folder,
                env={**self._variables, **limits},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise LlmError(
                f"{self._words[0]} cannot be run ({error.strerror})", "lane config get catch.command", free=True
            ) from None
        asked = question.user if self._told_apart else f"{question.system}\n\n{question.user}"
        try:
            return self._heard(process, asked.encode())
        finally:
            _end(process)
            self._process = None

    @property
    def _told_apart(self) -> bool:
        return self._is_claude and bool(self._quiet)

    def _line(self, question: LlmQuestion) -> Sequence[str]:
        if not self._is_claude:
            return self._words
        model = ("--model", self._model) if self._model else ()
        system = ("--system-prompt", question.system) if self._told_apart else ()
        return [*self._words, "--output-format", "json", *self._quiet, *model, *system]

    def _heard(self, process: subprocess.Popen[bytes], asked: bytes) -> _CommandExit:
        """All it prints, up to a size, in the time it has; what goes on after that is ended with all its children."""
        printed, errors = _PipeReader(process, process.stdout, _MOST), _PipeReader(process, process.stderr, 1 << 20)
        threading.Thread(target=_tell, args=(process, asked), daemon=True).start()
        try:
            code = process.wait(self._timeout)
        except subprocess.TimeoutExpired:
            raise LlmError(
                f"{self._words[0]} took longer than {self._timeout:g} s",
                "lane config set catch.timeout SECONDS",
                question=True,
            ) from None
        said = printed.heard()
        if printed.too_much:
            raise LlmError(f"{self._words[0]} printed more than {_MOST >> 20} MiB", question=True)
        return _CommandExit(code, said, errors.heard().decode("utf-8", "replace"))

    def _failed(self, ran: _CommandExit, result: _ClaudeOutput | None) -> LlmError:
        words = result.result if result else ran.errors or ran.printed.decode("utf-8", "replace")
        free = result is not None and result.total_cost_usd == 0
        return LlmError(
            f"{self._words[0]} exited with {ran.code}: {' '.join(words.split())[:_SHOWN] or 'no word'}",
            "lane config get catch.command",
            again=True,
            free=free,
        )

    def _reply(self, printed: bytes, result: _ClaudeOutput | None) -> LlmReply:
        model = self._model or self.name
        if result is None:
            return LlmReply(printed.decode("utf-8", "replace"), model)
        used = result.usage
        tokens = used.input_tokens + (used.cache_creation_input_tokens or 0) + (used.cache_read_input_tokens or 0)
        stop = _STOPS.get(result.stop_reason or "", Stop.END)
        return LlmReply(result.result, model, stop, tokens, used.output_tokens, result.total_cost_usd)


class _PipeReader:
    """What comes through a pipe, while it comes. A child that outlives its parent may keep it open for ever."""

    def __init__(self, process: subprocess.Popen[bytes], pipe: IO[bytes] | None, most: int) -> None:
        self._process, self._most = process, most
        self._heard = bytearray()
        self._thread = threading.Thread(target=self._listen, args=(pipe,), daemon=True)
        self._thread.start()

    def heard(self) -> bytes:
        self._thread.join(_GRACE)
        return bytes(self._heard)

    @property
    def too_much(self) -> bool:
        return len(self._heard) > self._most

    def _listen(self, pipe: IO[bytes] | None) -> None:
        assert pipe is not None
        with pipe, suppress(OSError, ValueError):
            while not self.too_much and (piece := os.read(pipe.fileno(), 1 << 16)):
                self._heard += piece
        if self.too_much:
            _end(self._process)


def _result(printed: bytes) -> _ClaudeOutput | None:
    try:
        found = msgspec.json.decode(printed, type=_ClaudeOutput)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return found if found.type == "result" else None


def _split(line: str) -> Sequence[str]:
    try:
        words = shlex.split(line)
    except ValueError:
        words = []
    if not words:
        raise LlmError("catch.command is not a command", 'lane config set catch.command "claude -p"')
    return words


def _tell(process: subprocess.Popen[bytes], asked: bytes) -> None:
    assert process.stdin is not None
    with suppress(BrokenPipeError, OSError), process.stdin as pipe:
        pipe.write(asked)


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
