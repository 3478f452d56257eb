"""Forgetting for good: words out of Journal lines, in place, then the bytes of the Run."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import msgspec

from memlane.archive.journal import by_machine, merged
from memlane.archive.layout import Layout
from memlane.archive.lines import decode, encode, written_at
from memlane.domain.journal import DREAM, FEEDBACK, MEMORY, MENTIONS, OBSERVATION, RECALL, SHARE_WISH, WISH, Entry
from memlane.system.disk import Disk


def begin_forgetting(disk: Disk, layout: Layout, run: str, says: str = "") -> None:
    """`says`: by which rule, then what it was in numbers."""
    disk.make_folders(layout.forgetting, layout.base)
    disk.replace(layout.forgetting / run, says.encode())


def forgetting_says(disk: Disk, layout: Layout, run: str) -> str:
    return disk.read_whole(layout.forgetting / run).decode()


def being_forgotten(disk: Disk, layout: Layout) -> Sequence[str]:
    try:
        return [name for name in disk.names(layout.forgetting) if not name.endswith(".tmp")]
    except FileNotFoundError:
        return ()


def forget_bytes(disk: Disk, layout: Layout, run: str, spoken_for: Collection[str] = ()) -> None:
    """Can be said again; what is gone stays gone. `spoken_for`: Memories that other Runs speak for too."""
    without_words_of(disk, layout, run, spoken_for)
    folder = layout.find(run)
    if folder is not None:
        _remove(disk, folder)
        disk.sync_folder(folder.parent)


def forgotten(disk: Disk, layout: Layout, run: str) -> None:
    disk.unlink(layout.forgetting / run)
    disk.sync_folder(layout.forgetting)


def _remove(disk: Disk, folder: Path) -> None:
    for name in disk.names(folder):
        if disk.is_folder(folder / name) and not (folder / name).is_symlink():
            _remove(disk, folder / name)
        else:
            disk.unlink(folder / name)
    disk.remove_folder(folder)


_BY_A_DREAM = b',"actor":"dream",'
_REPORT = re.compile(rb',"kind":"dream","id":"(\w+)",')
SIDES = ("shown", "near")
EMPTIED = ("title", "content", "category", "source_chunk", "reasoning", "held_because", "when")
UNLISTED = ("related_entities", "alternatives", "cues")


def entries_with(disk: Disk, layout: Layout, *words: str) -> Iterator[Entry]:
    """Every whole line that holds one of these words, in the order of the journal. Damaged ones are passed over."""
    wanted = [word.encode() for word in words]
    for line in _in_order(disk, layout):
        if any(word in line for word in wanted):
            try:
                yield decode(line)
            except (ValueError, msgspec.DecodeError):
                continue  # `archive verify` names it


def _in_order(disk: Disk, layout: Layout) -> Iterator[bytes]:
    streams = {name: _of_machine(disk, paths) for name, paths in by_machine(layout.journal_files()).items()}
    if len(streams) == 1:  # nothing to put in order, so no time to look at
        return next(iter(streams.values()))
    return (line for _time, _name, line in merged(streams, written_at, {}))


def _of_machine(disk: Disk, paths: Iterable[Path]) -> Iterator[bytes]:
    for path in paths:
        yield from _finished(disk.read_whole(path).split(b"\n")[:-1])


def _finished(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Without what a Dream wrote that was cut off before its last line. (Inside a text a quote has a backslash.)"""
    held = list[bytes]()
    for line in lines:
        if _BY_A_DREAM in line:
            report = _REPORT.search(line)
            if report is None:
                held.append(line)
                continue
            yield from (part for part in held if b'"dream":"%s"' % report[1] in part)
            held.clear()
        yield line


def rewrite_lines(disk: Disk, layout: Layout, name: str, change: Callable[[Entry], Entry]) -> None:
    """Every line that names it, changed. Each keeps its place and length: offsets stay true."""
    for path in layout.journal_files():
        before = disk.read_whole(path)
        after = b"\n".join(_rewritten(line, name.encode(), change) for line in before.split(b"\n"))
        if after != before:
            disk.replace(path, after)


