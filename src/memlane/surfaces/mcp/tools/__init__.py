"""The twelve tools: what each is called, says about itself and may be given. Each description costs tokens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from memlane.domain import LONGEST_CUE, LONGEST_WHEN, MOST_CUES, PROPOSED, Scope, Type
from memlane.surfaces import schema
from memlane.surfaces.mcp.desk import AgentDesk, Given, ToolAnswer
from memlane.surfaces.mcp.tools.memories import (
    catch_next,
    catch_submit,
    entities,
    feedback,
    forget,
    recall,
    record_outcome,
    remember,
    standing,
)
from memlane.surfaces.mcp.tools.runs import read_run, search
from memlane.surfaces.mcp.tools.shares import share
from memlane.surfaces.schema import Schema, given


@dataclass(frozen=True, slots=True)
class Tool:
    """`writes`: it puts something into the journal. None of them reaches beyond this home."""

    title: str
    what: str
    takes: Schema
    do: Callable[[AgentDesk, Given], ToolAnswer]
    writes: bool = False


TOOLS: Mapping[str, Tool] = {
    "search": Tool(
        "Search earlier runs",
        "Find where something was said or done in earlier runs. Gives addresses for read_run.",
        given(
            "query",
            query=schema.text("words, an error, a question", 1000),
            limit=schema.count("how many; default 5", 1, 20),
            project=schema.project("all"),
            which=schema.text("entity=, skill=, command=, file=, account=, kind=, outcome=", 400),
        ),
        search,
    ),
    "recall": Tool(
        "Recall memories",
        "What was learned earlier about this task. Often nothing.",
        given("prompt", prompt=schema.text("the task or question", 4000), project=schema.project()),
        recall,
    ),
    "remember": Tool(
        "Remember",
        "Keep one lesson at the moment the person teaches it. Active with their words of this turn in said, else held.",
        given(
            "text",
            text=schema.text("one lesson, in one or two sentences", 2000),
            title=schema.text("in a few words", 200),
            type=schema.one_of([type_.value for type_ in Type], f"default: {PROPOSED}"),
            scope=schema.one_of([scope.value for scope in Scope], "where it applies; default: project"),
            said=schema.text("the person's own words in this turn, verbatim", 2000),
            when=schema.text("the situation in which it matters, one phrase", LONGEST_WHEN),
            always=schema.yes_or_no("a standing rule, whatever the task"),
            cues=schema.texts("what the person may type where it matters", MOST_CUES, LONGEST_CUE),
            project=schema.project(),
        ),
        remember,
        writes=True,
    ),
    "forget": Tool(
        "Propose to forget",
        "Propose that a memory be forgotten. Nothing changes until the user confirms.",
        given("memory", memory=schema.matching(schema.MEMORY, "its id, m_…"), because=schema.text("why", 500)),
        forget,
        writes=True,
    ),
    "share": Tool(
        "Propose to share",
        "Propose that the user share something of theirs. Nothing is shared until they confirm.",
        given(
            "what",
            "whom",
            what=schema.matching(schema.SHARED, "a project, r_…, m_… or tag:NAME", 200),
            whom=schema.matching(schema.NAME, "person or group", 64),
            transcripts=schema.yes_or_no("the runs too"),
            until=schema.text("last day, 2027-01-31", 10),
            because=schema.text("why", 500),
        ),
        share,
        writes=True,
    ),
    "standing": Tool(
        "Standing rule",
        "Give a memory at each start, or no longer, when the person says so.",
        given(
            "memory",
            "said",
            memory=schema.matching(schema.MEMORY, "its id, m_…"),
            said=schema.text("their words in this turn, verbatim", 2000),
            on=schema.yes_or_no("default: true"),
        ),
        standing,
        writes=True,
    ),
    "feedback": Tool(
        "Judge a memory",
        "Say whether a recalled memory helped, when the person says so or reality differs.",
        given(
            "memory",
            "verdict",
            memory=schema.matching(schema.MEMORY, "its id, m_…"),
            verdict=schema.one_of(["up", "down"], "whether it helped"),
            recall=schema.matching(schema.RECALL, "the recall that showed it, l_…; default: the last one"),
            because=schema.text("why", 500),
        ),
        feedback,
        writes=True,
    ),
    "record_outcome": Tool(
        "Record an outcome",
        "Record how a run went. Memories recalled in it gain or lose confidence.",
        given(
            "outcome",
            outcome=schema.one_of(["success", "failure"], "how it went"),
            run=schema.matching(schema.RUN, "its id, r_…; default: the newest in this folder"),
            because=schema.text("why", 500),
        ),
        record_outcome,
        writes=True,
    ),
    "read_run": Tool(
        "Read a run",
        "Read an earlier run, one turn (r_…#t4) or one step (r_…#t4.2).",
        given(
            "run",
            run=schema.matching(schema.ADDRESS, "its id or address"),
            from_turn=schema.count("begin here", 1, 999_999),
        ),
        read_run,
    ),
    "entities": Tool(
        "People, projects, things",
        "People, projects, things; with a name, the memories about it.",
        given(
            name=schema.text("a name, or type:slug", 200),
            type=schema.text("only of this type: person, project, business …", 40),
        ),
        entities,
    ),
    "catch_next": Tool(
        "Next window to read",
        "For /lane:catch only: get a part of a run to read for memories.",
        given(
            run=schema.matching(schema.RUN, "only of this run"),
            count=schema.count("so many windows at once; default 1", 1, 20),
        ),
        catch_next,
        writes=True,
    ),
    "catch_submit": Tool(
        "Submit what was read",
        "For /lane:catch only: hand back the memories of a window; answers with the next.",
        given(
            "token",
            "memories",
            token=schema.matching(schema.WINDOW, "from catch_next"),
            memories=schema.several("as the window's instructions say; may be empty", 50),
            last=schema.yes_or_no("do not hand out another window"),
        ),
        catch_submit,
        writes=True,
    ),
}
