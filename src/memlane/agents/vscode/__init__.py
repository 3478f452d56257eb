"""VS Code's own agents, as its documentation describes their hooks: they are told; their chats are not read."""

from __future__ import annotations

from memlane.agents.agent import Agent, ToldAt

_HERE = "memlane.agents.vscode.hooks"
AGENT = Agent(
    "vscode",
    "VS Code",
    parts={"hooks": f"{_HERE}:VSCodeHooks", "install": f"{_HERE}:INSTALL"},
    told=ToldAt(prompt="", compaction=""),
)
