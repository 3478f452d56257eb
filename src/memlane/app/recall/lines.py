"""The one line that a person sees of a Recall. Knows no agent and no surface."""

from __future__ import annotations

from memlane.domain import Match, Recall, RecallMoment
from memlane.domain.activity import ACTIVITY
from memlane.domain.door import one_line


def line(found: Recall) -> str:
    """One quiet line for the person."""
    if found.asks:
        return asking(found)
    if found.earlier:
        one = found.earlier[0]
        when = f"{one.at:%d %b} " if one.at else ""
        return (
            f"Lane: no memory, but an earlier run - {one.agent} @{one.machine} {when}{one.run}#t{one.turn} (lane why)"
        )
    notes = "; ".join(
        f'{m.memory.type.value}{_fits(m, found.query.activity)} "{short(m.memory.title)}"' for m in found.shown
    )
    if found.query.moment is RecallMoment.ANSWER:
        return f"Lane: on this answer - {notes}; told if you go on (lane why)"
    many = "memory" if len(found.shown) == 1 else "memories"
    return f"Lane: {len(found.shown)} {many}, {found.tokens} tokens - {notes} (lane why)"


def rules_line(given: Recall) -> str:
    """The same, of the rules that a start gave."""
    many = "1 standing rule" if len(given.shown) == 1 else f"{len(given.shown)} standing rules"
    return f"Lane: {many}, {given.tokens} tokens (lane why)"


def _fits(match: Match, activity: str) -> str:
    if match.source == ACTIVITY:
        return f" before: {activity}"
    return " on this file" if match.source == "file" else f" {match.similarity:.0%}"


def asking(found: Recall) -> str:
    """The same, where the agent is told to ask."""
    names = "; ".join(f'"{one_line(one.raw)}" may be {" or ".join(map(one_line, one.choices))}' for one in found.asks)
    return f"Lane: which one? {names} (lane why)"


def short(title: str) -> str:
    """A title in its one line."""
    said = one_line(title)
    return said if len(said) <= 60 else said[:59].rstrip() + "…"
