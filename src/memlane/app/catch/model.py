"""The model that reads Windows, as the settings name it: its caps, its records, and the Gate on both sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from memlane.app.catch.windows import CatchWindows, OnRun, quietly
from memlane.app.home import Home
from memlane.app.home.language_model import answers, chosen_llm, guarded_llm, llm_of, llm_spec, spend, tries
from memlane.catch.model.extractor import ModelDesk, ModelExtractor
from memlane.catch.model.prompt import size_of
from memlane.catch.model.records import WindowTries
from memlane.errors import LaneError, UsageError
from memlane.llm import Caps, DaySpend

if TYPE_CHECKING:
    from memlane.catch import Extractor


# Questions for one Window, measured on real models (`FOUND.md` K3): an answer that will not do is asked for once more.
QUESTIONS = 1.6
_ENOUGH_READ = 30  # Windows, before this model's own figure counts
_MOST_QUESTIONS = 3.0


def model_extractor(home: Home, *, anew: bool = False) -> ModelExtractor:
    """`anew`: a person waits for it, so what was down, slow or over its limit is tried again."""
    tried = tries(home)
    if anew:
        tried.hurry()
    desk = ModelDesk(answers(home), tried, home.gate.mask, home.clock, home.config.count("catch.at_once"))
    return ModelExtractor(guarded_llm(home, anew=anew), desk)


def questions(home: Home) -> float:
    """How many a Window takes, as the last month was; at first as it usually is."""
    days = spend(home).days().values()
    read, asks = sum(day.windows for day in days), sum(day.asks for day in days if day.windows)
    return min(_MOST_QUESTIONS, max(1.0, asks / read)) if read >= _ENOUGH_READ else QUESTIONS


@dataclass(frozen=True, slots=True)
class CatchEstimate:
    """What reading these Windows with the model of the settings would take, about. None: nobody knows its price."""

    windows: int
    questions: int  # some Windows take two
    tokens_in: int
    tokens_out: int
    dollars: float | None
    model: str  # "" where none is chosen, or it cannot be had
    why: str  # why not
    today: DaySpend
    caps: Caps


class CatchModel:
    """What a person can ask about the model before it is asked anything."""

    def __init__(self, home: Home, catch: CatchWindows) -> None:
        self._home, self._catch = home, catch

    def estimate(self, runs: Sequence[str] = (), on: OnRun = quietly) -> CatchEstimate:
        """Of all that no model and no agent has read."""
        home, name, why, dollars = self._home, "", "", None
        at_once, ledger = home.config.count("catch.at_once"), spend(home)
        size = size_of(self._catch.open_windows("model", runs, on), at_once)
        asked = ceil(size.windows * (times := questions(home)) / at_once)
        tokens_in, tokens_out = round(size.tokens_in * times), round(size.tokens_out * times)
        try:
            model = chosen_llm(home)
        except LaneError as error:
            why = error.message
        else:
            name, tokens_in = model.name, tokens_in + asked * model.overhead
            dollars = model.price.of(tokens_in, tokens_out) if model.price else None
            model.close()
        return CatchEstimate(
            size.windows, asked, tokens_in, tokens_out, dollars, name, why, ledger.so_far(), ledger.caps
        )

    def spent(self) -> tuple[Mapping[str, DaySpend], Caps]:
        """By date, the last month; and what a day may cost."""
        ledger = spend(self._home)
        return ledger.days(), ledger.caps

    def would_do(self, settings: Mapping[str, str]) -> None:
        """Raises what would be wrong with these settings; nobody is asked."""
        config = self._home.config
        spec = llm_spec(config, lambda name: settings[name] if name in settings else config.text(name))
        llm_of(self._home, spec).close()

    def set_aside(self) -> Sequence[WindowTries]:
        """Windows that failed too often; the others go on."""
        return tries(self._home).parked()

    def try_again(self, runs: Sequence[str] = ()) -> int:
        """A person wants them tried once more: those of these Runs, or all."""
        return tries(self._home).again(runs)


CATCHERS = ("embedded", "model")


def extractor(name: str, home: Home, *, anew: bool = False) -> Extractor:
    match name:
        case "embedded":
            from memlane.catch.embedded import EmbeddedExtractor

            return EmbeddedExtractor()
        case "model":
            return model_extractor(home, anew=anew)
        case _:
            raise UsageError(f"there is no reader {name!r}", hint=f"catch.with is one of: {', '.join(CATCHERS)}, none")
