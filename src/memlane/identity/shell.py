"""Whose shell is this? An agent that runs a command sets a variable there; a person's own terminal has none of them.

Each was seen in the environment of a command that the true client ran, or stands in its documentation.
"""

from __future__ import annotations

from collections.abc import Mapping

SET_BY: Mapping[str, str] = {
    "CLAUDECODE": "claude-code",
    "CODEX_THREAD_ID": "codex",
    "CURSOR_AGENT": "cursor",
    "GEMINI_CLI": "gemini-cli",
    "COPILOT_CLI": "copilot-cli",
    "OPENCODE": "opencode",
    "PI_CODING_AGENT": "pi",
}
OFF = frozenset({"", "0", "false"})


def agent_in(variables: Mapping[str, str]) -> str:
    """The agent in whose shell a command with this environment runs, or "" in a person's."""
    return next((agent for name, agent in SET_BY.items() if variables.get(name, "").lower() not in OFF), "")
