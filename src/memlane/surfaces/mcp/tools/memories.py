"""Tools for Memories: an agent asks, proposes, judges and catches; the person decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

import msgspec

from memlane.domain import PROPOSED, Memory, Occasion, Query, RecallMoment, Scope, State, Type
from memlane.domain.door import FencedText, unquoted
from memlane.surfaces.mcp.desk import NAMELESS, AgentDesk, Given, ToolAnswer, failed, ours

if TYPE_CHECKING:
    from memlane.app.catch import AssignmentReceipt


def recall(desk: AgentDesk, given: Given) -> ToolAnswer:
    """Written down like every Recall, once the answer has gone out: `lane why` tells of it, thumbs can be given."""
    lane, folder = desk.lane(), str(desk.folder or "")
    if why_not := lane.recall.off(folder):
        return ours(f"Recall is off here: {why_not}.")
    project, asked = desk.project(given), RecallMoment.ASKED
    query = Query(str(given["prompt"]), project, folder, desk.agent, desk.native_id, desk.run, asked)
    found = lane.recall.recall(query)
    told, keep = lane.recall.told(found), partial(lane.recall.keep, found)
    if told:
        return ToolAnswer(told, after=keep)
    silent = ours(f"No relevant memory ({found.why}). Use search for earlier runs.")
    return ToolAnswer(silent.text, after=keep)


def feedback(desk: AgentDesk, given: Given) -> ToolAnswer:
    judged = desk.lane().recall.feedback.judge(
        str(given["memory"]),
        up=given["verdict"] == "up",
        recall=str(given.get("recall", "")),
        because=str(given.get("because", "")),
        cwd=desk.folder,
        by=desk.agent or NAMELESS,
    )
    return ours(
        f"{judged.memory.id}: thumb {given['verdict']} on prompts like that one. "
        f"Its score there: x {judged.before:g} -> x {judged.after:g} (an agent's thumb down counts half, its thumb up "
        f"lifts nothing: lane up is the person's). Undo: lane undo {judged.act}"
    )


def record_outcome(desk: AgentDesk, given: Given) -> ToolAnswer:
    lane = desk.lane()
    if "run" in given or desk.folder is None:
        run = lane.runs.get(str(given.get("run", "")))
    else:
        run = lane.runs.outcomes.newest_in(desk.folder)
    success = given["outcome"] == "success"
    because, by = str(given.get("because", "")), desk.agent or NAMELESS
    scored = lane.runs.outcomes.outcome(run.id, success=success, because=because, by=by)
    changed = ", ".join(f"{a.id} {b.confidence} -> {a.confidence}" for b, a in scored.changed) or "none changed"
    told = f"{run.id}: {given['outcome']}. Memories recalled in it: {len(scored.memories)} ({changed})."
    return ours(f"{told} Undo: lane undo {scored.act}")


def remember(desk: AgentDesk, given: Given) -> ToolAnswer:
    from memlane.app.memories import MemoryProposal  # noqa: PLC0415 - the first answer waits for no Lane

    note = MemoryProposal(
        _as_said(given, "text"),
        desk.project(given),
        _as_said(given, "title"),
        Type(str(given.get("type", PROPOSED))),
        Scope(str(given.get("scope", Scope.PROJECT))),
        _as_said(given, "said"),
        desk.agent,
        desk.folder,
        desk.run,
        Occasion(_as_said(given, "when"), bool(given.get("always")), tuple(_all_as_said(given, "cues"))),
    )
    proposed = desk.lane().memories.proposals.remember(note)
    memory = proposed.memory
    if proposed.known:
        return ours(f"{memory.id} says the same and is {memory.state.value}; nothing was changed.")
    if memory.state is State.ACTIVE:
        return ours(f"{memory.id} is saved: the user said so.")
    return ours(f"{memory.id} is held until the user approves it: lane mem review")


def _as_said(given: Given, field: str) -> str:
    """An agent may copy what we told it, where `<commit-sha>` has its bracket escaped."""
    return unquoted(str(given.get(field, "")))


def _all_as_said(given: Given, field: str) -> Iterator[str]:
    return (unquoted(str(one)) for one in cast(Sequence[object], given.get(field, ())))


def forget(desk: AgentDesk, given: Given) -> ToolAnswer:
    memory = desk.lane().memories.proposals.forget(str(given["memory"]), desk.agent, str(given.get("because", "")))
    if memory.state is State.FORGOTTEN:
        return ours(f"{memory.id} is already forgotten.")
    return ours(
        f"Nothing was forgotten yet: only the person can. It waits for them in `lane mem review`; they can also say "
        f'lane mem forget {memory.id} ("{" ".join(memory.title.split())}").'
    )


MOST = 50
OF_ONE = 10


def entities(desk: AgentDesk, given: Given) -> ToolAnswer:
    knowing = desk.lane().entities
    if "name" not in given:
        known = knowing.entities(str(given.get("type", "")))
        lines = [f"{one.entity.key} {one.entity.name} ({one.active} memories)" for one in known[:MOST]]
        more = [f"({len(known) - MOST} more: give a type or a name)"] if len(known) > MOST else []
        return ours("\n".join([*lines, *more]) or "No entities yet.")
    about = knowing.about(str(given["name"]))
    also = f", also {', '.join(about.entity.aliases)}" if about.entity.aliases else ""
    lines = [f"{about.entity.key} {about.entity.name}{also}"]
    for memory in _active(about.memories)[:OF_ONE]:
        lines.append(f"[{memory.id} {memory.type.value}] {' '.join(memory.title.split())}")
    return ours("\n".join(lines))


def _active(memories: Sequence[Memory]) -> list[Memory]:
    return [memory for memory in memories if memory.state is State.ACTIVE]


def catch_next(desk: AgentDesk, given: Given) -> ToolAnswer:
    """The window has a fence of its own."""
    lane = desk.lane()
    runs = [lane.runs.get(str(given["run"])).id] if "run" in given else []
    handed = lane.catch.assignments.next(desk.nobody, runs)
    if handed is None:
        return ours("Nothing to read: every finished window has been read or is with another agent.")
    answer = f"Answer with catch_submit, token {handed.token}, within 30 minutes; an empty list is a valid answer."
    return ToolAnswer(FencedText(f"{answer}\n\n{handed.instructions}\n\n{handed.text}"))


def catch_submit(desk: AgentDesk, given: Given) -> ToolAnswer:
    answer = msgspec.json.encode({"memories": given["memories"]}).decode()
    taken = desk.lane().catch.assignments.submit(str(given["token"]), answer)
    if taken.problems:
        wrong = "\n".join(f"- {problem}" for problem in taken.problems)
        return failed(f"nothing was saved; the window is still yours\n{wrong}", "fix these and submit everything again")
    return ours("\n".join(_told(taken)))


def _told(taken: AssignmentReceipt) -> Iterator[str]:
    if taken.already:
        yield f"Nothing to do: {taken.already}."
    for memory in taken.caught.made:
        word = "kept" if memory.state is State.ACTIVE else "held for the user"
        because = f" ({memory.held_because})" if memory.state is State.HELD else ""
        yield f"{word}: {memory.id} {memory.type.value}: {' '.join(memory.title.split())}{because}"
    for memory in taken.caught.again:
        yield f"seen again: {memory.id} {' '.join(memory.title.split())}"
    for refused in taken.caught.refused:
        yield f"refused ({refused.rule}): {refused.says}"
    yield "Next one: catch_next" if taken.more else "That was the last one."
