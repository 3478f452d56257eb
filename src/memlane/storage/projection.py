"""From Journal lines to storage: what each kind means, in one place. Applying a line twice changes nothing.

Whose a line is says whose the thing in it is: a machine of one person cannot write into what another keeps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import cast

import msgspec

from memlane.domain import (
    Entity,
    Entry,
    Evidence,
    Feedback,
    Memory,
    Mention,
    NameAnswer,
    ProjectJoin,
    Reader,
    Recall,
    State,
)
from memlane.domain import journal as kinds
from memlane.storage.ports import Storage
from memlane.storage.values import Result


def apply(entry: Entry, storage: Storage) -> None:
    """Kinds that change nothing here (refusals, and what later versions write) are kept in the journal."""
    data = entry.data
    match entry.kind:
        case kinds.MEMORY | kinds.STATE | kinds.OBSERVATION | kinds.MENTIONS:
            _move(entry, storage)
        case kinds.RECALL:
            storage.recalls.record(replace(msgspec.convert(data["recall"], Recall), owner=entry.owner))
        case kinds.FEEDBACK:
            _judge(entry, storage)
        case kinds.TOMBSTONE | kinds.LEFT_OUT:
            _bar(entry, storage)
        case kinds.MARK:
            _label(entry, storage)
        case kinds.CAUGHT:
            windows = [str(window["key"]) for window in cast(Sequence[Mapping[str, object]], data["windows"])]
            storage.catches.record(str(data["run"]), entry.owner, str(data["extractor"]).split("@")[0], windows)
        case kinds.ENTITY:
            _know(entry, storage)
        case kinds.PROJECT:
            storage.projects.put(msgspec.convert(data["join"], ProjectJoin), entry.owner)
        case kinds.OUTCOME:
            memories = tuple(map(str, cast(Sequence[object], data["memories"])))
            success = data["outcome"] == "success"
            storage.results.put(Result(str(data["run"]), success, entry.at, memories), entry.owner)
        case kinds.DREAM:
            storage.notes.put("dreamed", max(storage.notes.get("dreamed"), entry.at.isoformat()))
        case _:
            pass


def _judge(entry: Entry, storage: Storage) -> None:
    if entry.data.get("taken_back"):
        storage.recalls.take_back(entry.id, entry.owner)
    else:
        storage.recalls.judge(replace(msgspec.convert(entry.data["feedback"], Feedback), owner=entry.owner))


def _move(entry: Entry, storage: Storage) -> None:
    memory = storage.memories.get(memory_of(entry), Reader(entry.owner))
    after = changed(memory, entry)
    if after is not None and after is not memory:
        storage.memories.put(after)


def memory_of(entry: Entry) -> str:
    """The Memory that a line makes or changes, or ""."""
    match entry.kind:
        case kinds.MEMORY:
            return str(cast(Mapping[str, object], entry.data["memory"])["id"])
        case kinds.STATE | kinds.OBSERVATION | kinds.MENTIONS:
            return str(entry.data["memory"])
        case _:
            return ""


def changed(memory: Memory | None, entry: Entry) -> Memory | None:
    """What a line makes of the Memory it is about: the same in an index and in a Memory's history."""
    match entry.kind:
        case kinds.MEMORY:
            return _rewritten(memory, replace(msgspec.convert(entry.data["memory"], Memory), owner=entry.owner))
        case kinds.STATE if memory is not None:
            if memory.state is State.FORGOTTEN and entry.data.get("before", memory.state) != memory.state:
                return memory  # whoever wrote this did not know that it was forgotten
            return _moved(memory, entry)
        case kinds.OBSERVATION if memory is not None:
            evidence = msgspec.convert(entry.data["evidence"], Evidence)
            if any(same_place(evidence, known) for known in memory.evidence):
                return _placed(memory, evidence)  # the same piece again is not one more time
            return observed(memory, evidence, _said(entry), int(str(entry.data["confidence"])))
        case kinds.MENTIONS if memory is not None and (memory.title or memory.content):
            lost, gained = (msgspec.convert(entry.data[name], tuple[Mention, ...]) for name in ("lost", "gained"))
            return renamed(memory, lost, gained)
        case _:
            return memory


