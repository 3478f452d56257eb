"""What becomes of a Draft: a Memory, one more observation of one there is, a refusal that says why, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memlane.catch.again import confidence_after, one_more, same_lesson, state_after
from memlane.catch.checks import Refused, check
from memlane.catch.confidence import STORED_FROM
from memlane.catch.files import about_files
from memlane.catch.made import memory_of
from memlane.claims import absolute
from memlane.domain import Draft, Evidence, Memory, Mention, Project, State, Trust, Window
from memlane.gate import Gate


@dataclass(frozen=True, slots=True)
class Bench:
    """What a judge has at hand, all of it handed in."""

    gate: Gate
    now: datetime
    maker: str  # extractor@version
    known: Callable[[str], Memory | None]  # by id, whatever its state
    near: Callable[[str, Sequence[Memory]], Sequence[tuple[Memory, float]]]  # by meaning: stored ones, and these
    meant: Callable[[Sequence[Mention], Project, str], tuple[Mention, ...]]
    told: Collection[str] = ()  # Memories the agent was shown in this Run: its echo of one is no observation


@dataclass(frozen=True, slots=True)
class Made:
    """A lesson nobody had written down."""

    memory: Memory


@dataclass(frozen=True, slots=True)
class Again:
    """One more time a Memory was seen, and what that makes of it."""

    memory: Memory
    evidence: Evidence
    formed_at: datetime
    confidence: int
    state: State


@dataclass(frozen=True, slots=True)
class Passed:
    """Nothing to write: too unsure, known from these very words, told by us, or forgotten by its owner."""

    why: str
    memory: str = ""  # the one it is known as


Verdict = Made | Again | Refused | Passed


def judge(drafts: Sequence[Draft], window: Window, bench: Bench) -> list[Verdict]:
    """One after the other: what the first says, the second may say again."""
    verdicts, made = list[Verdict](), list[Memory]()
    for draft in drafts:
        verdict = _judged(draft, window, bench, made)
        if isinstance(verdict, Made):
            made.append(verdict.memory)
        verdicts.append(verdict)
    return verdicts


def _judged(draft: Draft, window: Window, bench: Bench, made: Sequence[Memory]) -> Verdict:
    checked = check(about_files(_dated(draft, window), window), window, bench.gate)
    if isinstance(checked, Refused):
        return checked
    if checked.confidence < STORED_FROM:
        return Passed("too unsure")
    text = f"{checked.title}\n{checked.content}"
    meant = replace(checked, mentions=bench.meant(checked.mentions, window.project, text))
    memory = memory_of(meant, window, bench.now, bench.maker)
    if bench.known(memory.id) is not None or any(memory.id == other.id for other in made):
        return Passed("known", memory.id)
    same = one_more(bench.known(checked.same_as), memory) or same_lesson(memory, bench.near(memory.text, made))
    if same is None:
        return Made(memory)
    echo = same.id in bench.told and memory.trust is not Trust.PERSON
    return Passed("told", same.id) if echo else _again(same, memory)


def _again(same: Memory, seen: Memory) -> Verdict:
    if same.state is State.FORGOTTEN:
        return Passed("forgotten", same.id)
    evidence = seen.evidence[0]
    if any(known.run == evidence.run and known.quote == evidence.quote for known in same.evidence):
        return Passed("known", same.id)
    return Again(same, evidence, seen.formed_at, confidence_after(same, seen), state_after(same, seen))


def _dated(draft: Draft, window: Window) -> Draft:
    """Dates as they were when it was said: "yesterday" means nothing in a month."""
    heart = draft.quotes[0].spot if draft.quotes else window.last
    said = next((step.at for spot, step in window.steps() if spot == heart), None) or window.formed_at
    if said is None:
        return draft
    return replace(draft, title=absolute(draft.title, said), content=absolute(draft.content, said))
