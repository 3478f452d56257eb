"""What is kept of Memories: what they say and mean, what was read for them, whom they name, how they did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from memlane.domain import Entity, Feedback, Memory, NameAnswer, Reader, Recall, Selection, State, Traits, Type
from memlane.storage.values import EVERYWHERE, CatchMark, MemoryBounds, MemoryMatch, NameCount, Result

if TYPE_CHECKING:
    from memlane.storage.values import Vector


class MemoryStore(Protocol):
    def put(self, memory: Memory) -> None: ...

    def set_state(self, memory: str, owner: str, state: State, superseded_by: str) -> None: ...

    def drop(self, memory: str, owner: str) -> None: ...

    def get(self, memory: str, reader: Reader) -> Memory | None: ...

    def starting_with(self, prefix: str, reader: Reader) -> Sequence[str]: ...

    def listed(self, states: Sequence[State], reader: Reader) -> Sequence[Memory]:
        """Newest first."""
        ...

    def count(self, states: Sequence[State], reader: Reader) -> int: ...

    def has(self, states: Sequence[State], reader: Reader) -> bool:
        """Whether there is any, without counting them."""
        ...

    # For whoever looks at many and reads few: none of these reads what a Memory says, but for those it lists.

    def found(self, which: Selection, reader: Reader) -> Sequence[Memory]:
        """A page of them, in its order."""
        ...

    def tallied(self, which: Selection, reader: Reader) -> Mapping[Traits, int]:
        """How many there are of each sort."""
        ...

    def over_time(
        self, edges: Sequence[datetime], by: str, which: Selection, reader: Reader
    ) -> Sequence[Mapping[str, int]]:
        """How many were formed from each edge to the next, by `type`, `project` (its name), `category`, or ""."""
        ...

    def names(self, reader: Reader, *, known: bool) -> Sequence[NameCount]:
        """Whom and what they name, by type and name: those that are known, or those nobody was sure of."""
        ...

    def most_named(self, which: Selection, reader: Reader, limit: int) -> tuple[Sequence[tuple[str, int]], int]:
        """Slugs and unknown words that most of these have, and how many such names there are."""
        ...

    def types(self, states: Sequence[State], reader: Reader) -> Sequence[tuple[str, Type]]:
        """Of all of them, by id."""
        ...

    def version(self, reader: Reader) -> int:
        """Grows with every change of a Memory, or of what one means; with another's it may grow too."""
        ...

    def foremost(self, here: str, agent: str, reader: Reader, limit: int) -> Sequence[Memory]:
        """Active ones for this agent, of the project of this key first, then what holds everywhere: the weighty types
        before the rest, the often seen before the once seen, the sure before the doubtful."""
        ...

    def standing(self, here: str, agent: str, reader: Reader, limit: int) -> Sequence[Memory]:
        """Active standing rules for this agent, of the project of this key first, then what holds everywhere: the often
        seen before the once seen, the sure before the doubtful."""
        ...

    def sharing(self, terms: Sequence[str], here: str, reader: Reader, limit: int) -> Sequence[Memory]:
        """Active ones that hold in the project of this key and have any of these terms; where they are more than
        `limit`, those with the rarest. Newest first."""
        ...

    def sayings(self, after: str, limit: int, reader: Reader) -> Sequence[tuple[str, str]]:
        """Ids behind this one, in order, each with what that Memory says, casefolded; none that is forgotten."""
        ...

    def changed_since(self, version: int, reader: Reader) -> Sequence[str]:
        """Ids of those that changed after this version, in order; one with a new vector may be among them."""
        ...

    def from_run(self, run: str, states: Sequence[State], reader: Reader) -> Sequence[Memory]:
        """Those with evidence in this Run; newest first."""
        ...

    def naming(self, raw: str, reader: Reader) -> Sequence[Memory]:
        """Those of any state that mention something by these words, or mean this `type:slug`; newest first."""
        ...

    def subjects(self, type_: str, reader: Reader) -> Sequence[str]:
        """Slugs of this type that active ones are known to be about, casefolded, in order."""
        ...

    # What they mean, by one model at a time, in an index that is small enough to be scored whole.

    def waiting(self, model: str, limit: int) -> Sequence[Memory]:
        """Without a vector of this model for what they say now. Forgotten ones wait for nothing."""
        ...

    def embedded(self, memory: str, reader: Reader) -> Sequence[tuple[str, datetime]]:
        """By which models there are vectors of what it says now, and since when; the newest first."""
        ...

    def give(self, model: str, memories: Sequence[Memory], vectors: Vector, at: datetime) -> None:
        """One row for each, worked out at this time. A Memory that is gone or says something else by now is passed
        over."""
        ...

    def cues_waiting(self, model: str, limit: int) -> Sequence[Memory]:
        """Without vectors of this model for the Cues they have now."""
        ...

    def give_cues(self, model: str, memories: Sequence[Memory], vectors: Vector) -> None:
        """One row for each Cue of each, in order. A Memory that is gone or has other Cues by now is passed over."""
        ...

    def meanings(self, model: str, reader: Reader) -> Mapping[str, Vector]:
        """The vector of each that has one of this model for what it says now."""
        ...

    def nearest(
        self,
        vector: Vector,
        model: str,
        states: Sequence[State],
        reader: Reader,
        limit: int,
        where: MemoryBounds = EVERYWHERE,
    ) -> Sequence[tuple[Memory, float]]:
        """Nearest by what they say first, with the cosine, worked out exactly. Of more than some ten thousand, bits
        choose whose."""
        ...

    def nearest_with_cues(
        self,
        vector: Vector,
        model: str,
        states: Sequence[State],
        reader: Reader,
        limit: int,
        where: MemoryBounds = EVERYWHERE,
    ) -> Sequence[MemoryMatch]:
        """The nearest by what they say and the nearest by any of their Cues, `limit` of each, all with both cosines;
        in the order of `nearest`."""
        ...

    def prepare(self, model: str, reader: Reader) -> None:
        """Bring all vectors into mind, so that the first question need not; from any thread, beside other questions."""
        ...


