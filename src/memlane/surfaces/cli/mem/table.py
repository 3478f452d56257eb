"""`lane mem list`: which memories there are, by type, place and words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memlane.domain import Memory, Scope, Selection, State, Type
from memlane.surfaces.cli import frame, times
from memlane.surfaces.cli.frame import Column, Screen
from memlane.surfaces.cli.mem.group import command
from memlane.surfaces.cli.text import ago, iso
from memlane.surfaces.documents import of_memory

if TYPE_CHECKING:
    from memlane.app import Lane

LISTED = (State.HELD, State.ACTIVE, State.PAUSED)
EXAMPLES = """
lane mem list docker copy
lane mem list --state held --confidence 50
lane mem list --type correction --project . --since 4w
lane mem list --entity person:hoy-amy --type decision --type correction --seen 2 --embedded
"""


@frame.command("list", of=command, lists=True, examples=EXAMPLES)
@click.argument("words", nargs=-1)
@click.option(
    "--type", "types", type=click.Choice([t.value for t in Type]), multiple=True, help="Only this type; repeatable."
)
@click.option(
    "--state",
    "states",
    type=click.Choice([*(s.value for s in State), "all"]),
    multiple=True,
    help="Only this state; repeatable.",
)
@click.option("--scope", type=click.Choice([s.value for s in Scope]), default=None, help="Only this scope.")
@click.option("--project", default="", metavar="NAME", help="Only this project; . is the current one.")
@click.option("--entity", default="", metavar="NAME", help="Only about this entity: hoy-amy, person:hoy-amy, Amy.")
@click.option("--category", default="", metavar="NAME", help="Only this category: email, code.")
@click.option("--since", default="", metavar="WHEN", help="Seen since: 3d, last week, 2026-10-01.")
@click.option("--seen", "--observed", type=click.IntRange(min=1), default=1, metavar="N", help="Seen at least N times.")
@click.option(
    "--confidence",
    "--min-confidence",
    type=click.IntRange(0, 100),
    default=0,
    metavar="N",
    help="At least this confident.",
)
@click.option("--always", is_flag=True, help="Only standing rules.")
@click.option("--embedded/--not-embedded", default=None, help="Only those with, or without, a vector for their text.")
@click.option("--limit", type=click.IntRange(min=1), default=None, help="At most this many.")
def list_(screen: Screen, words: tuple[str, ...], limit: int | None, **given: Any) -> None:
    """List active and held memories, newest first; they must contain all WORDS."""
    since = times.moment(given["since"], screen.now.astimezone()) if given["since"] else None
    with screen.lane() as lane:
        given["project"] = _project(lane, given["project"])
        which, me = _which(given), lane.config.user
        every = (*lane.memories.select(which), *lane.memories.shared(which))
        fitting = (m for m in every if fits(m, given, words, since))
        found = sorted(fitting, key=lambda memory: memory.formed_at, reverse=True)[:limit]
    screen.remember_list([memory.id for memory in found])
    screen.listing("lane.mem.list/1", found, of_memory, columns(screen, found, me), {"memories": len(found)})
    if not found and not screen.json:
        asked = (
            words or since or given["seen"] > 1 or given["embedded"] is not None or any(given[name] for name in _ASKED)
        )
        hint = "List all: lane mem list --state all" if asked else _MAKE_ONE
        screen.say(f"No memories {'match' if asked else 'yet'}. {hint}")


def _which(given: Mapping[str, Any]) -> Selection:
    """What storage can tell by itself."""
    asked = given["states"]
    states = tuple(State) if "all" in asked else tuple(State(one) for one in asked) or LISTED
    return Selection(states=states, types=given["types"], observed=given["seen"], embedded=given["embedded"])


_ASKED = ("types", "states", "scope", "project", "entity", "category", "confidence", "always")
_MAKE_ONE = 'Add one: lane remember "deploys go through make ship"'


def _project(lane: Lane, given: str) -> str:
    if given.startswith((".", "/", "~")):
        return lane.runs.project_at(Path(given).expanduser().resolve()).key
    return given


def fits(memory: Memory, given: Mapping[str, Any], words: Sequence[str], since: datetime | None) -> bool:
    text = memory.title.casefold() + "\n" + memory.content.casefold()
    return (
        given["scope"] in (None, memory.scope.value)
        and given["project"] in ("", memory.project, memory.project_key)
        and given["category"].casefold() in ("", memory.category.casefold())
        and memory.confidence >= given["confidence"]
        and (since is None or memory.last_observed_at >= since)
        and (not given["entity"] or _names(memory, given["entity"].casefold()))
        and (memory.always or not given["always"])
        and all(word.casefold() in text for word in words)
    )


def _names(memory: Memory, wanted: str) -> bool:
    return any(
        wanted in (mention.raw.casefold(), mention.slug.casefold(), f"{mention.type}:{mention.slug}".casefold())
        for mention in memory.related_entities
    )


def columns(screen: Screen, found: Sequence[Memory], me: str) -> list[Column]:
    numbers = {memory.id: str(n) for n, memory in enumerate(found, 1)}

    def where(memory: Memory) -> str:
        return memory.project if memory.scope is Scope.PROJECT else memory.scope.value

    def title(memory: Memory) -> str:
        state = "" if memory.state is State.ACTIVE else f"({memory.state.value}) "
        whose = "" if memory.owner == me else f"({memory.owner}'s) "
        return state + whose + (memory.title or "deleted")

    return [
        Column(lambda m: numbers[m.id], None, "dim", right=True),
        Column(None, lambda m: m.id),
        Column(lambda m: m.type.value, lambda m: m.type.value, "cyan"),
        Column(None, lambda m: m.state.value),
        Column(None, lambda m: m.scope.value),
        Column(where, lambda m: m.project, "green", from_width=80, most=20),
        Column(lambda m: ago(m.formed_at, screen.now), lambda m: iso(m.formed_at), right=True),
        Column(title, lambda m: m.title, stretch=True),
        Column(lambda m: m.id[:6], None, "dim"),
    ]
