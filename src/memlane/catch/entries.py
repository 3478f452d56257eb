"""The Journal's entries for what became of a Window, also of one that was read before its end."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from memlane.catch.checks import DraftRefusal
from memlane.catch.observation import same_in_run
from memlane.catch.verdict import Improvement, NewMemory, NewObservation, Omission, Verdict
from memlane.domain import Entry, Machine, Memory, State, Window, WindowDrafts, derived_id, window_ends
from memlane.domain.journal import CAUGHT, MEMORY, OBSERVATION, REFUSAL, STATE
from memlane.storage import memory_data

IMPROVED = "one more reader saw it and said it better"
REPLACED = "a reader found what replaces it"


@dataclass(frozen=True, slots=True)
class WindowEntries:
    """One Window's lines; the last one is the one that counts."""

    window: Window
    maker: str
    machine: Machine
    now: datetime
    actor: str = "lane"

    def down(self, verdicts: Sequence[Verdict]) -> list[Entry]:
        lines = list[Entry]()
        for verdict in verdicts:
            match verdict:
                case NewMemory(memory, replaced):
                    lines.append(self._line(MEMORY, memory.id, memory_data(memory)))
                    lines += [self._moved(replaced, State.SUPERSEDED, REPLACED, memory.id)] if replaced else []
                case NewObservation():
                    lines += self._again(verdict)
                case Improvement(memory):
                    lines.append(self._better(memory))
                case DraftRefusal():
                    lines.append(self._refusal(verdict))
                case Omission():
                    pass
        return lines

    def taken_back(self, before: Collection[Memory], verdicts: Sequence[Verdict]) -> list[Entry]:
        """What the half of a Window had given and the whole of it does not."""
        still = {verdict.memory.id for verdict in verdicts if isinstance(verdict, NewMemory)}
        gone = [memory for memory in before if memory.id not in still]
        return [self._moved(memory, State.RETIRED, "the rest of the window says otherwise") for memory in gone]

    def outdone(self, before: Collection[Memory], verdicts: Sequence[Verdict]) -> list[Entry]:
        """What the classifier was sure of. A surer reader worded it better, or did not find it: a person decides."""
        found = {known for verdict in verdicts if (known := _known(verdict))}
        doubted = [memory for memory in before if memory.state is State.ACTIVE and memory.id not in found]
        made = [verdict.memory for verdict in verdicts if isinstance(verdict, NewMemory)]
        return [self._reworded(memory, same_in_run(memory, made)) for memory in doubted]

    def _reworded(self, memory: Memory, better: Memory | None) -> Entry:
        if better is None or better.state is not State.ACTIVE:
            return self._moved(memory, State.HELD, "a surer reader did not find it")
        return self._moved(memory, State.SUPERSEDED, "a surer reader said it better", better.id)

    def _moved(self, memory: Memory, to: State, why: str, by: str = "") -> Entry:
        return self._line(STATE, memory.id, _move(memory, to, why) | ({"superseded_by": by} if by else {}))

    def caught(self, read: WindowDrafts, verdicts: Sequence[Verdict], *, agrees: bool | None = None) -> Entry:
        """`agrees`: whether a language model's answer agrees with the classifier."""
        window, made = self.window, [verdict.memory for verdict in verdicts if isinstance(verdict, NewMemory)]
        data = {
            "run": window.run,
            "generation": window.generation,
            "windows": [{"first": str(window.first), "last": str(window.last), "key": window.key}],
            "extractor": self.maker,
            "memories": sum(memory.state is State.ACTIVE for memory in made),
            "held": sum(memory.state is State.HELD for memory in made),
            "refused": sum(isinstance(verdict, DraftRefusal) for verdict in verdicts),
            "tokens": read.tokens_in + read.tokens_out,
            "cost": read.cost,
        } | ({} if agrees is None else {"agrees": agrees})
        return self._line(CAUGHT, derived_id("w", window.run, window.key, self.maker), data)

    def _again(self, seen: NewObservation) -> list[Entry]:
        memory = seen.memory
        observation = {
            "memory": memory.id,
            "evidence": asdict(seen.evidence),
            "formed_at": seen.formed_at.isoformat(),
            "confidence": seen.confidence,
            "maker": self.maker,
        }
        lines = [self._better(seen.better)] if seen.better else []
        lines.append(self._line(OBSERVATION, memory.id, observation))
        if seen.state is not memory.state:
            lines.append(self._moved(memory, seen.state, "seen again"))
        return lines

    def _better(self, memory: Memory) -> Entry:
        return self._line(MEMORY, memory.id, {**memory_data(memory), "because": IMPROVED})

    def _refusal(self, refused: DraftRefusal) -> Entry:
        window = self.window
        data = {
            "by": refused.by,
            "rule": refused.rule,
            "place": refused.place,
            "run": window.run,
            "generation": window.generation,
            "step": str(window.first),
            "extractor": self.maker,
        }
        return self._line(REFUSAL, derived_id("w", window.run, window.key, refused.rule, refused.place), data)

    def _line(self, kind: str, id: str, data: Mapping[str, object]) -> Entry:
        return Entry(kind, id, self.now, self.machine.user, self.machine.name, self.actor, data)


def probation_over(waiting: Sequence[Memory], machine: Machine, now: datetime) -> list[Entry]:
    """What waited only for that."""
    moves = [(memory.id, _move(memory, State.ACTIVE, "its reader's probation is over")) for memory in waiting]
    return [Entry(STATE, id, now, machine.user, machine.name, "lane", data) for id, data in moves]


def _move(memory: Memory, to: State, why: str) -> dict[str, object]:
    return {"memory": memory.id, "state": to.value, "before": memory.state.value, "because": why}


def _known(verdict: Verdict) -> str:
    """The Memory a verdict speaks of."""
    match verdict:
        case NewMemory(memory) | NewObservation(memory=memory) | Improvement(memory=memory):
            return memory.id
        case Omission(memory=memory):
            return memory
        case DraftRefusal():
            return ""


def settled(read: Collection[str]) -> list[str]:
    """Windows that stay as they were read: all but the last, which may have ended before its Run did, and those that
    were read again as part of a longer one."""
    placed = sorted((ends, key) for key in read if (ends := window_ends(key)))
    whole = [key for (first, last), key in placed if not any(f <= first and last < e for (f, e), _other in placed)]
    return whole[:-1]


def overlaps(key: str, window: Window) -> bool:
    ends = window_ends(key)
    return ends is not None and key != window.key and ends[0] <= window.last and ends[1] >= window.first


def only_from(memory: Memory, window: Window, extractor: str) -> bool:
    """Made by this extractor out of this stretch of the Run, and not seen elsewhere since."""
    spots = {f"{window.run}#{spot}" for spot, _step in window.steps() if spot >= window.first}
    return memory.maker.split("@")[0] == extractor and all(e.step in spots for e in memory.evidence)
