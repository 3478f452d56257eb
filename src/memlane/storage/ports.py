"""What storage can do, in the words of the domain. Every read of Runs, Chunks, Memories and Recalls names its Reader.

An engine implements these; `tests/conformance/` is what they mean. Nothing here is the truth: all of it can be rebuilt.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from memlane.domain import Chunk, Entity, Memory, NameAnswer, Reader, Recall, RunSummary, State, Touch
from memlane.storage.values import Bookmark, Key, Looked, Mark, Near, Result, RunFilter, Statistics, Worded

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]  # of unit length; a matrix of them has one in each row


class Runs(Protocol):
    def put(self, summary: RunSummary) -> None: ...

    def label(self, run: str, owner: str, title: str, tags: Sequence[str], *, pinned: bool) -> None:
        """What a person calls it, whenever it is indexed: before, after or again. An empty title is none of theirs."""
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
        """Newest first."""
        ...

    def children(self, run: str, reader: Reader) -> Sequence[RunSummary]: ...

    def count(self, reader: Reader) -> int: ...


class Chunks(Protocol):
    def replace(self, run: str, owner: str, from_turn: int, chunks: Iterable[Chunk]) -> None:
        """These are the Run's Chunks from this Turn on; earlier ones stay."""
        ...

    def matching(self, terms: Sequence[str], which: RunFilter, reader: Reader) -> Sequence[Worded]:
        """Those with any of the terms, at most `which.limit`: the best by the engine's own lights, in order of key.

        It only chooses; what they are worth is worked out above, from `times`, `length` and `statistics`, the same
        for every engine.
        """
        ...

    def statistics(self, terms: Sequence[str], reader: Reader) -> Statistics: ...

    def of_run(self, run: str, reader: Reader, limit: int = 1000) -> Sequence[Chunk]:
        """In order."""
        ...

    def near_terms(self, term: str, reader: Reader) -> Sequence[tuple[str, int]]:
        """Terms of this Reader's Chunks that begin alike, the commonest first: what a misspelt word may have meant."""
        ...

    def count(self, reader: Reader) -> int: ...


class Vectors(Protocol):
    """What Chunks mean, by one model at a time: vectors of two models are never compared.

    A vector is kept by model and by what the text says, outside of any one index: a rebuild finds it again.
    """

    def waiting(self, model: str, limit: int) -> Sequence[Chunk]:
        """Chunks without a vector of this model, newest Runs first; texts that had one before have it again."""
        ...

    def put(self, model: str, chunks: Sequence[Chunk], vectors: Vector) -> None:
        """One row for each. A Chunk that is gone or says something else by now is passed over."""
        ...

    def nearest(self, vector: Vector, model: str, which: RunFilter, reader: Reader) -> Sequence[Near]:
        """At most `which.limit`, nearest first: bits choose a generous few, the whole vectors score them."""
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


class Touches(Protocol):
    def replace(self, run: str, owner: str, from_turn: int, touches: Iterable[Touch]) -> None:
        """These are the files the Run's Steps touched from this Turn on; earlier ones stay."""
        ...

    def of(self, path: str, which: RunFilter, reader: Reader, *, changed: bool = False) -> Sequence[Touch]:
        """Steps that touched this path, or one that ends in it, newest first; `changed`: only those that changed it."""
        ...


class Prompts(Protocol):
    """Which Run a prompt stands in, by the agent's own id of it: how a fork's copied Turns are known."""

    def holders(self, native_id: str, reader: Reader) -> Sequence[tuple[str, int, int]]:
        """Run, turn and number of steps, of every Run that holds it."""
        ...

    def replace(self, run: str, owner: str, from_turn: int, prompts: Iterable[tuple[str, int, int]]) -> None:
        """Runs that hold a prompt which is not among these any more are indexed again."""
        ...


class Memories(Protocol):
    def put(self, memory: Memory) -> None: ...

    def set_state(self, memory: str, owner: str, state: State, superseded_by: str) -> None: ...

    def drop(self, memory: str, owner: str) -> None: ...

    def get(self, memory: str, reader: Reader) -> Memory | None: ...

    def starting_with(self, prefix: str, reader: Reader) -> Sequence[str]: ...

    def listed(self, states: Sequence[State], reader: Reader) -> Sequence[Memory]:
        """Newest first."""
        ...

    def count(self, states: Sequence[State], reader: Reader) -> int: ...

    def naming(self, raw: str, reader: Reader) -> Sequence[Memory]:
        """Those of any state that mention something by these words, whatever their case; newest first."""
        ...

    # What they mean, by one model at a time, in an index that is small enough to be scored whole.

    def waiting(self, model: str, limit: int) -> Sequence[Memory]:
        """Without a vector of this model for what they say now. Forgotten ones wait for nothing."""
        ...

    def give(self, model: str, memories: Sequence[Memory], vectors: Vector) -> None:
        """One row for each. A Memory that is gone or says something else by now is passed over."""
        ...

    def nearest(
        self, vector: Vector, model: str, states: Sequence[State], reader: Reader, limit: int
    ) -> Sequence[tuple[Memory, float]]:
        """Nearest first, with the cosine, worked out exactly."""
        ...


