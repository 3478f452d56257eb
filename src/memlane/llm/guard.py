"""Any model, asked with care: within the cap, a few times if it stumbles, not at all while it is down."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from random import Random

from memlane.llm.limits import rest
from memlane.llm.model import Llm, LlmError, LlmQuestion, LlmReply, NotAskedError, PlanLimitError, Price
from memlane.llm.spend import Spend, worst
from memlane.system.breaker import Breaker, BreakerLimits, BreakerState
from memlane.system.json_file import JsonFile

_TRIES = 3
_PAUSE = 1.0  # seconds before the second try, twice that before the third, half of it by chance
_LONGEST_PAUSE = 20.0  # whoever asks for more is left alone until then


class GuardedLlm:
    def __init__(
        self, llm: Llm, spend: Spend, breaker: LlmBreaker, chance: Random, wait: Callable[[float], None] = time.sleep
    ) -> None:
        self._llm, self.spend, self._breaker, self._chance, self._wait = llm, spend, breaker, chance, wait

    @property
    def name(self) -> str:
        return self._llm.name

    @property
    def price(self) -> Price | None:
        return self._llm.price

    @property
    def overhead(self) -> int:
        return self._llm.overhead

    def why_not(self) -> str:
        """Why it would not be asked now; "" when it would."""
        return self._breaker.why_not() or self.spend.why_not()

    def ask(self, question: LlmQuestion) -> LlmReply:
        self._breaker.enter()
        for attempt in range(1, _TRIES + 1):
            try:
                reply = self._asked(question)
            except NotAskedError:
                raise
            except PlanLimitError as error:
                self._breaker.limited(error.message, error.after)
                raise
            except LlmError as error:
                pause = self._pause(attempt, error)
                if error.again and attempt < _TRIES and pause <= _LONGEST_PAUSE:
                    self._wait(pause)
                    continue
                self._breaker.failed(error.message, error.after)
                raise
            return reply
        raise AssertionError("the last try returns or raises")

    def useful(self) -> None:
        """Its answer made sense. Only whoever asked knows: what was failing is working again."""
        self._breaker.worked()

    def useless(self, why: str) -> None:
        """It answers, but nothing that can be used: that is down as well, and costs more."""
        self._breaker.failed(why)

    def close(self) -> None:
        self._llm.close()

    def _asked(self, question: LlmQuestion) -> LlmReply:
        reserved = self.spend.reserve(worst(self.price, question, self.overhead))
        try:
            reply = self._llm.ask(question)
        except LlmError as error:
            if error.free:
                self.spend.give_back(reserved)
            raise  # else it may have been billed: what was reserved stays counted
        cost = self._cost(reply)
        counted = self.spend.settle(reserved, cost, reply.tokens_in, reply.tokens_out)
        return replace(reply, dollars=counted)

    def _cost(self, reply: LlmReply) -> float | None:
        if reply.dollars is not None or self.price is None:
            return reply.dollars
        said_nothing = reply.tokens_in == 0 and reply.tokens_out == 0
        return None if said_nothing else self.price.of(reply.tokens_in, reply.tokens_out)

    def _pause(self, attempt: int, error: LlmError) -> float:
        pause = _PAUSE * 2.0 ** (attempt - 1)
        return max(error.after, pause * (0.75 + 0.5 * self._chance.random()))


class LlmBreaker(Breaker):
    """All processes of a home share it: what one finds down, no other asks."""

    def __init__(self, kept: JsonFile[BreakerState], who: str, clock: Callable[[], datetime]) -> None:
        super().__init__(_LIMITS, kept, lambda: clock().timestamp(), _refusal, who)
        self._now = clock

    def begin_anew(self) -> None:
        """A person wants it asked now."""
        self.worked()

    def limited(self, said: str, after: float = 0.0) -> None:
        """A plan's limit is reached: it is left alone until the time it names."""
        self.leave_alone(said, after or rest(said, self._now()))


_LIMITS = BreakerLimits(failures=5, first=300.0, longest=6 * 3600.0)


def _refusal(trouble: BreakerState, left: float) -> NotAskedError:
    if trouble.named:
        return NotAskedError(f"{trouble.why} (next try in {_in_words(left)})", "lane catch resume")
    return NotAskedError(
        f"{trouble.why} ({trouble.failures} in a row; next try in {_in_words(left)})", "lane config get catch"
    )


def _in_words(seconds: float) -> str:
    minutes = math.ceil(seconds / 60)
    if minutes < 120:
        return f"{math.ceil(seconds)} s" if seconds < 90 else f"{minutes} min"
    return f"{round(minutes / 60)} h"
