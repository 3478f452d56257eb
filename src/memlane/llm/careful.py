"""Any model, asked with care: within the cap, a few times if it stumbles, not at all while it is down."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from random import Random

from memlane.llm.breaker import Breaker
from memlane.llm.llm import Llm, LlmError, NotAskedError, Price, Question, Reply
from memlane.llm.spend import Spend, worst

_TRIES = 3
_PAUSE = 1.0  # seconds before the second try, twice that before the third, half of it by chance
_LONGEST_PAUSE = 20.0  # whoever asks for more is left alone until then


class Careful:
    def __init__(
        self, llm: Llm, spend: Spend, breaker: Breaker, chance: Random, wait: Callable[[float], None] = time.sleep
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

    def ask(self, question: Question) -> Reply:
        self._breaker.enter()
        for attempt in range(1, _TRIES + 1):
            try:
                reply = self._asked(question)
            except NotAskedError:
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

    def _asked(self, question: Question) -> Reply:
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

    def _cost(self, reply: Reply) -> float | None:
        if reply.dollars is not None or self.price is None:
            return reply.dollars
        said_nothing = reply.tokens_in == 0 and reply.tokens_out == 0
        return None if said_nothing else self.price.of(reply.tokens_in, reply.tokens_out)

    def _pause(self, attempt: int, error: LlmError) -> float:
        pause = _PAUSE * 2.0 ** (attempt - 1)
        return max(error.after, pause * (0.75 + 0.5 * self._chance.random()))
