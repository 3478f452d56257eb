"""`python -m memlane.surfaces.mcp`: what an agent's settings name. The same as `lane mcp`, and a little quicker."""

from __future__ import annotations

import sys

from memlane.surfaces.mcp import start

if __name__ == "__main__":
    sys.exit(start())
