"""Claude Code: the command line, the desktop app, the editor extensions and the SDK."""

from __future__ import annotations

from memlane.agents.agent import Agent, ToldAt, Variables

_HERE = "memlane.agents.claude_code"
AGENT = Agent(
    "claude-code",
    "Claude Code",
    parts={
        "source": f"{_HERE}.source:ClaudeCode",
        "hooks": f"{_HERE}.source:ClaudeCode",
        "install": f"{_HERE}.install",
        "resume": f"{_HERE}.resume:ClaudeResume",
        "own_notes": f"{_HERE}.notes:NOTES",
        "headless": f"{_HERE}.headless:ClaudeHeadless",
        "memory_folder": f"{_HERE}.memory_folder:ClaudeMemoryFolder",
    },
    told=ToldAt(),
    client="claude",
    variables=Variables(
        shell=("CLAUDECODE",),
        run=("CLAUDE_CODE_SESSION_ID",),
        project="CLAUDE_PROJECT_DIR",
        homes=("CLAUDE_CONFIG_DIR",),
        inherited=(
            "CLAUDECODE",
            "CLAUDE_PID",
            "CLAUDE_EFFORT",
            "AI_AGENT",
            r"CLAUDE_CODE_(?:ENTRYPOINT|CHILD_SESSION|SESSION_\w+|MESSAGING_\w+|EXECPATH|SSE_PORT)",
        ),
    ),
)
HISTORY = Agent("claude-history", "Claude Code's prompt history", {"source": f"{_HERE}.history:ClaudeHistory"})
