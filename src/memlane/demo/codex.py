"""A sample run as Codex writes it: a header, then what the model saw and what the client saw, side by side."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath

from memlane.demo.sample import SampleCall, SamplePrompt, SampleRun, made_id

VERSION = "0.145.0"
MODEL = "gpt-5-codex"
STEP = timedelta(seconds=5)
Record = dict[str, object]


def place(sample: SampleRun, began: datetime) -> PurePosixPath:
    """Below `~/.codex/sessions`."""
    name = f"rollout-{began:%Y-%m-%dT%H-%M-%S}-{thread(sample, began)}.jsonl"
    return PurePosixPath(f"{began:%Y}", f"{began:%m}", f"{began:%d}", name)


def thread(sample: SampleRun, began: datetime) -> str:
    """A UUID of version 7: milliseconds, then what tells two apart."""
    stamp, rest = f"{int(began.timestamp() * 1000):012x}", made_id(sample.key).replace("-", "")
    return f"{stamp[:8]}-{stamp[8:]}-7{rest[1:4]}-8{rest[5:8]}-{rest[8:20]}"


def records(sample: SampleRun, cwd: Path, began: datetime) -> Iterator[Record]:
    for number, (kind, payload) in enumerate(_payloads(sample, cwd, began)):
        at = began + number * STEP
        yield {"timestamp": f"{at:%Y-%m-%dT%H:%M:%S}.000Z", "type": kind, "payload": payload}


def _payloads(sample: SampleRun, cwd: Path, began: datetime) -> Iterator[tuple[str, Record]]:
    yield "session_meta", _header(sample, cwd, began)
    for turn, asked in enumerate(sample.asked):
        turn_id = thread(sample, began + turn * timedelta(minutes=5))
        yield "event_msg", {"type": "task_started", "turn_id": turn_id}
        yield "turn_context", {"turn_id": turn_id, "cwd": str(cwd), "model": MODEL, "approval_policy": "on-request"}
        yield from _asked(sample, asked, turn)
        yield "event_msg", {"type": "task_complete", "turn_id": turn_id}
    if sample.title:
        yield "event_msg", {"type": "thread_name_updated", "thread_name": sample.title}


def _header(sample: SampleRun, cwd: Path, began: datetime) -> Record:
    own = thread(sample, began)
    git = {"branch": sample.at.branch, **({"repository_url": sample.at.remote} if sample.at.remote else {})}
    return {
        "id": own,
        "session_id": own,
        "timestamp": f"{began:%Y-%m-%dT%H:%M:%S}.000Z",
        "cwd": str(cwd),
        "originator": "codex-tui",
        "cli_version": VERSION,
        "source": "cli",
        "thread_source": "user",
        "model_provider": "openai",
        "git": git,
    }


def _asked(sample: SampleRun, asked: SamplePrompt, turn: int) -> Iterator[tuple[str, Record]]:
    yield "response_item", _message("user", "input_text", asked.words)
    yield "event_msg", {"type": "user_message", "message": asked.words, "images": []}
    for number, done in enumerate(asked.then):
        if isinstance(done, str):
            yield "response_item", _message("assistant", "output_text", done)
            yield "event_msg", {"type": "agent_message", "message": done}
        else:
            yield from _called(done, f"call_{made_id(sample.key, turn, number).replace('-', '')[:24]}")


def _message(role: str, block: str, words: str) -> Record:
    return {"type": "message", "role": role, "content": [{"type": block, "text": words}]}


def _called(call: SampleCall, name: str) -> Iterator[tuple[str, Record]]:
    given: Mapping[str, object] = {"cmd": call.input["command"]}
    output = f"Wall time: 0.4 seconds\nProcess exited with code {int(call.failed)}\nOutput:\n{call.result}"
    arguments = json.dumps(given)
    yield "response_item", {"type": "function_call", "name": "exec_command", "arguments": arguments, "call_id": name}
    yield "response_item", {"type": "function_call_output", "call_id": name, "output": output}
