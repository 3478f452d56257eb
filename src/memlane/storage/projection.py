"""From Journal lines to storage: what each kind means, in one place. Applying a line twice changes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import msgspec

from memlane.domain import Entry, Memory, Recall, State
from memlane.domain import journal as kinds
from memlane.storage.ports import Storage


def apply(entry: Entry, storage: Storage) -> None:
    """Kinds this version does not project (later issues write them) are kept in the journal and passed over."""
    data = entry.data
    match entry.kind:
        case kinds.MEMORY:
            storage.memories.put(msgspec.convert(data["memory"], Memory))
        case kinds.STATE:
            state, by = State(str(data["state"])), str(data.get("superseded_by", ""))
            storage.memories.set_state(str(data["memory"]), entry.owner, state, by)
        case kinds.RECALL:
            storage.recalls.record(msgspec.convert(data["recall"], Recall))
        case kinds.TOMBSTONE | kinds.LEFT_OUT:
            _bar(entry, storage)
        case kinds.MARK:
            _label(entry, storage)
        case _:
            pass


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