def _rewritten(line: bytes, name: bytes, change: Callable[[Entry], Entry]) -> bytes:
    if name not in line:
        return line
    try:
        entry = decode(line)
    except (ValueError, msgspec.DecodeError):
        return b"\n" * len(line)  # damaged, so of no use to anyone, but the words may still be in it
    changed = change(entry)
    return line if changed is entry else encode(changed, len(line))


def without_words_of(disk: Disk, layout: Layout, run: str, spoken_for: Collection[str] = ()) -> None:
    """Recalls made in that Run lose the words of its prompts; Memories what they quote from it, or all they say if
    nothing else speaks for them."""
    rewrite_lines(disk, layout, run, lambda entry: without_run(entry, run, spoken_for))
    about = list(entries_with(disk, layout, run))
    emptied = {entry.id for entry in about if entry.kind == MEMORY and _says_nothing(entry)}
    rewrite_lines(disk, layout, f'"kind":"{MENTIONS}"', lambda line: _nameless(line) if line.id in emptied else line)
    made = {entry.id for entry in about if entry.kind == RECALL and _asked_in(entry) == run}
    for entry in list(entries_with(disk, layout, f'"kind":"{FEEDBACK}"')):
        if entry.kind == FEEDBACK and _feedback(entry)["recall"] in made:
            rewrite_lines(disk, layout, entry.id, lambda line: _unsaid(line, "query", "because"))


def _says_nothing(entry: Entry) -> bool:
    memory = cast(dict[str, object], entry.data["memory"])
    return not memory["title"] and not memory["content"]


def _nameless(entry: Entry) -> Entry:
    """That names in it were resolved stays; the names are gone."""
    return replace(entry, data={**entry.data, "gained": [], "lost": []}) if entry.kind == MENTIONS else entry


def without_run(entry: Entry, run: str, spoken_for: Collection[str]) -> Entry:
    data = cast(dict[str, object], entry.data)
    if entry.kind == MEMORY:
        return replace(
            entry, data={**data, "memory": _without(cast(dict[str, object], data["memory"]), run, spoken_for)}
        )
    if entry.kind == OBSERVATION:
        evidence = cast(dict[str, object], data["evidence"])
        return replace(entry, data={**data, "evidence": _unquoted(evidence) if evidence["run"] == run else evidence})
    if entry.kind == RECALL:
        return _recall_without(entry, run, spoken_for)
    if entry.kind == SHARE_WISH:
        return _wish_without(entry, run)
    return ideas_without(entry, run)


def _wish_without(entry: Entry, name: str) -> Entry:
    """Why an agent wanted it shared is gone."""
    return replace(entry, data={**entry.data, "because": ""}) if entry.data["name"] == name else entry


def _recall_without(entry: Entry, run: str, spoken_for: Collection[str]) -> Entry:
    recall = cast(dict[str, object], entry.data["recall"])
    query = cast(dict[str, object], recall["query"])
    if query["run"] == run:  # what was asked is gone, that it was asked stays
        query = {**query, "words": "", "files": ()}
    matches = {side: [_match_without(m, run, spoken_for) for m in _matches(recall, side)] for side in SIDES}
    return replace(entry, data={"recall": {**recall, "query": query, **matches}})


def _match_without(match: dict[str, object], run: str, spoken_for: Collection[str]) -> dict[str, object]:
    return {**match, "memory": _without(cast(dict[str, object], match["memory"]), run, spoken_for)}


def _matches(recall: dict[str, object], side: str) -> list[dict[str, object]]:
    return cast(list[dict[str, object]], recall[side])


def _without(memory: dict[str, object], run: str, spoken_for: Collection[str]) -> dict[str, object]:
    evidence = cast(list[dict[str, object]], memory["evidence"])
    theirs = [one["run"] == run for one in evidence]
    if evidence and all(theirs) and memory["id"] not in spoken_for:
        return _emptied(memory)
    quoted = [_unquoted(one) if gone else one for one, gone in zip(evidence, theirs, strict=True)]
    return {**memory, "evidence": quoted, "source_chunk": "" if theirs[:1] == [True] else memory["source_chunk"]}


def _asked_in(entry: Entry) -> object:
    recall = cast(dict[str, dict[str, object]], entry.data["recall"])
    return recall["query"]["run"]


def _feedback(entry: Entry) -> dict[str, object]:
    return cast(dict[str, object], entry.data["feedback"])


