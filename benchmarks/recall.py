"""Is the right note recalled, and nothing else? `python -m benchmarks.recall --memories F [--trivial F] [--splits F]`.

Every repository's memories are a bank of one project in a home of its own; probes and non_probes are asked there as the
hook asks. hit1, hit3 and hit5 are of the order without any floor; the curve is what a threshold would inject that tells
so many non_probes their memory; all else is what the defaults inject. Where memories have cues (in their lines, or in
recall-cues.jsonl.xz beside them), all of it is told twice: with them, and without.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.bank import Asked, bank, matches, shown
from benchmarks.labelled import Labelled, chosen
from campaigns.report import machine
from memlane.app import Lane
from memlane.domain import Match
from memlane.embed import SECOND_LOOK

COMMAND = "python -m benchmarks.recall --memories recall-train.jsonl.xz --trivial trivial-prompts.jsonl"
SIDES = ("validation", "training", "all")
MOST = 5
PER_PROMPT = 3
CURVE = (0.03, 0.05, 0.07, 0.10)  # of non_probes
NO_FLOOR = {
    "LANE_RECALL_FLOOR": "0",
    "LANE_RECALL_ENTITY_FLOOR": "0",
    "LANE_RECALL_TECHNICAL_FLOOR": "0",
    "LANE_RECALL_NEEDED": "0",
    "LANE_RECALL_PER_PROMPT": str(MOST),
    "LANE_RECALL_TOKENS_PER_RUN": "1000000",
}


@dataclass(frozen=True, slots=True)
class Sureness:
    """How sure recall is of each note it would tell, without any floor; and of the prompt's own one, if it is there."""

    notes: tuple[float, ...]
    own: float | None


@dataclass(slots=True)
class Counts:
    """Of one repository, or of all."""

    ranks: list[int] = field(default_factory=list[int])
    sure: list[Sureness] = field(default_factory=list[Sureness])
    sure_others: list[Sureness] = field(default_factory=list[Sureness])
    probes: int = 0
    shown: int = 0
    on_probes: int = 0  # notes
    others: int = 0
    wrong: int = 0
    on_others: int = 0
    trivial: int = 0
    silent: int = 0
    each: dict[str, bool] = field(default_factory=dict[str, bool])  # by memory and prompt: was its own note told?

    def figures(self) -> dict[str, float]:
        found = {f"hit{k}": _share(sum(rank < k for rank in self.ranks), len(self.ranks)) for k in (1, 3, 5)}
        found |= {
            "shown": _share(self.shown, self.probes),
            "right": _share(self.shown, self.on_probes),
            "notes": _share(self.on_probes + self.on_others, self.probes + self.others),
            "notes_on_probes": _share(self.on_probes, self.probes),
            "non_probe_shown": _share(self.wrong, self.others),
        }
        return found | ({"silence": _share(self.silent, self.trivial)} if self.trivial else {})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=Path, required=True)
    parser.add_argument("--trivial", type=Path, help="prompts that must bring nothing, unless they have `needs`")
    parser.add_argument("--splits", type=Path, help="else splits.json beside the memories; without one, all of them")
    parser.add_argument("--cues", type=Path, help="else recall-cues.jsonl.xz beside the memories, if it is there")
    parser.add_argument("--only", choices=("with", "without"), help="cues: half of the time")
    parser.add_argument("--split", choices=SIDES, default="validation")
    parser.add_argument("--model", default="", help="as recall.model; else the default")
    parser.add_argument("--no-second-look", action="store_true", help="as recall.second_look false")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--save", type=Path, help="keep the figures in this file")
    parser.add_argument("--each", type=Path, help="keep there what became of every prompt, to be compared with later")
    parser.add_argument("--against", type=Path, help="such a file: wins and losses, prompt by prompt")
    asked = parser.parse_args()
    splits = asked.splits or asked.memories.with_name("splits.json")
    side = asked.split if splits.is_file() else "all"
    labelled = [*chosen(asked.memories, splits, side, asked.cues)]
    settings = {"LANE_RECALL_MODEL": asked.model} if asked.model else {}
    settings |= {"LANE_RECALL_SECOND_LOOK": "false"} if asked.no_second_look else {}
    began, nothing = time.monotonic(), trivial(asked.trivial)
    cued = any(one.note.occasion.cues for one in labelled) and asked.only != "without"
    by_repo, model, look = measured(labelled if cued else [one.bare for one in labelled], nothing, settings)
    kept: dict[str, Any] = {
        "command": COMMAND,
        "benchmark": "recall",
        "split": side,
        "model": model,
        "second_look": look,
        "machine": machine(),
        "memories": len(labelled),
        "cues": sum(len(one.note.occasion.cues) for one in labelled) if cued else 0,
        **told(by_repo, labelled),
    }
    if cued and not asked.only:
        kept["without cues"] = told(measured([one.bare for one in labelled], nothing, settings)[0], labelled)
    kept["seconds"] = round(time.monotonic() - began)
    each = {prompt: told for counts in by_repo.values() for prompt, told in counts.each.items()}
    if asked.against:
        kept["against"] = paired(json.loads(asked.against.read_text()), each)
    if asked.each:
        asked.each.write_text(json.dumps(each) + "\n")
    if asked.save:
        asked.save.write_text(json.dumps(kept, indent=2) + "\n")
    if not asked.json:
        table(kept)
    print(json.dumps(kept))


def paired(before: dict[str, bool], now: dict[str, bool]) -> dict[str, dict[str, int]]:
    """Of the prompts both were asked: a win is a probe newly told its note, or a non_probe no longer."""
    found: dict[str, dict[str, int]] = {}
    for kind, good in (("probe", True), ("non_probe", False)):
        moved = [
            now[one] for one in now.keys() & before.keys() if one.startswith(f"{kind}/") and now[one] != before[one]
        ]
        found[kind] = {"wins": sum(told is good for told in moved), "losses": sum(told is not good for told in moved)}
    return found


