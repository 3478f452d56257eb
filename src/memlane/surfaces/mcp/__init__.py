"""How does an agent ask by itself? Ten tools and two kinds of resources over MCP, on a pipe or behind our HTTP."""

from memlane.surfaces.mcp.desk import Desk
from memlane.surfaces.mcp.http import posted
from memlane.surfaces.mcp.start import start

__all__ = ["Desk", "posted", "start"]
