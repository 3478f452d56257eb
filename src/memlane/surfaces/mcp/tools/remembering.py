"""`remember` and `forget`: an agent proposes, the person decides; what they have just said themselves holds at once."""

from __future__ import annotations

from memlane.domain import Scope, State, Type
from memlane.surfaces.mcp.desk import Desk, Given, Said, ours


def remember(desk: Desk, given: Given) -> Said:
    from memlane.app.memories.proposals import MemoryProposal  # noqa: PLC0415 - the first answer waits for no Lane

    note = MemoryProposal(
        str(given["text"]),
        desk.project(given),
        str(given.get("title", "")),
        Type(str(given.get("type", Type.LEARNING))),
        Scope(str(given.get("scope", Scope.PROJECT))),
        str(given.get("said", "")),
        desk.agent,
        desk.folder,
        desk.run,
    )
    proposed = desk.lane().memories.proposals.remember(note)
    memory = proposed.memory
    if proposed.known:
        return ours(f"{memory.id} says the same and is {memory.state.value}; nothing was changed.")
    if memory.state is State.ACTIVE:
        return ours(f"{memory.id} is remembered: the person said so.")
    return ours(f"{memory.id} is held until the person says yes: lane mem review")


def forget(desk: Desk, given: Given) -> Said:
    memory = desk.lane().memories.proposals.forget(str(given["memory"]), desk.agent, str(given.get("because", "")))
    if memory.state is State.FORGOTTEN:
        return ours(f"{memory.id} is forgotten already.")
    return ours(
        f"Nothing was forgotten yet: only the person can. It waits for them in `lane mem review`; they can also say "
        f'lane mem forget {memory.id} ("{" ".join(memory.title.split())}").'
    )
