"""What a Dream said about something, without the words that must go for good. That it happened, and to what, stays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from memlane.domain.journal import DREAM, Entry

Dict = dict[str, object]


def reasons_without(entry: Entry, memory: str) -> Entry:
    """Of one of its lines: no reason that quotes this Memory; of its report: neither reasons nor ideas about it."""
    if entry.actor != DREAM:
        return entry
    if entry.kind == DREAM:
        return _report(entry, lambda one: _unsaid(one) if _names(one, memory) else one)
    return replace(entry, data={**entry.data, "because": ""}) if entry.data.get("because") else entry


def ideas_without(entry: Entry, run: str) -> Entry:
    """Of its report: nothing that was said in this Run."""
    return _report(entry, lambda one: _unquoted(one, run)) if entry.kind == DREAM else entry


def _report(entry: Entry, change: Callable[[Dict], Dict]) -> Entry:
    report = cast(Dict, entry.data["dream"])
    parts = {name: [change(one) for one in cast("list[Dict]", report[name])] for name in ("done", "doubts", "ideas")}
    changed = {**report, **parts}
    return entry if changed == report else replace(entry, data={**entry.data, "dream": changed})


def _names(one: Dict, memory: str) -> bool:
    return memory in cast("list[str]", one["memories"]) or memory in cast("list[str]", one.get("result", []))


def _unsaid(one: Dict) -> Dict:
    quotes = [{**said, "quote": ""} for said in cast("list[Dict]", one.get("evidence", []))]
    empty: Dict = {"because": "", "title": "", "evidence": quotes}
    return {**one, **{name: value for name, value in empty.items() if name in one}}


def _unquoted(one: Dict, run: str) -> Dict:
    if "evidence" not in one:
        return one
    said = cast("list[Dict]", one["evidence"])
    return {**one, "evidence": [{**each, "quote": ""} if each["run"] == run else each for each in said]}
