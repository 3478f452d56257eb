"""What a person does on the card inside an agent: vote, take back what was kept, and say `/lane:why` or `remember`.

The person pressed a key or typed a command: these acts are theirs, not a program's.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from memlane.app.recall import why
from memlane.domain import Outcome, Recall
from memlane.domain.door import one_line
from memlane.errors import NotFoundError, UsageError
from memlane.surfaces.api.http import HttpReply, document
from memlane.surfaces.api.router import RouteRequest

if TYPE_CHECKING:
    from memlane.app import Lane


def vote(lane: Lane, want: RouteRequest) -> HttpReply:
    fields = want.fields
    with _still_there():
        judged = lane.recall.feedback.judge(
            str(fields["memory"]), up=fields["verdict"] == "up", recall=str(fields["recall"])
        )
    return document({"feedback": judged.feedback.id, "undo": judged.act}, 201, self="/api/card/vote")


def undo(lane: Lane, want: RouteRequest) -> HttpReply:
    """The last act on this memory."""
    memory = str(want.fields["memory"])
    with _still_there():
        done = lane.acts.undo(lane.acts.get(memory), only=[memory])
    return document({"undone": list(done.names), "undo": done.by}, 201, self="/api/card/undo")


@contextmanager
def _still_there() -> Generator[None, None, None]:
    """A card may show what has changed since: the request is right, what it names is gone."""
    try:
        yield
    except UsageError as error:
        raise NotFoundError(error.message, error.hint) from error


def why_last(lane: Lane, want: RouteRequest) -> HttpReply:
    found = lane.recall.why(Path(), run=_run(lane, want))
    return document({"text": "\n".join(_why(found))}, self="/api/card/why")


def remember(lane: Lane, want: RouteRequest) -> HttpReply:
    """In the folder where this run was last answered."""
    last = lane.recall.why(Path(), run=_run(lane, want))
    memory = lane.memories.remember(str(want.fields["text"]), Path(last.query.cwd))
    text = f"Kept as {memory.id}: {one_line(memory.title)} (undo: lane undo {memory.id})"
    return document({"memory": memory.id, "text": text}, 201, self="/api/card/remember")


def _run(lane: Lane, want: RouteRequest) -> str:
    return lane.recall.run_of(str(want.fields["agent"]), str(want.fields["session"]))


def _why(found: Recall) -> Iterator[str]:
    if found.outcome is not Outcome.SHOWN:
        yield f"Lane told nothing at the last prompt: {one_line(found.why)}"
    for match in found.shown:
        yield f"{one_line(match.memory.title)}\n  {why(match, found)} ({match.memory.id})"
    for match in found.near:
        yield f"just missed: {one_line(match.memory.title)} ({match.memory.id})"
