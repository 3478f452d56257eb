"""Where Gemini CLI keeps its transcripts, and what a file's name alone tells about it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePath

from memlane.agents.agent import Line, Peek, SideFile, Surroundings, Transcript
from memlane.agents.gemini_cli.messages import folded
from memlane.agents.gemini_cli.parser import GeminiParser, workspace_told
from memlane.agents.records import moment, text
from memlane.domain import Relation

_SESSION = re.compile(r"session-(?P<all>.*-(?P<id>[0-9A-Za-z]{4,}))\.(?P<kind>jsonl|json)")
_SUBAGENT = re.compile(r"(?P<id>[0-9A-Za-z][0-9A-Za-z-]*)\.jsonl")
_WHOLE = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")  # the folder of what stands beside a session
_PLAN = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]{0,99}\.md")
_TASK = re.compile(r"[0-9a-f]{6}\.json")
_SHORT = 8  # a file's name has this much of its session's id; a subagent's folder has all of it


@dataclass(frozen=True, slots=True)
class GeminiCli:
    """`~/.gemini/tmp/<project>/chats`. A Run is known by its project's folder and the id in its file's name.

    A resumed `.json` goes on in a `.jsonl` beside it: two Runs, the second a fork by the ids of what it repeats.
    A session resumed in a later minute goes on in its file, and gets a second one that rarely holds more than the
    scene: that one is a Run apart, known by its whole name.
    """

    name: str = "gemini-cli"
    title: str = "Gemini CLI"

    def places(self, around: Surroundings) -> tuple[Path, ...]:
        return (around.home / ".gemini" / "tmp",)

    def recognise(self, path: PurePath) -> Transcript | SideFile | None:
        match path.parts:
            case (project, "chats", name) if found := _SESSION.fullmatch(name):
                document = found["kind"] == "json"
                own, apart = (f"{project}/{found[part]}{'.json' if document else ''}" for part in ("id", "all"))
                return Transcript(own, rewritten=document, apart=apart)
            case (project, "chats", parent, name) if found := _SUBAGENT.fullmatch(name):
                above = f"{project}/{parent[:_SHORT]}"
                return Transcript(f"{above}/{found['id']}", above, Relation.SUBAGENT)
            case (project, session, "plans", name) if _WHOLE.fullmatch(session) and _PLAN.fullmatch(name):
                return SideFile(f"{project}/{session[:_SHORT]}", f"plans--{name}")
            case (project, session, "tracker", name) if _WHOLE.fullmatch(session) and _TASK.fullmatch(name):
                return SideFile(f"{project}/{session[:_SHORT]}", f"tasks--{name}")
            case _:
                return None

    def peek(self, lines: Iterable[Line]) -> Peek:
        chat = folded(lines)
        first = chat.messages[0] if chat.messages else None
        started = moment(chat.head.get("startTime")) or (moment(first.record.get("timestamp")) if first else None)
        told = (workspace_told(text(block)) for message in chat.messages[:2] for block in message.texts())
        return Peek(started=started, cwd=next((cwd for cwd in told if cwd), ""))

    def read(self, lines: Iterable[Line], transcript: Transcript) -> GeminiParser:
        return GeminiParser(lines, transcript)