def _moved(memory: Memory, entry: Entry) -> Memory:
    """One that is held once more without a reason keeps the one it had: its state was only restored."""
    state, by = State(str(entry.data["state"])), str(entry.data.get("superseded_by", ""))
    why = str(entry.data.get("because") or "") if state is State.HELD else ""
    return replace(memory, state=state, superseded_by=by, held_because=why or memory.held_because)


def _rewritten(memory: Memory | None, after: Memory) -> Memory:
    """Forgotten stays forgotten until a `state` line says otherwise; of what is gone for good no word returns."""
    if memory is None or memory.state is not State.FORGOTTEN:
        return after
    if not memory.title and not memory.content:
        return memory
    return replace(after, state=State.FORGOTTEN, superseded_by="")


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


def renamed(memory: Memory, lost: Sequence[Mention], gained: Sequence[Mention]) -> Memory:
    """Only these two change: whatever else it names by then stays."""
    kept = [mention for mention in memory.related_entities if mention not in lost]
    return replace(memory, related_entities=tuple(dict.fromkeys((*kept, *gained))))


def _placed(memory: Memory, evidence: Evidence) -> Memory:
    """What was taught at a prompt gets its place when the transcript is read."""
    placed = (evidence if not known.step and same_place(evidence, known) else known for known in memory.evidence)
    return replace(memory, evidence=tuple(placed))


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
    known = storage.entities.answers(owner)
    for memory in storage.memories.naming(raw, owner):
        if (meant := told(memory, raw, known)) != memory:
            storage.memories.put(meant)


def told(memory: Memory, raw: str, answers: Iterable[NameAnswer]) -> Memory:
    """A project's own answer holds there, whatever was said later for everywhere."""
    holds = {answer.project_key: answer for answer in answers if answer.raw.casefold() == raw.casefold()}
    holds = {place: answer for place, answer in holds.items() if not answer.taken_back}
    answer = holds.get(memory.project_key) or holds.get("")
    return memory if answer is None else _answered(memory, answer)


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
    if entry.kind == kinds.LEFT_OUT and storage.bars.barred(Reader(entry.owner)).get(run) == kinds.TOMBSTONE:
        return  # it grew on one machine and was forgotten on another
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


@dataclass(frozen=True, slots=True)
class EntryEffect:
    """One line, and what it made of the Memory."""

    entry: Entry
    before: Memory | None
    after: Memory | None


def life(memory: str, entries: Iterable[Entry]) -> Iterator[EntryEffect]:
    """Of these lines, in order: those about other things change nothing."""
    stands: Memory | None = None
    answers = dict[tuple[str, str], NameAnswer]()
    for entry in made_first(memory, entries):
        before = stands
        if (answer := _answer(entry)) is not None:
            answers[answer.raw.casefold(), answer.project_key] = answer
            stands = told(before, answer.raw, answers.values()) if before is not None else None
        elif memory_of(entry) == memory and (after := changed(before, entry)) is not None:
            stands = replace(after, recall_count=0)
        yield EntryEffect(entry, before, stands)


def made_first(memory: str, entries: Iterable[Entry]) -> Iterator[Entry]:
    """What is about it stands behind the line that made it; if that is lost, behind the first that knows it whole."""
    early, made = list[Entry](), False
    for entry in entries:
        if made or memory_of(entry) != memory:
            yield entry
        elif makes(entry):
            made = True
            yield from (*_whole_first(early), entry) if _knew(entry.machine, early) else (entry, *early)
        else:
            early.append(entry)
    if not made:
        yield from _whole_first(early)


def _knew(machine: str, early: Iterable[Entry]) -> bool:
    """It wrote the Memory down before: what it writes now is no making."""
    return any(entry.kind == kinds.MEMORY and entry.machine == machine for entry in early)


def _whole_first(early: Sequence[Entry]) -> Iterator[Entry]:
    first = next((n for n, entry in enumerate(early) if entry.kind == kinds.MEMORY), 0)
    yield from (*early[first : first + 1], *early[:first], *early[first + 1 :])


def makes(entry: Entry) -> bool:
    """Not an edit by a clock that was behind when it was saved."""
    return entry.kind == kinds.MEMORY and entry.at >= msgspec.convert(entry.data["memory"], Memory).saved_at


def _answer(entry: Entry) -> NameAnswer | None:
    said = cast(object, entry.data.get("mention")) if entry.kind == kinds.ENTITY else None
    return None if said is None else msgspec.convert(said, NameAnswer)
