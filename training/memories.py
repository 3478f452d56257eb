"""Labelled memories: what a note says, the prompts that must bring it back and those that must not."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is typed, and the messages just before it, oldest first."""

    text: str
    window: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Labelled:
    """One memory with its prompts. `near` reads alike and is something else."""

    id: str
    project: str
    real: bool
    text: str
    near: str
    probes: tuple[Prompt, ...]
    non_probes: tuple[Prompt, ...]
    cues: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        return self.text.partition("\n")[0]


def note(title: str, content: str) -> str:
    """The text a memory is embedded by."""
    return f"{title}\n{content}"


def read(path: Path) -> Iterator[Labelled]:
    """Lines of `recall-train` or of `recall-windows`."""
    with path.open() as lines:
        for line in lines:
            yield _labelled(json.loads(line))


def with_cues(memories: Iterable[Labelled], path: Path) -> Iterator[Labelled]:
    """With those of `recall-cues`, by id. A cue that is one of the memory's own prompts would tell the answer."""
    with path.open() as lines:
        cues = {record["id"]: record["cues"] for record in map(json.loads, lines)}
    for memory in memories:
        asked = {prompt.text.casefold() for prompt in (*memory.probes, *memory.non_probes)}
        kept = tuple(cue for cue in cues.get(memory.id, ()) if cue.casefold() not in asked)
        yield replace(memory, cues=kept)


def _labelled(record: Mapping[str, Any]) -> Labelled:
    near = record["near"]
    return Labelled(
        id=record["id"],
        project=record["repo"],
        real=record["source"] == "real",
        text=note(record["title"], record["content"]),
        near=note(near["title"], near["content"]),
        probes=_prompts(record.get("probes", ()), record.get("windows", ())),
        non_probes=_prompts(record.get("non_probes", ()), record.get("non_windows", ())),
    )


def _prompts(plain: Sequence[str], windows: Sequence[Mapping[str, Any]]) -> tuple[Prompt, ...]:
    with_window = (Prompt(w["prompt"], tuple(m["text"] for m in w["messages"])) for w in windows)
    return (*(Prompt(text) for text in plain), *with_window)
