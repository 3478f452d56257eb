"""Gemini CLI: documents rewritten whole (until early 2026) and files of records that patch each other (since)."""

from __future__ import annotations

from memlane.agents.agent import Agent, ToldAt, Variables

_HERE = "memlane.agents.gemini_cli"
AGENT = Agent(
    "gemini-cli",
    "Gemini CLI",
    parts={
        "source": f"{_HERE}.source:GeminiCli",
        "hooks": f"{_HERE}.hooks:GeminiHooks",
        "install": f"{_HERE}.install:INSTALL",
        "own_notes": f"{_HERE}.notes:NOTES",
        "resume": f"{_HERE}.resume:GeminiResume",
        "headless": f"{_HERE}.headless:GeminiHeadless",
    },
    told=ToldAt(compaction="every 25 prompts"),
    client="gemini",
    variables=Variables(shell=("GEMINI_CLI",), run=("GEMINI_SESSION_ID",)),
)
