"""The second look of one home: whether one is taken, how long it may take, and notes read before they are needed.

A prompt waits for it only as long as it should; what it has no time for is read after the answer, for the next prompt.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock, Timer
from typing import TYPE_CHECKING

from memlane import embed, recall
from memlane.domain import Finding, Level
from memlane.embed import EmbedderError

if TYPE_CHECKING:
    from memlane.config import Config
    from memlane.embed.encoder import SecondLook

WITHIN = 0.12  # seconds after a prompt came in: by then it is done, or not begun
AFTERWARDS = 0.05  # seconds: whoever asked is answered first
MOST_WAITING = 64  # notes to be read afterwards
OPENING = "the model is still loading"
NO_TIME = "no time left"
KIND = "second look"
TIMES = 3
TRIED = (  # by the doctor: a prompt of ten words and five notes of forty
    "how did we restore the ledger from last night's backup?",
    [
        f"Note {n}: " + "restore the ledger from its own backup before the ferry leaves, and say so. " * 3
        for n in range(5)
    ],
)


@dataclass(slots=True)
class Duration:
    """How long something took lately, and so will again."""

    expected: float = 0.0  # seconds

    def learn(self, seconds: float) -> None:
        self.expected = (self.expected + seconds) / 2 if self.expected else seconds

    def ease(self) -> None:
        """A crowded moment passes: it is tried again before long."""
        self.expected /= 2


class SecondOpinion:
    """Threads may share one."""

    def __init__(
        self,
        config: Config,
        name: str = embed.SECOND_LOOK,
        make: Callable[[], SecondLook] = embed.second_look,
        fitted: Callable[[str, str], Mapping[str, float] | None] = embed.look_calibration,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._config, self._name, self._make, self._fitted, self._clock = config, name, make, fitted, clock
        self._model: SecondLook | None = None
        self._failed: EmbedderError | None = None
        self._somebody_waits = False
        self._look, self._note = Duration(), Duration()
        self._waiting: dict[str, None] = {}
        self._reader: Timer | None = None
        self._lock = Lock()

    # -- whether -----------------------------------------------------------------------------------------------------

    def why_not(self, encoder: str) -> str:
        """Why none is taken of what this encoder finds; "" where one is."""
        if not self._config.switch("recall.second_look"):
            return "recall.second_look is false"
        if self._fitted(encoder, self._name) is None:
            return f"{self._name} is not calibrated for {encoder}"
        return ""

    def finding(self, encoder: str) -> Finding:
        """For `lane doctor`: which one, whether it is taken, and how long it takes here."""
        if why := self.why_not(encoder):
            hint = "lane config set recall.model tuned" if self._config.switch("recall.second_look") else ""
            return Finding(KIND, Level.NOTE, f"no second look, scores alone decide: {why}", hint)
        try:
            model = self.opened()
        except EmbedderError as error:
            return Finding(KIND, Level.WARN, f"{error.message}; scores alone decide", error.hint)
        model.log_odds(*TRIED)
        took = f"{len(TRIED[1])} notes in {min(self._timed(model) for _ in range(TIMES)) * 1000:.0f} ms"
        return Finding(KIND, Level.OK, f"{model.tag} ({model.size / 1e6:.1f} MB), fitted for {encoder}, {took}")

    def _timed(self, model: SecondLook) -> float:
        began = self._clock()
        model.log_odds(*TRIED)
        return self._clock() - began

    def prepare(self, encoder: str) -> None:
        """In the background: from here on nobody who asks waits for it to be opened, or longer than they should."""
        self._somebody_waits = True
        if not self.why_not(encoder):
            self.opened()

    def opened(self) -> SecondLook:
        if self._failed is not None:
            raise self._failed
        try:
            self._model = self._model or self._make()
        except EmbedderError as error:
            self._failed = error
            raise
        return self._model

    # -- looking -----------------------------------------------------------------------------------------------------

    def soon(self) -> float:
        """Until when somebody waits who asks now."""
        return self._clock() + WITHIN

    def look(
        self, encoder: str, prompt: str, notes: Sequence[str], until: float = math.inf
    ) -> recall.SecondLookOdds | None:
        """What it says of each note, the likeliest of which come first. None: none is taken."""
        if self.why_not(encoder):
            return None
        if self._somebody_waits and self._model is None and self._failed is None:
            return self._nothing(notes, OPENING)
        try:
            said = self._said(self.opened(), prompt, notes, until)
        except EmbedderError as error:
            return self._nothing(notes, error.message)
        if not said:
            return self._nothing(notes, NO_TIME)
        missing = len(notes) - len(said)
        why = f"no time left for {missing} of {len(notes)} notes" if missing else ""
        meaning = recall.OddsCalibration.of(self._fitted(encoder, self._name) or {})
        return recall.SecondLookOdds(self._name, [said.get(text) for text in notes], meaning, why)

    def _said(self, model: SecondLook, prompt: str, notes: Sequence[str], until: float) -> dict[str, float]:
        read = self._read(model, notes, until)
        self.read_soon(text for text in notes if text not in read)
        began = self._clock()
        if not read or began + self._look.expected >= until:
            self._look.ease()
            self._note.ease()
            return {}
        said = model.log_odds(prompt, read)
        self._look.learn(self._clock() - began)
        return dict(zip(read, said, strict=True))

    def _read(self, model: SecondLook, notes: Sequence[str], until: float) -> list[str]:
        """Those that are known, or for which there is time."""
        read = list[str]()
        for text in notes:
            began = self._clock()
            if text not in model.kept:
                if began + self._note.expected + self._look.expected >= until:
                    continue
                model.note(text)
                self._note.learn(self._clock() - began)
            read.append(text)
        return read

    def _nothing(self, notes: Sequence[str], why: str) -> recall.SecondLookOdds:
        return recall.SecondLookOdds(self._name, [None] * len(notes), skipped=why)

    # -- afterwards --------------------------------------------------------------------------------------------------

    def read_soon(self, notes: Iterable[str]) -> None:
        """Once the answer is out: for the next prompt. Only where there is a next one in this process."""
        model = self._model
        if model is None or not self._somebody_waits:
            return
        with self._lock:
            self._waiting |= dict.fromkeys(text for text in notes if text not in model.kept)
            self._waiting = dict.fromkeys([*self._waiting][:MOST_WAITING])
            if self._waiting and self._reader is None:
                self._reader = Timer(AFTERWARDS, self._read_on, (model,))
                self._reader.daemon = True
                self._reader.start()

    def _read_on(self, model: SecondLook) -> None:
        while (text := self._next()) is not None:
            model.note(text)

    def _next(self) -> str | None:
        with self._lock:
            text = next(iter(self._waiting), None)
            self._waiting.pop(text or "", None)
            if text is None:
                self._reader = None
            return text

    def close(self) -> None:
        with self._lock:
            self._waiting.clear()
            if self._reader is not None:
                self._reader.cancel()
                self._reader = None
