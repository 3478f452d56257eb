"""`claude -p`: how Claude Code answers one question without a trace, and what the JSON it prints says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from memlane.agents.headless import HeadlessOutput, PlainHeadless

# No hooks or plugins, no transcript, no MCP servers, no tools.
_QUIET: Sequence[str] = ("--safe-mode", "--no-session-persistence", "--strict-mcp-config", "--tools", "")


class _ClaudeUsage(msgspec.Struct):
    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_input_tokens: int | None = 0
    cache_read_input_tokens: int | None = 0


class _ClaudeOutput(msgspec.Struct):
    """What `--output-format json` prints."""

    type: str
    result: str = ""
    is_error: bool = False
    stop_reason: str | None = None
    total_cost_usd: float | None = None
    usage: _ClaudeUsage = msgspec.field(default_factory=_ClaudeUsage)


@dataclass(frozen=True, slots=True)
class ClaudeHeadless(PlainHeadless):
    command: str = "claude -p"
    plan: str = "Claude plan"
    company: str = "Anthropic"
    usual_model: str = "haiku"
    priced_as: str = "claude"

    def options(self, model: str, system: str, own: Path, *, quiet: bool) -> Sequence[str]:  # noqa: ARG002
        chosen = ("--model", model) if model else ()
        told = ("--system-prompt", system) if quiet else ()
        return ["--output-format", "json", *(_QUIET if quiet else ()), *chosen, *told]

    def environment(self, most: int) -> Mapping[str, str]:
        return {"DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(most)}

    def overhead(self, *, quiet: bool) -> int:
        return 1_500 if quiet else 40_000

    def is_older(self, errors: str) -> bool:
        return "unknown option" in errors

    def output(self, printed: bytes) -> HeadlessOutput | None:
        try:
            found = msgspec.json.decode(printed, type=_ClaudeOutput)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None
        if found.type != "result":
            return None
        used = found.usage
        cached = (used.cache_creation_input_tokens or 0) + (used.cache_read_input_tokens or 0)
        return HeadlessOutput(
            text=found.result,
            failed=found.is_error,
            cut=found.stop_reason == "max_tokens",
            refused=found.stop_reason == "refusal",
            tokens_in=used.input_tokens + cached,
            tokens_out=used.output_tokens,
            dollars=found.total_cost_usd,
        )
