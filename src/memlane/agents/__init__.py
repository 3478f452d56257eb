"""Which agents do we understand? One folder for each, with all we know about it; `registry.OURS` lists them."""

from __future__ import annotations

from memlane.agents.agent import (
    Collection,
    Container,
    Document,
    ImportSource,
    Line,
    Parser,
    Peek,
    ResumableParser,
    SideFile,
    Source,
    Surroundings,
    Transcript,
    UnreadPart,
)
from memlane.agents.lines import BEGINNING, LinePosition, LineStream
from memlane.agents.parser_state import ParserState, put_down, taken_up
from memlane.agents.registry import OURS, BrokenSourceError, Registry, guarded, loaded

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
    "ImportSource",
    "Line",
    "LinePosition",
    "LineStream",
    "Parser",
    "ParserState",
    "Peek",
    "Registry",
    "ResumableParser",
    "SideFile",
    "Source",
    "Surroundings",
    "Transcript",
    "UnreadPart",
    "guarded",
    "put_down",
    "taken_up",
]
