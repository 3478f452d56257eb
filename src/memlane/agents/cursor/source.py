"""Where Cursor keeps its conversations, and which of its stores a file is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path, PurePath

from memlane.agents.agent import Container, Document, Line, Parser, Peek, Surroundings, Transcript
from memlane.agents.cursor.database import BubbleParser, conversations
from memlane.agents.cursor.transcript import TranscriptReading
from memlane.domain import Relation

DATABASE = "state.vscdb"
TRANSCRIPTS = "agent-transcripts"
_FILE = re.compile(r"(?P<id>[0-9A-Za-z][\w-]*)\.(?P<kind>jsonl|txt)")


@dataclass(frozen=True, slots=True)
class Cursor:
    """The IDE's folder of its system, and `~/.cursor/projects`. Of a database only the conversations are read."""

    name: str = "cursor"
    title: str = "Cursor"

    def places(self, around: Surroundings) -> tuple[Path, ...]:
        roaming = around.variables.get("APPDATA", "")
        own = around.variables.get("CURSOR_CONFIG_DIR", "")
        users = [
            around.home / ".config" / "Cursor" / "User",
            around.home / "Library" / "Application Support" / "Cursor" / "User",
            *([Path(roaming) / "Cursor" / "User"] if roaming else []),
        ]
        return (*users, (Path(own) if own else around.home / ".cursor") / "projects")

    def recognise(self, path: PurePath) -> Transcript | Container | None:
        match path.parts:
            case ("globalStorage", name) | ("workspaceStorage", _, name) if name == DATABASE:
                return Container()
            case (_, folder, name) if folder == TRANSCRIPTS and (found := _FILE.fullmatch(name)):
                return Transcript(found["id"] if found["kind"] == "jsonl" else f"{found['id']}.txt")
            case (_, folder, parent, name) if folder == TRANSCRIPTS and name == f"{parent}.jsonl":
                return Transcript(parent)
            case (_, folder, parent, "subagents", name) if folder == TRANSCRIPTS and (found := _FILE.fullmatch(name)):
                return Transcript(found["id"], parent, Relation.SUBAGENT)
            case _:
                return None

    def documents(self, path: Path) -> Iterator[Document]:
        return conversations(path)

    def peek(self, lines: Iterable[Line]) -> Peek:  # noqa: ARG002 - these files know neither time nor folder
        return Peek()

    def read(self, lines: Iterable[Line], transcript: Transcript) -> Parser:
        """Rows of a database, or a transcript: the first line tells."""
        waiting = iter(lines)
        first = next(waiting, None)
        every = chain(() if first is None else (first,), waiting)
        if first is not None and first.data.startswith(b'{"table":'):
            return BubbleParser(every, transcript)
        return TranscriptReading(every, transcript)
