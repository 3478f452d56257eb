"""One plugin in three agents: whose hook it is, by what the agent sets."""

from __future__ import annotations

import posix

import pytest

from memlane.surfaces.hooks.client import who_calls

QUESTION = b'{"session_id":"s-1","prompt":"go"}'
COPILOT = {"COPILOT_CLI": "1", "PLUGIN_ROOT": "/p"}


@pytest.mark.parametrize(
    ("agent", "variables", "who"),
    [
        ("claude-code", {}, "claude-code"),
        ("claude-code", {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s-1"}, "claude-code"),
        ("claude-code", {"PLUGIN_ROOT": "/p"}, "codex"),
        ("claude-code", COPILOT, "copilot-cli"),
        ("claude-code", {"CLAUDE_CODE_SESSION_ID": "s-9", "PLUGIN_ROOT": "/p"}, "codex"),  # started by Claude Code
        ("claude-code", {"CLAUDE_CODE_SESSION_ID": "s-1", **COPILOT}, "claude-code"),  # started by Copilot
        ("gemini-cli", {"PLUGIN_ROOT": "/p"}, "gemini-cli"),
    ],
)
def test_the_agent_is_known_by_its_own_session_then_by_its_environment(
    monkeypatch: pytest.MonkeyPatch, agent: str, variables: dict[str, str], who: str
) -> None:
    monkeypatch.setattr(posix, "environ", {key.encode(): value.encode() for key, value in variables.items()})
    assert who_calls(agent, QUESTION) == who
