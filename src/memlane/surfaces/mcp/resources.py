"""Memories and runs as resources: `memory://m_…` and `run://r_…`, by id alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from memlane.domain.door import FencedText, one_line
from memlane.errors import NotFoundError
from memlane.surfaces.mcp.desk import AgentDesk, ours
from memlane.surfaces.mcp.tools.runs import read_run
from memlane.surfaces.schema import MEMORY, RUN

LISTED = 20
PLAIN = "text/plain"
_URI = re.compile(r"(memory|run)://([a-z2-7_]{4,15})")
_NAMED = {"memory": MEMORY, "run": RUN}

TEMPLATES: Sequence[Mapping[str, str]] = (
    {"uriTemplate": "memory://{id}", "name": "memory", "title": "A memory by its id", "mimeType": PLAIN},
    {"uriTemplate": "run://{id}", "name": "run", "title": "An earlier run by its id", "mimeType": PLAIN},
)


def listed(desk: AgentDesk) -> list[dict[str, str]]:
    """The newest memories that hold in this project."""
    here = desk.lane().runs.known_in(desk.project({}), LISTED)
    return [
        {"uri": f"memory://{m.id}", "name": m.id, "title": one_line(m.title[:200]), "mimeType": PLAIN} for m in here
    ]


def read(desk: AgentDesk, uri: str) -> FencedText:
    found = _URI.fullmatch(uri)
    if found is None or re.fullmatch(_NAMED[found[1]], found[2]) is None:
        raise NotFoundError("there is no such resource", hint="memory://m_… or run://r_…")
    if found[1] == "run":
        return read_run(desk, {"run": found[2]}).text
    memory = desk.lane().memories.get(found[2])
    head = f"{memory.id} {memory.type.value}, {memory.state.value}, by {memory.trust.value}, {memory.confidence} %"
    return ours(f"{head}\n{memory.title}\n{memory.content}").text