class CatchStore(Protocol):
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

    def looked(self, run: str) -> CatchMark | None: ...

    def look_done(self, run: str, owner: str, looked: CatchMark) -> None: ...

    def due(self, idle_since: datetime, turns: int, reader: Reader) -> Sequence[str]:
        """Indexed Runs that may have Windows nobody looked at: never looked at, or grown since by `turns` Turns, or
        ended before `idle_since` and not known as closed. Oldest end first."""
        ...


class EntityStore(Protocol):
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

    def answers(self, reader: Reader) -> Sequence[NameAnswer]:
        """By words and project; those taken back too."""
        ...


class OutcomeStore(Protocol):
    def put(self, result: Result, owner: str) -> None:
        """The newest of a Run is what holds."""
        ...

    def get(self, run: str, reader: Reader) -> Result | None: ...

    def of(self, memory: str, reader: Reader) -> Sequence[Result]:
        """Of Runs this Memory was recalled in, oldest first."""
        ...


class RecallStore(Protocol):
    def record(self, recall: Recall) -> None: ...

    def get(self, recall: str, reader: Reader) -> Recall | None: ...

    def newest(self, limit: int | None, reader: Reader, *, run: str = "", cwd: str = "") -> Sequence[Recall]: ...

    def shown_in(self, run: str, reader: Reader) -> Sequence[Recall]:
        """Those that showed something in this Run, oldest first."""
        ...

    def that_showed(self, memory: str, limit: int | None, reader: Reader) -> Sequence[Recall]:
        """Newest first."""
        ...

    def told_since(self, since: datetime, reader: Reader) -> Mapping[str, datetime]:
        """Memories that were told then or later, and when last."""
        ...

    def drop_words(self, run: str, owner: str) -> None:
        """A forgotten Run's prompts leave the Recalls that were made for them, and the Feedback given there."""
        ...

    def judge(self, feedback: Feedback) -> None: ...

    def take_back(self, feedback: str, owner: str) -> None: ...

    def judged(self, memories: Sequence[str], reader: Reader) -> Sequence[Feedback]: ...  # oldest first
