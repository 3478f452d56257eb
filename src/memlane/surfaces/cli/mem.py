"""`lane mem`: the memories there are, one of them, and taking one out or back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from memlane.domain import Memory, Scope, State, Type
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.documents import of_memory
from memlane.surfaces.cli.frame import Column, Screen
from memlane.surfaces.cli.text import ago, clean, day, iso, many, one_line, padded, width, wrapped

LISTED = (State.HELD, State.ACTIVE, State.PAUSED)
WIDEST = 80

command = frame.group("The memories there are: list, show, forget, restore.")


@frame.command("list", of=command, lists=True)
@click.option("--type", "type_", type=click.Choice([t.value for t in Type]), default=None, help="Only of this type.")
@click.option(
    "--state", type=click.Choice([*(s.value for s in State), "all"]), default=None, help="Only in this state."
)
@click.option("--scope", type=click.Choice([s.value for s in Scope]), default=None, help="Only of this scope.")
@click.option("--project", default="", metavar="NAME", help="Only of this project; . is the one here.")
@click.option("--limit", type=click.IntRange(min=1), default=None, help="At most this many.")
def list_(screen: Screen, project: str, limit: int | None, **given: Any) -> None:
    """All that may be recalled or waits to be, newest first."""
    states = tuple(State) if given["state"] == "all" else (State(given["state"]),) if given["state"] else LISTED
    with screen.lane() as lane:
        if project.startswith((".", "/", "~")):
            project = lane.reading.project_at(Path(project).expanduser().resolve()).key
        found = [
            memory
            for memory in lane.remembering.memories(states)
            if given["type_"] in (None, memory.type.value)
            and given["scope"] in (None, memory.scope.value)
            and project in ("", memory.project, memory.project_key)
        ][:limit]
    screen.remember_list([memory.id for memory in found])
    screen.listing("lane.mem.list/1", found, of_memory, _columns(screen, found), {"memories": len(found)})
    if not found and not screen.json:
        screen.say('No memories here. Make one: lane remember "deploys go through make ship"')


def _columns(screen: Screen, found: list[Memory]) -> list[Column]:
    numbers = {memory.id: str(n) for n, memory in enumerate(found, 1)}

    def where(memory: Memory) -> str:
        return memory.project if memory.scope is Scope.PROJECT else memory.scope.value

    def title(memory: Memory) -> str:
        return ("" if memory.state is State.ACTIVE else f"({memory.state.value}) ") + memory.title

    return [
        Column(lambda m: numbers[m.id], None, "dim", right=True),
        Column(None, lambda m: m.id),
        Column(lambda m: m.type.value, lambda m: m.type.value, "cyan"),
        Column(None, lambda m: m.state.value),
        Column(None, lambda m: m.scope.value),
        Column(where, lambda m: m.project, "green", from_width=80, most=20),
        Column(lambda m: ago(m.saved_at, screen.now), lambda m: iso(m.saved_at), right=True),
        Column(title, lambda m: m.title, stretch=True),
        Column(lambda m: m.id[:6], None, "dim"),
    ]


@frame.command("show", of=command)
@click.argument("memory")
def show(screen: Screen, memory: str) -> None:
    """One memory, with what it stands on."""
    with screen.lane() as lane:
        found = lane.remembering.memory(screen.meant(memory))
    if screen.json:
        screen.emit("lane.mem.show/1", of_memory(found))
        return
    for line in card(screen, found):
        screen.line(line)


def card(screen: Screen, memory: Memory) -> Iterator[str]:
    room = min(screen.columns, WIDEST) if screen.terminal else WIDEST
    head = f"{memory.type.value}   confidence {memory.confidence}   {memory.state.value}"
    yield padded(head, max(width(head) + 2, room - width(memory.id))) + memory.id
    yield from (screen.styled(line, "bold") for line in wrapped(one_line(memory.title), room))
    body = clean(memory.content).strip()
    if body and one_line(body) != one_line(memory.title):
        yield ""
        yield from wrapped(body, room)
    yield ""
    for name, what in _facts(screen, memory):
        if what:
            first, *rest = [*wrapped(one_line(what), room - 12)]
            yield f"{name:<12}{first}"
            yield from (f"{'':<12}{line}" for line in rest)


def _facts(screen: Screen, memory: Memory) -> list[tuple[str, str]]:
    seen = f"seen {many(memory.times_observed, 'time')}, {day(memory.first_observed_at, screen.now)}"
    last = day(memory.last_observed_at, screen.now)
    return [
        ("Why kept", memory.reasoning),
        ("Holds in", memory.project if memory.scope is Scope.PROJECT else memory.scope.value),
        ("Word of", f"{memory.trust.value} (made by {memory.maker})"),
        ("Evidence", seen + (f" to {last}" if last != day(memory.first_observed_at, screen.now) else "")),
        ("Source", ", ".join(e.step or e.run for e in memory.evidence)),
        ("Used", f"recalled in {many(memory.recall_count, 'run')}" if memory.recall_count else "not yet"),
        ("Visible to", "only you"),
    ]


@frame.command("forget", of=command)
@click.argument("memories", nargs=-1, required=True)
def forget(screen: Screen, memories: tuple[str, ...]) -> None:
    """Take it out of everything we answer with."""
    _moved(screen, "forget", memories)


@frame.command("restore", of=command)
@click.argument("memories", nargs=-1, required=True)
def restore(screen: Screen, memories: tuple[str, ...]) -> None:
    """Bring a forgotten memory back."""
    _moved(screen, "restore", memories)


def _moved(screen: Screen, verb: str, given: tuple[str, ...]) -> None:
    names = [screen.meant(one) for one in given]
    with screen.lane() as lane:
        ids = [lane.remembering.memory(name).id for name in names]  # all of them are known before the first is moved
        move = lane.remembering.forget if verb == "forget" else lane.remembering.restore
        moved = [move(memory) for memory in ids]
    if screen.json:
        screen.emit(f"lane.mem.{verb}/1", [of_memory(memory) for memory in moved])
        return
    back = "restore" if verb == "forget" else "forget"
    for memory in moved:
        if screen.terminal:
            done = "Forgotten" if verb == "forget" else "Restored"
            screen.line(f"{done}: {screen.cut(one_line(memory.title), screen.columns - 14)}")
            screen.line(f"  undo: lane mem {back} {memory.id}")
        else:
            screen.record(memory.id, memory.state.value, memory.title)
