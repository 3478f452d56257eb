"""Where do Runs come from? One file (or folder) per agent; `registry.OURS` lists them all."""

from __future__ import annotations

from memlane.sources.guard import BrokenSourceError, guarded
from memlane.sources.lines import BEGINNING, Lines, Place
from memlane.sources.pausing import Paused, put_down, taken_up
from memlane.sources.registry import OURS, Registry, loaded
from memlane.sources.source import (
    Collection,
    Container,
    Document,
    Importable,
    Line,
    Peek,
    Reading,
    Resumable,
    SideFile,
    Source,
    Surroundings,
    Transcript,
    Unread,
)

SOURCES: tuple[Source, ...]  # ours, all of them loaded


def __getattr__(name: str) -> tuple[Source, ...]:
    if name != "SOURCES":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return tuple(map(loaded, OURS))


__all__ = [
    "BEGINNING",
    "OURS",
    "SOURCES",
    "BrokenSourceError",
    "Collection",
    "Container",
    "Document",
    "Importable",
    "Line",
    "Lines",
    "Paused",
    "Peek",
    "Place",
    "Reading",
    "Registry",
    "Resumable",
    "SideFile",
    "Source",
    "Surroundings",
    "Transcript",
    "Unread",
    "guarded",
    "put_down",
    "taken_up",
]
