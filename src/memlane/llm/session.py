"""A model asked inside an agent's open session: questions wait in a folder, and our code in that agent answers them.

It is asked on the session's own login, without a process, a transcript or tools, and only while a session is open.
"""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import msgspec

from memlane.llm.model import LateAnswerError, LlmError, LlmQuestion, LlmReply, NotAskedError, Price, Stop
from memlane.llm.spend import price_of

USUAL = "haiku"
OVERHEAD = 200  # tokens: half a kilobyte around each question
OPEN = 30.0  # seconds since a session last looked for a question
PAUSE = 0.1  # seconds between two looks for its answer
_QUESTION, _TAKEN, _ANSWER = "question", "taken", "answer"
_HEARD, _ASKED, _FRESH = "open", "asked", ".new-"


class SessionQuestion(msgspec.Struct, frozen=True):
    """What a session asks its model."""

    id: str
    model: str
    system: str
    prompt: str
    most: int


class SessionAnswer(msgspec.Struct, frozen=True):
    """`reason` says why there is no answer; "" where there is one."""

    text: str = ""
    reason: str = ""
    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(frozen=True, slots=True)
class SessionMailbox:
    """A folder that the process that asks and the daemon share."""

    folder: Path

    # -- who asks ----------------------------------------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        """Whether a session looks here: by the disk's own clock."""
        heard = self.folder / _HEARD
        if not heard.exists():
            return False
        asked = self.folder / _ASKED
        asked.touch()
        return asked.stat().st_mtime - heard.stat().st_mtime < OPEN

    def put(self, model: str, asked: LlmQuestion) -> str:
        """Its id."""
        descriptor, name = tempfile.mkstemp(prefix=_FRESH, dir=self.folder)
        id = name.rpartition("-")[2]
        question = SessionQuestion(id, model, asked.system, asked.user, asked.most)
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.encode(question))
        Path(name).rename(self._path(_QUESTION, id))
        return id

    def answer(self, id: str) -> SessionAnswer | None:
        try:
            return msgspec.json.decode(self._path(_ANSWER, id).read_bytes(), type=SessionAnswer)
        except (OSError, msgspec.DecodeError):
            return None

    def take_back(self, id: str) -> bool:
        """Whether nobody had taken it. All of it is gone afterwards."""
        untouched = self._path(_QUESTION, id).exists()
        for part in (_QUESTION, _TAKEN, _ANSWER):
            self._path(part, id).unlink(missing_ok=True)
        return untouched

    # -- who answers -------------------------------------------------------------------------------------------------

    def next(self) -> SessionQuestion | None:
        """The oldest that nobody has taken; it is taken now."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (self.folder / _HEARD).touch(mode=0o600)
        for path in sorted(self.folder.glob(f"{_QUESTION}-*"), key=_age):
            taken = path.with_name(path.name.replace(_QUESTION, _TAKEN, 1))
            try:
                path.rename(taken)
                return msgspec.json.decode(taken.read_bytes(), type=SessionQuestion)
            except (OSError, msgspec.DecodeError):
                continue
        return None

    def give(self, id: str, answer: SessionAnswer) -> bool:
        """Whether somebody still waits for it."""
        if not self._path(_TAKEN, id).exists():
            return False
        descriptor, name = tempfile.mkstemp(prefix=_FRESH, dir=self.folder)
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.encode(answer))
        Path(name).rename(self._path(_ANSWER, id))
        return True

    def _path(self, part: str, id: str) -> Path:
        return self.folder / f"{part}-{id}"


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


@dataclass(frozen=True, slots=True)
class SessionLlm:
    mailbox: SessionMailbox
    model: str
    timeout: float

    @property
    def name(self) -> str:
        return f"session/claude-{self.model}"

    @property
    def price(self) -> Price | None:
        return price_of(self.model)

    @property
    def overhead(self) -> int:
        return OVERHEAD

    def ask(self, question: LlmQuestion) -> LlmReply:
        if not self.mailbox.is_open:
            raise NotAskedError("no Claude Code session is open to read in", "it goes on while one is open", free=True)
        id = self.mailbox.put(self.model, question)
        try:
            found = self._answered(id)
        finally:
            untouched = self.mailbox.take_back(id)
        if found is None and untouched:
            raise NotAskedError("no Claude Code session took the question", "it goes on while one is open", free=True)
        if found is None:
            raise LateAnswerError(f"no answer within {self.timeout:g} s", "lane config set catch.timeout 300")
        return self._reply(found)

    def close(self) -> None:
        """Nothing is held."""

    def _answered(self, id: str) -> SessionAnswer | None:
        until = time.monotonic() + self.timeout
        while (found := self.mailbox.answer(id)) is None and time.monotonic() < until:
            time.sleep(PAUSE)
        return found

    def _reply(self, found: SessionAnswer) -> LlmReply:
        if found.reason:
            raise LlmError(f"Claude Code's model did not answer: {found.reason}", "lane catch resume", again=True)
        return LlmReply(found.text, self.name, Stop.END, found.tokens_in, found.tokens_out)
