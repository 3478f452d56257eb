"""Does the agent that asks read this by itself? What was taken over from its own file need not be told to it twice."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from memlane import identity
from memlane.app.home import Home
from memlane.app.home.paths import small_text
from memlane.domain import Memory, Query

LARGEST = 1 << 20  # bytes, as for taking notes over


class OwnFiles:
    def __init__(self, home: Home) -> None:
        self._home = home

    def by(self, memory: Memory, query: Query) -> str:
        """The file it stands in, by its name; "" where this agent reads none that says so (any more)."""
        quotes = [_plain(one.quote) for one in memory.evidence if not one.run and one.quote.strip()]
        if not quotes:
            return ""
        return next((file.name for file in self._read_by(query) if any(quote in _text(file) for quote in quotes)), "")

    def _read_by(self, query: Query) -> Iterator[Path]:
        """Its own, and those of the checkout it works in."""
        agent = self._home.agents.get(query.agent)
        notes = agent.own_notes if agent is not None else None
        if notes is None:
            return
        yield from notes.own_files(self._home.surroundings)
        top = identity.root_of(query.cwd) or query.cwd
        yield from (Path(top, name) for name in notes.in_checkout if top)


def _text(file: Path) -> str:
    try:
        now = file.stat()
    except OSError:
        return ""
    return _read(file, now.st_mtime_ns, now.st_ino)


@lru_cache(maxsize=8)
def _read(file: Path, _written: int, _which: int) -> str:
    """Once for each state of it: at the start of a run every note asks."""
    return _plain(small_text(file, LARGEST) or "")


def _plain(text: str) -> str:
    return " ".join(text.split())
