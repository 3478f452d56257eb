"""`entities`: who and what is known here, and what is remembered about one of them."""

from __future__ import annotations

from collections.abc import Sequence

from memlane.domain import Memory, State
from memlane.surfaces.mcp.desk import Desk, Given, Said, ours

MOST = 50
OF_ONE = 10


def entities(desk: Desk, given: Given) -> Said:
    knowing = desk.lane().entities
    if "name" not in given:
        known = knowing.entities(str(given.get("type", "")))
        lines = [f"{one.entity.key} {one.entity.name} ({one.active} memories)" for one in known[:MOST]]
        more = [f"({len(known) - MOST} more: give a type or a name)"] if len(known) > MOST else []
        return ours("\n".join([*lines, *more]) or "Nobody and nothing is known yet.")
    about = knowing.about(str(given["name"]))
    also = f", also {', '.join(about.entity.aliases)}" if about.entity.aliases else ""
    lines = [f"{about.entity.key} {about.entity.name}{also}"]
    for memory in _active(about.memories)[:OF_ONE]:
        lines.append(f"[{memory.id} {memory.type.value}] {' '.join(memory.title.split())}")
    return ours("\n".join(lines))


def _active(memories: Sequence[Memory]) -> list[Memory]:
    return [memory for memory in memories if memory.state is State.ACTIVE]