class Catches(Protocol):
    """Which Windows were read, by which extractor. From the journal: reading them again may cost money."""

    def record(self, run: str, owner: str, extractor: str, windows: Sequence[str]) -> None:
        """`extractor` is `embedded`, `agent` or `model`; a Window is known by its key."""
        ...

    def read(self, run: str, reader: Reader) -> Mapping[str, frozenset[str]]:
        """Window → the extractors that read it."""
        ...

    def count(self, reader: Reader) -> Mapping[str, int]:
        """Extractor → Windows."""
        ...

    # Cheap to lose: how far each Run had come when it was last looked at.

    def looked(self, run: str) -> Looked | None: ...

    def look_done(self, run: str, owner: str, looked: Looked) -> None: ...

    def due(self, idle_since: datetime, turns: int, reader: Reader) -> Sequence[str]:
        """Indexed Runs that may have Windows nobody looked at: never looked at, or grown since by `turns` Turns, or
        ended before `idle_since` and not known as closed. Oldest end first."""
        ...


class Entities(Protocol):
    """Those made by hand, and what people said names mean."""

    def put(self, entity: Entity, owner: str) -> None:
        """The newest of a type and slug is what holds."""
        ...

    def listed(self, reader: Reader) -> Sequence[Entity]:
        """By type and slug; removed and merged ones too."""
        ...

    def answer(self, answer: NameAnswer, owner: str) -> None:
        """The newest for the same words and project is what holds."""
        ...

    def answers(self, reader: Reader) -> Sequence[NameAnswer]: ...


class Results(Protocol):
    def put(self, result: Result, owner: str) -> None:
        """The newest of a Run is what holds."""
        ...

    def get(self, run: str, reader: Reader) -> Result | None: ...

    def of(self, memory: str, reader: Reader) -> Sequence[Result]:
        """Of Runs this Memory was recalled in, oldest first."""
        ...


class Recalls(Protocol):
    def record(self, recall: Recall) -> None: ...

    def get(self, recall: str, reader: Reader) -> Recall | None: ...

    def newest(self, limit: int, reader: Reader, *, run: str = "", cwd: str = "") -> Sequence[Recall]: ...

    def shown_in(self, run: str, reader: Reader) -> Sequence[Recall]:
        """Those that showed something in this Run, oldest first."""
        ...

    def drop_words(self, run: str, owner: str) -> None:
        """A forgotten Run's prompts leave the Recalls that were made for them."""
        ...


class Work(Protocol):
    """What is left to do: found by comparing marks, never queued."""

    def archived(self, run: str, generation: int, size: int) -> None:
        """This much is durable: what lies between it and the indexed mark is to do."""
        ...

    def pending(self) -> Sequence[str]:
        """Runs archived ahead of indexed, in the order they were archived: capture takes the newest first."""
        ...

    def indexed(self, run: str) -> Mark | None: ...

    def index_done(self, run: str, mark: Mark) -> None: ...

    def index_again(self, run: str) -> None: ...

    def bookmark(self, run: str) -> Bookmark | None: ...

    def keep_bookmark(self, run: str, bookmark: Bookmark | None) -> None:
        """In the same transaction as what was read up to it. None: the next reading is a whole one."""
        ...

    def journal_read(self) -> Mapping[str, int]: ...

    def journal_done(self, positions: Mapping[str, int]) -> None: ...


class Checkpoints(Protocol):
    """Source files as they were when every byte of them was archived. A missing one costs a look, never a byte."""

    def all(self) -> Mapping[str, str]: ...

    def get(self, path: str) -> str: ...

    def save(self, path: str, signature: str) -> None: ...

    def forget(self, paths: Iterable[str]) -> None: ...


class Bars(Protocol):
    """Runs that capture and index leave alone: forgotten ones, and those that grew during a pause."""

    def put(self, run: str, owner: str, reason: str) -> None: ...

    def lift(self, run: str, owner: str) -> None: ...

    def barred(self, reader: Reader) -> Mapping[str, str]:
        """Run → reason."""
        ...


class Notes(Protocol):
    """Small facts about this home that are nice to know and cheap to lose: when a sweep ended, what was set aside."""

    def get(self, name: str) -> str: ...

    def put(self, name: str, value: str) -> None: ...


class Storage(Protocol):
    """One opened index."""

    @property
    def name(self) -> str:
        """Which of the engine's indexes this is."""
        ...

    @property
    def runs(self) -> Runs: ...
    @property
    def chunks(self) -> Chunks: ...
    @property
    def vectors(self) -> Vectors: ...
    @property
    def touches(self) -> Touches: ...
    @property
    def prompts(self) -> Prompts: ...
    @property
    def memories(self) -> Memories: ...
    @property
    def catches(self) -> Catches: ...
    @property
    def entities(self) -> Entities: ...
    @property
    def results(self) -> Results: ...
    @property
    def recalls(self) -> Recalls: ...
    @property
    def work(self) -> Work: ...
    @property
    def checkpoints(self) -> Checkpoints: ...
    @property
    def bars(self) -> Bars: ...
    @property
    def notes(self) -> Notes: ...

    def transaction(self) -> AbstractContextManager[None]:
        """All of it or none."""
        ...

    def settle(self) -> None:
        """After a piece of work: what searching needs is brought up to date, all of it is on the disk."""
        ...

    def damaged(self) -> Sequence[str]:
        """All of it looked at: what cannot be read or is not as it was written. A rebuild makes it whole."""
        ...

    def scrub(self) -> None:
        """Nothing that was dropped can be found in the files any more."""
        ...

    def close(self) -> None: ...


class Engine(Protocol):
    """Where indexes rest: one serves, another may be built beside it and take its place in one instant."""

    def serving(self) -> str | None:
        """The name of the index that serves, if there is one this version can read."""
        ...

    def open(self) -> Storage:
        """The one that serves."""
        ...

    def begin(self) -> Storage:
        """A fresh, empty one beside whatever serves."""
        ...

    def swap(self, fresh: Storage) -> None:
        """From now on this one serves. Whoever reads the old one finishes with it."""
        ...
