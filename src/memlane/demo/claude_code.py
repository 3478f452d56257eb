"""A sample run as Claude Code writes it: one JSON record per block, chained by `parentUuid`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath

from memlane.demo.sample import SampleCall, SamplePrompt, SampleRun, made_id

VERSION = "2.1.219"
MODEL = "claude-opus-4-8"
STEP = timedelta(seconds=7)  # between two records
REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected. "
    "To tell you how to proceed, the user said:\n"
)
Record = dict[str, object]


def place(sample: SampleRun, cwd: str) -> PurePosixPath:
    """Below `~/.claude/projects`."""
    slug = "".join(c if c.isascii() and c.isalnum() else "-" for c in cwd)
    if sample.under:
        return PurePosixPath(slug, made_id(sample.under), "subagents", f"{agent_name(sample)}.jsonl")
    return PurePosixPath(slug, f"{made_id(sample.key)}.jsonl")


def agent_name(sample: SampleRun) -> str:
    return f"agent-{made_id(sample.key)[:8]}"


@dataclass(slots=True)
class ClaudeCodeTranscript:
    """One transcript while it is being written."""

    sample: SampleRun
    cwd: Path
    clock: datetime
    records: list[Record] = field(default_factory=list[Record])
    last: str | None = None

    def whole(self) -> list[Record]:
        for asked in self.sample.asked:
            self._asked(asked)
        if self.sample.title:
            self.records.append({"type": "ai-title", "aiTitle": self.sample.title, "sessionId": self._session})
        return self.records

    @property
    def _session(self) -> str:
        return made_id(self.sample.under or self.sample.key)

    def _add(self, kind: str, message: Mapping[str, object], **more: object) -> str:
        self.clock += STEP
        record: Record = {
            "parentUuid": self.last,
            "isSidechain": bool(self.sample.under),
            "type": kind,
            "message": message,
            "uuid": made_id(self.sample.key, len(self.records)),
            "timestamp": f"{self.clock:%Y-%m-%dT%H:%M:%S}.000Z",
            "userType": "external",
            "entrypoint": "cli",
            "cwd": str(self.cwd),
            "sessionId": self._session,
            "version": VERSION,
            "gitBranch": self.sample.at.branch,
            **({"agentId": agent_name(self.sample).removeprefix("agent-")} if self.sample.under else {}),
            **more,
        }
        self.records.append(record)
        self.last = str(record["uuid"])
        return self.last

    def _asked(self, asked: SamplePrompt) -> None:
        typed: Record = {} if self.sample.under else {"origin": {"kind": "human"}, "promptSource": "typed"}
        self._add("user", {"role": "user", "content": asked.words}, **typed)
        for done in asked.then:
            if isinstance(done, str):
                self._said({"type": "text", "text": done}, "end_turn")
            else:
                self._called(done)

    def _said(self, block: Mapping[str, object], stop: str) -> None:
        number = len(self.records)
        message = {
            "id": f"msg_{made_id(self.sample.key, 'message', number).replace('-', '')[:24]}",
            "type": "message",
            "role": "assistant",
            "model": MODEL,
            "content": [block],
            "stop_reason": stop,
            "usage": {"input_tokens": 12, "cache_read_input_tokens": 18_000 + 400 * number, "output_tokens": 90},
        }
        self._add("assistant", message, requestId=f"req_{made_id(self.sample.key, 'request', number)[:8]}")

    def _called(self, call: SampleCall) -> None:
        name = f"toolu_{made_id(self.sample.key, 'call', len(self.records)).replace('-', '')[:24]}"
        self._said({"type": "tool_use", "id": name, "name": call.tool, "input": self._given(call)}, "tool_use")
        text = (
            f"{REFUSED}{call.refused}"
            if call.refused
            else f"Exit code 1\n{call.result}"
            if call.failed
            else call.result
        )
        block: Record = {"type": "tool_result", "tool_use_id": name, "content": text}
        if call.failed or call.refused:
            block["is_error"] = True
        refused = {"toolDenialKind": "user-rejected", "userFeedback": call.refused} if call.refused else {}
        self._add("user", {"role": "user", "content": [block]}, sourceToolAssistantUUID=self.last, **refused)

    def _given(self, call: SampleCall) -> Mapping[str, str]:
        if "file_path" not in call.input:
            return call.input
        return {**call.input, "file_path": str(self.cwd / call.input["file_path"])}


def records(sample: SampleRun, cwd: Path, began: datetime) -> Iterator[Record]:
    yield from ClaudeCodeTranscript(sample, cwd, began).whole()


def described(sample: SampleRun) -> Record:
    """The small file beside a subagent's transcript."""
    return {"agentType": "general-purpose", "description": sample.asked[0].words}
