"""`pi -p`: how Pi answers one question without a trace, and what the events it prints say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from memlane.agents.headless import Event, HeadlessOutput, PlainHeadless, count, events, inner, words

_LEFT_OUT = ("session", "tools", "extensions", "skills", "prompt-templates", "context-files", "mcp", "themes")


@dataclass(frozen=True, slots=True)
class PiHeadless(PlainHeadless):
    command: str = "pi -p"
    plan: str = "plan or key in Pi"
    company: str = "the provider Pi is set to"
    usual_model: str = ""
    priced_as: str = ""

    def options(self, model: str, system: str, own: Path, *, quiet: bool) -> Sequence[str]:  # noqa: ARG002
        without = [f"--no-{name}" for name in _LEFT_OUT]
        chosen = ("--model", model) if model else ()
        return ["--mode", "json", *without, "--thinking", "off", *chosen, "--system-prompt", system]

    def overhead(self, *, quiet: bool) -> int:  # noqa: ARG002
        return 200

    def output(self, printed: bytes) -> HeadlessOutput | None:
        found = events(printed)
        if not found or found[0]["type"] != "session" or "agent_start" not in {event["type"] for event in found}:
            return None
        ended = [inner(event, "message") for event in found if event["type"] == "message_end"]
        answers = [message for message in ended if message.get("role") == "assistant"]
        return _read(answers[-1]) if answers else HeadlessOutput("no answer", failed=True)


def _read(message: Event) -> HeadlessOutput:
    used, stop = inner(message, "usage"), message.get("stopReason")
    cost = inner(used, "cost").get("total")
    said = message.get("content")
    blocks = cast(list[Event], said) if isinstance(said, list) else []
    return HeadlessOutput(
        text=words(message, "errorMessage") or "\n".join(words(block, "text") for block in blocks),
        failed=stop in ("error", "aborted"),
        cut=stop == "length",
        tokens_in=count(used, "input", "cacheRead", "cacheWrite"),
        tokens_out=count(used, "output"),
        dollars=float(cost) if isinstance(cost, int | float) and cost > 0 else None,
    )
