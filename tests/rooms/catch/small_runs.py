"""Small Runs, written in a few words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from memlane.domain import Author, Kind, Project, Spot, Step, ToolCall, Trigger, Turn, Window

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def prompt(text: str, author: Author = Author.PERSON) -> Step:
    return Step(0, author, Kind.PROMPT, 0, text)


def answer(text: str) -> Step:
    return Step(0, Author.PERSON, Kind.ANSWER, 0, text)


def interrupt() -> Step:
    return Step(0, Author.PERSON, Kind.INTERRUPT, 0, "[stopped]")


def agent(text: str, *, ours: bool = False) -> Step:
    return Step(0, Author.AGENT, Kind.TEXT, 0, text, ours=ours)


def thinking(text: str) -> Step:
    return Step(0, Author.AGENT, Kind.THINKING, 0, text)


def call(name: str, result: str = "", *, error: bool = False, ours: bool = False, **given: object) -> Step:
    made = ToolCall(name, given, result, error=error)
    return Step(0, Author.TOOL, Kind.TOOL_CALL, 0, call=made, ours=ours)


def shell(command: str, result: str = "", *, error: bool = False) -> Step:
    return call("Bash", result, error=error, command=command)


def run(*steps: Step, every: timedelta = timedelta(seconds=20), start: datetime = START) -> list[Turn]:
    """A Turn begins at every prompt; lines, numbers and times follow from the order."""
    turns: list[list[Step]] = []
    for line, step in enumerate(steps, 1):
        if step.kind is Kind.PROMPT or not turns:
            turns.append([])
        at = step.at or start + every * line
        made = {name: getattr(step, name) for name in ("author", "kind", "text", "call", "ours")}
        turns[-1].append(Step(n=len(turns[-1]) + 1, line=line, at=at, native_id=step.native_id or f"id-{line}", **made))
    first = 1 if turns and turns[0][0].kind is Kind.PROMPT else 0
    return [Turn(n, each[0].author, tuple(each), each[0].at) for n, each in enumerate(turns, first)]


def window(turns: list[Turn], first: Spot | None = None, triggers: tuple[Trigger, ...] = ()) -> Window:
    """All of it; what stands before `first` is context."""
    last = Spot(turns[-1].n, turns[-1].steps[-1].n)
    first = first or Spot(turns[0].n, turns[0].steps[0].n)
    return Window("r_1", "u", "agent", 1, Project("p", "p"), first, last, tuple(turns), triggers)
