"""What the data path is handed: disk, storage, clock, models. Whoever opens a Lane builds it; no step looks around."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from memlane import recall
from memlane.domain import EarlierTurn, Machine, Memory, Mention, Project, Query, Reader
from memlane.storage import Storage
from memlane.system.disk import Disk
from memlane.work import WriteLock

if TYPE_CHECKING:
    from memlane import agents, archive
    from memlane.embed import VectorModel
    from memlane.gate import Gate
    from memlane.storage import Vector


class Encodes(Protocol):
    """The model of recall; it may fail at every word."""

    @property
    def tag(self) -> str: ...

    @property
    def calibration(self) -> Mapping[str, float]:
        """What its cosines mean. Empty: they are similarities already."""
        ...

    def reads(self, language: str) -> bool: ...

    def passages(self, texts: Sequence[str]) -> Vector: ...

    def query(self, text: str) -> Vector: ...


# Which model found them, the prompt, and a few notes: what a second look says of each. None: none is taken here.
LooksAgain = Callable[[str, str, Sequence[str]], recall.SecondLookOdds | None]
Meant = Callable[[Sequence[Mention], Project, str], tuple[Mention, ...]]  # in this project, in this text
Named = tuple[Sequence[recall.PromptEntity], Sequence[recall.AmbiguousName]]
Names = Callable[[str, Project, frozenset[str]], Named]  # in this text, in this project, with what is settled already
People = Callable[[Query, Collection[str]], Named]  # that notes name and no directory knows, beside these words


def unresolved(mentions: Sequence[Mention], _project: Project, _text: str) -> tuple[Mention, ...]:
    return tuple(mentions)


def nothing_gone(_memory: Memory, _query: Query) -> str:
    return ""


def nothing_said(_query: Query, _since: datetime | None) -> Sequence[str]:
    return ()


def nothing(*_asked: object) -> None:
    return None


def nobody_else(_query: Query, _taken: Collection[str]) -> Named:
    return (), ()


def nobody(_text: str, _project: Project, _settled: frozenset[str]) -> Named:
    return (), ()


@dataclass(frozen=True, slots=True)
class Tools:
    """Everything the path needs, handed in: no room reads the clock, the environment or a setting."""

    disk: Disk
    layout: archive.Layout
    machine: Machine
    storage: Storage
    lock: WriteLock
    gate: Callable[[], Gate]  # built when first needed: a hook's answer does not wait for its rules
    sources: Mapping[str, agents.Source]
    clock: Callable[[], datetime]
    new_id: Callable[[str], str]
    weights: recall.RecallWeights = recall.WEIGHTS
    budget: recall.Budget = recall.BUDGET
    specificity: recall.Specificity = recall.SPECIFICITY
    meaning: VectorModel | None = None  # where there is no model, nothing is near anything
    teachings: bool = True  # what a person teaches in plain words is kept, whoever reads
    meant: Meant = unresolved
    encodes: Encodes | None = None  # None: words answer alone
    names: Names = nobody
    people: People = nobody_else
    gone: Callable[[Memory, Query], str] = nothing_gone  # a file it is about that is not in this checkout any more
    loaded: Callable[[Memory, Query], str] = nothing_gone  # a file it stands in that this agent reads by itself
    talk: Callable[[Query, datetime | None], Sequence[str]] = nothing_said  # said in its Run since its context began
    changed: Callable[[Storage], None] = nothing  # what is known has changed: whoever keeps a list of it is told
    earlier: Callable[[Query, Collection[str]], EarlierTurn | None] = nothing  # a Turn surely meant, not of these Runs
    look_again: LooksAgain = nothing
    lately: Callable[[str], Vector | None] = nothing  # what was said last in a Run, as that model understands it

    @property
    def reader(self) -> Reader:
        return Reader(self.machine.user)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a long piece of work is: the total is known before the first step."""

    stage: str  # copying, indexing, meaning
    done: int
    total: int
    bytes_done: int
    bytes_total: int
    on: str = ""


OnProgress = Callable[[Progress], None]


def quietly(_progress: Progress) -> None:
    return None
