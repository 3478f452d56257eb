"""How well did somebody read? `python -m benchmarks.readers --home HOME… --moments F [--split SIDE] [--json]`.

HOME was captured into HOME/.lane (or $LANE_HOME), and agents have read its windows with `lane catch next`; there may be
several homes, one for each reader. Each memory they made is compared with the labelled moments of the same run by its
place: right if a quote stands in the turn of a moment that careful readers kept; with `neighbours`, also in the turn
before or after it. Only runs count of which every window was read. Then the active memories are the bank and the
labelled prompts are asked, beside the ceiling.
"""

from __future__ import annotations

import argparse
import json
import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.bank import Note
from benchmarks.journey import SIDES, labelled_in, of_side, recalled
from benchmarks.windows import lane_of
from campaigns.report import machine
from memlane.app import Lane
from memlane.domain import Memory, RunFilter, RunSummary, State
from memlane.flow.catch import windows_of

COMMAND = "python -m benchmarks.readers --home HOME --moments moments-dev.jsonl.xz"
STANDING = [State.ACTIVE, State.HELD]
_TURN = re.compile(r"#t(\d+)\.")
TRIES, INTERVAL = 2000, (0.025, 0.975)  # of the bootstrap, over runs


@dataclass(frozen=True, slots=True)
class LabelledMoment:
    number: int  # its line in the file
    turn: int
    kept: bool


@dataclass(frozen=True, slots=True)
class ReadRun:
    """One Run: what careful readers kept, and what was made of it here."""

    repo: str
    moments: Sequence[LabelledMoment]
    memories: Sequence[Memory]

    def right(self, memory: Memory, near: int) -> bool:
        return any(one.kept and _is_at(memory, one.turn, near) for one in self.moments)

    def found(self, moment: LabelledMoment, near: int) -> bool:
        return any(_is_at(memory, moment.turn, near) for memory in self.memories)

    def counts(self, near: int) -> tuple[int, int, int, int]:
        """Memories that are right, memories, kept moments that were found, kept moments."""
        kept = [moment for moment in self.moments if moment.kept]
        right = sum(self.right(memory, near) for memory in self.memories)
        return right, len(self.memories), sum(self.found(moment, near) for moment in kept), len(kept)


def _is_at(memory: Memory, turn: int, near: int) -> bool:
    return any(abs(turn - at) <= near for at in _turns(memory))


def _turns(memory: Memory) -> list[int]:
    return [int(found[1]) for evidence in memory.evidence if (found := _TURN.search(evidence.step))]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.readers", description=__doc__)
    parser.add_argument("--home", type=Path, required=True, nargs="+")
    parser.add_argument("--moments", type=Path, required=True)
    parser.add_argument("--splits", type=Path, help="else splits.json beside the moments; without one, all of them")
    parser.add_argument("--split", choices=SIDES, default="validation")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--save", type=Path, help="keep the figures in this file")
    asked = parser.parse_args()
    side, lines = of_side(asked.moments, asked.splits, asked.split)
    runs = list[ReadRun]()
    for home in asked.home:
        with lane_of(home) as lane:
            runs += read_runs(lines, lane)
    found = {"command": COMMAND, "benchmark": "readers", "split": side, "machine": machine(), **measured(runs, lines)}
    if asked.save:
        asked.save.write_text(json.dumps(found, indent=2) + "\n")
    if not asked.json:
        table(found)
    print(json.dumps(found))


def read_runs(lines: Sequence[Mapping[str, Any]], lane: Lane) -> Iterator[ReadRun]:
    storage, reader = lane.home.storage(), lane.home.reader
    for run in storage.runs.listed(RunFilter(), reader):
        mine = [(number, line) for number, line in enumerate(lines) if run.native_id in line["run"]]
        if not mine or list(lane.catch.open_windows("agent", [run.id])):
            continue
        begins = _beginnings(run, lane)
        moments = [
            LabelledMoment(number, _turn_of(line["line"] + 1, begins), bool(line["memories"])) for number, line in mine
        ]
        made = [m for m in storage.memories.from_run(run.id, STANDING, reader) if m.maker.startswith("agent@")]
        yield ReadRun(str(mine[0][1]["repo"]), moments, made)


