"""A Run as a Markdown page for people: what was asked, what was answered, each call folded to its result."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from datetime import UTC
from html import escape

from memlane.domain import Address, Author, Kind, RunSummary, Step, ToolCall, Turn

LONGEST_GIST = 80  # characters
_BRACKET = re.compile(r"[\[\]]")
_FENCE = re.compile(r"`{3,}")
_NAMES = {Author.PERSON: "You", Author.PROGRAM: "Program", Author.AGENT: "Agent", Author.TOOL: "Tool"}


def pieces(run: RunSummary, turns: Iterable[Turn]) -> Iterator[str]:
    yield f"# {title(run)}\n\n{facts(run)}\n"
    for turn in turns:
        yield f"\n## {heading(turn)}\n"
        for step in turn.steps:
            yield _step(run.id, turn, step)


def contents(files: Iterable[tuple[RunSummary, str]]) -> Iterator[str]:
    """A line for each Run, linked to its file by its path from here."""
    for run, path in files:
        name = _BRACKET.sub(r"\\\g<0>", title(run))
        yield f"- [{name}]({path}) · {facts(run)}"


def title(run: RunSummary) -> str:
    return " ".join((run.title or run.first.text or run.id).split())[:120]


def facts(run: RunSummary) -> str:
    """One line that says where it comes from."""
    when = f"{run.started:%Y-%m-%d}" if run.started else ""
    told = (run.agent, run.machine, run.project.name, when, f"{run.turns} turns", run.id)
    return " · ".join(filter(None, told))


def heading(turn: Turn) -> str:
    """Its moment is named for readers anywhere."""
    return f"Turn {turn.n}{f' · {turn.at.astimezone(UTC):%Y-%m-%d %H:%M} UTC' if turn.at else ''}"


def name_of(step: Step) -> str:
    return "Thinking" if step.kind is Kind.THINKING else _NAMES.get(step.author, "System")


def gist(call: ToolCall) -> str:
    """What a call is about, in one short line: its file, or the first words it was given."""
    if call.files:
        return call.files[0]
    given = next((value for value in call.input.values() if isinstance(value, str) and value.strip()), "")
    return " ".join(given.split())[:LONGEST_GIST]


def _step(run: str, turn: Turn, step: Step) -> str:
    if step.call is not None:
        said = f"\n{step.text}\n" if step.text else ""
        return f"{said}\n{_called(step.call)}\n"
    if not step.text.strip():
        return ""
    if step.kind is Kind.THINKING:
        return f"\n<details><summary>Thinking</summary>\n\n{fenced(step.text)}\n\n</details>\n"
    return f"\n**{name_of(step)}** `{Address(run, turn.n, step.n)}`\n\n{step.text}\n"


def _called(call: ToolCall) -> str:
    about = escape(f"{call.name} {gist(call)}{' (failed)' if call.error else ''}")
    given = fenced(json.dumps(dict(call.input), ensure_ascii=False, indent=1), "json")
    return f"<details><summary>{about}</summary>\n\n{given}\n\n{fenced(call.result)}\n\n</details>"


def fenced(text: str, language: str = "") -> str:
    """In a fence longer than any in it."""
    longest = max((len(found[0]) for found in _FENCE.finditer(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
