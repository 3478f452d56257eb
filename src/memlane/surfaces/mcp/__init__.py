"""How does an agent query us? Ten tools and two kinds of resources over MCP, on a pipe or behind our HTTP."""

from memlane.surfaces.mcp.desk import AgentDesk
from memlane.surfaces.mcp.transport import posted, start

__all__ = ["AgentDesk", "posted", "start"]
