"""An extractor for tests of everything around one: it keeps each sentence a person began with "Always" or "Never"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from memlane.app import Lane
from memlane.app.catch.windows import CatchWindows
from memlane.domain import Author, Draft, Kind, Memory, Quote, State, Type, Window, WindowDrafts

LESSON = re.compile(r"\b(?:Always|Never)\b[^.\n]*")


class Listener:
    name = "embedded"
    version = "test"

    def __init__(self, confidence: int = 80) -> None:
        self.confidence = confidence
        self.read_windows: list[str] = []

    def read(self, window: Window, nearby: Sequence[Memory]) -> WindowDrafts:  # noqa: ARG002 - the interface
        self.read_windows.append(window.key)
        drafts = [
            Draft(
                type=Type.COMMITMENT,
                title=found[0].strip(),
                content=f"{found[0].strip()}. The person said so about how they work here.",
                quotes=(Quote(spot, found[0].strip()),),
                reasoning="the person said always or never",
                confidence=self.confidence,
            )
            for spot, step in window.steps()
            if spot >= window.first and step.author is Author.PERSON and step.kind is Kind.PROMPT
            for found in LESSON.finditer(step.text)
        ]
        return WindowDrafts(tuple(drafts))


def catching(lane: Lane, listener: Listener) -> CatchWindows:
    return CatchWindows(lane.home, lane.catch_tools, lambda _name, _anew: listener)


Told = tuple[str, str, int, tuple[str, ...]]


def told(lane: Lane) -> dict[str, Told]:
    """What is remembered, without what depends on when it was written down."""
    return {
        memory.id: (memory.title, memory.state.value, memory.times_observed, tuple(e.step for e in memory.evidence))
        for memory in lane.memories.all(tuple(State))
    }


def index_gone(folder: Path) -> None:
    for path in sorted((folder / "lane" / "index").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
