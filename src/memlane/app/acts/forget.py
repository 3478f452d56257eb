"""Forgetting for good, in steps that can each be repeated: a kill in between is followed by the rest of them."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import datetime

import msgspec

from memlane import archive
from memlane.app.acts.life import life_of
from memlane.app.control import holds
from memlane.app.home import Home
from memlane.app.home.deletion import BY_HAND, Deletion
from memlane.app.home.place import masked_layout
from memlane.domain import Entry, Memory, State
from memlane.domain.journal import FEEDBACK, GONE, RECALL, STATE, TOMBSTONE
from memlane.flow.journal import catch_up, write_down
from memlane.storage import apply

OF_A_MEMORY = "m_"
WITH_IT = "the run it was caught from was forgotten"


def forget_for_good(home: Home, name: str, rule: str = BY_HAND) -> None:
    """A Run or a Memory: that it shall go is durable before anything goes. The line tells every other machine."""
    with home.lock.held():
        holds.must_be_free(home, name)
        archive.begin_forgetting(home.disk, home.layout, name, rule)
        gone = Entry(GONE, name, home.clock(), home.config.user, home.config.machine, "person", {"name": name})
        write_down([gone], home.tools())
        finish_forgetting(home)


def finish_forgetting(home: Home) -> None:
    """What a hold keeps stays as it is, until the hold is released: a machine cannot delete it by asking twice."""
    for name in archive.being_forgotten(home.disk, home.layout):
        with home.lock.held():
            if holds.kept_by(home, name) is None:
                done = _begun(home, name)
                (_finish_memory if name.startswith(OF_A_MEMORY) else _finish)(home, name)
                home.deleted(done)
                archive.forgotten(home.disk, home.layout, name)


def _begun(home: Home, name: str) -> Deletion:
    """What goes, in numbers, from before anything went: after a kill as it was written down then."""
    said = archive.forgetting_says(home.disk, home.layout, name)
    if said.startswith("{"):
        return msgspec.json.decode(said, type=Deletion)
    digests, size = list[str](), 0
    if (folder := home.layout.find(name)) is not None and (
        told := archive.held(home.disk, folder).metadata
    ) is not None:
        digests, size = [one.sha256 for one in (*told.generations, *told.files)], told.bytes
    content = hashlib.sha256("".join(digests).encode()).hexdigest() if digests else ""
    begun = Deletion(home.config.user, name, said or BY_HAND, size, content)
    archive.begin_forgetting(home.disk, home.layout, name, msgspec.json.encode(begun).decode())
    return begun


def tombstone(home: Home, run: str) -> list[Entry]:
    """The Run, and the Memories that nothing else speaks for."""
    lines = [Entry(TOMBSTONE, run, home.clock(), home.config.user, home.config.machine, "person", {"run": run})]
    for memory in caught_from(home, run):
        if memory.state is not State.FORGOTTEN and all(evidence.run == run for evidence in memory.evidence):
            data = {
                "memory": memory.id,
                "state": State.FORGOTTEN.value,
                "before": memory.state.value,
                "because": WITH_IT,
            }
            lines.append(replace(lines[0], kind=STATE, id=memory.id, data=data))
    return lines


def brought_back(home: Home, run: str, at: datetime) -> list[Entry]:
    """The Memories that were forgotten with the Run, as they stood."""
    lines = list[Entry]()
    for memory in caught_from(home, run):
        states = [moved.entry for moved in life_of(home, memory.id) if moved.entry.kind == STATE]
        if memory.state is State.FORGOTTEN and states and states[-1].data.get("because") == WITH_IT:
            data = {"memory": memory.id, "state": states[-1].data["before"], "before": State.FORGOTTEN.value}
            lines.append(replace(states[-1], at=at, machine=home.config.machine, data=data))
    return lines


def caught_from(home: Home, run: str) -> list[Memory]:
    known = home.storage().memories.listed(list(State), home.reader)
    return [memory for memory in known if any(evidence.run == run for evidence in memory.evidence)]


def _finish(home: Home, run: str) -> None:
    tools, storage, user = home.tools(), home.storage(), home.config.user
    if storage.bars.barred(home.reader).get(run) != TOMBSTONE:
        write_down(tombstone(home, run), tools)
    caught = caught_from(home, run)
    spoken_for = {memory.id for memory in caught if any(evidence.run != run for evidence in memory.evidence)}
    archive.forget_bytes(home.disk, home.layout, run, spoken_for)
    archive.drop_masked(home.disk, masked_layout(home), run)
    for memory in caught:
        if memory.id not in spoken_for:
            archive.without_text_of(home.disk, home.layout, memory.id)  # also where a Dream quotes it
    _answers_about(home, run)
    with storage.transaction():
        storage.recalls.drop_words(run, user)
        storage.runs.drop(run)
    for memory in caught:
        _as_the_journal_says(home, memory.id)
    storage.scrub()
    home.register.add_gone(run, home.clock())


def _answers_about(home: Home, run: str) -> None:
    """What a model said about it and nobody has journaled yet."""
    from memlane.app.home.language_model import forget_answers

    forget_answers(home, run)


def _finish_memory(home: Home, memory: str) -> None:
    """Its text out of the journal, then out of storage."""
    catch_up(home.tools())
    archive.without_text_of(home.disk, home.layout, memory)
    _as_the_journal_says(home, memory)
    home.storage().scrub()


def _as_the_journal_says(home: Home, memory: str) -> None:
    """Storage is told what is left of it, with all that was derived from what it said, and of where it was shown."""
    storage, life = home.storage(), life_of(home, memory)
    with storage.transaction():
        storage.memories.drop(memory, home.config.user)
        if life and (left := life[-1].after) is not None:
            storage.memories.put(left)
        for moved in life:
            if moved.entry.kind in (RECALL, FEEDBACK):
                apply(moved.entry, storage)
