"""What was useful stays findable: recalls that were asked before are asked again of the state as it would be.

It is put into storage for the look and taken out again. What an agent would be told is asked of whoever is handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from memlane.domain import Memory, Outcome, Proposal, Query, Reader, State
from memlane.dream.knowledge import STANDING
from memlane.dream.sieve import Sieve, sift
from memlane.storage import Storage

RATED, SAMPLE = 60, 40  # recalls that are asked again
LOST = "a recall that was useful would be lost"

Ask = Callable[[Query], Collection[str]]  # the Memories that would be told now


class _Rollback(Exception):  # noqa: N818 - it ends a look at what would be, nothing went wrong
    """What was put into storage for a look goes out of it again."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A recall that was asked before. One that a person found useful must go on finding what it found."""

    query: Query
    memory: str
    rated: bool


@dataclass(frozen=True, slots=True)
class ProbeAnswers:
    """Recalls as they are answered now: whatever is decided, they must find what they find."""

    ask: Ask
    now: Mapping[Probe, frozenset[str]]


def asked_now(storage: Storage, reader: Reader, ask: Ask) -> ProbeAnswers:
    """Before anybody is kept waiting: a question that was understood once is answered quickly the next time."""
    answered = ((probe, frozenset(ask(probe.query))) for probe in _probes(storage, reader))
    return ProbeAnswers(ask, {probe: told for probe, told in answered if probe.memory in told})


def asked_again(sifted: Sieve, storage: Storage, learn: Callable[[], None], asked: ProbeAnswers) -> Sieve:
    """Without the Proposals that would lose a recall, one after the other until none is lost any more. `learn` gives
    what is new its meaning."""
    while sifted.kept and (lost := _first_lost(sifted, storage, learn, asked)):
        blamed = _blamed(lost[0], lost[1], sifted.kept)
        again = sift([one for one in sifted.kept if one is not blamed], sifted.known)
        again.refused[:0], again.doubts[:0] = sifted.refused, sifted.doubts
        again.refuse(blamed, LOST)
        sifted = again
    return sifted


def _probes(storage: Storage, reader: Reader) -> list[Probe]:
    standing = {memory.id for memory in storage.memories.listed(STANDING, reader)}
    useful = [one for one in storage.recalls.judged(sorted(standing), reader) if one.up and not one.by][-RATED:]
    probes = dict[Probe, None]()
    for vote in useful:
        recall = storage.recalls.get(vote.recall, reader)
        if recall is not None and recall.query.words:
            probes[Probe(_anew(recall.query), vote.memory, rated=True)] = None
    shown = [one for one in storage.recalls.newest(10 * SAMPLE, reader) if one.outcome is Outcome.SHOWN]
    for recall in shown[:SAMPLE]:
        for match in recall.shown[:1]:
            if recall.query.words and match.memory.id in standing and match.source != "index":
                probes[Probe(_anew(recall.query), match.memory.id, rated=False)] = None
    return list(probes)


def _anew(query: Query) -> Query:
    """As if nothing had been said in its Run yet."""
    return replace(query, run="", native_id="", files=(), entities=())


def _first_lost(
    sifted: Sieve, storage: Storage, learn: Callable[[], None], asked: ProbeAnswers
) -> tuple[Probe, Collection[str]] | None:
    """The first recall that would not find what it finds now, and what it would find that is new."""
    found: tuple[Probe, Collection[str]] | None = None
    try:
        with storage.transaction():
            for memory in (memory for proposal in sifted.kept for memory in proposal.after):
                storage.memories.put(memory)
            learn()
            for probe, now in asked.now.items():
                told, stands = frozenset(asked.ask(probe.query)), _stands_for(probe.memory, sifted.state)
                chosen = stands is not None or probe.rated  # what was retired on purpose is no loss, unless it served
                if chosen and (stands is None or stands not in told):
                    found = probe, told - now
                    break
            raise _Rollback
    except _Rollback:
        return found


def _stands_for(memory: str, state: Mapping[str, Memory]) -> str | None:
    """The Memory that would be told in its place; None: none stands any more."""
    met = set[str]()
    while memory not in met and (now := state.get(memory)) is not None:
        if now.state is State.ACTIVE:
            return memory
        met.add(memory)
        memory = now.superseded_by
    return None


def _blamed(probe: Probe, newcomers: Collection[str], kept: Sequence[Proposal]) -> Proposal:
    """What touched it, or what came in its place; else the last."""
    about = [one for one in kept if any(memory.id == probe.memory for memory in one.before)]
    instead = [one for one in kept if any(memory.id in newcomers for memory in one.after)]
    return (about or instead or list(kept))[-1]