def _turn_of(line: int, begins: Sequence[tuple[int, int]]) -> int:
    """Of a line of the transcript; labels count from 0, Steps from 1."""
    return begins[max(0, bisect_right(begins, (line, 1 << 30)) - 1)][1]


def _beginnings(run: RunSummary, lane: Lane) -> list[tuple[int, int]]:
    """The first line of each Turn, and its number."""
    windows = windows_of(run.id, lane.catch_tools()).windows
    steps = [(step.line, spot.turn) for window in windows for spot, step in window.steps()]
    first: dict[int, int] = {}
    for line, turn in steps:
        first[turn] = min(line, first.get(turn, line))
    return sorted((line, turn) for turn, line in first.items())


def measured(runs: Sequence[ReadRun], lines: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {
        "runs": len(runs),
        "memories": sum(len(run.memories) for run in runs),
        "active": sum(memory.state is State.ACTIVE for run in runs for memory in run.memories),
        "kept_moments": sum(moment.kept for run in runs for moment in run.moments),
        "strict": scores(runs, 0),
        "neighbours": scores(runs, 1),
        "strict_active": scores([_only_active(run) for run in runs], 0),
        **journey(runs, lines),
    }


def _only_active(run: ReadRun) -> ReadRun:
    return ReadRun(run.repo, run.moments, [memory for memory in run.memories if memory.state is State.ACTIVE])


def scores(runs: Sequence[ReadRun], near: int) -> dict[str, Any]:
    counts = [run.counts(near) for run in runs]
    precision, recall, f1 = _f1(counts)
    random, tries = Random(7), list[float]()
    for _ in range(TRIES if counts else 0):
        tries.append(_f1(random.choices(counts, k=len(counts)))[2])
    tries.sort()
    interval = [round(tries[int(at * len(tries))], 3) for at in INTERVAL] if tries else []
    return {"precision": round(precision, 3), "recall": round(recall, 3), "f1": round(f1, 3), "f1_interval": interval}


def _f1(counts: Collection[tuple[int, int, int, int]]) -> tuple[float, float, float]:
    right, made, found, kept = (sum(column) for column in zip(*counts, strict=True)) if counts else (0, 0, 0, 0)
    precision, recall = right / max(1, made), found / max(1, kept)
    return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def journey(runs: Sequence[ReadRun], lines: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The prompts of moments in these runs, asked of what was made there and of the readers' own text."""
    here = {moment.number for run in runs for moment in run.moments}
    labelled = [one for one in labelled_in(lines) if one.moment in here]
    notes = [note for run in runs for note in _notes(_only_active(run))]
    return {
        "prompts": len(labelled),
        "agent": recalled(notes, labelled, {}, by_moment=True),
        "ceiling": recalled([one.note for one in labelled], labelled, {}, by_moment=False),
    }


def _notes(run: ReadRun) -> Iterator[Note]:
    """Its id begins with the moment it was made of."""
    for nth, memory in enumerate(run.memories):
        at = next((one.number for one in run.moments if one.kept and _is_at(memory, one.turn, 0)), None)
        name = f"{memory.id}/0" if at is None else f"{at}/{nth}"
        yield Note(name, run.repo, memory.type.value, memory.title, memory.content, memory.occasion)


def table(found: Mapping[str, Any]) -> None:
    print(f"{found['runs']} runs, {found['kept_moments']} kept moments")
    print(f"{found['memories']} memories were made, {found['active']} of them active\n")
    print(f"{'':<16}{'precision':>10}{'recall':>8}{'f1':>7}  interval")
    for name in ("strict", "neighbours", "strict_active"):
        row = found[name]
        print(f"{name:<16}{row['precision']:>10.3f}{row['recall']:>8.3f}{row['f1']:>7.3f}  {row['f1_interval']}")
    print(f"\n{found['prompts']} prompts{'':<5}{'shown':>8}{'right':>8}{'notes':>8}{'non_probe':>11}")
    for name in ("agent", "ceiling"):
        row = found[name]
        print(f"{name:<16}{row['shown']:>8.3f}{row['right']:>8.3f}{row['notes']:>8.2f}{row['non_probe_shown']:>11.3f}")


if __name__ == "__main__":
    main()
