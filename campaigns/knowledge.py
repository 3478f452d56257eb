"""All that the product knows in a full home, by name: two homes that agree on it are the same to a person."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator

from campaigns.full_home import FILES, PROMPT, FullHome
from memlane import archive
from memlane.app import Lane
from memlane.archive import journal
from memlane.domain import RunFilter, State
from memlane.errors import LaneError
from memlane.surfaces.hooks import client

SEARCHES = ("ferry deploy", "registry", "tests")


def knowledge(home: FullHome) -> dict[str, str]:
    """By name, a digest of each thing its product answers with. What cannot be had says why."""
    found = dict[str, str]()
    try:
        with home.lane() as lane:
            for part in (_runs, _bytes, _lines, _memories, _recalls, _entities, _answers):
                try:
                    found.update((name, _digest(value)) for name, value in part(lane))
                except (LaneError, OSError) as error:
                    found[part.__name__] = f"error: {error}"
    except (LaneError, OSError) as error:
        found["home"] = f"error: {error}"
    return found


def _digest(value: object) -> str:
    return hashlib.sha256(repr(value).encode("utf-8", "replace")).hexdigest()[:16]


Known = Iterator[tuple[str, object]]


def _runs(lane: Lane) -> Known:
    for run in lane.runs.select(RunFilter()):
        yield f"run {run.id}", (run.title, run.first.text, run.turns, run.agent, run.started, run.project)
    for run, why in lane.home.storage().bars.barred(lane.home.reader).items():
        yield f"bar {run}", why


def _bytes(lane: Lane) -> Known:
    disk = lane.home.disk
    for run in lane.runs.select(RunFilter()):
        try:
            yield f"bytes {run.id}", b"".join(lane.runs.raw(run.id))
            folder = lane.home.layout.find(run.id)
            metadata = archive.load(disk, folder) if folder else None
            if folder is None or metadata is None:
                continue
            for generation in metadata.generations:
                whole = b"".join(archive.pieces(disk, folder, metadata, generation))
                yield f"bytes {run.id} g{generation.n}", whole
            for file in metadata.files:
                yield f"file {run.id} {file.name}", (folder / "files" / file.name).read_bytes()[: file.size]
        except (LaneError, OSError) as error:
            yield f"bytes {run.id}", f"error: {type(error).__name__}"


def _lines(lane: Lane) -> Known:
    """Of the journal: what it says is known, or should be."""
    for line in journal.read(lane.home.disk, lane.home.layout, {}):
        if isinstance(line, journal.PlacedEntry):
            entry = line.entry
            yield f"line {entry.kind} {entry.id} {entry.at.isoformat()}", entry.data


def _memories(lane: Lane) -> Known:
    for memory in lane.home.storage().memories.listed(list(State), lane.home.reader):
        yield f"memory {memory.id}", (memory.title, memory.content, memory.state, memory.type, memory.evidence)


def _recalls(lane: Lane) -> Known:
    storage, reader = lane.home.storage(), lane.home.reader
    for recall in storage.recalls.newest(None, reader):
        yield f"recall {recall.id}", (recall.query.words, [match.memory.id for match in recall.shown])
    memories = [memory.id for memory in storage.memories.listed(list(State), reader)]
    for feedback in storage.recalls.judged(memories, reader):
        yield f"verdict {feedback.id}", (feedback.memory, feedback.up)


def _entities(lane: Lane) -> Known:
    for entity in lane.home.storage().entities.listed(lane.home.reader):
        yield f"entity {entity.key}", (entity.name, entity.aliases)


def _answers(lane: Lane) -> Known:
    for words in SEARCHES:
        found = lane.search.find(words, RunFilter(), 5)
        yield f"search {words}", (found.by, sorted(turn.run.id for turn in found.search.best))
    shown = lane.recall.asked(PROMPT, lane.home.config.person_home).shown
    yield "recall of a prompt", [match.memory.id for match in shown]
    try:
        names = (lane.home.run_folder / "paths").read_bytes()
    except FileNotFoundError:
        names = b""  # then hooks ask about every file
    for file in FILES:
        yield f"hooks ask about {file}", client.is_listed(os.fsencode(lane.home.config.person_home / file), names)
    lane.map.give()  # as a visit to its page does
    yield "the map", sorted(lane.map.look().at)
