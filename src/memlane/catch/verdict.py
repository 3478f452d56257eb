"""What becomes of a Draft: a Memory, one more Observation, a refusal that says why, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memlane.catch.activation import Opinion, Standing, standing_of, unknown
from memlane.catch.checks import DraftRefusal, check
from memlane.catch.excerpt import source_chunk
from memlane.catch.extractor import ACTIVE_FROM, STORED_FROM
from memlane.catch.improvement import improved, surer
from memlane.catch.observation import (
    confidence_after,
    one_more,
    outdated,
    same_in_run,
    same_lesson,
    same_saying,
    same_words,
    state_after,
)
from memlane.catch.record import ExtractorRecord, name_of, on_probation
from memlane.catch.teachings import MAKER, is_taught, taught_id
from memlane.catch.trust import trust_of
from memlane.claims import absolute, meaning
from memlane.domain import (
    Address,
    Author,
    Draft,
    Evidence,
    Memory,
    Mention,
    Project,
    Quote,
    State,
    Step,
    Trust,
    Type,
    Window,
    derived_id,
)
from memlane.gate import Gate
from memlane.storage import same_place


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
    here: Sequence[Memory] = ()  # Memories that stand and were caught in this Run
    record: ExtractorRecord | None = None  # how its maker did so far; None: nothing is known of it
    opinion: Opinion = unknown  # the classifier's, of the moment a Step belongs to
    by_hand: Callable[[str], bool] = lambda _memory: False  # whether a person wrote or answered for it
    taught: Collection[Memory] = ()  # in this Run, and kept when the prompt was sent


@dataclass(frozen=True, slots=True)
class NewMemory:
    """A lesson nobody had written down."""

    memory: Memory
    replaced: Memory | None = None  # what it makes wrong


@dataclass(frozen=True, slots=True)
class NewObservation:
    """One more time a Memory was seen, and what that makes of it."""

    memory: Memory
    evidence: Evidence
    formed_at: datetime
    confidence: int
    state: State
    better: Memory | None = None  # in the words of whoever saw it now, where these are better


@dataclass(frozen=True, slots=True)
class Improvement:
    """A Memory known from these very words, as a surer reader says it."""

    memory: Memory
    before: Memory


@dataclass(frozen=True, slots=True)
class Omission:
    """Nothing to write: too unsure, known from these very words, told by us, or forgotten by its owner."""

    why: str
    memory: str = ""  # the one it is known as


Verdict = NewMemory | NewObservation | Improvement | DraftRefusal | Omission


def judge(drafts: Sequence[Draft], window: Window, bench: Bench) -> list[Verdict]:
    """One after the other: what the first says, the second may say again."""
    verdicts, made = list[Verdict](), list[Memory]()
    for draft in drafts:
        verdict = _judged(draft, window, bench, made)
        if isinstance(verdict, NewMemory):
            made.append(verdict.memory)
        verdicts.append(verdict)
    return verdicts


def _judged(draft: Draft, window: Window, bench: Bench, made: Sequence[Memory]) -> Verdict:
    checked = check(about_files(_dated(draft, window), window), window, bench.gate)
    if isinstance(checked, DraftRefusal):
        return checked
    if checked.confidence < STORED_FROM:
        return Omission("too unsure")
    if checked.worth < WORTH_KEEPING:
        return Omission("worth little")
    text = f"{checked.title}\n{checked.content}"
    meant = replace(checked, mentions=bench.meant(checked.mentions, window.project, text))
    memory = memory_of(meant, window, bench.now, bench.maker, _standing(meant, window, bench))
    if (before := bench.known(memory.id)) is not None:
        return _placed(before, memory) or _known(before, memory, bench)
    if any(memory.id == other.id for other in made):
        return Omission("known", memory.id)
    same = (
        one_more(bench.known(checked.same_as), memory)
        or same_words(memory, [*bench.taught, *filter(_is_active if checked.taught else is_taught, made)])
        or same_in_run(memory, [*made, *bench.here])
        or same_lesson(memory, bench.near(memory.text, made))
    )
    replaced = outdated(bench.known(checked.replaces), memory, bench.by_hand)
    if same is None or (replaced is not None and replaced.id == same.id):
        return NewMemory(memory, replaced)
    echo = same.id in bench.told and memory.trust is not Trust.PERSON
    return Omission("told", same.id) if echo else _again(same, memory, bench)


def _standing(draft: Draft, window: Window, bench: Bench) -> Standing:
    own = ExtractorRecord(name_of(MAKER if draft.taught else bench.maker))
    record = own if draft.taught else bench.record or own
    return standing_of(draft, window, trust_of(draft, window), record, bench.opinion)


def _is_active(memory: Memory) -> bool:
    """What was taught must not wait with what is held."""
    return memory.state is State.ACTIVE


def _on_probation(bench: Bench) -> bool:
    return bench.record is not None and on_probation(bench.record)


def _known(before: Memory, seen: Memory, bench: Bench) -> Verdict:
    better = before if _on_probation(bench) else improved(before, seen, bench.by_hand)
    if better.maker != before.maker:
        better = surer(better, seen)
    return Omission("known", before.id) if better == before else Improvement(better, before)


def _placed(known: Memory, seen: Memory) -> Verdict | None:
    """What was kept when the prompt was sent learns where in the transcript it stands."""
    here = next((e for e in known.evidence if same_place(e, seen.evidence[0])), None)
    if here is None or here.step or known.state is State.FORGOTTEN:
        return None
    return NewObservation(known, seen.evidence[0], seen.formed_at, known.confidence, known.state)


def _again(same: Memory, seen: Memory, bench: Bench) -> Verdict:
    if same.state is State.FORGOTTEN:
        return Omission("forgotten", same.id)
    evidence = seen.evidence[0]
    if any(same_saying(known, evidence) for known in same.evidence):
        return Omission("known", same.id)
    confidence, state = confidence_after(same, seen), state_after(same, seen)
    if _on_probation(bench):  # its word makes nothing surer, and nothing better said
        return NewObservation(same, evidence, seen.formed_at, same.confidence, same.state)
    better = improved(same, seen, bench.by_hand)
    return NewObservation(same, evidence, seen.formed_at, confidence, state, better if better != same else None)


def _dated(draft: Draft, window: Window) -> Draft:
    """Dates as they were when it was said: "yesterday" means nothing in a month."""
    heart = draft.quotes[0].spot if draft.quotes else window.last
    said = next((step.at for spot, step in window.steps() if spot == heart), None) or window.formed_at
    if said is None:
        return draft
    return replace(draft, title=absolute(draft.title, said), content=absolute(draft.content, said))


MOST_FILES = 2  # changed in one go; of more, nobody can tell which was meant
FILE = "file"


def about_files(draft: Draft, window: Window) -> Draft:
    """With the files whose change it quotes; or those the agent changed since the person spoke before, if it was them
    who corrected it."""
    if not draft.quotes:
        return draft
    heart, changed = draft.quotes[0].spot, dict[str, None]()
    if (at := dict(window.steps()).get(heart)) is not None and at.call is not None and at.call.changes:
        return replace(draft, mentions=(*draft.mentions, *(Mention(FILE, path) for path in at.call.files[:MOST_FILES])))
    if draft.type is not Type.CORRECTION:
        return draft
    for spot, step in window.steps():
        if spot == heart:
            named = [Mention(FILE, path) for path in changed] if len(changed) <= MOST_FILES else []
            return replace(draft, mentions=(*draft.mentions, *named)) if step.author is Author.PERSON else draft
        if step.author is Author.PERSON:
            changed.clear()
        elif step.call is not None and step.call.changes and not step.call.error:
            changed |= dict.fromkeys(step.call.files)
    return draft


__all__ = ["ACTIVE_FROM", "STORED_FROM", "memory_of"]
TELLING = 2  # words that nobody says twice by chance in one Run
WORTH_KEEPING = 2  # of 3: less is about what is being built now only


def memory_of(draft: Draft, window: Window, saved_at: datetime, maker: str, stands: Standing | None = None) -> Memory:
    """`maker` is `extractor@version`. Whoever calls has made sure that the Draft may be stored.

    Without `stands` it stands on its evidence alone.
    """
    steps, alone = dict(window.steps()), ExtractorRecord(name_of(maker))
    stands = stands or standing_of(draft, window, trust_of(draft, window), alone)
    said = steps[draft.quotes[0].spot].at or window.formed_at or saved_at
    return Memory(
        id=memory_id(draft, window),
        owner=window.owner,
        type=draft.type,
        title=draft.title,
        content=draft.content,
        formed_at=said,
        saved_at=saved_at,
        first_observed_at=said,
        last_observed_at=said,
        category=draft.category,
        source_chunk=source_chunk(window, draft.quotes),
        evidence=tuple(_evidence(quote, steps[quote.spot], window) for quote in draft.quotes),
        related_entities=draft.mentions,
        target_agents=draft.target_agents,
        scope=draft.scope,
        project=window.project.name,
        project_key=window.project.key,
        confidence=stands.confidence,
        reasoning=draft.reasoning,
        alternatives=draft.alternatives,
        trust=stands.trust,
        maker=MAKER if draft.taught else maker,
        when=draft.when,
        always=draft.always,
        cues=draft.cues,
        state=State.HELD if stands.held_because else State.ACTIVE,
        held_because=stands.held_because,
    )


def memory_id(draft: Draft, window: Window) -> str:
    """By what was said and what sort of lesson it is, not by how an extractor worded it. "yes" is said often: words
    that mean nothing alone are known by their Step too."""
    heart, step = draft.quotes[0], dict(window.steps())[draft.quotes[0].spot]
    if draft.taught:
        return taught_id(window.owner, window.run, heart.words)
    words = " ".join(heart.words.casefold().split())
    place = "" if len(meaning(words)) >= TELLING else step.native_id or str(heart.spot)
    return derived_id("m", window.owner, window.run, words, draft.type.value, place)


def _evidence(quote: Quote, step: Step, window: Window) -> Evidence:
    place = Address(window.run, quote.spot.turn, quote.spot.step)
    return Evidence(window.run, window.generation, step.line, str(place), quote.words)
