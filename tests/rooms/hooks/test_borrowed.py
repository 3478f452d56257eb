"""Hooks of Claude Code that another agent runs beside its own: told apart by what that agent sets."""

from __future__ import annotations

import posix

import pytest

from memlane.surfaces.hooks.client import is_borrowed

QUESTION = b'{"session_id":"s-1","prompt":"go"}'
COPILOT = {"COPILOT_CLI": "1", "PLUGIN_ROOT": "/p"}


@pytest.mark.parametrize(
    ("agent", "variables", "borrowed"),
    [
        ("claude-code", {}, False),
        ("claude-code", {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s-1"}, False),
        ("claude-code", {"PLUGIN_ROOT": "/p"}, True),
        ("claude-code", {"CURSOR_VERSION": "2.9"}, True),
        ("claude-code", COPILOT, True),
        ("claude-code", {"CLAUDE_CODE_SESSION_ID": "s-9", "PLUGIN_ROOT": "/p"}, True),  # started by Claude Code
        ("claude-code", {"CLAUDE_CODE_SESSION_ID": "s-1", **COPILOT}, False),  # started by Copilot
        ("claude-code", {"DEVIN_PROJECT_DIR": "/p"}, True),
        ("copilot-cli", COPILOT, False),
        ("devin", {"DEVIN_PROJECT_DIR": "/p"}, False),
    ],
)
def test_an_agent_that_runs_the_hooks_of_claude_code_is_answered_by_its_own_alone(
    monkeypatch: pytest.MonkeyPatch, agent: str, variables: dict[str, str], borrowed: bool
) -> None:
    monkeypatch.setattr(posix, "environ", {key.encode(): value.encode() for key, value in variables.items()})
    assert is_borrowed(agent, QUESTION) is borrowed
