"""Memories and runs as resources: `memory://m_…` and `run://r_…` by id, `memories://list?type=…` by what they are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import parse_qsl

from memlane.domain import State
from memlane.domain.door import FencedText, one_line
from memlane.errors import NotFoundError, UsageError
from memlane.surfaces.mcp.desk import AgentDesk, ours
from memlane.surfaces.mcp.tools.runs import read_run
from memlane.surfaces.schema import MEMORY, RUN

LISTED = 20
MOST = 50
LIST = "memories://list"
COLUMNS = frozenset({"type", "entity", "project", "state", "observed", "embedded"})
PLAIN = "text/plain"
_URI = re.compile(r"(memory|run)://([a-z2-7_]{4,15})")
_NAMED = {"memory": MEMORY, "run": RUN}

TEMPLATES: Sequence[Mapping[str, str]] = (
    {"uriTemplate": "memory://{id}", "name": "memory", "title": "A memory by its id", "mimeType": PLAIN},
    {
        "uriTemplate": "memories://list{?type,entity,project,state,observed,embedded}",
        "name": "memories",
        "title": "Memories by type, entity, project, state; several with commas",
        "mimeType": PLAIN,
    },
    {"uriTemplate": "run://{id}", "name": "run", "title": "An earlier run by its id", "mimeType": PLAIN},
)


def listed(desk: AgentDesk) -> list[dict[str, str]]:
    """The newest memories that hold in this project."""
    here = desk.lane().runs.known_in(desk.project({}), LISTED)
    return [
        {"uri": f"memory://{m.id}", "name": m.id, "title": one_line(m.title[:200]), "mimeType": PLAIN} for m in here
    ]


def read(desk: AgentDesk, uri: str) -> FencedText:
    if uri.partition("?")[0] == LIST:
        return _by_columns(desk, uri.partition("?")[2])
    found = _URI.fullmatch(uri)
    if found is None or re.fullmatch(_NAMED[found[1]], found[2]) is None:
        raise NotFoundError("there is no such resource", hint=f"memory://m_…, run://r_… or {LIST}?type=decision")
    if found[1] == "run":
        return read_run(desk, {"run": found[2]}).text
    memory = desk.lane().memories.get(found[2])
    head = f"{memory.id} {memory.type.value}, {memory.state.value}, by {memory.trust.value}, {memory.confidence} %"
    return ours(f"{head}\n{memory.title}\n{memory.content}").text


def _by_columns(desk: AgentDesk, question: str) -> FencedText:
    """Titles, the last seen first. A list costs no tool that stands in every request."""
    asked = dict(parse_qsl(question, keep_blank_values=True, max_num_fields=20))
    if unknown := sorted(asked.keys() - COLUMNS):
        raise UsageError(f"there is no column {unknown[0]!r}", hint=f"one of: {', '.join(sorted(COLUMNS))}")
    if not asked.get("observed", "1").isdecimal() or asked.get("embedded", "yes") not in ("yes", "no"):
        raise UsageError("observed is a number, embedded is yes or no", hint=f"{LIST}?observed=2&embedded=yes")
    lane = desk.lane()
    which = lane.memories.which(
        types=_several(asked.get("type", "")),
        states=_several(asked.get("state", "")) or (State.ACTIVE.value,),
        about=lane.entities.keys(asked["entity"]) if "entity" in asked else frozenset[str](),
        project=lane.runs.project_called(asked["project"]).name if "project" in asked else "",
        observed=int(asked.get("observed", "0")),
        embedded=asked["embedded"] == "yes" if "embedded" in asked else None,
        limit=MOST,
    )
    lines = [f"[{m.id} {m.type.value} {m.state.value}] {one_line(m.title)}" for m in lane.memories.select(which)]
    return ours("\n".join(lines) or "No memories fit.").text


def _several(words: str) -> tuple[str, ...]:
    return tuple(filter(None, (word.strip() for word in words.split(","))))
