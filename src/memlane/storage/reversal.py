"""Three ways: before an act, after it, now. Pure: what `now` is without what the act did."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import cast

from memlane.domain import Evidence, Memory, State
from memlane.storage.projection import same_place

Data = Mapping[str, object]


def taken_back(before: Memory | None, after: Memory, now: Memory) -> Memory:
    """`now` without what the act did. A Memory that was made by it is forgotten."""
    if before is None:
        return replace(now, state=State.FORGOTTEN, superseded_by="") if now.state is after.state else now
    changes: dict[str, object] = {}
    for name in (field.name for field in fields(Memory)):
        was, became, stands = (getattr(memory, name) for memory in (before, after, now))
        if was != became and name != "recall_count":
            changes[name] = was if stands == became else _between(name, was, became, stands)
    return replace(now, **changes)


def _between(name: str, was: object, became: object, stands: object) -> object:
    """It changed again since: only what the act itself added goes."""
    if name == "times_observed":
        return max(1, cast(int, stands) - cast(int, became) + cast(int, was))
    if name == "evidence":
        return tuple(_kept(*(cast(tuple[Evidence, ...], value) for value in (was, became, stands))))
    return stands


def _kept(was: Sequence[Evidence], became: Sequence[Evidence], stands: Sequence[Evidence]) -> Iterator[Evidence]:
    for one in stands:
        added = any(same_place(one, new) for new in became) and not any(same_place(one, old) for old in was)
        if not added:
            yield one


def mentions_back(line: Data) -> Data:
    """What the Memory gained goes and what it lost returns; whatever else it names by now stays."""
    return {"memory": line["memory"], "gained": line["lost"], "lost": line["gained"]}


def mark_back(run: str, before: Data, after: Data, now: Data) -> Data | None:
    empty: Data = {"run": run, "title": "", "tags": [], "pinned": False}
    was, became, stands = ({**empty, **data} for data in (before, after, now))
    restored = {name: was[name] if stands[name] == became[name] else stands[name] for name in empty}
    return restored if restored != {name: stands[name] for name in empty} else None


def outcome_back(run: str, before: Data, after: Data, now: Data) -> Data | None:
    """What was said before; nothing was said: it counts for no Memory any more."""
    if now != after:
        return None
    return before or {**after, "run": run, "memories": [], "because": "taken back"}


def feedback_back(_id: str, before: Data, after: Data, now: Data) -> Data | None:
    """It counts no more, or counts again; it stays in the journal."""
    if now != after:
        return None
    return before or {"feedback": after["feedback"], "taken_back": True}


def wish_back(_id: str, before: Data, after: Data, now: Data) -> Data | None:
    """The person's no is taken back: it waits again. What an agent asks for is no act of theirs."""
    return before if now == after and before else None


def project_back(_id: str, before: Data, after: Data, now: Data) -> Data | None:
    """As it was said before. A key that nothing was said about stands alone, and a person wants it so."""
    if now != after or before:
        return before if now == after and before else None
    made = cast(Mapping[str, object], after["join"])
    alone: dict[str, object] = {**made, "into": "", "into_name": "", "called": "", "reasons": [], "by": "person"}
    return {"join": alone} if alone != made else None


def entity_back(_key: str, before: Data, after: Data, now: Data) -> Data | None:
    """As it was written before. One made by hand is removed; of one from elsewhere, what was only put on it goes."""
    if now != after or before:
        return before if now == after and before else None
    made = cast(Mapping[str, object], after["entity"])
    if made["origin"] == "hand" and not made["merged_into"]:
        return {"entity": {**made, "removed": True}}
    freed = {**made, "merged_into": "", "removed": False}
    return {"entity": freed} if freed != made else None
