"""Every route there is, with its rule. What is not in this table is not answered; OpenAPI is this table."""

from __future__ import annotations

from collections.abc import Sequence

from memlane.domain import LONGEST_CUE, LONGEST_WHEN, MOST_CUES, PROPOSED, Scope, Type
from memlane.surfaces import schema
from memlane.surfaces.api import answers, memories, openapi, runs
from memlane.surfaces.api.router import Handler, Route
from memlane.surfaces.api.rules import MESSAGE, reads, takes
from memlane.surfaces.schema import given

_WHICH = {
    "project": schema.project("all"),
    "agent": schema.text("the agent whose runs", 40),
    "limit": schema.count("at most this many", 1, 1000),
}
_TURNS = {"from_turn": schema.count("begin here", 1, 999_999), "limit": _WHICH["limit"]}
_TAGGED = {**_WHICH, "tag": schema.text("with this tag", 40)}


def table(mcp: Handler, pages: Sequence[Route] = ()) -> Sequence[Route]:
    """With whoever answers MCP, and pages as programs read them: other surfaces, which this one does not know."""
    routes: list[Route] = [
        Route(
            "GET",
            "/api/runs",
            "List runs, newest first.",
            reads(),
            runs.listed,
            given(**_TAGGED),
            answers.RUNS,
        ),
        Route(
            "GET",
            "/api/runs/forest",
            "Runs as a tree, under their parents.",
            reads(),
            runs.forest,
            given(**_TAGGED),
            answers.FOREST,
        ),
        Route(
            "GET",
            "/api/runs/{run}",
            "A run and its turns, masked.",
            reads(),
            runs.one,
            given(**_TURNS),
            answers.ONE_RUN,
        ),
        Route(
            "GET",
            "/api/runs/{run}/raw",
            "The archived bytes of its newest generation.",
            reads(),
            runs.raw,
            gives=answers.RAW,
        ),
        Route(
            "GET",
            "/api/runs/{run}/descendants",
            "What came out of it.",
            reads(),
            runs.descendants,
            gives=answers.FOREST,
        ),
        Route(
            "POST",
            "/api/search",
            "Where something was said.",
            takes(),
            runs.search,
            given("query", query=schema.text("words, an error, a question", 1000), **_WHICH),
            answers.HITS,
        ),
        Route(
            "POST",
            "/api/recall",
            "What would be recalled for a prompt.",
            takes(),
            memories.recall,
            given("prompt", prompt=schema.text("the task or question", 4000), project=schema.project("none")),
            answers.RECALLED,
        ),
        Route("GET", "/api/memories/{memory}", "One memory.", reads(), memories.one, gives=answers.MEMORY),
        Route(
            "POST",
            "/api/memories",
            "A note to save; held until the user approves it.",
            takes(),
            memories.remember,
            given(
                "text",
                text=schema.text("one lesson", 2000),
                title=schema.text("in a few words", 200),
                type=schema.one_of([type_.value for type_ in Type], f"default: {PROPOSED}"),
                scope=schema.one_of([scope.value for scope in Scope], "where it applies"),
                when=schema.text("the situation in which it matters, one phrase", LONGEST_WHEN),
                always=schema.yes_or_no("a standing rule, whatever the task"),
                cues=schema.texts("what a person may type where it matters", MOST_CUES, LONGEST_CUE),
                project=schema.project("none"),
            ),
            answers.REMEMBERED,
        ),
        Route(
            "POST",
            "/api/feedback",
            "Whether a memory helped when it was recalled.",
            takes(),
            memories.feedback,
            given(
                "memory",
                "verdict",
                memory=schema.matching(schema.MEMORY, "its id"),
                verdict=schema.one_of(["up", "down"], "whether it helped"),
                recall=schema.matching(schema.RECALL, "the recall that showed it"),
                because=schema.text("why", 500),
            ),
            answers.JUDGED,
        ),
        Route(
            "POST",
            "/api/outcomes",
            "How a run went.",
            takes(),
            memories.outcome,
            given(
                "run",
                "outcome",
                run=schema.matching(schema.RUN, "its id"),
                outcome=schema.one_of(["success", "failure"], "how it went"),
                because=schema.text("why", 500),
            ),
            answers.SCORED,
        ),
        Route("GET", "/api/openapi.json", "This description.", reads(), lambda _lane, _want: openapi.reply(routes)),
        Route(
            "POST",
            "/mcp",
            "MCP, streamable HTTP: one message, one answer.",
            takes(MESSAGE),
            mcp,
            None,
            answers.MESSAGES,
        ),
        *pages,
    ]
    return routes
