"""Memories over HTTP: what is known about a prompt, one by its id, a note to be remembered, and whether it helped."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from memlane.domain import NO_PROJECT, PROPOSED, Memory, Occasion, Outcome, Project, Query, RecallMoment, Scope, Type
from memlane.surfaces.api.http import HttpReply, document, linked
from memlane.surfaces.api.router import RouteRequest
from memlane.surfaces.documents import of_embedded, of_match, of_memory

if TYPE_CHECKING:
    from memlane.app import Lane

BY = "http"
LISTED = 100


def recall(lane: Lane, want: RouteRequest) -> HttpReply:
    """Written down like every Recall, so that it can be judged."""
    if why_not := lane.recall.off(""):
        return document({"silent": True, "why": why_not, "shown": []}, self="/api/recall")
    query = Query(str(want.fields["prompt"]), _project(lane, want), "", BY, "", "", RecallMoment.ASKED)
    found = lane.recall.recall(query)
    shown = [linked(of_match(match), memory=f"/api/memories/{match.memory.id}") for match in found.shown]
    data = {
        "recall": found.id,
        "silent": found.outcome is not Outcome.SHOWN,
        "why": found.why,
        "ms": found.milliseconds,
        "shown": shown,
        "brief": lane.recall.told(found) or "",
    }
    reply = document(data, self="/api/recall", feedback="/api/feedback")
    return HttpReply(reply.status, reply.body, after=partial(lane.recall.keep, found))


def one(lane: Lane, want: RouteRequest) -> HttpReply:
    holder = lane.loans.holding_memory(want.named["memory"], lane.shelves)
    memory = holder.memories.get(want.named["memory"])
    return document(of_embedded(memory, holder.memories.embedded(memory.id)), self=f"/api/memories/{memory.id}")


def listed(lane: Lane, want: RouteRequest) -> HttpReply:
    fields = {name: str(value) for name, value in want.fields.items()}
    which = lane.memories.which(
        types=_split(fields.get("type", "")),
        states=_split(fields.get("state", "")),
        about=lane.entities.keys(fields["entity"]) if "entity" in fields else frozenset[str](),
        project=fields.get("project", ""),
        observed=int(fields.get("observed", "0")),
        embedded=fields["embedded"] == "yes" if "embedded" in fields else None,
        limit=int(fields.get("limit", str(LISTED))),
    )
    found = lane.loans.memories(lane.memories.select(which), which)
    return document([linked(of_memory(one), self=f"/api/memories/{one.id}") for one in found], self="/api/memories")


def _split(words: str) -> tuple[str, ...]:
    return tuple(filter(None, (word.strip() for word in words.split(","))))


def remember(lane: Lane, want: RouteRequest) -> HttpReply:
    """Held until the person says yes: a program is not the person."""
    from memlane.app.memories import MemoryProposal  # noqa: PLC0415 - loaded with the first question

    fields = want.fields
    note = MemoryProposal(
        str(fields["text"]),
        _project(lane, want),
        str(fields.get("title", "")),
        Type(str(fields.get("type", PROPOSED))),
        Scope(str(fields.get("scope", Scope.PROJECT))),
        by=BY,
        occasion=Occasion(
            str(fields.get("when", "")),
            bool(fields.get("always")),
            tuple(map(str, cast(Sequence[object], fields.get("cues", ())))),
        ),
    )
    proposed = lane.memories.proposals.remember(note)
    return _of(proposed.memory, 200 if proposed.known else 201)


def feedback(lane: Lane, want: RouteRequest) -> HttpReply:
    fields = want.fields
    judged = lane.recall.feedback.judge(
        str(fields["memory"]),
        up=fields["verdict"] == "up",
        recall=str(fields.get("recall", "")),
        because=str(fields.get("because", "")),
        by=BY,
    )
    factor = {"before": judged.before, "after": judged.after}
    data = {"feedback": judged.feedback.id, "recall": judged.recall.id, "factor": factor, "undo": judged.act}
    return document(data, 201, self="/api/feedback", memory=f"/api/memories/{judged.memory.id}")


def outcome(lane: Lane, want: RouteRequest) -> HttpReply:
    fields = want.fields
    run = lane.runs.get(str(fields["run"])).id
    because = str(fields.get("because", ""))
    scored = lane.runs.outcomes.outcome(run, success=fields["outcome"] == "success", because=because, by=BY)
    changed = [{"id": after.id, "confidence": after.confidence} for _before, after in scored.changed]
    data = {"run": run, "memories": scored.memories, "changed": changed, "undo": scored.act}
    return document(data, 201, self="/api/outcomes", run=f"/api/runs/{run}")


def _of(memory: Memory, status: int = 200) -> HttpReply:
    return document(of_memory(memory), status, self=f"/api/memories/{memory.id}")


def _project(lane: Lane, want: RouteRequest) -> Project:
    return lane.runs.project_called(str(want.fields["project"])) if "project" in want.fields else NO_PROJECT
