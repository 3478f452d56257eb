"""`opencode run`: how OpenCode answers one question without a trace, and what the events it prints say."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memlane.agents.headless import HeadlessOutput, PlainHeadless, count, events, inner, words

_AGENT = "lane-reader"


@dataclass(frozen=True, slots=True)
class OpenCodeHeadless(PlainHeadless):
    command: str = "opencode run"
    plan: str = "plan or key in OpenCode"
    company: str = "the provider OpenCode is set to"
    usual_model: str = ""
    priced_as: str = ""

    def options(self, model: str, system: str, own: Path, *, quiet: bool) -> Sequence[str]:  # noqa: ARG002
        chosen = ("-m", model) if model else ()
        return ["--pure", "--format", "json", "--agent", _AGENT, "--title", "lane", *chosen]  # a title asks no model

    def settings(self, system: str, own: Path) -> Mapping[str, str]:
        """Its database for this question alone; the login is elsewhere."""
        agent = {"mode": "primary", "prompt": system, "tools": {"*": False}}
        return {
            "OPENCODE_DB": str(own / "opencode.db"),
            "OPENCODE_CONFIG_CONTENT": json.dumps({"agent": {_AGENT: agent}}),
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
        }

    def overhead(self, *, quiet: bool) -> int:  # noqa: ARG002
        return 300

    def output(self, printed: bytes) -> HeadlessOutput | None:
        found = events(printed)
        if not found or not all("sessionID" in event for event in found):
            return None
        for event in found:
            if event["type"] == "error":
                error = inner(event, "error")
                return HeadlessOutput(words(inner(error, "data"), "message") or words(error, "name"), failed=True)
        text = "\n".join(words(inner(event, "part"), "text") for event in found if event["type"] == "text")
        ends = [inner(event, "part") for event in found if event["type"] == "step_finish"]
        tokens = [inner(end, "tokens") for end in ends]
        cached = sum(count(inner(each, "cache"), "read", "write") for each in tokens)
        cost = sum(value for end in ends if isinstance(value := end.get("cost"), int | float))
        return HeadlessOutput(
            text=text,
            failed=not ends,
            cut=any(end.get("reason") == "length" for end in ends),
            tokens_in=sum(count(each, "input") for each in tokens) + cached,
            tokens_out=sum(count(each, "output", "reasoning") for each in tokens),
            dollars=cost or None,
        )
