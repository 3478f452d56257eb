"""What every language model is to us: one question, one answer of a given shape, and what it cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from memlane.errors import LaneError


class LlmError(LaneError):
    """The model that reads runs did not answer or refused; the window stays open."""

    kind = "model"
    exit_code = 5
    retryable = True

    def __init__(
        self,
        message: str,
        hint: str = "",
        *,
        again: bool = False,
        after: float = 0.0,
        free: bool = False,
        question: bool = False,
    ) -> None:
        super().__init__(message, hint)
        self.again = again  # may work a moment later
        self.after = after  # seconds it asks us to wait
        self.free = free  # surely not billed
        self.question = question  # the question may be why: another one may work


class LateAnswerError(LlmError):
    """There was no answer within `catch.timeout`; the model may be slow or down, and the window stays open."""

    kind = "late-answer"


class PlanLimitError(LlmError):
    """The limit of a plan or a key is reached; the message may say until when."""

    kind = "plan-limit"


class NotAskedError(LlmError):
    """The model was not asked: the daily limit is reached, or it is paused after repeated failures."""

    kind = "not-asked"


class Stop(StrEnum):
    """Why an answer ended."""

    END = "end"
    CUT = "cut"  # at the most tokens it may have
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class LlmQuestion:
    """`schema` is the JSON schema of the answer, `name` what the answer is called; `most` its tokens, at most."""

    system: str
    user: str
    schema: Mapping[str, object]
    name: str
    most: int

    @property
    def bytes(self) -> int:
        """No model makes more tokens of a text than it has bytes."""
        return len(self.system.encode()) + len(self.user.encode())


@dataclass(frozen=True, slots=True)
class LlmReply:
    """`text` is JSON, or prose with JSON in it: whoever asked knows. `dollars` is None where nobody can say."""

    text: str
    model: str
    stop: Stop = Stop.END
    tokens_in: int = 0
    tokens_out: int = 0
    dollars: float | None = None


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars for a million tokens."""

    input: float
    output: float

    def of(self, tokens_in: int, tokens_out: int) -> float:
        return (self.input * tokens_in + self.output * tokens_out) / 1_000_000


FREE = Price(0.0, 0.0)


class Llm(Protocol):
    @property
    def name(self) -> str:
        """Who answers, as written on what it made: `anthropic/claude-haiku-5-5`."""
        ...

    @property
    def price(self) -> Price | None:
        """None: it costs, and nobody knows how much."""
        ...

    @property
    def overhead(self) -> int:
        """Tokens it reads with every question besides the question, at most."""
        ...

    def ask(self, question: LlmQuestion) -> LlmReply: ...

    def close(self) -> None: ...
