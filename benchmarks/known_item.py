"""Is it found again? `python -m benchmarks.known_item --moments F --home HOME [--paraphrases F] [--lane DIR] [--json]`.

HOME is a person's home folder with their agents' transcripts; it is only read, and captured into a home of its own
(DIR, kept for the next time, or a temporary one). Asked for are the probes of the moments whose run is in it, and
hard paraphrases in other words than the text; right is the run, and the turn, each of them came from.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.rank_figures import figures, mean_of, rounded
from campaigns.report import machine
from memlane.app import Lane
from memlane.app.search import Mode
from memlane.config import load
from memlane.domain import RunFilter

COMMAND = "python -m benchmarks.known_item --moments moments-dev.jsonl.xz --home HOME"
PARAPHRASES = Path(__file__).parent / "data" / "paraphrases.jsonl"
MODES = {"words": Mode.WORDS, "meaning": Mode.MEANING, "hybrid": Mode.AUTO}
SHOWN = ("r1", "r5", "r10", "mrr")
TURNS = 100
_SESSION = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?=\.jsonl$)")


@dataclass(frozen=True, slots=True)
class Item:
    """Words, and where what they are about stands: the agent's own id of the run, a line of its transcript."""

    words: str
    run: str
    line: int


@dataclass(frozen=True, slots=True)
class Known:
    words: str
    run: str
    turn: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moments", type=Path, required=True)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--paraphrases", type=Path, default=PARAPHRASES)
    parser.add_argument("--lane", type=Path, help="keep what is captured here")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--save", type=Path, help="keep the figures in this file")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        config = load({"HOME": str(asked.home), "LANE_HOME": str(asked.lane or Path(folder) / "lane")})
        with Lane(config) as lane:
            found = measured(lane, {"probes": probes(asked.moments), "paraphrases": paraphrases(asked.paraphrases)})
    kept = {"command": COMMAND, "benchmark": "known_item", "machine": machine(), **found}
    if asked.save:
        asked.save.write_text(json.dumps(kept, indent=2) + "\n")
    if not asked.json:
        table(found)
    print(json.dumps(kept))


def probes(path: Path) -> Iterator[Item]:
    with lzma.open(path, "rt") if path.suffix == ".xz" else path.open() as lines:
        for moment in map(json.loads, lines):
            session = _SESSION.search(moment["run"])
            for memory in moment["memories"] if session else ():
                if memory.get("probe") and session:
                    yield Item(memory["probe"], session[0], moment["line"] + 1)  # lines of moments count from 0


def paraphrases(path: Path) -> Iterator[Item]:
    with path.open() as lines:
        yield from (Item(one["query"], one["run"], one["line"]) for one in map(json.loads, lines))


def measured(lane: Lane, sets: Mapping[str, Iterator[Item]]) -> dict[str, Any]:
    lane.capture.sweep()
    while lane.vectors.follow(60.0):
        pass
    runs = {run.native_id: run.id for run in lane.runs.select(RunFilter())}
    runs |= {digest(native_id): run for native_id, run in runs.items()}  # as our paraphrases name them
    share = lane.search.progress()
    return {
        "runs": len(set(runs.values())),
        "chunks": share.all,
        "model": share.model,
        **{name: asked(list(placed(items, runs, lane)), lane) for name, items in sets.items()},
    }


def digest(native_id: str) -> str:
    return hashlib.sha256(native_id.encode()).hexdigest()[:16]


def placed(items: Iterator[Item], runs: Mapping[str, str], lane: Lane) -> Iterator[Known]:
    """Those whose run is here, by the turn their line is in."""
    turns: dict[str, dict[int, int]] = {}
    for item in items:
        run = runs.get(item.run)
        if run is None:
            continue
        if run not in turns:
            turns[run] = {step.line: turn.n for turn in lane.runs.show(run).turns for step in turn.steps}
        if item.line in turns[run]:
            yield Known(item.words, run, turns[run][item.line])


def asked(items: Sequence[Known], lane: Lane) -> dict[str, Any]:
    each = {kind: [answered(item, lane, mode) for item in items] for kind, mode in MODES.items()}
    told = {
        kind: {
            level: {name: mean_of([one[level] for one in some])[name] for name in SHOWN} for level in ("run", "turn")
        }
        for kind, some in each.items()
    }
    return {"n": len(items), **told}


def answered(item: Known, lane: Lane, mode: Mode) -> dict[str, dict[str, float]]:
    best = lane.search.find(item.words, RunFilter(), TURNS, mode).search.best
    runs = list(dict.fromkeys(found.chunk.run for found in best))
    turns = [(found.chunk.run, found.chunk.turn) for found in best]
    return {"run": figures(runs, {item.run}), "turn": figures(turns, {(item.run, item.turn)})}


def table(found: Mapping[str, Any]) -> None:
    print(f"{found['runs']} runs, {found['chunks']} chunks")
    for name in ("probes", "paraphrases"):
        print(f"\n{name} ({found[name]['n']}){'':14}" + "".join(f"{figure:>8}" for figure in SHOWN))
        for kind in MODES:
            for level in ("run", "turn"):
                values = "".join(f"{rounded(found[name][kind][level][figure]):>8}" for figure in SHOWN)
                print(f"  {kind:10}{level:14}{values}")


if __name__ == "__main__":
    main()
