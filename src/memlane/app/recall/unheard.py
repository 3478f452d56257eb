"""Prompts for which an agent calls no hook (`droid exec`): found in its transcript when it calls one later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from memlane.agents.agent import HookCall
from memlane.domain import Author, Kind, Recall, RecallMoment, run_id
from memlane.errors import LaneError
from memlane.system import files

if TYPE_CHECKING:
    from memlane.agents import Source, Transcript
    from memlane.app.home import Home
    from memlane.app.recall.place import FolderView

UNHEARD = "its agent called no hook for this prompt"
LARGEST = 8 << 20  # bytes; a larger transcript cannot be read while an agent waits


class UnheardPrompts:
    def __init__(self, place: FolderView, since_start: Callable[[str], Sequence[Recall]]) -> None:
        self._place, self._since_start = place, since_start

    def of(self, agent: str, call: HookCall) -> str:
        """What the person asked, where its agent called no hook for it; "" where one was called."""
        if not call.unheard or call.parent_id:
            return ""
        since = self._since_start(run_id(self._place.machine, agent, call.native_id))
        heard = any(one.query.moment is RecallMoment.PROMPT for one in since)
        return "" if heard else self._place.last_prompt(agent, call.transcript_path)


def last_prompt(home: Home, agent: str, transcript: str) -> str:
    """What the person typed last; "" where that cannot be told in time. Only a transcript of this agent is opened."""
    source, path = home.sources.get(agent), Path(transcript)
    known = _recognised(source, path, home) if source is not None else None
    if source is None or known is None:
        return ""
    from memlane.agents import guarded

    with suppress(LaneError, OSError):
        data = files.read(path) if path.stat().st_size <= LARGEST else None
        with guarded(agent):
            return _typed_last(source, data or b"", known)
    return ""


def _recognised(source: Source, path: Path, home: Home) -> Transcript | None:
    from memlane.agents import Transcript

    place = next((place for place in source.places(home.surroundings) if place in path.parents), None)
    found = source.recognise(path.relative_to(place)) if place is not None else None
    return found if isinstance(found, Transcript) else None


def _typed_last(source: Source, data: bytes, known: Transcript) -> str:
    from memlane.agents import LineStream

    steps = (step for turn in source.read(LineStream(iter([data])), known).turns() for step in turn.steps)
    typed = [one.text for one in steps if one.kind is Kind.PROMPT and one.author is Author.PERSON and not one.ours]
    return typed[-1] if typed else ""
