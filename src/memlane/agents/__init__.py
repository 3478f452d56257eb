"""Which agents do we understand? One folder for each, with all we know about it; `registry.AGENTS` lists them."""

from __future__ import annotations

from memlane.agents.agent import (
    Agent,
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
    Variables,
)
from memlane.agents.beside import beside_text, first_name, is_worth_reading
from memlane.agents.lines import BEGINNING, LinePosition, LineStream
from memlane.agents.parser_state import ParserState, put_down, taken_up
from memlane.agents.registry import AGENTS, BrokenSourceError, Registry, ShellAgent, guarded
from memlane.agents.resume import FileCopy, Placement, Resume, RunCopy

SOURCES: tuple[Source, ...]  # ours, all of them loaded


def __getattr__(name: str) -> tuple[Source, ...]:
    if name != "SOURCES":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    sources = Registry().sources
    return tuple(sources[known] for known in AGENTS if known in sources)


__all__ = [
    "AGENTS",
    "BEGINNING",
    "SOURCES",
    "Agent",
    "BrokenSourceError",
    "Collection",
    "Container",
    "Document",
    "FileCopy",
    "ImportSource",
    "Line",
    "LinePosition",
    "LineStream",
    "Parser",
    "ParserState",
    "Peek",
    "Placement",
    "Registry",
    "ResumableParser",
    "Resume",
    "RunCopy",
    "ShellAgent",
    "SideFile",
    "Source",
    "Surroundings",
    "Transcript",
    "UnreadPart",
    "Variables",
    "beside_text",
    "first_name",
    "guarded",
    "is_worth_reading",
    "put_down",
    "taken_up",
]
