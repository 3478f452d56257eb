"""The smallest Source there is: JSON lines of {"text": …}, one turn each. Faults are seen best with no agent around.

A file may be called the same in two places (`notes`, `old`): it is one Run, as with Codex's archived rollouts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

from memlane.agents import Line, Peek, SideFile, Surroundings, Transcript
from memlane.agents.records import BrokenRecordError, moment, records, text
from memlane.domain import Author, BrokenLine, Facts, Kind, Step, Turn

PLACES = ("notes", "old")
ENDING = ".jsonl"
BESIDE = ".side"


def line(words: str, **more: object) -> bytes:
    return json.dumps({"text": words, **more}, ensure_ascii=False).encode() + b"\n"


class PlainReading:
    append_only = True
    resumable = True

    def __init__(self, lines: Iterable[Line]) -> None:
        self._lines = lines
        self._broken: list[BrokenLine] = []
        self._cwd = ""
        self._number = 0

    def turns(self) -> Iterator[Turn]:
        for one in self._lines:
            try:
                found = records(one)
            except BrokenRecordError as error:
                self._broken.append(BrokenLine(one.n, str(error)))
                continue
            for record in found:
                self._number += 1
                at, native_id = moment(record.get("at")), text(record.get("id"))
                self._cwd = self._cwd or text(record.get("cwd"))
                step = Step(1, Author.PERSON, Kind.PROMPT, one.n, text(record.get("text")), at=at, native_id=native_id)
                yield Turn(self._number, Author.PERSON, (step,), at)

    def facts(self) -> Facts:
        return Facts(cwd=self._cwd, broken=tuple(self._broken))


@dataclass(frozen=True, slots=True)
class Plain:
    name: str = "plain"
    title: str = "Plain"

    def places(self, around: Surroundings) -> tuple[Path, ...]:
        return tuple(around.home / place for place in PLACES)

    def recognise(self, path: PurePath) -> Transcript | SideFile | None:
        if path.suffix == ENDING:
            return Transcript(path.stem)
        if path.parent.suffix == BESIDE:
            return SideFile(path.parent.stem, path.name)
        return None

    def peek(self, lines: Iterable[Line]) -> Peek:
        for one in lines:
            try:
                for record in records(one):
                    return Peek(moment(record.get("at")), text(record.get("cwd")))
            except BrokenRecordError:
                continue
        return Peek()

    def read(self, lines: Iterable[Line], transcript: Transcript) -> PlainReading:  # noqa: ARG002 - a name tells nothing
        return PlainReading(lines)
