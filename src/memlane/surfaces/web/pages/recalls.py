"""The Lane: what agents were told, or not told and why, the newest first; and the thumbs that correct it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlane.domain import ANY_PROJECT, Feedback, Match, Outcome, Query, Recall, RecallMoment, RunSummary
from memlane.surfaces import schema
from memlane.surfaces.api import RouteRequest
from memlane.surfaces.schema import MEMORY, PROJECT, RECALL, RUN, Schema
from memlane.surfaces.web.formats import called, percent
from memlane.surfaces.web.views import ActReport, PageView, field, number, view

if TYPE_CHECKING:
    from memlane.app import Lane

LISTED = 30
LOOKED_THROUGH = 400  # newest ones, for a filter
RUNS_LISTED = 8
FIRST_TITLES = 3  # of those told as a run began; the others are folded
SEEN = 0.005  # a part of a score that is not 0.00
NEAREST = 0.05  # what is less like it than that did not just miss
ONLY: Mapping[str, str] = {"told": "Only recalls with notes", "silent": "Only silences"}
TAKES: Mapping[str, Schema] = {
    "run": schema.maybe(RUN, "only in this run"),
    "project": schema.maybe(PROJECT, "only in this project"),
    "agent": schema.text("only of this agent", 40, least=0),
    "only": schema.one_of(["", *ONLY], "only recalls with notes, or only silent ones"),
    "recall": schema.maybe(RECALL, "only this one"),
    "most": schema.count("so many", 1, LOOKED_THROUGH),
}
JUDGE: Mapping[str, Schema] = {
    "memory": schema.matching(MEMORY, "its id"),
    "verdict": schema.one_of(["up", "down"], "whether it helped"),
}
SILENCED = 0.5  # the factor of five net downs
PART_NAMES = {
    "meaning": "similar meaning",
    "words": "words in common",
    "second look": "what the second look says",
    "recent": "seen lately",
    "confidence": "confidence",
    "seen": "how often it was seen",
    "type": "important type",
    "votes": "your thumbs",
    "intent": "the question asks for this type",
    "rare word": "a rare word in common",
}


@dataclass(frozen=True, slots=True)
class MatchCard:
    """One Memory in one Recall, what its person said about it there, and what that does."""

    match: Match
    fits: str
    verdict: Feedback | None
    effect: str
    parts: Sequence[tuple[str, str, float]]


@dataclass(frozen=True, slots=True)
class RecallCard:
    """One Recall as it is shown. `run`: what the Run it happened in is called, "" where it is not captured yet."""

    recall: Recall
    cards: Sequence[MatchCard]
    near: Sequence[MatchCard]
    silence: str
    brief: str | None
    run: str = ""

    @property
    def folded(self) -> int:
        """How many of its cards wait behind the first ones: a start tells titles, and many of them."""
        many = self.recall.query.moment is RecallMoment.START and len(self.cards) > FIRST_TITLES + 1
        return len(self.cards) - FIRST_TITLES if many else 0


@dataclass(frozen=True, slots=True)
class RunRecalls:
    """A Run that asked lately: how often it was told something, and how often not."""

    id: str
    title: str
    told: int
    silent: int


def page(lane: Lane, want: RouteRequest) -> PageView:
    most = number(want, "most", LISTED)
    found = _chosen(lane, want)
    every = lane.recall.newest(LOOKED_THROUGH)
    runs = _runs(lane, [*found[:most], *every])
    return view(
        "lane.html",
        "Lane",
        recalls=_shown(lane, found[:most], runs),
        rated=True,
        more=len(found) > most,
        most=most,
        newest=found[0].at if found else None,
        any=bool(every),
        run=runs.get(field(want, "run")),
        by_run=_by_run(every, runs)[:RUNS_LISTED],
        counts=_counts(every),
        only=ONLY,
        projects=sorted({one.query.project.name for one in every if one.query.project.name}),
        agents=sorted({one.query.agent for one in every if one.query.agent}),
    )


def _shown(lane: Lane, found: Sequence[Recall], runs: Mapping[str, RunSummary]) -> Sequence[RecallCard]:
    verdicts = lane.recall.feedback.given_on(found)
    return [
        told(lane, recall, verdicts, called(runs[recall.query.run]) if recall.query.run in runs else "")
        for recall in found
    ]


def _chosen(lane: Lane, want: RouteRequest) -> Sequence[Recall]:
    if named := field(want, "recall"):
        return [lane.recall.recorded(named)]
    run, project, agent, only = (field(want, name) for name in ("run", "project", "agent", "only"))
    found = lane.recall.newest(LOOKED_THROUGH, run=run)
    return [
        one
        for one in found
        if (not project or one.query.project.name == project)
        and (not agent or one.query.agent == agent)
        and (not only or (only == "told") == _told_something(one))
    ]


def _told_something(recall: Recall) -> bool:
    return recall.outcome in (Outcome.SHOWN, Outcome.QUESTION) and not recall.holdout


def _runs(lane: Lane, recalls: Sequence[Recall]) -> Mapping[str, RunSummary]:
    from memlane.domain import RunFilter  # noqa: PLC0415 - loaded with the first question

    named = frozenset(one.query.run for one in recalls if one.query.run)
    return {run.id: run for run in lane.runs.select(RunFilter(only=named, limit=len(named)))} if named else {}


def _by_run(recalls: Sequence[Recall], runs: Mapping[str, RunSummary]) -> Sequence[RunRecalls]:
    found = dict[str, list[Recall]]()
    for one in recalls:
        if one.query.run in runs:
            found.setdefault(one.query.run, []).append(one)
    counted = ((run, some, sum(map(_told_something, some))) for run, some in found.items())
    return [RunRecalls(run, called(runs[run]), told, len(some) - told) for run, some, told in counted]


def _counts(recalls: Sequence[Recall]) -> Mapping[str, int]:
    told = sum(map(_told_something, recalls))
    return {"told": told, "silent": len(recalls) - told}


def told(lane: Lane, recall: Recall, verdicts: Mapping[tuple[str, str], Feedback], run: str = "") -> RecallCard:
    cards = [_card(lane, recall, match, verdicts.get((recall.id, match.memory.id))) for match in recall.shown]
    near = [_card(lane, recall, match, None) for match in recall.near if match.similarity >= NEAREST]
    return RecallCard(recall, cards, near, silence(recall), lane.recall.told(recall), run)


def silence(recall: Recall) -> str:
    """Four different things in four different texts; "" where something was told."""
    match recall.outcome:
        case Outcome.SHOWN:
            return "withheld: this run is in the control group" if recall.holdout else ""
        case Outcome.QUESTION:
            names = "; ".join(f"“{one.raw}” may be {' or '.join(one.choices)}" for one in recall.asks)
            return f"asked to clarify which one is meant: {names}"
        case Outcome.SILENT:
            return f"nothing recalled: {recall.why}"
        case Outcome.NOT_LOOKED:
            return f"skipped: {recall.why}"
        case Outcome.TOO_SLOW:
            return f"too slow: {recall.why or f'it gave up after {recall.milliseconds:.0f} ms'}"


def _card(lane: Lane, recall: Recall, match: Match, verdict: Feedback | None) -> MatchCard:
    parts = [(name, PART_NAMES.get(name, ""), part) for name, part in match.parts.items() if abs(part) >= SEEN]
    effect = ranks(lane.recall.feedback.factor(match.memory.id, recall.query.words)) if verdict else ""
    return MatchCard(match, fits(match), verdict, effect, parts)


def ranks(factor: float) -> str:
    """What thumbs do to a Memory on prompts like the one they were given on."""
    if factor <= SILENCED:
        return "is no longer recalled"
    change = round((factor - 1) * 100)
    return f"ranks {abs(change)}% {'higher' if change > 0 else 'lower'}" if change else "ranks as before"


def fits(match: Match) -> str:
    match match.source:
        case "file":
            return "this file"
        case "entity":
            return "mentioned"
        case "asked":
            return "asked for"
        case "index":
            return "title only"
        case "standing":
            return "standing rule"
        case "activity":
            return "about to do it"
        case "answer":
            return "on what the agent said"
        case "stale":
            return "its file is gone"
        case "stated":
            return "already said in this run"
        case "earlier run":
            return "from an earlier run"
        case other:
            return f"{other} {percent(match.similarity)}"


def judge(lane: Lane, want: RouteRequest) -> ActReport:
    up = field(want, "verdict") == "up"
    judged = lane.recall.feedback.judge(field(want, "memory"), up=up, recall=want.named["recall"])
    says = "Useful" if up else "Not useful"
    return ActReport(f"{says}: it {ranks(judged.after)} on prompts like this one.", judged.act)


TRY: Mapping[str, Schema] = {
    "prompt": schema.text("the task or question", 4000, least=0),
    "project": schema.maybe(PROJECT, "where it is asked"),
}


def try_prompt(lane: Lane, want: RouteRequest) -> PageView:
    from memlane.domain import RunFilter  # noqa: PLC0415 - loaded with the first question

    words, name = field(want, "prompt"), field(want, "project")
    found = None
    if words:
        project = lane.runs.project_called(name) if name else ANY_PROJECT
        recall = lane.recall.recall(Query(words, project, "", "", "", "", RecallMoment.ASKED))
        found = told(lane, recall, {})
    names = sorted({run.project.name for run in lane.runs.select(RunFilter()) if run.project.name})
    return view("try.html", "Try it", told=found, projects=names, rated=False)
