"""Copilot CLI as a Source: where its sessions are, its first event, and its hook protocol."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path, PurePath

from memlane.agents.agent import HookCall, HookMoment, Line, Peek, SideFile, Surroundings, Transcript
from memlane.agents.copilot_cli.facts import Origin
from memlane.agents.copilot_cli.parser import CopilotParser
from memlane.agents.hook_protocol import hook_call as like_claude_code
from memlane.agents.records import BrokenRecordError, mapping, records, text

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

    def read(self, lines: Iterable[Line], transcript: Transcript) -> CopilotParser:
        return CopilotParser(lines, transcript)

    def hook_call(self, event: str, given: Mapping[str, object]) -> HookCall | None:
        return hook_call(event, given)

    def hook_answer(self, event: str, context: str, line: str) -> Mapping[str, object]:  # noqa: ARG002 - others say more
        return hook_answer(context)


EVENTS = "events.jsonl"
OLDER = ".jsonl"  # one flat file per session
BESIDE = frozenset({"workspace.yaml", "plan.md"})
FOLDERS = frozenset({"checkpoints", "files", "research"})  # summaries of compactions; what the agent put aside
LONGEST_NAME = 120
_SESSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]*")
_UNSAFE = re.compile(r"[^0-9A-Za-z._-]|^\.")


def folders(around: Surroundings) -> tuple[Path, ...]:
    own = around.variables.get("COPILOT_HOME", "")
    return ((Path(own) if own else around.home / ".copilot") / "session-state",)


def what_it_is(path: PurePath) -> Transcript | SideFile | None:
    match path.parts:
        case (name,) if name.endswith(OLDER) and _is_session(name.removesuffix(OLDER)):
            return Transcript(name.removesuffix(OLDER))
        case (session, name) if name == EVENTS and _is_session(session):
            return Transcript(session)
        case (session, name) if name in BESIDE and _is_session(session):
            return SideFile(session, name)
        case (session, folder, *rest) if rest and folder in FOLDERS and _is_session(session):
            return SideFile(session, _flat((folder, *rest)))
        case _:
            return None


def _is_session(name: str) -> bool:
    return _SESSION.fullmatch(name) is not None


def _flat(parts: Sequence[str]) -> str:
    """One file name for a path, safe on any disk; a name that had to change carries a digest, so that none collide."""
    whole = "--".join(parts)
    name = _UNSAFE.sub("_", whole)
    if name == whole and len(name) <= LONGEST_NAME:
        return name
    digest = hashlib.sha256(whole.encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return f"{digest}-{name[-LONGEST_NAME:]}"


FORGETS = "PreCompact"  # no start follows a compaction: the next prompt stands for it
_FIRST = frozenset({"new", "startup"})
_FRESH = _FIRST | {"clear", "compact"}


def hook_call(event: str, given: Mapping[str, object]) -> HookCall | None:
    own = {**given, "session_id": text(given.get("session_id")) or text(given.get("sessionId"))}
    call = like_claude_code(event, own)
    if call is None or call.moment is not HookMoment.RUN_STARTED:
        return call and replace(call, forgets=event == FORGETS)
    source = text(given.get("source"))
    return replace(call, fresh_context=source in _FRESH, first=source in _FIRST)


def hook_answer(context: str) -> Mapping[str, object]:
    """Only what is for the model: it has no place for a line to the person, and reads no other key."""
    return {"additionalContext": context} if context else {}
