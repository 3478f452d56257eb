"""Reading that looks away: each leaves one filter out of a guest's view. The grid must see it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager

from campaigns.mutants import Mutant, put_in_place_of
from memlane.app.control.grants import Grant, GrantBook
from memlane.domain import Loan, Memory, Reader, RunSummary
from memlane.storage.guest import memories
from memlane.storage.guest.chunks import GuestChunks, GuestVectors
from memlane.storage.guest.memories import GuestMemories
from memlane.storage.guest.runs import GuestRuns
from memlane.storage.guest.view import GuestView

Breaks = AbstractContextManager[None]


def runs_not_narrowed() -> Breaks:
    return put_in_place_of(GuestRuns, "_narrowed", lambda _view, which: which)


def one_run_not_asked_for() -> Breaks:
    def get(view: GuestRuns, run: str, reader: Reader) -> RunSummary | None:
        return view._inner.runs.get(run, view._owner(reader))

    def starting_with(view: GuestRuns, prefix: str, reader: Reader) -> Sequence[str]:
        return view._inner.runs.starting_with(prefix, view._owner(reader))

    first = put_in_place_of(GuestRuns, "get", get)
    return _both(first, put_in_place_of(GuestRuns, "starting_with", starting_with))


def chunks_not_narrowed() -> Breaks:
    """And the runs they stand in, or the chunk is dropped for want of its run."""
    first = put_in_place_of(GuestChunks, "_narrowed", lambda _view, which: which)
    return _both(first, put_in_place_of(GuestRuns, "_narrowed", lambda _view, which: which))


def words_of_the_owner_are_suggested() -> Breaks:
    def near_terms(view: GuestChunks, term: str, reader: Reader) -> Sequence[tuple[str, int]]:
        return view._inner.chunks.near_terms(term, view._owner(reader))

    return put_in_place_of(GuestChunks, "near_terms", near_terms)


def meaning_not_narrowed() -> Breaks:
    first = put_in_place_of(GuestVectors, "_narrowed", lambda _view, which: which)
    return _both(first, put_in_place_of(GuestRuns, "_narrowed", lambda _view, which: which))


def memories_not_chosen() -> Breaks:
    return put_in_place_of(GuestMemories, "_all", lambda _view, found: list(found))


def one_memory_not_asked_for() -> Breaks:
    def get(view: GuestMemories, memory: str, reader: Reader) -> Memory | None:
        return view._inner.memories.get(memory, view._owner(reader))

    def starting_with(view: GuestMemories, prefix: str, reader: Reader) -> Sequence[str]:
        return view._inner.memories.starting_with(prefix, view._owner(reader))

    first = put_in_place_of(GuestMemories, "get", get)
    return _both(first, put_in_place_of(GuestMemories, "starting_with", starting_with))


def evidence_comes_along() -> Breaks:
    def lent(memory: Memory, _loan: Loan) -> Memory:
        return memory

    return put_in_place_of(memories, "_lent", lent)


def labels_are_shown() -> Breaks:
    def shown(_view: GuestView, run: RunSummary) -> RunSummary:
        return run

    return put_in_place_of(GuestView, "_shown", shown)


def grants_never_end() -> Breaks:
    return put_in_place_of(Grant, "holds", lambda _grant, _now: True)


def groups_are_everybody() -> Breaks:
    whole = GrantBook.to

    def to(book: GrantBook, person: str) -> Sequence[Grant]:
        book._records.read()
        return [*whole(book, person), *(one for one in book._grants.values() if one.group and one.owner != person)]

    return put_in_place_of(GrantBook, "to", to)


class _both(AbstractContextManager[None]):  # noqa: N801 - called like the function it stands for
    def __init__(self, *parts: Breaks) -> None:
        self._parts = parts

    def __enter__(self) -> None:
        for part in self._parts:
            part.__enter__()

    def __exit__(self, *raised: object) -> None:
        for part in reversed(self._parts):
            part.__exit__(*raised)  # type: ignore[arg-type]


MUTANTS: Sequence[Mutant] = tuple(
    Mutant(breaking, "leak")
    for breaking in (
        runs_not_narrowed,
        one_run_not_asked_for,
        chunks_not_narrowed,
        words_of_the_owner_are_suggested,
        meaning_not_narrowed,
        memories_not_chosen,
        one_memory_not_asked_for,
        evidence_comes_along,
        labels_are_shown,
        grants_never_end,
        groups_are_everybody,
    )
)
