"""Claude Code as a Source: its places, its file names, its first lines, and a pass over the rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path, PurePath

from memlane.sources.claude_code.places import folders, told_by, what_it_is
from memlane.sources.claude_code.reading import ClaudeCodeReading
from memlane.sources.hook_protocol import hook_answer, hook_call
from memlane.sources.hooks import HookCall
from memlane.sources.records import BrokenRecordError, Record, moment, records, text
from memlane.sources.source import Line, Peek, Reading, SideFile, Surroundings, Transcript

LINES_TO_PEEK_AT = 500  # older builds put hundreds of summaries of other sessions first


@dataclass(frozen=True, slots=True)
class ClaudeCode:
    """Stateless: everything is in the files."""

    name: str = "claude-code"
    title: str = "Claude Code"

    def places(self, around: Surroundings) -> tuple[Path, ...]:
        return folders(around)

    def recognise(self, path: PurePath) -> Transcript | SideFile | None:
        return what_it_is(path)

    def peek(self, lines: Iterable[Line]) -> Peek:
        found = Peek()
        for line in islice(lines, LINES_TO_PEEK_AT):
            for record in _records_or_none(line):
                found = replace(
                    found,
                    started=found.started or moment(record.get("timestamp")),
                    cwd=found.cwd or text(record.get("cwd")),
                    may_be=tuple(dict.fromkeys((*found.may_be, *told_by(record)))),
                )
            if found.started and found.cwd:
                break
        return found

    def read(self, lines: Iterable[Line], transcript: Transcript) -> Reading:
        return ClaudeCodeReading(lines, transcript)

    def hook_call(self, event: str, given: Mapping[str, object]) -> HookCall | None:
        return hook_call(event, given)

    def hook_answer(self, event: str, context: str, line: str) -> Mapping[str, object]:
        return hook_answer(event, context, line)


def _records_or_none(line: Line) -> Iterable[Record]:
    try:
        return records(line)
    except BrokenRecordError:
        return ()
