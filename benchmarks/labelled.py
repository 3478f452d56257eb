"""Memories with the prompts that must bring them and those that must not, as files hold them: `recall-train.jsonl.xz`,
its cues beside it in `recall-cues.jsonl.xz`, and which repositories are for validation in `splits.json`."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.bank import Note
from memlane.domain import Occasion, cues_of

CUES = "recall-cues.jsonl.xz"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A memory and the prompts that must bring it, and must not."""

    note: Note
    real: bool
    probes: tuple[str, ...]
    non_probes: tuple[str, ...]

    @property
    def bare(self) -> Labelled:
        """The same memory without cues, `always` and `when`."""
        return replace(self, note=replace(self.note, occasion=Occasion()))


def chosen(memories: Path, splits: Path, side: str, cues: Path | None = None) -> Iterator[Labelled]:
    """`cues`: another file of them; else the one beside the memories, if there is one."""
    named = json.loads(splits.read_text())["validation"] if side != "all" else {}
    validation = {*named.get("repositories", ()), *named.get("written_projects", ())}
    beside = cues or memories.with_name(CUES)
    occasions = {line["id"]: line for line in _lines(beside)} if cues or beside.is_file() else {}
    for line in _lines(memories):
        if side == "all" or (line["repo"] in validation) == (side == "validation"):
            yield _labelled(line, occasions.get(line["id"], line))


def _labelled(line: Mapping[str, Any], occasion: Mapping[str, Any]) -> Labelled:
    probes = tuple(line["probes"])
    note = Note(
        line["id"],
        line["repo"],
        line.get("type", "learning"),
        line["title"],
        line["content"],
        Occasion(occasion.get("when", ""), bool(occasion.get("always")), _cues(occasion.get("cues", ()), probes)),
    )
    return Labelled(note, line.get("source", "real") == "real", probes, tuple(line["non_probes"]))


def _cues(cues: tuple[str, ...], probes: tuple[str, ...]) -> tuple[str, ...]:
    """Without those that happen to be what is asked."""
    asked = {" ".join(probe.casefold().split()) for probe in probes}
    return tuple(cue for cue in cues_of(cues) if cue.casefold() not in asked)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with lzma.open(path, "rt") if path.suffix == ".xz" else path.open() as lines:
        yield from map(json.loads, lines)