def trivial(path: Path | None) -> list[str]:
    lines = path.read_text().splitlines() if path else ()
    return [line["prompt"] for line in map(json.loads, lines) if "needs" not in line]


def measured(
    labelled: Sequence[Labelled], nothing: Sequence[str], settings: dict[str, str]
) -> tuple[dict[str, Counts], str, str]:
    """Also by which model, and by which second look."""
    by_repo = {one.note.repo: Counts() for one in labelled}
    notes = [one.note for one in labelled]
    with bank(notes, **settings) as lane:
        for one in labelled:
            _at_the_floor(lane, one, by_repo[one.note.repo])
        for words in nothing:
            for repo, counts in by_repo.items():
                counts.trivial += 1
                counts.silent += not shown(lane, Asked(repo, words, ""))
        model = lane.home.recall_model.tag if lane.home.recall_model.spec else "words"
        look = "" if lane.home.second_look.why_not(model) else SECOND_LOOK
    with bank(notes, **settings, **NO_FLOOR) as lane:
        for one in labelled:
            _without_floors(lane, one, by_repo[one.note.repo])
    return by_repo, model, look


def _without_floors(lane: Lane, one: Labelled, counts: Counts) -> None:
    for words in one.probes:
        found = matches(lane, Asked(one.note.repo, words, one.note.id))
        order = [match.memory.id for match in found]
        counts.ranks.append(order.index(one.note.id) if one.note.id in order else MOST)
        counts.sure.append(_sureness(found, one.note.id))
    for words in one.non_probes:
        counts.sure_others.append(_sureness(matches(lane, Asked(one.note.repo, words, one.note.id)), one.note.id))


def _sureness(found: Sequence[Match], own: str) -> Sureness:
    sure = {match.memory.id: match.similarity if match.needed is None else match.needed for match in found[:PER_PROMPT]}
    return Sureness(tuple(sure.values()), sure.get(own))


def curve(counts: Counts) -> dict[str, dict[str, float]]:
    """What one threshold on how sure recall is would show, that tells at most so many non_probes their memory."""
    others = sorted((one.own for one in counts.sure_others if one.own is not None), reverse=True)
    found: dict[str, dict[str, float]] = {}
    for share in CURVE:
        most = int(share * len(counts.sure_others))
        least = others[most] if most < len(others) else -1.0  # above it
        shown = sum(one.own is not None and one.own > least for one in counts.sure)
        notes = sum(sure > least for one in counts.sure for sure in one.notes)
        found[f"{share:.2f}"] = {
            "threshold": round(least, 3),
            "shown": _share(shown, len(counts.sure)),
            "right": _share(shown, notes),
        }
    return found


def told(by_repo: Mapping[str, Counts], labelled: Sequence[Labelled]) -> dict[str, Any]:
    """Of all repositories, and of the real ones alone."""
    real = {one.note.repo for one in labelled if one.real}
    return {**summed(by_repo), "real": summed({repo: counts for repo, counts in by_repo.items() if repo in real})}


def _at_the_floor(lane: Lane, one: Labelled, counts: Counts) -> None:
    for words in one.probes:
        told = shown(lane, Asked(one.note.repo, words, one.note.id))
        counts.probes, counts.on_probes = counts.probes + 1, counts.on_probes + len(told)
        counts.shown += one.note.id in told
        counts.each[f"probe/{one.note.id}/{words}"] = one.note.id in told
    for words in one.non_probes:
        told = shown(lane, Asked(one.note.repo, words, one.note.id))
        counts.others, counts.on_others = counts.others + 1, counts.on_others + len(told)
        counts.wrong += one.note.id in told
        counts.each[f"non_probe/{one.note.id}/{words}"] = one.note.id in told


def summed(by_repo: Mapping[str, Counts]) -> dict[str, Any]:
    """Over all prompts, and as the mean of what each repository sees."""
    every = Counts()
    for counts in by_repo.values():
        for name in ("ranks", "sure", "sure_others"):
            getattr(every, name).extend(getattr(counts, name))
        for name in ("probes", "shown", "on_probes", "others", "wrong", "on_others", "trivial", "silent"):
            setattr(every, name, getattr(every, name) + getattr(counts, name))
    each = [counts.figures() for counts in by_repo.values()]
    names = every.figures()
    mean = {name: round(sum(one[name] for one in each) / len(each), 4) for name in names} if each else {}
    return {"repositories": len(each), "all": names, "mean": mean, "curve": curve(every)}


def table(kept: Mapping[str, Any]) -> None:
    print(f"{kept['memories']} memories of {kept['repositories']} repositories ({kept['split']}), {kept['model']}")
    rows(f"with {kept['cues']} cues" if kept["cues"] else "without cues", kept)
    if "without cues" in kept:
        rows("without cues", kept["without cues"])


def rows(title: str, told: Mapping[str, Any]) -> None:
    names = list(told["all"])
    print(f"\n{title:<14}" + "".join(f"{name:>17}" for name in names))
    for who, row in (("all", told["all"]), ("mean", told["mean"]), ("real, all", told["real"]["all"])):
        print(f"{who:<14}" + "".join(f"{row.get(name, 0):>17.3f}" for name in names))
    for who, found in (("all", told["curve"]), ("real", told["real"]["curve"])):
        points = (f"{share}: shown {one['shown']:.3f}, right {one['right']:.3f}" for share, one in found.items())
        print(f"{who}, at so many non_probes  " + " | ".join(points))


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


if __name__ == "__main__":
    main()
