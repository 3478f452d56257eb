"""Gemini CLI: documents rewritten whole (until early 2026) and files of records that patch each other (since)."""

from __future__ import annotations

from memlane.agents.agent import Agent, Variables

_HERE = "memlane.agents.gemini_cli"
AGENT = Agent(
    "gemini-cli",
    "Gemini CLI",
    parts={
        "source": f"{_HERE}.source:GeminiCli",
        "own_notes": f"{_HERE}.notes:NOTES",
        "headless": f"{_HERE}.headless:GeminiHeadless",
    },
    variables=Variables(shell=("GEMINI_CLI",), run=("GEMINI_SESSION_ID",)),
)
