"""A bank of memories in a home of its own, and what the product recalls from it: what `journey` and `recall` measure.

Every memory of a repository is a memory of one project; a prompt is asked in its repository, as the hook asks.
"""

from __future__ import annotations

import tempfile
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from memlane.app import Lane
from memlane.config import load
from memlane.domain import ANY_OCCASION, Entry, Match, Memory, Occasion, Project, Query, Scope, State, Trust, Type
from memlane.domain.journal import MEMORY
from memlane.flow.journal import write_down
from memlane.storage import memory_data

AGE = timedelta(days=3)


@dataclass(frozen=True, slots=True)
class Note:
    """A memory of a bank, by whoever wrote its text."""

    id: str  # what stands before a slash is what it was made of: notes of one moment answer the same prompt
    repo: str
    type: str
    title: str
    content: str
    occasion: Occasion = ANY_OCCASION


@dataclass(frozen=True, slots=True)
class Asked:
    """A prompt in a repository, and the memory it must bring, or must not: by its id, or by what it was made of."""

    repo: str
    words: str
    memory: str

    def is_for(self, id_: str) -> bool:
        return self.memory in (id_, id_.partition("/")[0])


@contextmanager
def bank(notes: Iterable[Note], **settings: str) -> Generator[Lane, None, None]:
    """`settings` as variables: LANE_RECALL_FLOOR="0"."""
    with tempfile.TemporaryDirectory() as folder:
        config = load({"HOME": folder, "LANE_HOME": str(Path(folder) / "lane"), "LANE_USER": "reader", **settings})
        with Lane(config) as lane:
            lane.home.begin()
            tools = lane.home.tools()
            now = tools.clock()
            entries = [
                Entry(MEMORY, note.id, now, config.user, config.machine, "person", memory_data(_memory(note, lane)))
                for note in notes
            ]
            write_down(entries, tools)
            yield lane


def _memory(note: Note, lane: Lane) -> Memory:
    said = lane.home.clock() - AGE
    return Memory(
        id=note.id,
        owner=lane.config.user,
        type=Type(note.type),
        title=note.title,
        content=note.content,
        formed_at=said,
        saved_at=said,
        first_observed_at=said,
        last_observed_at=said,
        scope=Scope.PROJECT,
        project=note.repo,
        project_key=note.repo,
        confidence=80,
        trust=Trust.PERSON,
        maker="benchmark",
        state=State.ACTIVE,
        when=note.occasion.when,
        always=note.occasion.always,
        cues=note.occasion.cues,
    )


def matches(lane: Lane, asked: Asked) -> Sequence[Match]:
    """What would be injected, each prompt in a run of its own."""
    query = Query(asked.words, Project(asked.repo, asked.repo), "", "claude-code", "", "")
    return lane.recall.recall(query).shown


def shown(lane: Lane, asked: Asked) -> list[str]:
    """The ids of it."""
    return [match.memory.id for match in matches(lane, asked)]


def figures(lane: Lane, probes: Sequence[Asked], non_probes: Sequence[Asked]) -> Mapping[str, float]:
    """Shown: a memory of the probe is injected. Right: share of notes on probes that are one."""
    on_probes = [(asked, shown(lane, asked)) for asked in probes]
    on_others = [(asked, shown(lane, asked)) for asked in non_probes]
    notes = sum(len(found) for _asked, found in on_probes)
    right = sum(asked.is_for(id_) for asked, found in on_probes for id_ in found)
    hits = sum(any(map(asked.is_for, found)) for asked, found in on_probes)
    wrong = sum(any(map(asked.is_for, found)) for asked, found in on_others)
    prompts = len(on_probes) + len(on_others)
    return {
        "probes": len(probes),
        "shown": _share(hits, len(probes)),
        "right": _share(right, notes),
        "notes": _share(notes + sum(len(found) for _asked, found in on_others), prompts),
        "non_probe_shown": _share(wrong, len(non_probes)),
    }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
