"""What was said last in a live Run, as the model of recall understands it: kept after each Turn, for the next prompt.

One small file a Run, beside what else only lives while something runs. Without one a prompt is understood alone.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from memlane.app.home import Home
from memlane.domain import Author, Chunk, State
from memlane.embed import EmbedderError
from memlane.system.disk import Disk, private_folder

if TYPE_CHECKING:
    from memlane.storage import Vector

MESSAGES = 4  # the last of people and agents
LOOKED_AT = 60  # pieces of the Run's end: most are tool calls
CHARACTERS = 600  # of one message: its end, where it says what comes next
LIVE_RUNS = 3  # of one capture
KEPT = 24 * 3600.0  # seconds


class _LastWordsRecord(msgspec.Struct, frozen=True):
    model: str
    numbers: list[float]


class LastWords:
    def __init__(self, home: Home) -> None:
        self._home = home

    def follow(self, runs: Iterable[str]) -> None:
        """After these Runs have grown. Where nothing is remembered nothing is kept."""
        home = self._home
        if home.recall_model.spec is None or not home.recalled().memories.has([State.ACTIVE], home.reader):
            return
        for run in list(runs)[:LIVE_RUNS]:
            said = messages(home.storage().chunks.last(run, home.reader, LOOKED_AT))
            if said:
                self.keep(run, said)

    def keep(self, run: str, said: Sequence[str]) -> None:
        encoding = self._home.recall_model
        try:
            mean = encoding.passages([one[-CHARACTERS:] for one in said]).mean(axis=0)
        except EmbedderError:
            return  # the next Turn tries again
        private_folder(self._folder)
        kept = _LastWordsRecord(encoding.tag, [round(float(number), 5) for number in mean])
        Disk().replace(self._folder / f"{run}.json", msgspec.json.encode(kept))
        self._clear_away()

    def of(self, run: str) -> Vector | None:
        """The mean of what was said last, if it is known and by the same model."""
        try:
            kept = msgspec.json.decode((self._folder / f"{run}.json").read_bytes(), type=_LastWordsRecord)
        except (OSError, msgspec.DecodeError):
            return None
        return _vector(kept.numbers) if kept.model == self._home.recall_model.tag else None

    @property
    def _folder(self) -> Path:
        return self._home.run_folder / "lately"

    def _clear_away(self) -> None:
        for path in self._folder.glob("*.json"):
            if time.time() - path.stat().st_mtime > KEPT:
                path.unlink(missing_ok=True)


def _vector(numbers: list[float]) -> Vector:
    import numpy as np

    return np.array(numbers, np.float32)


def messages(chunks: Sequence[Chunk]) -> list[str]:
    """What people and agents said at the end of a Run, oldest first; of a long message its first piece."""
    said: dict[tuple[int, int], str] = {}
    for chunk in chunks:
        if chunk.author in (Author.PERSON, Author.AGENT) and not chunk.tool and chunk.text.strip():
            said.setdefault((chunk.turn, chunk.step), chunk.text)
    return list(said.values())[-MESSAGES:]
