"""`lane mem forget`: out of everything we answer with; with `--now`, its text out of journal and index for good."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.mem.group import command, persons_word, told
from memlane.surfaces.cli.text import cut, many, one_line
from memlane.surfaces.documents import of_memory

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.memories import ErasePlan


@frame.command("forget", of=command)
@click.argument("memories", nargs=-1, required=True)
@click.option("--now", is_flag=True, help="For good: its text leaves journal and index.")
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
def forget(screen: Screen, memories: tuple[str, ...], now: bool, dry_run: bool, yes: bool) -> None:
    """Take it out of everything we answer with. `lane mem restore` brings it back until --now."""
    names = [screen.meant(name) for name in memories]
    with screen.lane() as lane:
        if lane.home.agent and not dry_run:
            _ask_for(screen, lane, names, now=now)
            return
        if not now and not dry_run:
            acted = lane.memories.forget(names)
            told(screen, "lane.mem.forget/1", acted, "Forgotten", {"now": False, "done": True})
            return
        plan = lane.memories.plan_gone(names)
        for line in _plan(plan, now=now):
            screen.say(line)
        if dry_run or not screen.confirmed("Take it out for good? This cannot be undone.", yes=yes):
            screen.say("Nothing was changed.")
            _left(screen, plan, now=now, done=False)
            return
        lane.memories.forget_for_good(plan)
        lane.folder.write()  # it stands on a page too
    _left(screen, plan, now=True, done=True)


def _ask_for(screen: Screen, lane: Lane, names: Sequence[str], *, now: bool) -> None:
    """An agent in its own shell asks; the person answers in `lane mem review`, as with every other wish of an agent."""
    if now:
        persons_word(lane, "forget --now", names)
    asked = [lane.memories.proposals.forget(name, lane.home.agent) for name in names]
    if screen.json:
        meta = {"now": False, "done": False, "undo": None, "waits_for": "lane mem review"}
        screen.emit("lane.mem.forget/1", [of_memory(memory) for memory in asked], meta)
        return
    for memory in asked:
        screen.record(memory.id, memory.state.value, memory.title)
    screen.say(f"{lane.home.agent} asked for it: it waits for a person's yes (lane mem review)")


def _plan(plan: ErasePlan, *, now: bool) -> list[str]:
    named = [f'{memory.id} "{cut(one_line(memory.title), 60)}"' for memory in plan.memories]
    if not now:
        return [f"{name} would no longer be recalled; its text stays" for name in named]
    found = [f"{', '.join(named)}: the text leaves {many(plan.lines, 'journal line')} and the index"]
    if plan.recalls:
        found[0] += f", {many(plan.recalls, 'recall')} among them; that it was shown stays"
    if plan.runs:
        found.append(f"What was said stays in its run: lane forget {' '.join(plan.runs)} --now takes that out too.")
    if plan.merged_into:
        found.append(f"{', '.join(plan.merged_into)} was merged from it and keeps its evidence.")
    return found


def _left(screen: Screen, plan: ErasePlan, *, now: bool, done: bool) -> None:
    if screen.json:
        meta = {"now": now, "done": done, "undo": None, "lines": plan.lines, "recalls": plan.recalls}
        data = [of_memory(memory) for memory in plan.memories] if not done else []
        screen.emit("lane.mem.forget/1", data, {**meta, "gone": [m.id for m in plan.memories] if done else []})
        return
    for memory in plan.memories if done else ():
        if screen.terminal:
            screen.line(f"Gone for good: {memory.id}")
        else:
            screen.record(memory.id, "forgotten", "")
