"""Tools for Memories: an agent asks, proposes, judges and catches; the person decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec

from memlane.domain import PROPOSED, Memory, Occasion, Query, RecallMoment, Scope, State, Type
from memlane.domain.door import FencedText, unquoted
from memlane.surfaces.mcp.desk import NAMELESS, AgentDesk, Given, ToolAnswer, failed, ours
from memlane.surfaces.phrases import receipt_lines

if TYPE_CHECKING:
    from memlane.app.catch import Assignment, CatchProgress, MemoryQuestion


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

    desk.lane().home.begin()
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


def standing(desk: AgentDesk, given: Given) -> ToolAnswer:
    """An agent may do it in the person's words alone, as with what it wants remembered."""
    from memlane.app.memories import AgentPlace  # noqa: PLC0415 - the first answer waits for no Lane

    on, place = bool(given.get("on", True)), AgentPlace(desk.agent, desk.folder or Path(), desk.run)
    memory, act = desk.lane().memories.proposals.make_standing(
        str(given["memory"]), _as_said(given, "said") if desk.folder else "", place, on=on
    )
    if act:
        return ours(f"{memory.id} is {'a' if on else 'no'} standing rule now. Undo: lane undo {act}")
    if memory.always is on:
        return ours(f"{memory.id} is {'a standing rule' if on else 'no standing rule'} already.")
    return ours(
        "Nothing was changed: said must be the person's own words in this turn. "
        f"They can also do it: lane mem standing {memory.id}{'' if on else ' --off'}"
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
    lane, count = desk.lane(), int(str(given.get("count", 1)))
    runs = [lane.runs.get(str(given["run"])).id] if "run" in given else []
    handed = lane.catch.assignments.several(desk.nobody, runs, count)
    question = None if handed or runs else lane.catch.assignments.question(desk.nobody)
    if question is not None:
        return _handed(question.instructions, _asked(question))
    if not handed:
        return ours("Nothing to read: every finished window has been read or is with another agent.")
    progress = lane.catch.assignments.progress(runs)
    return _handed(handed[0].instructions, *(_window(one, progress.of(n)) for n, one in enumerate(handed, 1)))


def catch_submit(desk: AgentDesk, given: Given) -> ToolAnswer:
    """What became of it, and the next window."""
    assignments = desk.lane().catch.assignments
    answer = msgspec.json.encode({"memories": given["memories"]}).decode()
    taken = assignments.submit(str(given["token"]), answer)
    told = "\n".join(receipt_lines(taken))
    if taken.problems:
        fix = f"send these again alone, with token {taken.token}; an empty list leaves them out"
        return failed(f"some of it was not taken; the window is still yours\n{told}", fix)
    if given.get("last"):
        return ours(told)
    if waiting := assignments.unanswered(taken.token):
        return ours(f"{told}\nStill yours to answer: {', '.join(waiting)}")
    onward = assignments.onward(taken.token)
    if onward is None:
        return ours(f"{told}\nThat was the last one.")
    head = ours(told).text if onward.kind == "window" else f"{ours(told).text}\n\n{onward.instructions}"
    return _handed(head, _next(onward, assignments.progress()))


def _next(onward: Assignment | MemoryQuestion, progress: CatchProgress) -> str:
    return _window(onward, progress.of(1)) if onward.kind == "window" else _asked(onward)


def _handed(head: str, *windows: str) -> ToolAnswer:
    """These have a fence of their own."""
    body = "\n\n".join(windows)
    return ToolAnswer(FencedText(f"{head}\n\n{body}"))


def _window(handed: Assignment, place: str) -> str:
    answer = f"Answer with catch_submit, token {handed.token}, within 30 minutes; an empty list is a valid answer."
    return f"Window {place}. {answer}\n\n{handed.text}"


def _asked(question: MemoryQuestion) -> str:
    answer = f"Answer with catch_submit, token {question.token}."
    return f"No window is open; these memories can be improved. {answer}\n\n{question.text}"
