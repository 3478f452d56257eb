"""`lane mcp`: our tools for an agent that speaks MCP, over its standard input and output."""

from __future__ import annotations

from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen

EXAMPLES = """
claude mcp add lane -- lane mcp
codex mcp add lane -- lane mcp
"""


@frame.command(examples=EXAMPLES)
def command(screen: Screen) -> None:
    """Our tools for an agent, over standard input and output: what its settings name. It ends when the agent does."""
    from memlane.surfaces.mcp import start

    code = start()
    if code:
        screen.leave(code)
