"""The journal's lines for what became of a Window: taken back, made, seen again, refused, and that it was read."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from memlane.catch.checks import Refused
from memlane.catch.judge import Again, Made, Passed, Verdict
from memlane.domain import Entry, Machine, Memory, Read, State, Window, derived_id
from memlane.domain.journal import CAUGHT, MEMORY, OBSERVATION, REFUSAL, STATE
from memlane.storage import memory_data


@dataclass(frozen=True, slots=True)
class Writing:
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
                case Made(memory):
                    lines.append(self._line(MEMORY, memory.id, memory_data(memory)))
                case Again():
                    lines += self._again(verdict)
                case Refused():
                    lines.append(self._refusal(verdict))
                case Passed():
                    pass
        return lines

    def taken_back(self, before: Collection[Memory], verdicts: Sequence[Verdict]) -> list[Entry]:
        """What the half of a Window had given and the whole of it does not."""
        still = {verdict.memory.id for verdict in verdicts if isinstance(verdict, Made)}
        gone = [memory for memory in before if memory.id not in still]
        return [self._moved(memory, State.RETIRED, "the rest of the window says otherwise") for memory in gone]

    def outdone(self, before: Collection[Memory], verdicts: Sequence[Verdict]) -> list[Entry]:
        """What the classifier was sure of and a surer reader did not find: a person decides."""
        found = {known for verdict in verdicts if (known := _known(verdict))}
        doubted = [memory for memory in before if memory.state is State.ACTIVE and memory.id not in found]
        return [self._moved(memory, State.HELD, "a surer reader did not find it") for memory in doubted]

    def _moved(self, memory: Memory, to: State, why: str) -> Entry:
        data = {"memory": memory.id, "state": to.value, "before": memory.state.value, "because": why}
        return self._line(STATE, memory.id, data)

    def caught(self, read: Read, verdicts: Sequence[Verdict]) -> Entry:
        window, made = self.window, [verdict.memory for verdict in verdicts if isinstance(verdict, Made)]
        data = {
            "run": window.run,
            "generation": window.generation,
            "windows": [{"first": str(window.first), "last": str(window.last), "key": window.key}],
            "extractor": self.maker,
            "memories": sum(memory.state is State.ACTIVE for memory in made),
            "held": sum(memory.state is State.HELD for memory in made),
            "refused": sum(isinstance(verdict, Refused) for verdict in verdicts),
            "tokens": read.tokens_in + read.tokens_out,
            "cost": read.cost,
        }
        return self._line(CAUGHT, derived_id("w", window.run, window.key, self.maker), data)

    def _again(self, seen: Again) -> list[Entry]:
        memory = seen.memory
        observation = {
            "memory": memory.id,
            "evidence": asdict(seen.evidence),
            "formed_at": seen.formed_at.isoformat(),
            "confidence": seen.confidence,
            "maker": self.maker,
        }
        lines = [self._line(OBSERVATION, memory.id, observation)]
        if seen.state is not memory.state:
            lines.append(self._moved(memory, seen.state, "seen again"))
        return lines

    def _refusal(self, refused: Refused) -> Entry:
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


def _known(verdict: Verdict) -> str:
    """The Memory a verdict speaks of."""
    match verdict:
        case Made(memory) | Again(memory=memory):
            return memory.id
        case Passed(memory=memory):
            return memory
        case Refused():
            return ""
