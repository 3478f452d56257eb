"""What a rebuild would lose: named before the swap, and accepted by name or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memlane import archive
from memlane.app.home import Home
from memlane.domain import Reader, RunFilter, State
from memlane.errors import LaneError, SmallerWorldError
from memlane.storage import Storage

ALL = "all"
MOST = 10  # named one by one


def not_accepted(losses: Sequence[archive.Loss], accepted: Sequence[str]) -> list[archive.Loss]:
    """What a loss explains is accepted with it: the Memories of a lost file, the parts of a lost Run."""
    if ALL in accepted:
        return []
    taken = [loss for loss in losses if loss.name in accepted]
    with_them = {line.id for loss in taken for line in loss.lines}
    return [loss for loss in losses if loss not in taken and loss.name not in with_them]


def refuse(losses: Sequence[archive.Loss]) -> None:
    if not losses:
        return
    named = [f"  {loss.what}" for loss in losses[:MOST]]
    more = [f"  and {len(losses) - MOST:,} more"] if len(losses) > MOST else []
    names = " ".join(f"--accept-loss {loss.name}" for loss in losses[:3]) if len(losses) <= 3 else "--accept-loss all"
    raise SmallerWorldError(
        "\n".join(["a rebuild would lose what is missing from the archive; the index was not changed:", *named, *more]),
        hint=f"lane archive repair brings back what can be; then accept the rest: lane rebuild {names}",
    )


def accept(home: Home, losses: Sequence[archive.Loss]) -> None:
    """From now on nobody expects them: the register says who gave them up."""
    home.register.add_losses(losses, "person", home.clock())


def missing_in(fresh: Storage, home: Home, known: Sequence[archive.Loss]) -> list[archive.Loss]:
    """What the live index has and the fresh one has not, unless a loss that is known explains it."""
    explained = {line.id for loss in known for line in loss.lines} | {loss.name for loss in known}
    try:
        live = dict(_named(home.storage(), home.reader)) if home.engine.serving() else dict[str, str]()
    except (LaneError, OSError):  # an index that cannot be read is what a rebuild is for
        return []
    there = dict(_named(fresh, home.reader))
    barred = fresh.bars.barred(home.reader)
    return [
        archive.Loss(name, what)
        for name, what in live.items()
        if name not in there and name not in explained and name not in barred
    ]


def _named(storage: Storage, reader: Reader) -> Iterator[tuple[str, str]]:
    """By id, and as a person knows it."""
    for run in storage.runs.listed(RunFilter(), reader):
        yield run.id, f"the run {run.id} {run.title!r}"
    memories = storage.memories.listed(list(State), reader)
    for memory in memories:
        yield memory.id, f"the memory {memory.id} {memory.title!r}"
    for recall in storage.recalls.newest(None, reader):
        yield recall.id, f"the recall {recall.id} of {recall.at:%Y-%m-%d %H:%M}"
    for feedback in storage.recalls.judged([memory.id for memory in memories], reader):
        yield feedback.id, f"the verdict {feedback.id} on {feedback.memory}"
    for entity in storage.entities.listed(reader):
        yield entity.key, f"the entity {entity.key}"
    for answer in storage.entities.answers(reader):
        yield f"{answer.raw}={answer.entity}", f"what the name {answer.raw!r} means"
    for run in storage.bars.barred(reader):
        yield f"bar:{run}", f"that {run} must not be captured"
