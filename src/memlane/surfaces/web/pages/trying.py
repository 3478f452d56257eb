"""A prompt tried out: what an agent would be told for it, and why. Nothing of it is written down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from memlane.domain import NO_PROJECT, Moment, Query
from memlane.surfaces import schema
from memlane.surfaces.api import Want
from memlane.surfaces.schema import PROJECT, Schema
from memlane.surfaces.web.pages.recalls import told
from memlane.surfaces.web.views import View, field, view

if TYPE_CHECKING:
    from memlane.app import Lane

EVERY = 1_000_000
TAKES: Mapping[str, Schema] = {
    "prompt": schema.text("the task or question", 4000, least=0),
    "project": schema.maybe(PROJECT, "where it is asked"),
}


def page(lane: Lane, want: Want) -> View:
    from memlane.domain import RunFilter  # noqa: PLC0415 - loaded with the first question

    words, name = field(want, "prompt"), field(want, "project")
    found = None
    if words:
        project = lane.runs.project_called(name) if name else NO_PROJECT
        recall = lane.recall.recall(Query(words, project, "", "", "", "", Moment.ASKED))
        found = told(lane, recall, {})
    names = sorted({run.project.name for run in lane.runs.select(RunFilter(limit=EVERY)) if run.project.name})
    return view("try.html", "Try it", told=found, projects=names, rated=False)
