"""Every route there is, with its rule. What is not in this table is not answered; OpenAPI is this table."""

from __future__ import annotations

from collections.abc import Sequence

from memlane.domain import LONGEST_CUE, LONGEST_WHEN, MOST_CUES, PROPOSED, Scope, State, Type
from memlane.surfaces import schema
from memlane.surfaces.api import answers, card, hooks, memories, openapi, reader, runs
from memlane.surfaces.api.router import Handler, Route
from memlane.surfaces.api.rules import ANSWER, HOOK, MESSAGE, reads, takes
from memlane.surfaces.schema import given

_WHICH = {
    "project": schema.project("all"),
    "agent": schema.text("the agent whose runs", 40),
    "limit": schema.count("at most this many", 1, 1000),
}
_COLUMNS = {
    "entity": schema.text("that name this: a name, or type:slug", 200),
    "skill": schema.text("in which this skill was used", 200),
    "command": schema.text("in which this slash command was run", 200),
    "touched": schema.text("that touched the file with this name, or whose path ends like this", 1000),
    "account": schema.text("of this account with the agent", 200),
    "kind": schema.one_of(["change", "look", "talk"], "kind of work"),
    "outcome": schema.one_of(["success", "failure", "none"], "how it went; none: nobody said"),
}
_MEMORIES = {
    "type": schema.matching(schema.any_of(Type), "these types, with commas between them", 200),
    "entity": schema.text("about this: a name, or type:slug", 200),
    "project": schema.project("all"),
    "state": schema.matching(schema.any_of(State), "these states, with commas; default: held, active and paused", 100),
    "observed": schema.count("seen so often at least", 1, 1000),
    "embedded": schema.one_of(["yes", "no"], "with a vector for what it says, or without"),
    "limit": schema.count("at most this many", 1, 1000),
}
_TURNS = {"from_turn": schema.count("begin here", 1, 999_999), "limit": _WHICH["limit"]}
_TAGGED = {**_WHICH, **_COLUMNS, "tag": schema.text("with this tag", 40)}


def table(mcp: Handler, more: Sequence[Route] = ()) -> Sequence[Route]:
    """With whoever answers MCP, and what this server has beside: pages as programs read them, or Central's own."""
    routes: list[Route] = [
        Route(
            "GET",
            "/api/runs",
            "List runs, newest first.",
            reads(),
            runs.listed,
            given(**_TAGGED),
            answers.RUNS,
            audit="list",
        ),
        Route(
            "GET",
            "/api/runs/forest",
            "Runs as a tree, under their parents.",
            reads(),
            runs.forest,
            given(**_TAGGED),
            answers.FOREST,
            audit="list",
        ),
        Route(
            "GET",
            "/api/runs/{run}",
            "A run and its turns, masked.",
            reads(),
            runs.one,
            given(**_TURNS),
            answers.ONE_RUN,
            audit="read",
        ),
        Route(
            "GET",
            "/api/runs/{run}/raw",
            "The archived bytes of its newest generation.",
            reads(),
            runs.raw,
            gives=answers.RAW,
            audit="read",
        ),
        Route(
            "GET",
            "/api/runs/{run}/descendants",
            "What came out of it.",
            reads(),
            runs.descendants,
            gives=answers.FOREST,
            audit="list",
        ),
        Route(
            "POST",
            "/api/search",
            "Where something was said.",
            takes(),
            runs.search,
            given("query", query=schema.text("words, an error, a question", 1000), **_WHICH, **_COLUMNS),
            answers.HITS,
            audit="search",
        ),
        Route(
            "POST",
            "/api/recall",
            "What would be recalled for a prompt.",
            takes(),
            memories.recall,
            given("prompt", prompt=schema.text("the task or question", 4000), project=schema.project("none")),
            answers.RECALLED,
            audit="recall",
        ),
        Route(
            "GET",
            "/api/memories",
            "List memories, the last seen first.",
            reads(),
            memories.listed,
            given(**_MEMORIES),
            answers.MEMORIES,
            audit="memories",
        ),
        Route(
            "GET",
            "/api/memories/{memory}",
            "One memory.",
            reads(),
            memories.one,
            gives=answers.MEMORY,
            audit="memories",
        ),
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
            audit="mcp",
        ),
        *more,
    ]
    return routes


_TOLD = {"memory": schema.matching(schema.MEMORY, "its id")}
_HERE = {"agent": schema.matching(schema.SLUG, "which agent", 80), "session": schema.text("its session", 200)}


def agent_table() -> Sequence[Route]:
    """What code of ours inside an agent asks, over the daemon's socket."""
    return [
        Route(
            "POST",
            "/api/hooks/{agent}/{event}",
            "A hook call and its answer; on the daemon's socket only.",
            takes(HOOK),
            hooks.on_the_socket,
            None,
            live=True,
        ),
        Route(
            "POST",
            "/api/card/vote",
            "The user's vote on a memory in a recall.",
            takes(),
            card.vote,
            given(
                "memory",
                "recall",
                "verdict",
                **_TOLD,
                recall=schema.matching(schema.RECALL, "the recall that showed it"),
                verdict=schema.one_of(["up", "down"], "whether it helped"),
            ),
            answers.SAVED,
        ),
        Route(
            "POST",
            "/api/card/undo",
            "Undo the last act on a memory.",
            takes(),
            card.undo,
            given("memory", **_TOLD),
            answers.SAVED,
        ),
        Route(
            "POST",
            "/api/card/why",
            "The last recall of a session and why, as text.",
            takes(),
            card.why_last,
            given("agent", "session", **_HERE),
        ),
        Route(
            "POST",
            "/api/card/remember",
            "A note in the user's own words.",
            takes(),
            card.remember,
            given("agent", "session", "text", **_HERE, text=schema.text("the note", 2000)),
            answers.SAVED,
        ),
        Route(
            "POST",
            "/api/reader/next",
            "What the model of an open session is asked next.",
            takes(),
            reader.next_question,
        ),
        Route(
            "POST",
            "/api/reader/answer",
            "What it answered.",
            takes(2 * ANSWER),  # an answer that is too long is refused by its length, with words
            reader.answered,
            given(
                "question",
                question=schema.matching(schema.QUESTION, "its id"),
                text=schema.text("the answer", ANSWER, least=0),
                reason=schema.text("why there is none", 200),
                tokens_in=schema.count("tokens read", 0, 10_000_000),
                tokens_out=schema.count("tokens written", 0, 10_000_000),
            ),
            answers.SAVED,
        ),
    ]
