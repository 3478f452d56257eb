"""The model that reads Windows, as the settings name it: its caps, its records, and the Gate on both sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from memlane.app.catch.windows import CatchWindows, OnRun, quietly
from memlane.app.home import Home
from memlane.app.home.language_model import answers, chosen_llm, kept, llm_of, llm_spec, spend, tries
from memlane.catch.model.extractor import ModelDesk, ModelExtractor
from memlane.catch.model.prompt import size_of
from memlane.catch.model.records import WindowTries
from memlane.errors import LaneError, UsageError
from memlane.llm import (
    BreakerState,
    Caps,
    DaySpend,
    GuardedLlm,
    LlmBreaker,
    models,
)

if TYPE_CHECKING:
    from memlane.agents.headless import Headless
    from memlane.catch import Extractor


def model_extractor(home: Home) -> ModelExtractor:
    model = chosen_llm(home)
    breaker = LlmBreaker(kept(home, "breaker", BreakerState), model.name, home.clock)
    desk = ModelDesk(answers(home), tries(home), home.gate.mask, home.clock)
    return ModelExtractor(GuardedLlm(model, spend(home), breaker, Random()), desk)


@dataclass(frozen=True, slots=True)
class CatchEstimate:
    """What reading these Windows with the model of the settings would take, about. None: nobody knows its price."""

    windows: int
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
        size, ledger = size_of(self._catch.open_windows("model", runs, on)), spend(home)
        try:
            model = chosen_llm(home)
        except LaneError as error:
            why = error.message
        else:
            name, extra = model.name, size.windows * model.overhead
            dollars = model.price.of(size.tokens_in + extra, size.tokens_out) if model.price else None
            model.close()
        return CatchEstimate(
            size.windows, size.tokens_in, size.tokens_out, dollars, name, why, ledger.so_far(), ledger.caps
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

    @property
    def headless(self) -> Sequence[Headless]:
        """Agents that can be the model, whether they are here or not."""
        return self._home.agents.headless

    def at_ollama(self) -> Sequence[str]:
        """Models that run on this computer. The one thing that is asked of anybody, and only when a person sets up."""
        return models()

    def set_aside(self) -> Sequence[WindowTries]:
        """Windows that failed too often; the others go on."""
        return tries(self._home).parked()

    def try_again(self, runs: Sequence[str] = ()) -> int:
        """A person wants them tried once more: those of these Runs, or all."""
        return tries(self._home).again(runs)


CATCHERS = ("embedded", "model")


def extractor(name: str, home: Home) -> Extractor:
    match name:
        case "embedded":
            from memlane.catch.embedded import EmbeddedExtractor

            return EmbeddedExtractor()
        case "model":
            return model_extractor(home)
        case _:
            raise UsageError(f"there is no reader {name!r}", hint=f"catch.with is one of: {', '.join(CATCHERS)}, none")
