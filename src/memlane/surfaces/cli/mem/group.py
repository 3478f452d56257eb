"""`lane mem` and its verbs that change how a memory stands: pause, resume, restore, standing, forget; all with undo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from memlane.errors import UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import cut, many, one_line
from memlane.surfaces.documents import of_memory

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.memories import ActEffect, ErasePlan

command = frame.group("Memories: list, edit, review, forget, restore.", bare="list")


def persons_word(lane: Lane, verb: str, names: Sequence[str]) -> None:
    """What lifts a memory, or takes it away for good, only its person says: not an agent in its own shell."""
    if lane.home.agent:
        raise UsageError(
            f"this is {lane.home.agent}'s shell, and only you can decide this",
            hint=f"in a terminal of your own: lane mem {verb} {' '.join(names)}",
        )


def undo_of(act: str) -> str | None:
    return f"lane undo {act}" if act else None


def told(
    screen: Screen,
    schema: str,
    acted: ActEffect,
    done: str,
    meta: Mapping[str, object] | None = None,
    *,
    unchanged: str = "",
) -> None:
    """Several memories, each with what became of it; `unchanged`: what one is called that was so before."""
    if screen.json:
        documents = [of_memory(memory) for memory in acted.after]
        screen.emit(schema, documents, {**(meta or {}), "undo": undo_of(acted.act)})
        return
    for before, after in zip(acted.before, acted.after, strict=True):
        if not screen.terminal:
            screen.record(after.id, after.state.value, after.title)
            continue
        name = done if before != after else unchanged or f"Already {after.state.value}"
        screen.line(f"{name}: {screen.cut(one_line(after.title), screen.columns - len(name) - 2)}")
    told_undo(screen, acted.act)


def told_undo(screen: Screen, act: str) -> None:
    if act and screen.terminal and not screen.json:
        screen.line(f"  undo: lane undo {act}")


@frame.command("pause", of=command)
@click.argument("memories", nargs=-1, required=True)
def pause(screen: Screen, memories: tuple[str, ...]) -> None:
    """Keep it but never recall it until resumed."""
    names = [screen.meant(name) for name in memories]
    with screen.lane() as lane:
        acted = lane.memories.pause(names)
    told(screen, "lane.mem.pause/1", acted, "Paused")


@frame.command("resume", of=command)
@click.argument("memories", nargs=-1, required=True)
def resume(screen: Screen, memories: tuple[str, ...]) -> None:
    """End a pause."""
    names = [screen.meant(name) for name in memories]
    with screen.lane() as lane:
        persons_word(lane, "resume", names)
        acted = lane.memories.resume(names)
    told(screen, "lane.mem.resume/1", acted, "Resumed")


@frame.command("restore", of=command)
@click.argument("memories", nargs=-1, required=True)
def restore(screen: Screen, memories: tuple[str, ...]) -> None:
    """Restore a forgotten, replaced or retired memory."""
    names = [screen.meant(name) for name in memories]
    with screen.lane() as lane:
        persons_word(lane, "restore", names)
        acted = lane.memories.restore(names)
    told(screen, "lane.mem.restore/1", acted, "Restored")


@frame.command("standing", of=command)
@click.argument("memories", nargs=-1, required=True)
@click.option("--off", is_flag=True, help="No standing rule any more.")
def standing(screen: Screen, memories: tuple[str, ...], off: bool) -> None:
    """Make it a standing rule, given at the start of every run."""
    names = [screen.meant(name) for name in memories]
    with screen.lane() as lane:
        persons_word(lane, "standing", names)
        acted = lane.memories.make_standing(names, on=not off)
    done, unchanged = ("No longer standing", "Not standing") if off else ("Standing rule", "Already standing")
    told(screen, "lane.mem.standing/1", acted, done, unchanged=unchanged)


@frame.command("forget", of=command)
@click.argument("memories", nargs=-1, required=True)
@click.option("--now", is_flag=True, help="Delete its text permanently from journal and index.")
@click.option("--dry-run", is_flag=True, help="Show what would happen and change nothing.")
@click.option("--yes", "-y", is_flag=True, help="Skip the confirmation.")
def forget(screen: Screen, memories: tuple[str, ...], now: bool, dry_run: bool, yes: bool) -> None:
    """Forget a memory. `lane mem restore` brings it back, unless you used --now."""
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
        if now:
            lane.shipment.must_be_free([memory.id for memory in plan.memories])
        for line in _plan(plan, now=now):
            screen.say(line)
        if dry_run or not screen.confirmed("Delete permanently? This cannot be undone.", yes=yes):
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
    screen.say(f"{lane.home.agent} asked for it; you decide with lane mem review")


def _plan(plan: ErasePlan, *, now: bool) -> list[str]:
    named = [f'{memory.id} "{cut(one_line(memory.title), 60)}"' for memory in plan.memories]
    if not now:
        return [f"{name} would no longer be recalled; its text stays" for name in named]
    found = [f"{', '.join(named)}: the text will be deleted from {many(plan.lines, 'journal line')} and the index"]
    if plan.recalls:
        found[0] += f", {many(plan.recalls, 'recall')} among them (the record that it was shown stays)"
    if plan.runs:
        found.append(f"The original words stay in the run; to delete them too: lane forget {' '.join(plan.runs)} --now")
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
            screen.line(f"Deleted: {memory.id}")
        else:
            screen.record(memory.id, "forgotten", "")
