"""`catch_next` and `catch_submit`: the agent reads a window of an earlier run, and hands back what is worth keeping."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from memlane.domain import State
from memlane.surfaces.mcp.desk import Desk, Given, Said, failed, ours

if TYPE_CHECKING:
    from memlane.app.catch.assignments import AssignmentReceipt


def catch_next(desk: Desk, given: Given) -> Said:
    """The window has a fence of its own."""
    lane = desk.lane()
    runs = [lane.runs.get(str(given["run"])).id] if "run" in given else []
    handed = lane.catch.assignments.next(desk.nobody, runs)
    if handed is None:
        return ours("Nothing to read: every closed window has been read, or another agent has it.")
    answer = f"Answer with catch_submit, token {handed.token}, within 30 minutes; no memories is an answer too."
    return Said(f"{answer}\n\n{handed.instructions}\n\n{handed.text}")


def catch_submit(desk: Desk, given: Given) -> Said:
    answer = msgspec.json.encode({"memories": given["memories"]}).decode()
    taken = desk.lane().catch.assignments.submit(str(given["token"]), answer)
    if taken.problems:
        wrong = "\n".join(f"- {problem}" for problem in taken.problems)
        return failed(f"nothing was kept, the window is still yours\n{wrong}", "mend these and submit all of it again")
    return ours("\n".join(_told(taken)))


def _told(taken: AssignmentReceipt) -> Iterator[str]:
    if taken.already:
        yield f"Nothing to do: {taken.already}."
    for memory in taken.caught.made:
        word = "kept" if memory.state is State.ACTIVE else "held for the person"
        yield f"{word}: {memory.id} {memory.type.value}: {' '.join(memory.title.split())}"
    for memory in taken.caught.again:
        yield f"seen again: {memory.id} {' '.join(memory.title.split())}"
    for refused in taken.caught.refused:
        yield f"refused ({refused.rule}): {refused.says}"
    yield "There is more: catch_next" if taken.more else "That was the last one."
