"""What is kept of Runs: who they are, what can be searched of them by words and by meaning, what they touched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from memlane.domain import Chunk, Project, Reader, RunFilter, RunSummary, Touch
from memlane.storage.values import Key, Statistics, TermMatch, VectorMatch

if TYPE_CHECKING:
    from memlane.storage.values import Vector


class RunStore(Protocol):
    def put(self, summary: RunSummary) -> None: ...

    def label(self, run: str, owner: str, title: str, tags: Sequence[str], *, pinned: bool) -> None:
        """What a person calls it, whenever it is indexed: before, after or again. An empty title is none of theirs."""
        ...

    def name(self, run: str, from_turn: int, named: Iterable[tuple[int, str]]) -> None:
        """Turn and `type:slug` of each Entity it names from this Turn on (-1: as a whole); earlier ones stay."""
        ...

    def unnamed(self, reader: Reader) -> Sequence[tuple[str, int]]:
        """Runs whose words are to be looked through for names, each from a Turn on: they are new or changed. Newest
        first."""
        ...

    def name_again(self, runs: Sequence[str] | None, reader: Reader) -> None:
        """These are looked through again, or all there are."""
        ...

    def drop(self, run: str) -> None:
        """The Run, its Chunks, its prompts, its mark and its bookmark: as if it had never been indexed.

        Runs that hold a prompt of it are indexed again: they may have left it to this one.
        """
        ...

    def get(self, run: str, reader: Reader) -> RunSummary | None: ...

    def by_native_id(self, native_id: str, reader: Reader) -> RunSummary | None: ...

    def starting_with(self, prefix: str, reader: Reader) -> Sequence[str]:
        """Ids, at most ten: enough to say an id is ambiguous."""
        ...

    def listed(self, which: RunFilter, reader: Reader) -> Sequence[RunSummary]:
        """Newest first; all of them without a limit."""
        ...

    def children(self, run: str, reader: Reader) -> Sequence[RunSummary]: ...

    def projects(self, reader: Reader) -> Sequence[Project]:
        """Each once, the one with the oldest Run first; one without a name too."""
        ...

    def count(self, reader: Reader) -> int: ...


class ChunkStore(Protocol):
    def replace(self, run: str, owner: str, from_turn: int, chunks: Iterable[Chunk]) -> None:
        """These are the Run's Chunks from this Turn on; earlier ones stay."""
        ...

    def matching(self, terms: Sequence[str], which: RunFilter, reader: Reader, limit: int) -> Sequence[TermMatch]:
        """Those with any of the terms, at most `limit`: the best by the engine's own lights, in order of key.

        It only chooses; what they are worth is worked out above, from `times`, `length` and `statistics`, the same
        for every engine.
        """
        ...

    def statistics(self, terms: Sequence[str], reader: Reader) -> Statistics: ...

    def spoken(self, run: str, from_turn: int, reader: Reader) -> Sequence[tuple[int, str]]:
        """What the person and the agent said from this Turn on, each piece with its Turn, in order."""
        ...

    def of_run(self, run: str, reader: Reader, limit: int | None = None) -> Sequence[Chunk]:
        """In order; all of them without a limit."""
        ...

    def last(self, run: str, reader: Reader, limit: int) -> Sequence[Chunk]:
        """The end of it, in order."""
        ...

    def near_terms(self, term: str, reader: Reader) -> Sequence[tuple[str, int]]:
        """Terms of this Reader's Chunks that begin alike, the commonest first: what a misspelt word may have meant."""
        ...

    def count(self, reader: Reader) -> int: ...


class VectorStore(Protocol):
    """What Chunks mean, by one model at a time: vectors of two models are never compared.

    A vector is kept by model and by what the text says, outside of any one index: a rebuild finds it again.
    """

    def waiting(self, model: str, limit: int) -> Sequence[Chunk]:
        """Chunks without a vector of this model, newest Runs first; texts that had one before have it again."""
        ...

    def put(self, model: str, chunks: Sequence[Chunk], vectors: Vector) -> None:
        """One row for each. A Chunk that is gone or says something else by now is passed over."""
        ...

    def nearest(
        self, vector: Vector, model: str, which: RunFilter, reader: Reader, limit: int
    ) -> Sequence[VectorMatch]:
        """At most `limit`, nearest first: bits choose a generous few, the whole vectors score them."""
        ...

    def likeness(self, chunks: Sequence[Chunk], vector: Vector, model: str, reader: Reader) -> Mapping[Key, float]:
        """How near each of these is; those without a vector are left out."""
        ...

    def share(self, model: str, reader: Reader) -> tuple[int, int]:
        """Chunks that have a vector of this model, and all there are."""
        ...

    def drop(self, model: str) -> None:
        """All of a model that serves no longer."""
        ...


class TouchStore(Protocol):
    def replace(self, run: str, owner: str, from_turn: int, touches: Iterable[Touch]) -> None:
        """These are the files the Run's Steps touched from this Turn on; earlier ones stay."""
        ...

    def of(self, path: str, which: RunFilter, reader: Reader, *, changed: bool = False) -> Sequence[Touch]:
        """Steps that touched this path, or one that ends in it, newest first; `changed`: only those that changed it."""
        ...


class PromptStore(Protocol):
    """Which Run a prompt stands in, by the agent's own id of it: how a fork's copied Turns are known."""

    def holders(self, native_id: str, reader: Reader) -> Sequence[tuple[str, int, int]]:
        """Run, turn and number of steps, of every Run that holds it."""
        ...

    def replace(self, run: str, owner: str, from_turn: int, prompts: Iterable[tuple[str, int, int]]) -> None:
        """Runs that hold a prompt which is not among these any more are indexed again."""
        ...
