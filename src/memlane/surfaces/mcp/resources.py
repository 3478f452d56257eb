"""Memories and runs as resources: `memory://m_…` and `run://r_…` by id, `memories://list?type=…` and `runs://list?kind=…`
by what they are.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from urllib.parse import parse_qsl

from memlane.domain import RunFilter, State
from memlane.domain.door import FencedText, one_line
from memlane.errors import NotFoundError, UsageError
from memlane.surfaces.mcp.desk import AgentDesk, ours
from memlane.surfaces.mcp.tools.runs import COLUMNS as OF_RUNS
from memlane.surfaces.mcp.tools.runs import head, read_run
from memlane.surfaces.schema import MEMORY, RUN

LISTED = 20
MOST = 50
MEMORIES, RUNS = "memories://list", "runs://list"
COLUMNS = ("type", "entity", "project", "state", "observed", "embedded")
RUN_COLUMNS = ("project", "agent", *OF_RUNS)
PLAIN = "text/plain"
_URI = re.compile(r"(memory|run)://([a-z2-7_]{4,15})")
_NAMED = {"memory": MEMORY, "run": RUN}

TEMPLATES: Sequence[Mapping[str, str]] = (
    {"uriTemplate": "memory://{id}", "name": "memory", "title": "A memory by its id", "mimeType": PLAIN},
    {
        "uriTemplate": f"{MEMORIES}{{?{','.join(COLUMNS)}}}",
        "name": "memories",
        "title": "Memories by type, entity, project, state; several with commas",
        "mimeType": PLAIN,
    },
    {"uriTemplate": "run://{id}", "name": "run", "title": "An earlier run by its id", "mimeType": PLAIN},
    {
        "uriTemplate": f"{RUNS}{{?{','.join(RUN_COLUMNS)}}}",
        "name": "runs",
        "title": "Earlier runs by whom and what they name and used, the newest first",
        "mimeType": PLAIN,
    },
)


def listed(desk: AgentDesk) -> list[dict[str, str]]:
    """The newest memories that hold in this project."""
    here = desk.lane().runs.known_in(desk.project({}), LISTED)
    return [
        {"uri": f"memory://{m.id}", "name": m.id, "title": one_line(m.title[:200]), "mimeType": PLAIN} for m in here
    ]


def read(desk: AgentDesk, uri: str) -> FencedText:
    address, _, question = uri.partition("?")
    if address == MEMORIES:
        return _memories(desk, _asked(question, COLUMNS))
    if address == RUNS:
        return _runs(desk, _asked(question, RUN_COLUMNS))
    found = _URI.fullmatch(uri)
    if found is None or re.fullmatch(_NAMED[found[1]], found[2]) is None:
        raise NotFoundError(
            "there is no such resource", hint=f"memory://m_…, run://r_…, {MEMORIES}?type=decision or {RUNS}?kind=change"
        )
    if found[1] == "run":
        return read_run(desk, {"run": found[2]}).text
    memory = desk.lane().memories.get(found[2])
    head = f"{memory.id} {memory.type.value}, {memory.state.value}, by {memory.trust.value}, {memory.confidence} %"
    return ours(f"{head}\n{memory.title}\n{memory.content}").text


def _asked(question: str, columns: Collection[str]) -> dict[str, str]:
    asked = dict(parse_qsl(question, keep_blank_values=True, max_num_fields=20))
    if unknown := sorted(asked.keys() - set(columns)):
        raise UsageError(f"there is no column {unknown[0]!r}", hint=f"one of: {', '.join(sorted(columns))}")
    return asked


def _memories(desk: AgentDesk, asked: Mapping[str, str]) -> FencedText:
    """Titles, the last seen first. A list costs no tool that stands in every request."""
    if not asked.get("observed", "1").isdecimal() or asked.get("embedded", "yes") not in ("yes", "no"):
        raise UsageError("observed is a number, embedded is yes or no", hint=f"{MEMORIES}?observed=2&embedded=yes")
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


def _runs(desk: AgentDesk, asked: Mapping[str, str]) -> FencedText:
    """As `read_run` begins, one line each."""
    lane, columns = desk.lane(), {name: value for name, value in asked.items() if name not in ("entity", "project")}
    keys = lane.entities.keys(asked["entity"]) if "entity" in asked else frozenset[str]()
    project = lane.runs.project_called(asked["project"]).name if "project" in asked else ""
    which = replace(RunFilter(project=project, entities=keys, limit=MOST), **columns)
    return ours("\n".join(head(run) for run in lane.runs.select(which)) or "No runs fit.").text


def _several(words: str) -> tuple[str, ...]:
    return tuple(filter(None, (word.strip() for word in words.split(","))))
