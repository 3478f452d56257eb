"""What asking has cost today, and what may still be spent. Reserved before the question, settled after the answer:

whoever is killed in between leaves the worst case counted, so the cap holds whatever happens.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

import msgspec

from memlane.kept import Kept
from memlane.llm.llm import NotAskedError, Price, Question

_KEPT_DAYS = 31
_MICRO = 1_000_000  # counted in whole millionths of a dollar: sums of floats drift


class Day(msgspec.Struct):
    """Also what `lane catch --estimate` and `lane status` show."""

    micro: int = 0
    asks: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    @property
    def dollars(self) -> float:
        return self.micro / _MICRO


class Days(msgspec.Struct):
    days: dict[str, Day] = {}


@dataclass(frozen=True, slots=True)
class Caps:
    dollars: float
    asks: int


@dataclass(frozen=True, slots=True)
class Reserved:
    day: str
    micro: int


class Spend:
    def __init__(self, kept: Kept[Days], caps: Caps, clock: Callable[[], datetime]) -> None:
        self._kept, self.caps, self._clock = kept, caps, clock

    def so_far(self) -> Day:
        return self._kept.read().days.get(self._day(), Day())

    def days(self) -> Mapping[str, Day]:
        """The last month, by date."""
        return self._kept.read().days

    def reserve(self, most: float) -> Reserved:
        """`most` dollars counted as spent, and one question. Raises NotAskedError when that would be too much."""
        micro = math.ceil(most * _MICRO)
        with self._kept.changed() as days:
            day = days.days.setdefault(self._day(), Day())
            self._refuse(day, micro)
            day.micro += micro
            day.asks += 1
            for old in sorted(days.days)[:-_KEPT_DAYS]:
                del days.days[old]
        return Reserved(self._day(), micro)

    def settle(self, reserved: Reserved, dollars: float | None, tokens_in: int, tokens_out: int) -> float:
        """What it truly was; None: nobody can say, so it stays at what was reserved. Gives what is counted."""
        micro = reserved.micro if dollars is None else math.ceil(dollars * _MICRO)
        with self._kept.changed() as days:
            day = days.days.setdefault(reserved.day, Day())
            day.micro += micro - reserved.micro
            day.tokens_in += tokens_in
            day.tokens_out += tokens_out
        return micro / _MICRO

    def give_back(self, reserved: Reserved) -> None:
        """It was not answered and not billed."""
        with self._kept.changed() as days:
            day = days.days.setdefault(reserved.day, Day())
            day.micro -= reserved.micro
            day.asks -= 1

    def why_not(self, most: float = 0.0) -> str:
        """Why nothing can be asked today; "" when it can."""
        try:
            self._refuse(self.so_far(), math.ceil(most * _MICRO))
        except NotAskedError as error:
            return error.message
        return ""

    def _refuse(self, day: Day, micro: int) -> None:
        if day.asks >= self.caps.asks:
            raise NotAskedError(
                f"today's {self.caps.asks} questions are asked",
                f"lane config set catch.daily_windows {self.caps.asks * 2}",
            )
        cap = math.floor(self.caps.dollars * _MICRO)
        if micro > cap:
            raise NotAskedError(
                f"one question may cost ${micro / _MICRO:.2f}, a day at most ${self.caps.dollars:.2f}",
                "lane config set catch.daily_dollars DOLLARS, or a cheaper catch.name",
            )
        if day.micro + micro > cap:
            raise NotAskedError(
                f"${day.dollars:.2f} of today's ${self.caps.dollars:.2f} are spent",
                "tomorrow, or: lane config set catch.daily_dollars DOLLARS",
            )

    def _day(self) -> str:
        return self._clock().date().isoformat()


def worst(price: Price | None, question: Question, overhead: int) -> float:
    """The most this question can cost. An unknown price counts nothing: then the number of questions is the cap."""
    return price.of(question.bytes + overhead, question.most) if price else 0.0
