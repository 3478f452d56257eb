"""Copilot CLI as a Source: its places, its file names, its first event, and a pass over the rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePath

from memlane.sources.copilot.hooks import hook_answer, hook_call
from memlane.sources.copilot.origin import Origin
from memlane.sources.copilot.places import folders, what_it_is
from memlane.sources.copilot.reading import CopilotReading
from memlane.sources.hooks import HookCall
from memlane.sources.records import BrokenRecordError, mapping, records, text
from memlane.sources.source import Line, Peek, SideFile, Surroundings, Transcript

_FIRST_LINES = 20  # `session.start` is the first line; a few broken ones may stand before it


@dataclass(frozen=True, slots=True)
class Copilot:
    """`~/.copilot/session-state`, unless `COPILOT_HOME` says otherwise: never its settings or its log-in."""

    name: str = "copilot-cli"
    title: str = "Copilot CLI"

    def places(self, around: Surroundings) -> tuple[Path, ...]:
        return folders(around)

    def recognise(self, path: PurePath) -> Transcript | SideFile | None:
        return what_it_is(path)

    def peek(self, lines: Iterable[Line]) -> Peek:
        for line in islice(lines, _FIRST_LINES):
            try:
                found = records(line)
            except BrokenRecordError:
                continue
            for record in found:
                if record.get("type") == "session.start":
                    origin = Origin()
                    origin.start(record)
                    own = text(mapping(record.get("data")).get("sessionId"))
                    may_be = (Transcript(own),) if own else ()
                    return Peek(origin.started, origin.cwd, origin.remote, may_be=may_be)
        return Peek()

    def read(self, lines: Iterable[Line], transcript: Transcript) -> CopilotReading:
        return CopilotReading(lines, transcript)

    def hook_call(self, event: str, given: Mapping[str, object]) -> HookCall | None:
        return hook_call(event, given)

    def hook_answer(self, event: str, context: str, line: str) -> Mapping[str, object]:  # noqa: ARG002 - others say more
        return hook_answer(context)
