"""An agent transcript of either form: the first line of the file tells which, and the state remembers it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from memlane.agents.agent import Line, Transcript
from memlane.agents.cursor.transcripts import RecordsState, TextParser, TextState, TranscriptParser
from memlane.domain import Facts, Turn


@dataclass(slots=True)
class TranscriptState:
    """What the reading of one form knows; neither is there before the first line."""

    records: RecordsState | None = None
    text: TextState | None = None


class TranscriptReading:
    """One pass; a Turn stays as it was read."""

    append_only = True
    resumable = True

    def __init__(self, lines: Iterable[Line], transcript: Transcript) -> None:
        self._lines = lines
        self._transcript = transcript
        self.state = TranscriptState()

    def turns(self) -> Iterator[Turn]:
        lines = iter(self._lines)
        if self.state == TranscriptState():
            first = next(lines, None)
            if first is None:
                return
            lines = chain((first,), lines)
            if first.data.lstrip().startswith(b"{"):
                self.state.records = TranscriptParser((), self._transcript, None).state
            else:
                self.state.text = TextParser((), self._transcript, None).state
        yield from self._form(lines).turns()

    def facts(self) -> Facts:
        return self._form(()).facts()

    def _form(self, lines: Iterable[Line]) -> TranscriptParser | TextParser:
        if self.state.text is not None:
            return TextParser(lines, self._transcript, self.state.text)
        return TranscriptParser(lines, self._transcript, self.state.records)
