"""Where Codex keeps its transcripts, and what a file's name alone tells about it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path, PurePath

from memlane.agents.agent import HookCall, Line, Peek, Surroundings, Transcript
from memlane.agents.codex.envelopes import FileStart, envelopes
from memlane.agents.codex.facts import origin_of
from memlane.agents.codex.parser import CodexParser
from memlane.agents.codex.shell_files import file_read
from memlane.agents.codex.words import blocks, folder_told
from memlane.agents.hook_protocol import hook_answer, hook_call
from memlane.domain import BrokenLine

_STAMP = r"\d{4}-\d\d-\d\d(?:T\d\d-\d\d-\d\d)?"
_ID = r"[0-9A-Za-z][0-9A-Za-z-]*"
_ROLLOUT = re.compile(rf"rollout-{_STAMP}-(?P<thread>{_ID})(?:_(?P<rollout>{_ID}))?\.(?:jsonl|jsonl\.zst|json)")
_FIRST_LINES = 20  # the header is the first line; a few broken ones may stand before it


@dataclass(frozen=True, slots=True)
class Codex:
    """`~/.codex`, unless `CODEX_HOME` says otherwise. Only the two folders of rollouts: never `auth.json`."""

    name: str = "codex"
    title: str = "Codex"

    def places(self, around: Surroundings) -> tuple[Path, ...]:
        own = around.variables.get("CODEX_HOME", "")
        base = Path(own) if own else around.home / ".codex"
        return base / "sessions", base / "archived_sessions"

    def recognise(self, path: PurePath) -> Transcript | None:
        """A `.jsonl` and the `.jsonl.zst` Codex makes of it later carry the same id: they are one Run."""
        found = _ROLLOUT.fullmatch(path.name)
        if found is None:
            return None
        thread, rollout = found["thread"], found["rollout"]  # the second: a thread that was reverted
        return Transcript(f"{thread}_{rollout}" if rollout else thread)

    def peek(self, lines: Iterable[Line]) -> Peek:
        seen = Peek()
        for found in islice(envelopes(lines, FileStart()), _FIRST_LINES):
            if isinstance(found, BrokenLine):
                continue
            if found.kind == "session_meta" and seen.started is None:
                origin = origin_of(found)
                may_be = (Transcript(origin.thread),) if origin.thread else ()
                seen = Peek(started=origin.started, cwd=origin.cwd, remote=origin.remote, may_be=may_be)
            if not seen.cwd:
                seen = replace(seen, cwd=folder_told("\n".join(blocks(found.payload.get("content")))))
            if seen.cwd:
                break
        return seen

    def read(self, lines: Iterable[Line], transcript: Transcript) -> CodexParser:
        return CodexParser(lines, transcript)

    def hook_call(self, event: str, given: Mapping[str, object]) -> HookCall | None:
        """Its hooks speak as Claude Code's do; the files it reads are in its commands."""
        call = hook_call(event, given)
        return replace(call, file=file_read(call.command, call.cwd)) if call and call.command else call

    def hook_answer(self, event: str, context: str, line: str) -> Mapping[str, object]:
        return hook_answer(event, context, line)
