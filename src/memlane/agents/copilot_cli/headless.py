"""`copilot`: how Copilot CLI answers one question without a trace, and what the events it prints say.

It keeps a session in its home whatever it is told, so it gets a home of ours. Its login must come from a variable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memlane.agents.headless import HeadlessOutput, PlainHeadless, count, events, inner, words

_AGENT = "lane-reader"
_LOGINS = ("COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_PROVIDER_BASE_URL")


@dataclass(frozen=True, slots=True)
class CopilotHeadless(PlainHeadless):
    command: str = "copilot"
    plan: str = "Copilot plan"
    company: str = "GitHub"
    usual_model: str = ""
    priced_as: str = ""

    def missing(self, variables: Mapping[str, str]) -> str:
        there = any(variables.get(name) for name in _LOGINS)
        return "" if there else f"to read without a trace it needs its login in a variable: {_LOGINS[0]}"

    def options(self, model: str, system: str, own: Path, *, quiet: bool) -> Sequence[str]:  # noqa: ARG002
        quietly = ("-s", "--output-format", "json", "--no-custom-instructions", "--disable-builtin-mcps")
        chosen = ("--model", model) if model else ()
        return [*quietly, "--available-tools", "none", "--agent", _AGENT, *chosen]

    def files(self, system: str, folder: Path, own: Path) -> Mapping[Path, str]:  # noqa: ARG002
        about = f"---\nname: {_AGENT}\ndescription: Reads windows\ntools: []\n---\n"
        return {own / "agents" / f"{_AGENT}.agent.md": about + system}

    def settings(self, system: str, own: Path) -> Mapping[str, str]:  # noqa: ARG002
        return {"COPILOT_HOME": str(own), "COPILOT_AUTO_UPDATE": "false"}

    def overhead(self, *, quiet: bool) -> int:  # noqa: ARG002
        return 3_000  # 7.5 KB of its own that nothing takes away

    def output(self, printed: bytes) -> HeadlessOutput | None:
        found = events(printed)
        if not found or found[-1]["type"] != "result" or "sessionId" not in found[-1]:
            return None
        for event in found:
            if event["type"] == "session.error":
                return HeadlessOutput(words(inner(event, "data"), "message"), failed=True)
        said = [words(inner(event, "data"), "content") for event in found if event["type"] == "assistant.message"]
        failed = not said or count(found[-1], "exitCode") != 0
        return HeadlessOutput(said[-1] if said else "no answer", failed)
