"""What does a Dream get right? `python -m benchmarks.dream --memories F [--splits F] [--half blind|seen] [--save F]`.

Memories, with the near note each comes with, and notes written for this: paraphrases of them, denials of
them, notes that are near and different, notes about what is gone or what a file says. One person wrote them, by hand:
`dream-blind.jsonl` before there were any rules, and it has not been touched since; `dream-seen.jsonl` has pairs of its
own and some of training memories, and the rules were made with it. Each half is a home in which one Dream is dreamed.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import platform
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.bank import Asked, shown
from memlane.config import load
from memlane.domain import Change, Dream, Evidence, Memory, Mention, Project, Query, State, Type
from memlane.dream import stale
from memlane.dream.stale import Found
from memlane.lane import Lane
from memlane.lane.hand import OURS, memory_line
from memlane.lane.stale import gone

DATA = Path(__file__).with_name("data")
COMMAND = "python -m benchmarks.dream --memories recall-train.jsonl.xz"
HALVES = ("seen", "blind")
AGES = {"of": 40, "near": 30, "same": 20, "against": 10}  # days: what denies another is the newest, and seen twice


@dataclass(slots=True)
class Half:
    """What is in a home, and what is meant by it."""

    name: str
    memories: list[Memory] = field(default_factory=list[Memory])
    planted: dict[str, list[tuple[str, str]]] = field(default_factory=dict[str, list[tuple[str, str]]])
    probes: list[Asked] = field(default_factory=list[Asked])
    others: list[Asked] = field(default_factory=list[Asked])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=Path, required=True)
    parser.add_argument("--splits", type=Path, help="else splits.json beside the memories")
    parser.add_argument("--half", choices=HALVES, action="append")
    parser.add_argument("--no-recall", action="store_true", help="only what the Dream did")
    parser.add_argument("--save", type=Path, help="keep the figures in this file")
    asked = parser.parse_args()
    splits = asked.splits or asked.memories.with_name("splits.json")
    began = time.monotonic()
    halves = {name: measured(half(name, asked.memories, splits), asked.no_recall) for name in asked.half or HALVES}
    machine = {"cores": os.cpu_count(), "python": platform.python_version(), "load": round(os.getloadavg()[0], 2)}
    kept = {"command": COMMAND, "benchmark": "dream", "machine": machine, "seconds": round(time.monotonic() - began)}
    kept |= halves
    if asked.save:
        asked.save.write_text(json.dumps(kept, indent=2) + "\n")
    print(json.dumps(kept, indent=2))


# -- what is in a home ------------------------------------------------------------------------------------------------


def half(name: str, memories: Path, splits: Path) -> Half:
    made, lines = Half(name), list(written(name))
    known = {line["id"]: line for line in chosen(memories, splits, name)}
    named = {line["of"] for line in lines if "of" in line}
    for id, line in known.items():
        if name == "blind" or id in named:
            made.memories.append(memory(id, line["repo"], f"{line['title']} | {line['content']}", "of"))
            near = f"{line['near']['title']} | {line['near']['content']}"
            made.memories.append(memory(f"{id}-near", line["repo"], near, "near"))
            made.probes += [Asked(line["repo"], words, id) for words in line["probes"]]
            made.others += [Asked(line["repo"], words, id) for words in line["non_probes"]]
    for number, line in enumerate(lines):
        kind, id = line["kind"], f"{name}-{number:03}"
        if kind not in AGES:
            continue
        of = line.get("of", f"{id}-one")
        repo = known[of]["repo"] if "of" in line else f"project-{number:03}"
        if "of" not in line:
            made.memories.append(memory(of, repo, line["one"], "of"))
        made.memories.append(memory(id, repo, line["other"], kind))
        made.planted.setdefault(kind, []).append((of, id))
    return made


def written(name: str) -> Iterator[Mapping[str, Any]]:
    yield from map(json.loads, (DATA / f"dream-{name}.jsonl").read_text().splitlines())


def chosen(memories: Path, splits: Path, name: str) -> Iterator[Mapping[str, Any]]:
    """Of validation where nothing was looked at, of training where rules are made."""
    named = json.loads(splits.read_text())["validation"]
    which = {*named["repositories"], *named["written_projects"]}
    with lzma.open(memories, "rt") if memories.suffix == ".xz" else memories.open() as lines:
        yield from (line for line in map(json.loads, lines) if (line["repo"] in which) == (name == "blind"))


def memory(id: str, repo: str, written: str, kind: str) -> Memory:
    title, _, content = written.partition(" | ")
    at = datetime.now().astimezone() - timedelta(days=AGES[kind])
    evidence = (Evidence(f"r_{id}", 1, 1, f"r_{id}#t1.1", title),)
    made = Memory(id, "reader", Type.LEARNING, title, content, at, at, at, at, evidence=evidence)
    seen = 2 if kind == "against" else 1
    return replace(made, project=repo, project_key=repo, confidence=80, times_observed=seen, maker="benchmark@1")


# -- one Dream --------------------------------------------------------------------------------------------------------


def measured(made: Half, no_recall: bool) -> dict[str, Any]:  # noqa: FBT001
    found: dict[str, Any] = {"memories": len(made.memories), "planted": {k: len(v) for k, v in made.planted.items()}}
    groups = together(made)
    with tempfile.TemporaryDirectory() as folder:
        config = load({"HOME": folder, "LANE_HOME": str(Path(folder) / "lane"), "LANE_USER": "reader"})
        with Lane(config) as lane:
            lane.capturing.begin()
            lane.hand.write([memory_line(one, OURS) for one in made.memories])
            before = standing(lane)
            asked = made.probes and not no_recall
            recall = {"before": recalled(lane, made, groups)} if asked else {}
            report = lane.dreaming.dream(steps_aside=False)
            after = standing(lane)
            recall |= {"after": recalled(lane, made, groups)} if asked else {}
    found |= judged(made, report, after)
    found["size"] = {"before": size(before), "after": size(after)}
    found["stale"] = gone_or_said(made.name)
    return found | ({"recall": recall} if recall else {})


def standing(lane: Lane) -> dict[str, Memory]:
    return {one.id: one for one in lane.remembering.memories([State.ACTIVE, State.SUPERSEDED, State.RETIRED])}


def size(memories: Mapping[str, Memory]) -> dict[str, int]:
    """What could be told: how many, and the characters of their titles, one to a line of the index."""
    active = [one for one in memories.values() if one.state is State.ACTIVE]
    return {"memories": len(active), "titles": sum(len(one.title) for one in active)}


def judged(made: Half, report: Dream, after: Mapping[str, Memory]) -> dict[str, Any]:
    """A merge is right when it was planted; what else was joined is named, for a person to look at."""
    merges = [
        (kept, other)
        for done in report.done
        if done.change is Change.MERGED
        for kept, other in _pairs(done.memories, done.result)
    ]
    same = {frozenset(pair) for pair in made.planted.get("same", ())}
    wrong = [pair for pair in merges if not _one_lesson(pair, same)]
    one = [pair for pair in made.planted.get("same", ()) if _root(pair[0], after) == _root(pair[1], after)]
    settled = [(done.result, done.memories) for done in report.done if done.change is Change.SUPERSEDED]
    return {
        "merges": {
            "made": len(merges), "right": len(merges) - len(wrong), "wrong": wrong,
            "precision": _share(len(merges) - len(wrong), len(merges)),
            "recall": _share(len(one), len(made.planted.get("same", ()))),
        },
        "contradictions": contradictions(made, report, after, [set(a) | set(b) for a, b in settled]),
        "other": sorted({done.change.value for done in report.done} - {"merged", "superseded"}),
        "refused": [(one.change, one.memories, one.rule) for one in report.refused], "failed": report.failed,
    }  # fmt: skip


def contradictions(
    made: Half, report: Dream, after: Mapping[str, Memory], settled: Sequence[set[str]]
) -> dict[str, Any]:
    planted = made.planted.get("against", [])
    asked = [set(doubt.memories) for doubt in report.doubts]
    won = [pair for pair in planted if _root(pair[0], after) == pair[1]]
    doubted = [pair for pair in planted if pair not in won and any(_meant(pair, one, after) for one in asked)]
    false = [sorted(one) for one in (*settled, *asked) if not any(_meant(pair, one, after) for pair in planted)]
    return {
        "settled": len(won), "left_to_a_person": len(doubted), "false": false,
        "found": _share(len(won) + len(doubted), len(planted)),
        "precision": _share(len(won) + len(doubted), len(won) + len(doubted) + len(false)),
    }  # fmt: skip


def _pairs(memories: Sequence[str], result: Sequence[str]) -> Iterator[tuple[str, str]]:
    (kept,) = result
    yield from ((kept, other) for other in memories if other != kept)


def _one_lesson(pair: tuple[str, str], same: set[frozenset[str]]) -> bool:
    """Planted as one, or both paraphrases of one."""
    one, other = pair
    return frozenset(pair) in same or any({one, middle} in same and {other, middle} in same for middle in _all(same))


def _all(same: set[frozenset[str]]) -> set[str]:
    return {id for pair in same for id in pair}


def _root(id: str, after: Mapping[str, Memory]) -> str:
    """Which stands for it now."""
    while id in after and after[id].superseded_by:
        id = after[id].superseded_by
    return id


def _meant(pair: tuple[str, str], found: set[str], after: Mapping[str, Memory]) -> bool:
    """The denial, and what it denies or what stood for that."""
    of, denial = pair
    if denial not in found:
        return False
    stood = {of} | {id for id in after if of in (id, after[id].superseded_by) or after[of].superseded_by == id}
    return bool((found - {denial}) & stood)


# -- what is gone or said ---------------------------------------------------------------------------------------------


def gone_or_said(name: str) -> dict[str, Any]:
    """Each note with a checkout of its own."""
    lines = [line for line in written(name) if line["kind"] in ("stale", "fresh")]
    with tempfile.TemporaryDirectory() as folder:
        retired = [_retired(line, Path(folder) / str(number)) for number, line in enumerate(lines)]
    found = sum(got for got, line in zip(retired, lines, strict=True) if line["kind"] == "stale")
    false = [line["note"] for got, line in zip(retired, lines, strict=True) if got and line["kind"] == "fresh"]
    planted = sum(line["kind"] == "stale" for line in lines)
    missed = [line["note"] for got, line in zip(retired, lines, strict=True) if not got and line["kind"] == "stale"]
    return {"planted": planted, "beside": len(lines) - planted, "found": found, "missed": missed, "false": false}


def _retired(line: Mapping[str, Any], folder: Path) -> bool:
    for path, text in line["files"].items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    if line.get("checkout", True):
        folder.mkdir(exist_ok=True)
    about = line.get("about", list(line["files"]) if "symbols" in line else [])
    mentions = tuple(Mention("file", path, path, resolved=True) for path in about)
    note = replace(memory("m_1", str(folder), line["note"], "of"), related_entities=mentions)
    query = Query("", Project(folder.name, str(folder)), str(folder), "", "", "")
    read = {path: text for path, text in line["files"].items() if "/" not in path}
    return bool(list(stale([note], lambda one: Found(gone(one, query), read) if folder.is_dir() else Found())))


# -- recall -----------------------------------------------------------------------------------------------------------


def together(made: Half) -> dict[str, set[str]]:
    """A memory, what says the same, and what outdoes it: any of them is the right answer to its probes."""
    found: dict[str, set[str]] = {}
    for kind in ("same", "against"):
        for of, id in made.planted.get(kind, ()):
            found.setdefault(of, {of}).add(id)
    return found


def recalled(lane: Lane, made: Half, groups: Mapping[str, set[str]]) -> dict[str, float]:
    hits = notes = right = both = wrong = 0
    for asked in made.probes:
        told, meant = shown(lane, asked), groups.get(asked.memory, {asked.memory})
        fitting = [id for id in told if id in meant]
        hits, notes, right = hits + bool(fitting), notes + len(told), right + len(fitting)
        both += len(fitting) > 1
    for asked in made.others:
        wrong += asked.memory in shown(lane, asked)
    return {
        "probes": len(made.probes), "shown": _share(hits, len(made.probes)), "right": _share(right, notes),
        "notes_on_probes": _share(notes, len(made.probes)), "said_twice": both,
        "non_probe_shown": _share(wrong, len(made.others)),
    }  # fmt: skip


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


if __name__ == "__main__":
    main()
