"""Which rules a Dream thinks with, in their order, and what of this home each of them needs. They propose, no more."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memlane import dream
from memlane.app.dream.checkouts import Checkouts
from memlane.app.home import Home
from memlane.app.procedures import Procedures
from memlane.app.runs.library import RunLibrary
from memlane.app.skills import Skills
from memlane.domain import Confirmation, Doubt, Evidence, Idea, Memory, Proposal
from memlane.dream.skills import PersonRequest
from memlane.flow.dream import Near, Rule

PLACES = 3  # pieces of evidence whose surroundings are looked at
RUNS = 5  # requests named as the evidence of an idea
TURNS = 3  # before and after
MOST_CHUNKS = 20_000  # of one Run
_TURN = re.compile(r"#t(\d+)")


def rules(home: Home) -> Sequence[Rule]:
    checkouts = Checkouts(home)

    def stale(memories: list[Memory], known: dream.Knowledge, _near: Near) -> Iterator[Proposal | Doubt]:
        yield from dream.stale(_free(memories, known), checkouts.look, known.past)

    def exact(memories: list[Memory], known: dream.Knowledge, _near: Near) -> Iterator[Proposal | Doubt]:
        yield from dream.exact(_free(memories, known), lambda memory: _said(memory, home))

    def restored(_memories: list[Memory], known: dream.Knowledge, _near: Near) -> Iterator[Proposal | Confirmation]:
        yield from dream.restored(known, checkouts.look, checkouts.knows)

    # "Yesterday" counts from when it was formed, and a merged one was formed with the oldest of them: exact is first.
    return (exact, _twins, _against, _graduate, stale, _unwanted, restored)


def ideas(home: Home) -> Iterator[Idea]:
    """What people keep asking for and no Skill is there for; procedures that do not say yet what corrected them."""
    for habit in Skills(home, RunLibrary(home)).habits():
        if not habit.kept:
            standing = tuple(memory.id for memory in habit.found.memories if memory.state in dream.STANDING)
            yield Idea("skill", habit.found.name, standing, tuple(_asked(one) for one in habit.found.requests[:RUNS]))
    for change in Procedures(home, RunLibrary(home)).changes():
        title = f"{change.path.parent.name}/{change.path.name} does not say: {change.memory.title}"
        yield Idea("procedure", title, (change.memory.id,), change.memory.evidence)


def _asked(request: PersonRequest) -> Evidence:
    return Evidence(request.run, 0, 0, f"{request.run}#t{request.turn}", request.text)


def _said(memory: Memory, home: Home) -> str:
    """What was said around the words it stands on, as far as the Run is still here; masked, as all of the index."""
    found = list[str]()
    for evidence in memory.evidence[:PLACES]:
        place = _TURN.search(evidence.step)
        if evidence.run and place:
            turn = int(place[1])
            chunks = home.storage().chunks.of_run(evidence.run, home.reader, MOST_CHUNKS)
            found += [chunk.text for chunk in chunks if abs(chunk.turn - turn) <= TURNS]
    return "\n".join(found)


def _twins(memories: list[Memory], known: dream.Knowledge, near: Near) -> Iterator[Proposal | Doubt]:
    yield from dream.twins(_free(memories, known), near())


def _against(memories: list[Memory], _known: dream.Knowledge, near: Near) -> Iterator[Proposal | Doubt]:
    """All of them: one that must not be touched may still outdo another."""
    yield from dream.against(memories, near())


def _graduate(memories: list[Memory], known: dream.Knowledge, _near: Near) -> Iterator[Proposal | Doubt]:
    yield from dream.graduate(_free(memories, known), known.now)


def _unwanted(memories: list[Memory], known: dream.Knowledge, _near: Near) -> Iterator[Proposal | Doubt]:
    yield from dream.unwanted(_free(memories, known), known)


def _free(memories: Sequence[Memory], known: dream.Knowledge) -> list[Memory]:
    """Those a Dream may change."""
    return [memory for memory in memories if memory.id not in known.untouched]
