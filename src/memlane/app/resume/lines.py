"""A transcript on its way back to its agent: paths changed, and what is damaged left out and counted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

from memlane.app.resume.paths import PathMap, written


@dataclass(slots=True)
class Damage:
    """What could not be put back, and what may not be as it was."""

    lost: list[int] = field(default_factory=list[int])  # lines that hold no record, from 1
    altered: int = 0  # MiB that do not match their digest
    linked: int = 0  # records that follow a lost one and now follow the one before it

    def __bool__(self) -> bool:
        return bool(self.lost or self.altered)


def lines_of(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Whole lines with their newline; the last may have none."""
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        yield from (line + b"\n" for line in whole)
    if rest:
        yield rest


def readable(lines: Iterable[bytes], chain: tuple[str, str], damage: Damage) -> Iterator[bytes]:
    """The lines that hold a record. One whose predecessor is lost is linked to the last one before it that is not: an
    agent follows these links from the end, and would stop where one leads nowhere."""
    known, last = set[object](), ""
    own, before = chain
    for n, line in enumerate(lines, 1):
        record = _record(line)
        if record is None:
            damage.lost += [n] if line.strip() else []
            continue
        if own and record.get(own):
            parent = record.get(before)
            if damage.lost and parent and parent not in known and last:
                damage.linked += 1
                line = written({**record, before: last})
            last = str(record[own])
            known.add(last)
        yield line if line.endswith(b"\n") else line + b"\n"


def _record(line: bytes) -> Mapping[str, object] | None:
    try:
        found = cast(object, json.loads(line))
    except (ValueError, RecursionError):
        return None
    return cast(Mapping[str, object], found) if isinstance(found, dict) else None


def moved(lines: Iterable[bytes], paths: PathMap) -> Iterator[bytes]:
    return (paths.line(line) for line in lines)
