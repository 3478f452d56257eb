"""Claude Code as a Source: where its transcripts are, what a file there is, and its first lines."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path, PurePath

from memlane.agents.agent import HookCall, Line, Parser, Peek, SideFile, Surroundings, Transcript
from memlane.agents.claude_code.parser import ClaudeCodeParser
from memlane.agents.hook_protocol import hook_answer, hook_call
from memlane.agents.records import BrokenRecordError, Record, moment, records, text
from memlane.domain import Relation

LINES_TO_PEEK_AT = 500  # older builds put hundreds of summaries of other sessions first


@dataclass(frozen=True, slots=True)
class ClaudeCode:
    """Stateless: everything is in the files."""

    name: str = "claude-code"
    title: str = "Claude Code"

    def places(self, around: Surroundings) -> tuple[Path, ...]:
        """The transcripts, and the lists of tasks that newer and older builds keep beside them."""
        own = folders(around)
        return (*own, *(place.parent / name for place in own for name in ("todos", "tasks")))

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

    def read(self, lines: Iterable[Line], transcript: Transcript) -> Parser:
        return ClaudeCodeParser(lines, transcript)

    def hook_call(self, event: str, given: Mapping[str, object]) -> HookCall | None:
        return hook_call(event, given)

    def hook_answer(self, event: str, context: str, line: str) -> Mapping[str, object]:
        return hook_answer(event, context, line)


def _records_or_none(line: Line) -> Iterable[Record]:
    try:
        return records(line)
    except BrokenRecordError:
        return ()


TRANSCRIPT = ".jsonl"
LONGEST_NAME = 120
_SESSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]*")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_TODOS = re.compile(rf"({_UUID.pattern})-agent-[0-9A-Za-z-]+\.json")
_TASK = re.compile(r"[0-9]{1,6}\.json")
_AGENT = re.compile(r"agent-[0-9A-Za-z_-]+")
_UNSAFE = re.compile(r"[^0-9A-Za-z._-]|^\.")


def folders(around: Surroundings) -> tuple[Path, ...]:
    chosen = around.variables.get("CLAUDE_CONFIG_DIR", "")
    own = around.home / ".claude"
    if chosen:
        own = around.home / chosen[2:] if chosen.startswith("~/") else Path(chosen)
    elsewhere = around.home / ".config" / "claude"
    return tuple(dict.fromkeys((own / "projects", elsewhere / "projects")))


def what_it_is(path: PurePath) -> Transcript | SideFile | None:
    match path.parts:
        case (name,) if found := _TODOS.fullmatch(name):
            return SideFile(found[1], flat(("todos", name)))
        case (session, name) if _TASK.fullmatch(name) and _UUID.fullmatch(session):
            return SideFile(session, flat(("tasks", name)))
        case (_, name):
            return _beside_the_sessions(name)
        case (_, session, "tool-results", *rest) if rest and _SESSION.fullmatch(session):
            return SideFile(session, flat(("tool-results", *rest)))
        case (_, session, "subagents", *between, name) if _SESSION.fullmatch(session):
            return _of_a_subagent(session, between, name)
        case _:
            return None


def _beside_the_sessions(name: str) -> Transcript | SideFile | None:
    stem, dot, ending = name.partition(".")
    if _AGENT.fullmatch(stem):  # builds 2.0.28 to 2.0.55; the session it belongs to is inside the file
        return _agent_file(stem, "", name, dot + ending)
    if dot + ending == TRANSCRIPT and stem:  # whatever bytes it is made of: its Run's id is a hash
        return Transcript(stem)
    return None


def _of_a_subagent(session: str, between: Sequence[str], name: str) -> Transcript | SideFile | None:
    stem, dot, ending = name.partition(".")
    if _AGENT.fullmatch(stem):
        return _agent_file(f"{session}/{stem}", session, name, dot + ending)
    if name == "journal.jsonl" and between:  # of a workflow: `subagents/workflows/wf_…/journal.jsonl`
        return SideFile(session, flat((*between, name)))
    return None


def told_by(record: Record) -> Sequence[Transcript]:
    """Which transcripts a record may stand in: the session's, or its subagent's under either of its two names."""
    session, agent = text(record.get("sessionId")), text(record.get("agentId"))
    if agent and record.get("isSidechain") is True:
        names = ((f"{session}/agent-{agent}", session), (f"agent-{agent}", ""))
        return [Transcript(name, parent, Relation.SUBAGENT) for name, parent in names]
    return [Transcript(session)] if session else []


def _agent_file(native_id: str, session: str, name: str, ending: str) -> Transcript | SideFile | None:
    if ending == TRANSCRIPT:
        return Transcript(native_id, session, Relation.SUBAGENT)
    return SideFile(native_id, flat((name,))) if ending == ".meta.json" else None


def flat(parts: Sequence[str]) -> str:
    """One file name for a path, safe on any disk; a name that had to change carries a digest, so that none collide."""
    whole = "--".join(parts)
    name = _UNSAFE.sub("_", whole)
    if name == whole and len(name) <= LONGEST_NAME:
        return name
    digest = hashlib.sha256(whole.encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return f"{digest}-{name[-LONGEST_NAME:]}"
