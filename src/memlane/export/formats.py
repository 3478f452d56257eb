"""The formats in which one Run becomes one file, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from memlane.domain import RunSummary, Turn
from memlane.export import atif, html, markdown, neutral, sts

Writer = Callable[[RunSummary, Iterable[Turn]], Iterator[str]]


@dataclass(frozen=True, slots=True)
class RunFormat:
    """One file for each Run. `pieces` are written one after the other: a Run may be larger than memory."""

    name: str
    suffix: str
    what: str
    pieces: Writer


FORMATS: Mapping[str, RunFormat] = {
    each.name: each
    for each in (
        RunFormat("neutral", ".jsonl", "JSON lines that `lane import` reads back", neutral.pieces),
        RunFormat("sts", ".jsonl", "Session Trace Simple Format, as the Hugging Face Hub shows it", sts.pieces),
        RunFormat("atif", ".json", "Agent Trajectory Interchange Format 1.8, as Harbor reads it", atif.pieces),
        RunFormat("markdown", ".md", "for people", markdown.pieces),
        RunFormat("html", ".html", "for people: one page that needs no network", html.pieces),
    )
}
