"""`lane mem history`: every line of the journal about a memory, in plain words: who, when, what changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, cast

import click

from memlane.domain import Evidence, Mention
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.mem.group import command
from memlane.surfaces.cli.text import clock, cut, day, different, iso, many, one_line, wrapped

if TYPE_CHECKING:
    from memlane.app.acts import LifeStep
    from memlane.domain import Entry

WHO = {"person": "you", "lane": "Lane", "dream": "a dream"}
LONGEST_VALUE = 120


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One line of a memory's life, for people and programs."""

    at: datetime
    who: str
    what: str
    changes: Sequence[Mapping[str, object]]
    entry: Entry


@frame.command("history", of=command)
@click.argument("memory")
def history(screen: Screen, memory: str) -> None:
    """Show the history of a memory, oldest first."""
    with screen.lane() as lane:
        found = lane.memories.get(screen.meant(memory))
        life = [told(moved, found.id) for moved in lane.memories.history(found.id)]
    lines = [line for line in life if line is not None]
    if screen.json:
        data = [
            {"at": t.at, "actor": t.entry.actor, "machine": t.entry.machine, "kind": t.entry.kind}
            | {"what": t.what, "changes": t.changes}
            for t in lines
        ]
        screen.emit("lane.mem.history/1", data, {"memory": found.id, "lines": len(lines)})
        return
    if not screen.terminal:
        for t in lines:
            screen.record(iso(t.at), t.who, t.what, "; ".join(_change(c) for c in t.changes))
        return
    screen.line(f"{found.id}  {screen.cut(one_line(found.title) or 'gone for good', screen.columns - 20)}")
    screen.paged(line for t in lines for line in _drawn(screen, t))


def _drawn(screen: Screen, told: HistoryLine) -> Iterator[str]:
    lead = f"{day(told.at, screen.now)} {clock(told.at)}"
    first, *rest = [*wrapped(f"{told.who}: {told.what}", screen.columns - 16)]
    yield f"{lead:<14}  {first}"
    for line in rest:
        yield f"{'':<16}{line}"
    for change in told.changes:
        for n, line in enumerate(wrapped(_change(change), screen.columns - 20)):
            yield screen.styled(f"{'':<18}{'' if n == 0 else '  '}{line}", "dim")


def _change(change: Mapping[str, object]) -> str:
    return f"{change['field']}: {change['before'] or 'nothing'} -> {change['after'] or 'nothing'}"


def told(moved: LifeStep, memory: str) -> HistoryLine | None:
    """None for a line that only names it in passing."""
    entry = moved.entry
    what = _what(moved, memory)
    if not what:
        return None
    changes = [
        {"field": change.field, "before": before, "after": after}
        for change in moved.changes
        for before, after in [_values(change.before, change.after)]
    ]
    who = WHO.get(entry.actor, entry.actor.removeprefix("agent:"))
    by_name = f"dream {entry.data['dream']}" if entry.actor == "dream" and "dream" in entry.data else who
    return HistoryLine(entry.at, by_name, what, changes, entry)


def _what(moved: LifeStep, memory: str) -> str:
    entry, data = moved.entry, moved.entry.data
    match entry.kind:
        case "memory" if entry.id == memory:
            return _written(moved)
        case "memory" if memory in cast(Sequence[str], data.get("replaces", ())):
            return f"merged into {entry.id}"
        case "state" if entry.id == memory:
            return _stands(data)
        case "observation":
            evidence = cast(Mapping[str, str], data["evidence"])
            return f'seen again in {evidence["step"] or evidence["run"]}: "{cut(one_line(evidence["quote"]), 80)}"'
        case "mentions":
            return "names in it were resolved anew"
        case "recall":
            return _recalled(cast(Mapping[str, object], data["recall"]), memory)
        case "outcome":
            return f"its run {data['run']} went {'well' if data['outcome'] == 'success' else 'wrong'}"
        case "entity":
            said = cast(Mapping[str, str], data.get("mention") or {})
            return f'"{said.get("raw", "")}" means {said.get("entity") or "nothing with a name"}'
        case "feedback":
            return _judged(data)
        case "wish":
            because = f": {one_line(str(data['because']))}" if data["because"] and not data["answer"] else ""
            return "kept as it is" if data["answer"] else f"suggests forgetting it{because}"
        case "undo":
            return "undid the next entry"
        case _:
            return ""


def _written(moved: LifeStep) -> str:
    data, after = moved.entry.data, moved.after
    because = f": {data['because']}" if data.get("because") else ""
    if moved.before is None:
        return f"made by {after.maker if after else ''}, {after.state.value if after else ''}{because}"
    if replaced := cast(Sequence[str], data.get("replaces", ())):
        return f"merged with {', '.join(replaced)}{because}"
    return f"changed{because}" if moved.changes else f"written again{because}"


def _stands(data: Mapping[str, object]) -> str:
    by = f" by {data['superseded_by']}" if data.get("superseded_by") else ""
    because = f": {data['because']}" if data.get("because") else ""
    return f"{data['state']}{by}, it was {data['before']}{because}"


def _recalled(recall: Mapping[str, object], memory: str) -> str:
    shown = cast(Sequence[Mapping[str, Mapping[str, str]]], recall["shown"])
    if all(match["memory"]["id"] != memory for match in shown):
        return ""  # it just missed
    query = cast(Mapping[str, str], recall["query"])
    words = f' for "{cut(one_line(query["words"]), 60)}"' if query["words"] else ""
    return f"recalled in {query['run'] or 'a run'}{words}"


def _judged(data: Mapping[str, object]) -> str:
    feedback = cast(Mapping[str, object], data["feedback"])
    words, because = one_line(str(feedback["query"])), one_line(str(feedback["because"]))
    thumb = f"thumb {'up' if feedback['up'] else 'down'}{' taken back' if data.get('taken_back') else ''}"
    return thumb + (f' on "{cut(words, 60)}"' if words else "") + (f": {because}" if because else "")


def _values(before: object, after: object) -> tuple[str, str]:
    if not isinstance(before, str) or not isinstance(after, str) or isinstance(before, Enum):
        return _value(before), _value(after)
    return different(before, after, LONGEST_VALUE)


def _value(value: object) -> str:
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, tuple):
        return _several(cast(tuple[object, ...], value))
    return cut(one_line(str(value)), LONGEST_VALUE)


def _several(values: tuple[object, ...]) -> str:
    if values and isinstance(values[0], Evidence):
        return many(len(values), "piece of evidence", "pieces of evidence")
    names = [f"{v.type} {v.slug or v.raw}" if isinstance(v, Mention) else one_line(str(v)) for v in values]
    return cut(", ".join(names), LONGEST_VALUE)
