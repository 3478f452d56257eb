"""`recall`, `feedback` and `record_outcome`: what is known about a question, and whether it helped."""

from __future__ import annotations

from functools import partial

from memlane.domain import Moment, Query
from memlane.surfaces.mcp.desk import NAMELESS, Desk, Given, Said, ours


def recall(desk: Desk, given: Given) -> Said:
    """Written down like every Recall, once the answer has gone out: `lane why` tells of it, thumbs can be given."""
    lane, folder = desk.lane(), str(desk.folder or "")
    if why_not := lane.recall.off(folder):
        return ours(f"Nothing is recalled here: {why_not}.")
    project, asked = desk.project(given), Moment.ASKED
    query = Query(str(given["prompt"]), project, folder, desk.agent, desk.native_id, desk.run, asked)
    found = lane.recall.recall(query)
    told, keep = lane.recall.told(found), partial(lane.recall.keep, found)
    if told:
        return Said(told, after=keep)
    silent = ours(f"Nothing that is known fits well enough ({found.why}). search looks through earlier runs.")
    return Said(silent.text, after=keep)


def feedback(desk: Desk, given: Given) -> Said:
    judged = desk.lane().recall.feedback.judge(
        str(given["memory"]),
        up=given["verdict"] == "up",
        recall=str(given.get("recall", "")),
        because=str(given.get("because", "")),
        cwd=desk.folder,
        by=desk.agent or NAMELESS,
    )
    return ours(
        f"{judged.memory.id}: thumb {given['verdict']} on prompts like the one it was told on. "
        f"Its score there: x {judged.before:g} -> x {judged.after:g} (an agent's thumb down counts half, its thumb up "
        f"lifts nothing: lane up is the person's). Taken back by: lane undo {judged.act}"
    )


def record_outcome(desk: Desk, given: Given) -> Said:
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
    return ours(f"{told} Taken back by: lane undo {scored.act}")
