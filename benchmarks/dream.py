"""What does a Dream get right? `python -m benchmarks.dream --memories F [--splits F] [--half blind|seen] [--save F]`.

Memories, with the near note each comes with, and notes written for this: paraphrases of them, denials of
them, notes that are near and different, notes about what is gone or what a file says. One person wrote them, by hand:
`dream-blind.jsonl` before there were any rules; `dream-fresh.jsonl` after that was measured once and before what it
showed was repaired; `dream-seen.jsonl` has pairs of its own and some of training memories, and the rules were made with
it. The first two were not touched since. Each part is a home in which one Dream is dreamed.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import combinations
from pathlib import Path
from typing import Any

from benchmarks.bank import Asked, shown
from campaigns.report import machine
from memlane.app import Lane
from memlane.app.dream.branch import DefaultBranch
from memlane.app.home.journal import OURS, memory_line
from memlane.config import load
from memlane.domain import Change, Dream, Evidence, Memory, Mention, State, Type
from memlane.dream import stale
from memlane.dream.lifecycle import CheckoutFinding

DATA = Path(__file__).with_name("data")
COMMAND = "python -m benchmarks.dream --memories recall-train.jsonl.xz"
HALVES = ("seen", "blind", "fresh")
_COUNTED = (Change.MERGED, Change.SUPERSEDED)

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
    kept = {"command": COMMAND, "benchmark": "dream", "machine": machine(), "seconds": round(time.monotonic() - began)}
    kept |= halves
    if asked.save:
        asked.save.write_text(json.dumps(kept, indent=2) + "\n")
    print(json.dumps(kept, indent=2))


# -- what is in a home ------------------------------------------------------------------------------------------------


def half(name: str, memories: Path, splits: Path) -> Half:
    made, lines = Half(name), list(_lines(name))
    known = {line["id"]: line for line in chosen(memories, splits, name)}
    named = {line["of"] for line in lines if "of" in line}
    for id, line in known.items():
        if name != "seen" or id in named:
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


def _lines(name: str) -> Iterator[Mapping[str, Any]]:
    yield from map(json.loads, (DATA / f"dream-{name}.jsonl").read_text().splitlines())


def chosen(memories: Path, splits: Path, name: str) -> Iterator[Mapping[str, Any]]:
    """Of validation where nothing was looked at, of training where rules are made."""
    named = json.loads(splits.read_text())["validation"]
    which = {*named["repositories"], *named["written_projects"]}
    with lzma.open(memories, "rt") if memories.suffix == ".xz" else memories.open() as lines:
        yield from (line for line in map(json.loads, lines) if (line["repo"] in which) != (name == "seen"))


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
    with tempfile.TemporaryDirectory() as folder:
        variables = {"HOME": folder, "LANE_HOME": str(Path(folder) / "lane"), "LANE_USER": "reader"}
        config = load(variables)
        with Lane(config) as lane:
            lane.home.begin()
            lane.acts.writer.write([memory_line(one, OURS) for one in made.memories])
            before = standing(lane)
            asked = made.probes and not no_recall
            recall = {"before": recalled(lane, made)} if asked else {}
            report = lane.dream.run(steps_aside=False)
            after = standing(lane)
            recall |= {"after": recalled(lane, made)} if asked else {}
    found |= judged(made, report)
    found["size"] = {"before": size(before), "after": size(after)}
    found |= {"stale": gone_or_said(made.name)} if made.name != "fresh" else {}
    return found | ({"recall": recall} if recall else {})


def standing(lane: Lane) -> dict[str, Memory]:
    return {one.id: one for one in lane.memories.all([State.ACTIVE, State.SUPERSEDED, State.RETIRED])}


def size(memories: Mapping[str, Memory]) -> dict[str, int]:
    """What could be told: how many, and the characters of their titles, one to a line of the index."""
    active = [one for one in memories.values() if one.state is State.ACTIVE]
    return {"memories": len(active), "titles": sum(len(one.title) for one in active)}


def judged(made: Half, report: Dream) -> dict[str, Any]:
    """A merge is right when it was planted, or when a person who looked at it afterwards said so."""
    merges = [{*done.memories, *done.result} for done in report.done if done.change is Change.MERGED]
    lessons = together(made, ("same",))
    looked_at = [set(line["pair"]) for line in _lines("judged") if line["same"]]
    pairs = [pair for merge in merges for pair in combinations(sorted(merge), 2)]
    wrong = [pair for pair in pairs if not any(set(pair) <= one for one in (*lessons, *looked_at))]
    found = sum(any(set(pair) <= merge for merge in merges) for pair in made.planted["same"])
    return {
        "merges": {
            "made": len(merges), "pairs": len(pairs), "wrong": wrong,
            "precision": _share(len(pairs) - len(wrong), len(pairs)),
            "found": found, "recall": _share(found, len(made.planted["same"])),
        },
        "contradictions": contradictions(made, report),
        "other": Counter(done.change.value for done in report.done if done.change not in _COUNTED),
        "refused": [(one.change, one.memories, one.rule) for one in report.refused], "failed": report.failed,
    }  # fmt: skip


def contradictions(made: Half, report: Dream) -> dict[str, Any]:
    """A denial is found where it meets what it denies, in whichever words that is said."""
    settled = [{*done.memories, *done.result} for done in report.done if done.change is Change.SUPERSEDED]
    asked = [set(doubt.memories) for doubt in report.doubts]
    lessons = together(made, ("same",))
    planted = [(denial, next((one for one in lessons if of in one), {of})) for of, denial in made.planted["against"]]

    def meets(pair: set[str]) -> bool:
        return any(denial in pair and pair & of for denial, of in planted)

    won = sum(any(denial in pair and pair & of for pair in settled) for denial, of in planted)
    either = sum(any(denial in pair and pair & of for pair in (*settled, *asked)) for denial, of in planted)
    false = [sorted(pair) for pair in (*settled, *asked) if not meets(pair)]
    named = len(settled) + len(asked)
    return {
        "settled": won, "left_to_a_person": either - won, "found": _share(either, len(planted)),
        "named": named, "false": false, "precision": _share(named - len(false), named),
    }  # fmt: skip


def together(made: Half, kinds: Sequence[str]) -> list[set[str]]:
    """Each memory with what was planted beside it."""
    found: dict[str, set[str]] = {}
    for kind in kinds:
        for of, id in made.planted[kind]:
            found.setdefault(of, {of}).add(id)
    return list(found.values())


# -- what is gone or said ---------------------------------------------------------------------------------------------


def gone_or_said(name: str) -> dict[str, Any]:
    """Each note with a checkout of its own."""
    lines = [line for line in _lines(name) if line["kind"] in ("stale", "fresh")]
    with tempfile.TemporaryDirectory() as folder:
        retired = [_retired(line, Path(folder) / str(number)) for number, line in enumerate(lines)]
    found = sum(got for got, line in zip(retired, lines, strict=True) if line["kind"] == "stale")
    false = [line["note"] for got, line in zip(retired, lines, strict=True) if got and line["kind"] == "fresh"]
    planted = sum(line["kind"] == "stale" for line in lines)
    missed = [line["note"] for got, line in zip(retired, lines, strict=True) if not got and line["kind"] == "stale"]
    return {"planted": planted, "beside": len(lines) - planted, "found": found, "missed": missed, "false": false}


def _retired(line: Mapping[str, Any], folder: Path) -> bool:
    about = line.get("about", list(line["files"]) if "symbols" in line else [])
    if line.get("checkout", True):
        _committed(folder, {path: str(line["note"]) for path in about})
        _committed(folder, line["files"])
    mentions = tuple(Mention("file", path, path, resolved=True) for path in about)
    note = replace(memory("m_1", str(folder), line["note"], "of"), related_entities=mentions)
    read = {path: text for path, text in line["files"].items() if "/" not in path}
    return bool(list(stale([note], lambda _note: CheckoutFinding(_deleted(folder, about), read))))


def _deleted(folder: Path, about: Sequence[str]) -> str:
    fates = [DefaultBranch(str(folder), os.environ).fate(path) for path in about] if folder.is_dir() else []
    return fates[0].deleted if fates and all(fate.deleted for fate in fates) else ""


def _committed(folder: Path, files: Mapping[str, str]) -> None:
    """The next commit of its main branch has these files and no others."""
    git = ("git", "-C", str(folder), "-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    folder.mkdir(exist_ok=True)
    if not (folder / ".git").exists():
        subprocess.run([*git, "init", "--quiet", "--initial-branch=main"], check=True)
    subprocess.run([*git, "rm", "-r", "--quiet", "--ignore-unmatch", "."], check=True)
    for path, text in {"LICENSE": "As you like.\n", **files}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    subprocess.run([*git, "add", "--all"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--allow-empty", "--message", "change"], check=True)


# -- recall -----------------------------------------------------------------------------------------------------------


def recalled(lane: Lane, made: Half) -> dict[str, Any]:
    """A memory, what says the same, and what outdoes it: any of them is the right answer to its probes. What was denied
    is counted by itself: its probes were written for what no longer holds."""
    groups = {id: group for group in together(made, ("same", "against")) for id in group}
    denied = {of for of, _denial in made.planted["against"]}
    apart = {"not_denied": [a for a in made.probes if a.memory not in denied]}
    apart["denied"] = [asked for asked in made.probes if asked.memory in denied]
    found: dict[str, Any] = {name: _answers(lane, asked, groups) for name, asked in apart.items()}
    wrong = sum(asked.memory in shown(lane, asked) for asked in made.others)
    return found | {"non_probe_shown": _share(wrong, len(made.others))}


def _answers(lane: Lane, probes: Sequence[Asked], groups: Mapping[str, set[str]]) -> dict[str, float]:
    hits = notes = right = both = 0
    for asked in probes:
        told, meant = shown(lane, asked), groups.get(asked.memory, {asked.memory})
        fitting = [id for id in told if id in meant]
        hits, notes, right = hits + bool(fitting), notes + len(told), right + len(fitting)
        both += len(fitting) > 1
    share, precise = _share(hits, len(probes)), _share(right, notes)
    return {"probes": len(probes), "shown": share, "right": precise, "notes": _share(notes, len(probes)), "twice": both}


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


if __name__ == "__main__":
    main()
