"""An agent's headless command: the question on its standard input, the answer out of what it prints.

Such a call must never become a Run of the person, nor fire hooks of ours: it runs in a folder of ours that capture
leaves alone, with LANE_OFF set, and an agent we know is told to keep nothing and to run no tool. What it needs for one
question, and its temporary files, are in a folder that is removed when it has answered.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from memlane.llm.limits import is_busy
from memlane.llm.model import LateAnswerError, LlmError, LlmQuestion, LlmReply, PlanLimitError, Price, Stop
from memlane.llm.spend import price_of
from memlane.system.disk import private_folder
from memlane.system.process import is_running

_MOST = 4 << 20  # bytes of what it prints
_OVERHEAD = 4_000  # tokens a command we do not know puts in front of the question
_SHOWN = 160
_SHOWN_OF_A_LIMIT = 400  # it says last until when
_OWN = "question-"  # and the number of the process that asks
_GRACE = 2.0  # seconds for what it printed last


class ProgramOutput(Protocol):
    """What a program printed, where it can be read as more than text."""

    @property
    def text(self) -> str: ...
    @property
    def failed(self) -> bool: ...
    @property
    def cut(self) -> bool: ...
    @property
    def refused(self) -> bool: ...
    @property
    def tokens_in(self) -> int: ...
    @property
    def tokens_out(self) -> int: ...
    @property
    def dollars(self) -> float | None: ...


class KnownProgram(Protocol):
    """A command whose ways are known, as `memlane.agents.headless.Headless` tells them."""

    @property
    def command(self) -> str: ...
    @property
    def priced_as(self) -> str: ...
    def options(self, model: str, system: str, own: Path, *, quiet: bool) -> Sequence[str]: ...
    def files(self, system: str, folder: Path, own: Path) -> Mapping[Path, str]: ...
    def settings(self, system: str, own: Path) -> Mapping[str, str]: ...
    def environment(self, most: int) -> Mapping[str, str]: ...
    def leftovers(self, folder: Path, variables: Mapping[str, str]) -> Sequence[Path]: ...
    def missing(self, variables: Mapping[str, str]) -> str: ...
    def overhead(self, *, quiet: bool) -> int: ...
    def is_older(self, errors: str) -> bool: ...
    def output(self, printed: bytes) -> ProgramOutput | None: ...


@dataclass(frozen=True, slots=True)
class _CommandExit:
    code: int
    printed: bytes
    errors: str


class CommandLlm:
    def __init__(
        self,
        line: str,
        name: str,
        folder: Path,
        variables: Mapping[str, str],
        timeout: float,
        programs: Sequence[KnownProgram],
    ) -> None:
        usual = programs[0].command if programs else ""
        self._words = _split(line or usual, usual)
        self._model, self._folder, self._timeout = name, folder, timeout
        self._programs = programs  # all of them: a script of the person may run any
        called = Path(self._words[0]).name
        self._program = next((one for one in programs if one.command.split()[0] == called), None)
        if self._program is not None and (lacks := self._program.missing(variables)):
            raise LlmError(f"{called} cannot be the model: {lacks}", "lane catch setup", free=True)
        self._own = folder / f"{_OWN}{os.getpid()}"
        self._variables = {**variables, "LANE_OFF": "1"}
        self._quiet = True  # older ones do not know all of it
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def name(self) -> str:
        return f"command/{Path(self._words[0]).name}{'/' if self._model else ''}{self._model}"

    @property
    def price(self) -> Price | None:
        return price_of(self._model or (self._program.priced_as if self._program else ""))

    @property
    def overhead(self) -> int:
        return self._program.overhead(quiet=self._quiet) if self._program else _OVERHEAD

    def ask(self, question: LlmQuestion) -> LlmReply:
        ran = self._run(question)
        if ran.code and self._program and self._quiet and self._program.is_older(ran.errors):
            self._quiet = False
            ran = self._run(question)
        result = self._read(ran.printed) or (self._read(ran.errors.encode()) if ran.code else None)
        if ran.code or (result is not None and result.failed):
            raise self._failed(ran, result)
        return self._reply(ran.printed, result)

    def close(self) -> None:
        if self._process is not None:
            _end(self._process)

    def _run(self, question: LlmQuestion) -> _CommandExit:
        private_folder(self._folder)
        _clear(self._folder)
        self._lay_out(question)
        asked = question.user if self._told_apart else f"{question.system}\n\n{question.user}"
        try:
            process = self._process = self._started(question)
            return self._heard(process, asked.encode())
        finally:
            if self._process is not None:
                _end(self._process)
                self._process = None
            self._clean_up()

    def _started(self, question: LlmQuestion) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(
                self._line(question),
                cwd=self._folder,
                env={**self._variables, **self._theirs(question)},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise LlmError(
                f"{self._words[0]} cannot be run ({error.strerror})", "lane config get catch.command", free=True
            ) from None

    def _theirs(self, question: LlmQuestion) -> Mapping[str, str]:
        known = [self._program] if self._program else self._programs
        theirs = {key: value for one in known for key, value in one.environment(question.most).items()}
        own = self._program.settings(question.system, self._own) if self._program else dict[str, str]()
        return {**theirs, **own, "TMPDIR": str(self._own)}

    def _lay_out(self, question: LlmQuestion) -> None:
        private_folder(self._own)
        files = self._program.files(question.system, self._folder, self._own) if self._program else dict[Path, str]()
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def _clean_up(self) -> None:
        elsewhere = self._program.leftovers(self._folder, self._variables) if self._program else ()
        for path in (self._own, *elsewhere):
            shutil.rmtree(path, ignore_errors=True)

    @property
    def _told_apart(self) -> bool:
        return self._program is not None and self._quiet

    def _line(self, question: LlmQuestion) -> Sequence[str]:
        if self._program is None:
            return self._words
        return [*self._words, *self._program.options(self._model, question.system, self._own, quiet=self._quiet)]

    def _read(self, printed: bytes) -> ProgramOutput | None:
        read = (one.output(printed) for one in ([self._program] if self._program else self._programs))
        return next((output for output in read if output is not None), None)

    def _heard(self, process: subprocess.Popen[bytes], asked: bytes) -> _CommandExit:
        """All it prints, up to a size, in the time it has; what goes on after that is ended with all its children."""
        printed, errors = _PipeReader(process, process.stdout, _MOST), _PipeReader(process, process.stderr, 1 << 20)
        threading.Thread(target=_tell, args=(process, asked), daemon=True).start()
        try:
            code = process.wait(self._timeout)
        except subprocess.TimeoutExpired:
            raise LateAnswerError(
                f"{self._words[0]} took longer than {self._timeout:g} s (catch.timeout)",
                "lane config set catch.timeout SECONDS",
            ) from None
        said = printed.heard()
        if printed.too_much:
            raise LlmError(f"{self._words[0]} printed more than {_MOST >> 20} MiB", question=True)
        return _CommandExit(code, said, errors.heard().decode("utf-8", "replace"))

    def _failed(self, ran: _CommandExit, result: ProgramOutput | None) -> LlmError:
        said = result.text if result else ran.errors or ran.printed.decode("utf-8", "replace")
        limit = is_busy(said)  # it has tried again by itself
        shown = " ".join(said.split())[: _SHOWN_OF_A_LIMIT if limit else _SHOWN] or "no word"
        error = PlanLimitError if limit else LlmError
        return error(
            f"{self._words[0]} exited with {ran.code}: {shown}",
            "lane config get catch.command",
            again=True,
            free=limit or (result is not None and result.dollars == 0),
        )

    def _reply(self, printed: bytes, result: ProgramOutput | None) -> LlmReply:
        model = self._model or self.name
        if result is None:
            return LlmReply(printed.decode("utf-8", "replace"), model)
        stop = Stop.CUT if result.cut else Stop.REFUSED if result.refused else Stop.END
        return LlmReply(result.text, model, stop, result.tokens_in, result.tokens_out, result.dollars)


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


def _split(line: str, usual: str) -> Sequence[str]:
    try:
        words = shlex.split(line)
    except ValueError:
        words = []
    if not words:
        raise LlmError("catch.command is not a command", f'lane config set catch.command "{usual}"')
    return words


def _tell(process: subprocess.Popen[bytes], asked: bytes) -> None:
    assert process.stdin is not None
    with suppress(BrokenPipeError, OSError), process.stdin as pipe:
        pipe.write(asked)


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _clear(folder: Path) -> None:
    """What a process that was killed has left."""
    for left in folder.glob(f"{_OWN}*"):
        number = left.name.removeprefix(_OWN)
        if not (number.isdecimal() and is_running(int(number))):
            shutil.rmtree(left, ignore_errors=True)