def _unsaid(entry: Entry, *names: str) -> Entry:
    """A verdict without these of its words."""
    if entry.kind != FEEDBACK:
        return entry
    return replace(entry, data={**entry.data, "feedback": {**_feedback(entry), **dict.fromkeys(names, "")}})


def without_text_of(disk: Disk, layout: Layout, memory: str) -> None:
    """That there was such a Memory stays, and when it was shown; what it said is gone."""
    rewrite_lines(disk, layout, memory, lambda entry: without_text(entry, memory))


def without_text(entry: Entry, memory: str) -> Entry:
    data = cast(dict[str, object], entry.data)
    if entry.kind == MEMORY and entry.id == memory:
        kept = {name: value for name, value in data.items() if name != "because"}
        return replace(entry, data={**kept, "memory": _emptied(cast(dict[str, object], data["memory"]))})
    if entry.kind == OBSERVATION and data["memory"] == memory:
        return replace(entry, data={**data, "evidence": _unquoted(cast(dict[str, object], data["evidence"]))})
    if entry.kind == MENTIONS and data["memory"] == memory:
        return _nameless(entry)
    if entry.kind == FEEDBACK and _feedback(entry)["memory"] == memory:
        return _unsaid(entry, "because")
    if entry.kind == WISH and data["memory"] == memory:
        return replace(entry, data={**data, "because": ""})
    if entry.kind == SHARE_WISH:
        return _wish_without(entry, memory)
    if entry.kind == RECALL:
        recall = cast(dict[str, object], data["recall"])
        matches = {side: _without_match(recall[side], memory) for side in SIDES}
        return replace(entry, data={"recall": {**recall, **matches}})
    return reasons_without(entry, memory)


def _without_match(matches: object, memory: str) -> list[dict[str, object]]:
    found = cast(list[dict[str, object]], matches)
    told = [cast(dict[str, object], match["memory"]) for match in found]
    return [
        {**match, "memory": _emptied(told)} if told["id"] == memory else match
        for match, told in zip(found, told, strict=True)
    ]


def _emptied(memory: dict[str, object]) -> dict[str, object]:
    evidence = [_unquoted(one) for one in cast(list[dict[str, object]], memory["evidence"])]
    texts = {name: "" for name in EMPTIED if name in memory}  # an older line has no room for a field it never had
    lists = {name: list[object]() for name in UNLISTED if name in memory}
    return {**memory, **texts, **lists, "evidence": evidence}


def _unquoted(evidence: dict[str, object]) -> dict[str, object]:
    return {**evidence, "quote": ""}


Fields = dict[str, object]


def reasons_without(entry: Entry, memory: str) -> Entry:
    """Of one of its lines: no reason that quotes this Memory; of its report: neither reasons nor ideas about it."""
    if entry.actor != DREAM:
        return entry
    if entry.kind == DREAM:
        return _report(entry, lambda one: _act_unsaid(one) if _names(one, memory) else one)
    return replace(entry, data={**entry.data, "because": ""}) if entry.data.get("because") else entry


def ideas_without(entry: Entry, run: str) -> Entry:
    """Of its report: nothing that was said in this Run."""
    return _report(entry, lambda one: _act_unquoted(one, run)) if entry.kind == DREAM else entry


def _report(entry: Entry, change: Callable[[Fields], Fields]) -> Entry:
    report = cast(Fields, entry.data["dream"])
    parts = {name: [change(one) for one in cast("list[Fields]", report[name])] for name in ("done", "doubts", "ideas")}
    changed = {**report, **parts}
    return entry if changed == report else replace(entry, data={**entry.data, "dream": changed})


def _names(one: Fields, memory: str) -> bool:
    return memory in cast("list[str]", one["memories"]) or memory in cast("list[str]", one.get("result", []))


def _act_unsaid(one: Fields) -> Fields:
    quotes = [{**said, "quote": ""} for said in cast("list[Fields]", one.get("evidence", []))]
    empty: Fields = {"because": "", "title": "", "evidence": quotes}
    return {**one, **{name: value for name, value in empty.items() if name in one}}


def _act_unquoted(one: Fields, run: str) -> Fields:
    if "evidence" not in one:
        return one
    said = cast("list[Fields]", one["evidence"])
    return {**one, "evidence": [{**each, "quote": ""} if each["run"] == run else each for each in said]}
