"""What models cost, what was spent today, and what may still be spent: reserved first, settled after."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import cast

import msgspec

from memlane.llm.model import FREE, LlmQuestion, NotAskedError, Price
from memlane.system.json_file import JsonFile

_KEPT_DAYS = 31
_MICRO = 1_000_000  # counted in whole millionths of a dollar: sums of floats drift


class DaySpend(msgspec.Struct):
    """Also what `lane catch --estimate` and `lane status` show."""

    micro: int = 0
    asks: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    windows: int = 0  # read to the end
    found: int = 0  # Memories that were new in them

    @property
    def dollars(self) -> float:
        return self.micro / _MICRO


class SpendByDay(msgspec.Struct):
    days: dict[str, DaySpend] = {}


@dataclass(frozen=True, slots=True)
class Caps:
    dollars: float
    asks: int


@dataclass(frozen=True, slots=True)
class Reservation:
    day: str
    micro: int


class Spend:
    def __init__(self, kept: JsonFile[SpendByDay], caps: Caps, clock: Callable[[], datetime]) -> None:
        self._kept, self.caps, self._clock = kept, caps, clock

    def so_far(self) -> DaySpend:
        return self._kept.read().days.get(self._day(), DaySpend())

    def days(self) -> Mapping[str, DaySpend]:
        """The last month, by date."""
        return self._kept.read().days

    def reserve(self, most: float) -> Reservation:
        """`most` dollars counted as spent, and one question. Raises NotAskedError when that would be too much."""
        micro = math.ceil(most * _MICRO)
        with self._kept.changed() as days:
            day = days.days.setdefault(self._day(), DaySpend())
            self._refuse(day, micro)
            day.micro += micro
            day.asks += 1
            for old in sorted(days.days)[:-_KEPT_DAYS]:
                del days.days[old]
        return Reservation(self._day(), micro)

    def settle(self, reserved: Reservation, dollars: float | None, tokens_in: int, tokens_out: int) -> float:
        """What it truly was; None: nobody can say, so it stays at what was reserved. Gives what is counted."""
        micro = reserved.micro if dollars is None else math.ceil(dollars * _MICRO)
        with self._kept.changed() as days:
            day = days.days.setdefault(reserved.day, DaySpend())
            day.micro += micro - reserved.micro
            day.tokens_in += tokens_in
            day.tokens_out += tokens_out
        return micro / _MICRO

    def give_back(self, reserved: Reservation) -> None:
        """It was not answered and not billed."""
        with self._kept.changed() as days:
            day = days.days.setdefault(reserved.day, DaySpend())
            day.micro -= reserved.micro
            day.asks -= 1

    def count(self, windows: int, found: int) -> None:
        """What the questions of today came to."""
        with self._kept.changed() as days:
            day = days.days.setdefault(self._day(), DaySpend())
            day.windows += windows
            day.found += found

    def why_not(self, most: float = 0.0) -> str:
        """Why nothing can be asked today; "" when it can."""
        try:
            self._refuse(self.so_far(), math.ceil(most * _MICRO))
        except NotAskedError as error:
            return error.message
        return ""

    def _refuse(self, day: DaySpend, micro: int) -> None:
        if day.asks >= self.caps.asks:
            raise NotAskedError(
                f"the daily limit of {self.caps.asks} questions is reached",
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


def worst(price: Price | None, question: LlmQuestion, overhead: int) -> float:
    """The most this question can cost. An unknown price counts nothing: then the number of questions is the cap."""
    return price.of(question.bytes + overhead, question.most) if price else 0.0


@cache
def _table() -> Mapping[str, Price]:
    loaded = tomllib.loads(files("memlane.llm").joinpath("prices.toml").read_text())
    return {name: Price(*pair) for name, pair in cast(Mapping[str, tuple[float, float]], loaded["dollars"]).items()}


def price_of(model: str) -> Price | None:
    """By the longest beginning that is known, whoever sells it (`anthropic/claude-…`)."""
    name = model.rpartition("/")[2].lower()
    known = max((begin for begin in _table() if name.startswith(begin)), key=len, default="")
    return _table().get(known)


def price_at(model: str, *, local: bool) -> Price | None:
    """A known name costs also behind a proxy on this computer; an unknown one is free here, and unknown elsewhere."""
    return price_of(model) or (FREE if local else None)
