"""`codex exec`: how Codex answers one question without a trace, and what the events it prints say."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memlane.agents.headless import HeadlessOutput, PlainHeadless, count, events, inner, words

_INSTRUCTIONS = "instructions.md"
_OFF = ("hooks", "shell_tool", "plugins", "apps", "multi_agent", "goals")
# No rollout file, no rules or documents of a checkout, nothing but the instructions in front of the question.
_QUIET: Sequence[str] = ("--json", "--ephemeral", "--skip-git-repo-check", "--ignore-rules", "-s", "read-only")
_LEAN: Mapping[str, object] = {
    "project_doc_max_bytes": 0,
    "web_search": "disabled",
    "include_environment_context": False,
    "include_permissions_instructions": False,
    "skills.include_instructions": False,
    "model_reasoning_effort": "low",
}


@dataclass(frozen=True, slots=True)
class CodexHeadless(PlainHeadless):
    command: str = "codex exec"
    plan: str = "ChatGPT plan"
    company: str = "OpenAI"
    usual_model: str = ""
    priced_as: str = "gpt-5"

    def options(self, model: str, system: str, own: Path, *, quiet: bool) -> Sequence[str]:  # noqa: ARG002
        settings = {"model_instructions_file": str(own / _INSTRUCTIONS), **_LEAN}
        lean = [word for name, value in settings.items() for word in ("-c", f"{name}={json.dumps(value)}")]
        off = [word for name in _OFF for word in ("--disable", name)]
        return [*_QUIET, *off, *lean, *(("-m", model) if model else ()), "-"]

    def files(self, system: str, folder: Path, own: Path) -> Mapping[Path, str]:  # noqa: ARG002
        return {own / _INSTRUCTIONS: system}

    def overhead(self, *, quiet: bool) -> int:  # noqa: ARG002
        return 1_500

    def output(self, printed: bytes) -> HeadlessOutput | None:
        found = {words(event, "type"): event for event in events(printed)}
        if "thread.started" not in found:
            return None
        if (failed := found.get("turn.failed")) is not None:
            return HeadlessOutput(words(inner(failed, "error"), "message"), failed=True)
        said = [inner(event, "item") for event in events(printed) if event["type"] == "item.completed"]
        texts = [words(item, "text") for item in said if item.get("type") == "agent_message"]
        used = inner(found.get("turn.completed", {}), "usage")
        tokens_in, tokens_out = count(used, "input_tokens"), count(used, "output_tokens")
        return HeadlessOutput(texts[-1] if texts else "", not texts, tokens_in=tokens_in, tokens_out=tokens_out)
