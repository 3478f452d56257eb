"""From Journal lines to storage: what each kind means, in one place. Applying a line twice changes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import cast

import msgspec

from memlane.domain import Entity, Entry, Evidence, Feedback, Memory, Mention, NameAnswer, Reader, Recall, State
from memlane.domain import journal as kinds
from memlane.storage.ports import Storage
from memlane.storage.values import Result


def apply(entry: Entry, storage: Storage) -> None:
    """Kinds that change nothing here (refusals, and what later versions write) are kept in the journal."""
    data = entry.data
    match entry.kind:
        case kinds.MEMORY:
            storage.memories.put(msgspec.convert(data["memory"], Memory))
        case kinds.STATE:
            state, by = State(str(data["state"])), str(data.get("superseded_by", ""))
            storage.memories.set_state(str(data["memory"]), entry.owner, state, by)
        case kinds.RECALL:
            storage.recalls.record(msgspec.convert(data["recall"], Recall))
        case kinds.FEEDBACK:
            _judge(entry, storage)
        case kinds.TOMBSTONE | kinds.LEFT_OUT:
            _bar(entry, storage)
        case kinds.MARK:
            _label(entry, storage)
        case kinds.OBSERVATION:
            _observe(entry, storage)
        case kinds.CAUGHT:
            windows = [str(window["key"]) for window in cast(Sequence[Mapping[str, object]], data["windows"])]
            storage.catches.record(str(data["run"]), entry.owner, str(data["extractor"]).split("@")[0], windows)
        case kinds.ENTITY:
            _know(entry, storage)
        case kinds.OUTCOME:
            memories = tuple(map(str, cast(Sequence[object], data["memories"])))
            success = data["outcome"] == "success"
            storage.results.put(Result(str(data["run"]), success, entry.at, memories), entry.owner)
        case kinds.DREAM:
            storage.notes.put("dreamed", entry.at.isoformat())
        case _:
            pass


def _judge(entry: Entry, storage: Storage) -> None:
    if entry.data.get("taken_back"):
        storage.recalls.take_back(entry.id, entry.owner)
    else:
        storage.recalls.judge(msgspec.convert(entry.data["feedback"], Feedback))


def _observe(entry: Entry, storage: Storage) -> None:
    memory = storage.memories.get(str(entry.data["memory"]), Reader(entry.owner))
    seen = changed(memory, entry)
    if seen is not None and seen is not memory:
        storage.memories.put(seen)


def changed(memory: Memory | None, entry: Entry) -> Memory | None:
    """What a line makes of the Memory it is about: the same in an index and in a Memory's history."""
    match entry.kind:
        case kinds.MEMORY:
            return msgspec.convert(entry.data["memory"], Memory)
        case kinds.STATE if memory is not None:
            by = str(entry.data.get("superseded_by", ""))
            return replace(memory, state=State(str(entry.data["state"])), superseded_by=by)
        case kinds.OBSERVATION if memory is not None:
            evidence = msgspec.convert(entry.data["evidence"], Evidence)
            if any(same_place(evidence, known) for known in memory.evidence):
                return memory  # the same piece again is not one more time
            return observed(memory, evidence, _said(entry), int(str(entry.data["confidence"])))
        case kinds.ENTITY if memory is not None and entry.data.get("mention") is not None:
            answer = msgspec.convert(entry.data["mention"], NameAnswer)
            return _answered(memory, answer) if answer.project_key in ("", memory.project_key) else memory
        case _:
            return memory


def _said(entry: Entry) -> datetime:
    return datetime.fromisoformat(str(entry.data["formed_at"]))


def observed(memory: Memory, evidence: Evidence, at: datetime, confidence: int) -> Memory:
    return replace(
        memory,
        evidence=(*memory.evidence, evidence),
        times_observed=memory.times_observed + 1,
        first_observed_at=min(memory.first_observed_at, at),
        last_observed_at=max(memory.last_observed_at, at),
        confidence=confidence,
    )


def same_place(one: Evidence, other: Evidence) -> bool:
    """The same words of the same Run, in whichever generation."""
    return one.run == other.run and one.quote == other.quote


def _know(entry: Entry, storage: Storage) -> None:
    """An Entity made by hand, or what a name means: then the Memories that wait for the answer have it."""
    if (said := cast(Mapping[str, object] | None, entry.data.get("mention"))) is not None:
        answer = msgspec.convert(said, NameAnswer)
        storage.entities.answer(answer, entry.owner)
        _tell(answer.raw, Reader(entry.owner), storage)
    elif entry.data.get("entity") is not None:
        storage.entities.put(msgspec.convert(entry.data["entity"], Entity), entry.owner)


def _tell(raw: str, owner: Reader, storage: Storage) -> None:
    """A project's own answer holds there, whatever was said later for everywhere."""
    known = (answer for answer in storage.entities.answers(owner) if answer.raw.casefold() == raw.casefold())
    holds = {answer.project_key: answer for answer in known}
    for memory in storage.memories.naming(raw, owner):
        answer = holds.get(memory.project_key) or holds.get("")
        if answer is not None and (meant := _answered(memory, answer)) != memory:
            storage.memories.put(meant)


def _answered(memory: Memory, answer: NameAnswer) -> Memory:
    type_, _, slug = answer.entity.partition(":")

    def meant(mention: Mention) -> Mention:
        if mention.raw.casefold() != answer.raw.casefold():
            return mention
        return replace(mention, type=type_ or mention.type, slug=slug, resolved=bool(slug))

    return replace(memory, related_entities=tuple(meant(mention) for mention in memory.related_entities))


def _label(entry: Entry, storage: Storage) -> None:
    tags = tuple(map(str, cast(Sequence[object], entry.data.get("tags", ()))))
    title, pinned = str(entry.data.get("title", "")), bool(entry.data.get("pinned"))
    storage.runs.label(str(entry.data["run"]), entry.owner, title, tags, pinned=pinned)


def _bar(entry: Entry, storage: Storage) -> None:
    run = str(entry.data["run"])
    if entry.data.get("restored"):
        storage.bars.lift(run, entry.owner)
    else:
        storage.bars.put(run, entry.owner, entry.kind)
    if entry.kind == kinds.TOMBSTONE and not entry.data.get("restored"):
        storage.runs.drop(run)


def memory_data(memory: Memory) -> Mapping[str, object]:
    return {"memory": _plain(memory)}


def recall_data(recall: Recall) -> Mapping[str, object]:
    return {"recall": _plain(recall)}


def _plain(value: Memory | Recall) -> Mapping[str, object]:
    return cast(Mapping[str, object], msgspec.to_builtins(value))
