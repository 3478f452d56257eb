"""The pages of MCP and HTTP, from the tables that answer them: `python -m tools.pages` writes them anew."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from memlane.surfaces.api import central_routes, described, table
from memlane.surfaces.api.router import Route
from memlane.surfaces.daemon.http import by_mcp
from memlane.surfaces.mcp.protocol import STATELESS, WITH_HANDSHAKE
from memlane.surfaces.mcp.resources import TEMPLATES
from memlane.surfaces.mcp.tools import TOOLS
from memlane.surfaces.schema import Schema
from memlane.surfaces.web import twins
from tools.check import ROOT

OPENAPI = ROOT / "docs" / "reference" / "openapi.json"


def mcp_page() -> str:
    """Every tool with what it may be given."""
    lines = [f"Revisions: {', '.join((STATELESS, *WITH_HANDSHAKE))}.", ""]
    for name, tool in TOOLS.items():
        writes = "writes to the journal" if tool.writes else "changes nothing"
        lines += [f"### `{name}`", "", f"{tool.what} ({writes})", "", *_fields(tool.takes), ""]
    lines += ["## Resources", "", "| address | what |", "|---|---|"]
    lines += [f"| `{one['uriTemplate']}` | {one['title']} |" for one in TEMPLATES]
    return "\n".join(lines)


def http_page() -> str:
    """Every route with its rule."""
    return _routes(table(by_mcp, twins()))


def _routes(routes: Sequence[Route]) -> str:
    rows = ["| route | what | asked of a request | largest body |", "|---|---|---|---|"]
    for route in routes:
        checks = ", ".join(check.value for check in route.rule.checks)
        largest = f"{route.rule.largest >> 10} KiB" if route.rule.largest else "none"
        rows.append(f"| `{route.method} {route.path}` | {route.what} | {checks} | {largest} |")
    return "\n".join(rows)


def central_page() -> str:
    """What only Central answers."""
    return _routes(central_routes())


def openapi_text() -> str:
    return json.dumps(described(table(by_mcp, twins())), indent=1, ensure_ascii=False) + "\n"


def _fields(takes: Schema) -> Iterator[str]:
    fields = cast(Mapping[str, Mapping[str, object]], takes["properties"])
    needed = cast(Sequence[str], takes.get("required", ()))
    if fields:
        yield "| argument | | what |"
        yield "|---|---|---|"
    for name, schema in fields.items():
        one_of = cast(Sequence[str], schema.get("enum", ()))
        choices = f" ({', '.join(one_of)})" if one_of else ""
        yield f"| `{name}` | {'needed' if name in needed else ''} | {schema['description']}{choices} |"


def main() -> int:
    """Write the description for programs anew."""
    OPENAPI.write_text(openapi_text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
