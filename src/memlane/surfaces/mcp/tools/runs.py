"""`search` and `read_run`: where something was said, and what was said there. Masked, short, by address."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from memlane.domain import Address, Kind, RunSummary, Step, Turn
from memlane.errors import NotFoundError, UsageError
from memlane.surfaces.mcp.desk import AgentDesk, Given, ToolAnswer, ours

if TYPE_CHECKING:
    from memlane.app.search import FoundTurn

FOUND = 5
ROOM = 8000  # characters of one answer: about 2,000 tokens
OF_A_STEP = 2000
OF_A_RESULT = 400
COLUMNS = ("entity", "skill", "command", "file", "account", "kind", "outcome")


def search(desk: AgentDesk, given: Given) -> ToolAnswer:
    from memlane.domain import RunFilter  # noqa: PLC0415 - the first answer waits for no Lane

    limit = int(str(given.get("limit", FOUND)))
    project = desk.project(given).name if "project" in given else ""
    words, lane = str(given["query"]), desk.lane()
    asked = _columns(str(given.get("which", "")))
    keys = lane.entities.keys(asked.pop("entity")) if "entity" in asked else frozenset[str]()
    which = replace(RunFilter(project=project, entities=keys), **asked)
    found = lane.loans.search(lane.search.find(words, which, limit), words, which, limit, None).search.best[:limit]
    if not found:
        return ours("Nothing found. Try other words; read_run shows a run whose id you know.")
    return ours("\n".join(_found(hit, lane.config.user) for hit in found))


def _columns(which: str) -> dict[str, str]:
    """`entity=Amy Hoy, kind=change`, by name."""
    found = dict[str, str]()
    for part in filter(None, (part.strip() for part in which.split(","))):
        name, equals, value = (one.strip() for one in part.partition("="))
        if name not in COLUMNS or not equals or not value:
            raise UsageError(f"{part!r} is no filter", hint=f"NAME=VALUE, of: {', '.join(COLUMNS)}")
        found[name] = value
    return found


def _found(hit: FoundTurn, owner: str) -> str:
    chunk, run = hit.chunk, hit.run
    at = chunk.at or run.started
    when = f"{at:%Y-%m-%d}" if at else "?"
    by = chunk.author if run.owner == owner else f"{chunk.author} of {run.owner}"
    about = f"{Address(chunk.run, chunk.turn, chunk.step)} {when} {run.agent} {run.project.name} by {by}"
    return f"{about}: {' '.join(hit.snippet.split())}"


def read_run(desk: AgentDesk, given: Given) -> ToolAnswer:
    lane = desk.lane()
    shown = lane.loans.holding_run(str(given["run"]).partition("#")[0], lane.shelves).runs.show(str(given["run"]))
    first, address = int(str(given.get("from_turn", 1))), shown.address
    lines, room, found = [head(shown.run)], ROOM, False
    for turn in shown.turns:
        if turn.n < first and address.turn is None:
            continue
        found = True
        written = "\n".join(_turn(turn, address.step))
        if room < len(written) and room < ROOM:
            lines.append(f"(more: read_run run={address.run} from_turn={turn.n})")
            break
        lines.append(written[:ROOM])
        room -= len(written)
    if not found:
        raise NotFoundError(f"{given['run']} has no such turn", hint=f"it has {shown.run.turns}")
    return ours("\n".join(lines))


def head(run: RunSummary) -> str:
    began = f"{run.started:%Y-%m-%d}" if run.started else "?"
    title = " ".join((run.title or run.first.text).split())[:200]
    return f"{run.id} {began} {run.agent} {run.project.name}, {run.turns} turns: {title}"


def _turn(turn: Turn, only: int | None) -> Iterator[str]:
    yield f"-- t{turn.n} {turn.at:%Y-%m-%d %H:%M}" if turn.at else f"-- t{turn.n}"
    for step in turn.steps:
        if only in (None, step.n) and not step.ours and (only or step.kind is not Kind.THINKING):
            yield from _step(step, whole=only is not None)


def _step(step: Step, *, whole: bool) -> Iterator[str]:
    if step.text.strip():
        yield f".{step.n} {step.author.value}: {_cut(step.text.strip(), ROOM if whole else OF_A_STEP)}"
    if step.call is not None:
        call = step.call
        words = " ".join(str(value) for value in call.input.values() if isinstance(value, str))
        gave = f" -> {_cut(call.result.strip(), ROOM if whole else OF_A_RESULT)}" if call.result.strip() else ""
        wrong = " FAILED" if call.error else ""
        yield f".{step.n} {call.name}{wrong}: {_cut(words, ROOM if whole else OF_A_RESULT)}{gave}"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]} … ({len(text) - most} more characters)"
