"""The Lane: what agents were told, or not told and why, the newest first; and the thumbs that correct it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlane.domain import Feedback, Match, Outcome, Recall
from memlane.surfaces import schema
from memlane.surfaces.api import Want
from memlane.surfaces.schema import MEMORY, PROJECT, RECALL, RUN, Schema
from memlane.surfaces.web.look import percent, spoken
from memlane.surfaces.web.views import Done, View, field, number, view

if TYPE_CHECKING:
    from memlane.lane import Lane

LISTED = 30
LOOKED_THROUGH = 400  # newest ones, for a filter
TAKES: Mapping[str, Schema] = {
    "run": schema.maybe(RUN, "only in this run"),
    "project": schema.maybe(PROJECT, "only in this project"),
    "agent": schema.text("only of this agent", 40, least=0),
    "only": schema.one_of(["", "told"], "without the silent ones"),
    "recall": schema.maybe(RECALL, "only this one"),
    "most": schema.count("so many", 1, LOOKED_THROUGH),
}
JUDGE: Mapping[str, Schema] = {
    "memory": schema.matching(MEMORY, "its id"),
    "verdict": schema.one_of(["up", "down"], "whether it helped"),
}
PART_NAMES = {
    "meaning": "how near its meaning is",
    "words": "words in common",
    "recent": "seen lately",
    "confidence": "how sure it is",
    "seen": "how often it was seen",
    "type": "a weighty type",
    "votes": "your thumbs",
    "intent": "the question asks for this type",
    "rare word": "a rare word in common",
}


@dataclass(frozen=True, slots=True)
class Card:
    """One Memory in one Recall, and what its person said about it there."""

    match: Match
    fits: str
    verdict: Feedback | None
    parts: Sequence[tuple[str, str, float]]


@dataclass(frozen=True, slots=True)
class Told:
    """One Recall as it is shown."""

    recall: Recall
    cards: Sequence[Card]
    near: Sequence[Card]
    silence: str
    brief: str


def page(lane: Lane, want: Want) -> View:
    most = number(want, "most", LISTED)
    found = _chosen(lane, want)
    verdicts = lane.judging.given_on(found[:most])
    shown = [told(recall, verdicts, lane.recalling.told(recall)) for recall in found[:most]]
    every = lane.recalling.newest(LOOKED_THROUGH)
    return view(
        "lane.html",
        "Lane",
        recalls=shown,
        rated=True,
        more=len(found) > most,
        most=most,
        newest=found[0].at if found else None,
        any=bool(every),
        projects=sorted({one.query.project.name for one in every if one.query.project.name}),
        agents=sorted({one.query.agent for one in every if one.query.agent}),
    )


def _chosen(lane: Lane, want: Want) -> Sequence[Recall]:
    if named := field(want, "recall"):
        return [lane.recalling.recorded(named)]
    run, project, agent = (field(want, name) for name in ("run", "project", "agent"))
    found = lane.recalling.newest(LOOKED_THROUGH, run=run)
    return [
        one
        for one in found
        if (not project or one.query.project.name == project)
        and (not agent or one.query.agent == agent)
        and (field(want, "only") != "told" or one.outcome is Outcome.SHOWN)
    ]


def told(recall: Recall, verdicts: Mapping[tuple[str, str], Feedback], brief: str = "") -> Told:
    cards = [_card(match, verdicts.get((recall.id, match.memory.id))) for match in recall.shown]
    return Told(recall, cards, [_card(match, None) for match in recall.near], silence(recall), brief)


def silence(recall: Recall) -> str:
    """Four different things in four different texts; "" where something was told."""
    match recall.outcome:
        case Outcome.SHOWN:
            return "withheld: this run is in the share that is told nothing" if recall.holdout else ""
        case Outcome.QUESTION:
            names = "; ".join(f"“{one.raw}” may be {' or '.join(one.choices)}" for one in recall.asks)
            return f"asked which one is meant: {names}"
        case Outcome.SILENT:
            return f"looked, and stayed silent: {recall.why}"
        case Outcome.NOT_LOOKED:
            return f"did not look: {recall.why}"
        case Outcome.TOO_SLOW:
            return f"too slow: {recall.why or f'it gave up after {recall.milliseconds:.0f} ms'}"


def _card(match: Match, verdict: Feedback | None) -> Card:
    parts = [(name, PART_NAMES.get(name, name), part) for name, part in match.parts.items() if part]
    return Card(match, fits(match), verdict, parts)


def fits(match: Match) -> str:
    match match.source:
        case "file":
            return "on this file"
        case "entity":
            return "mentioned"
        case "index":
            return "by title"
        case "stale":
            return "its file is gone"
        case "earlier run":
            return "from an earlier run"
        case other:
            return f"{other} {percent(match.similarity)}"


def judge(lane: Lane, want: Want) -> Done:
    up = field(want, "verdict") == "up"
    judged = lane.judging.judge(field(want, "memory"), up=up, recall=want.named["recall"])
    change = round((judged.after / judged.before - 1) * 100) if judged.before else 0
    ranks = f"it ranks {abs(change)} % {'higher' if change > 0 else 'lower'}" if change else "its rank stays"
    useful = "Useful" if up else "Not useful"
    return Done(f"{useful}: {ranks} on prompts like this one ({spoken(judged.memory.type.value)}).", judged.act)
