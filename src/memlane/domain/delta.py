"""A Delta: the bytes of a Run captured at one time, on their way from its file into the archive."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from memlane.domain.run import NO_PROJECT, Project, Run

ANCHOR = 4096  # bytes before the end of a generation that must still be there when its file has grown


@dataclass(frozen=True, slots=True)
class Generation:
    """The bytes of a Run while its file only grew, as the archive holds them."""

    n: int
    size: int
    sha256: str
    mib: tuple[str, ...]  # sha256 of each MiB, so that damage has a place
    anchor: str  # sha256 of the last 4 KiB
    source_path: str
    first_captured: str
    last_captured: str
    deltas: int = 1
    stored: str = "raw"  # or "patch": kept as changes, restored byte for byte
    base: int = 0  # the generation a patch is made against; 0: it stands on its own
    stored_sha256: str = ""  # of the patch itself


@dataclass(frozen=True, slots=True)
class Delta:
    """New bytes for one generation of one Run, and what the archive must know to file it."""

    run: Run
    generation: int
    source_path: str
    pieces: Iterable[bytes]  # read as they are asked for; raises if the file changed underneath
    started: datetime
    cwd: str = ""
    project: Project = NO_PROJECT
    parent_native_id: str = ""
    relation: str = ""
    format: str = ""  # the Source its records are of, where that is not the agent's own
    rewritten: bool = False  # not new bytes but the whole document anew
    ends_as: str = ""  # from another machine: the SHA-256 of the whole generation with these bytes in it
    again: bool = False  # all bytes of the generation, from the first: our own copy of it is damaged


@dataclass(frozen=True, slots=True)
class Inventory:
    """What the archive already holds of a Run, and under what. Not `settled`: it has not written all of that down."""

    generations: Sequence[Generation] = ()
    started: datetime | None = None
    cwd: str = ""
    project: Project = NO_PROJECT
    settled: bool = True


def anchor_of(tail: bytes) -> str:
    """`tail` is everything up to the end of a generation, or at least its last 4 KiB."""
    return hashlib.sha256(tail[-ANCHOR:]).hexdigest()
