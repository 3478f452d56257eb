"""Is the right note recalled, and nothing else? `python -m benchmarks.recall --memories F [--trivial F] [--splits F]`.

Every repository's memories are a bank of one project in a home of its own; probes and non_probes are asked there as the
hook asks. hit1, hit3 and hit5 are of the order without any floor; `curve` is what floors of which so many non_probes
bring their memory up would inject; all else is what the defaults inject. Memories may have `cues`, or get them by id
from `--cues F`; a cue that is one of the memory's own prompts is left out.
"""

from __future__ import annotations

import argparse
import json
import lzma
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.bank import Asked, Note, bank, matches, shown
from campaigns.report import machine
from memlane.app import Lane
from memlane.embed import SECOND_LOOK

COMMAND = "python -m benchmarks.recall --memories recall-train.jsonl.xz --trivial trivial-prompts.jsonl"
SIDES = ("validation", "training", "all")
MOST = 5
NOTES = 3  # on a prompt
SHARES = (0.03, 0.05, 0.07, 0.10)  # of the non_probes that bring their memory up
NO_FLOOR = {
    "LANE_RECALL_FLOOR": "0",
    "LANE_RECALL_ENTITY_FLOOR": "0",
    "LANE_RECALL_TECHNICAL_FLOOR": "0",
    "LANE_RECALL_NEEDED": "0",
    "LANE_RECALL_PER_PROMPT": str(MOST),
    "LANE_RECALL_TOKENS_PER_RUN": "1000000",
}


@dataclass(frozen=True, slots=True)
class Labelled:
    """A memory and the prompts that must bring it, and must not."""

    note: Note
    real: bool
    probes: tuple[str, ...]
    non_probes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """What one prompt brings without any floor, best first: whether it is the prompt's own, and how sure it is."""

    probe: bool
    notes: tuple[tuple[bool, float], ...]

    def told(self, floor: float) -> list[bool]:
        return [own for own, sure in self.notes if sure >= floor][:NOTES]


@dataclass(slots=True)
class Counts:
    """Of one repository, or of all."""

    ranks: list[int] = field(default_factory=list[int])
    ranked: list[Ranked] = field(default_factory=list[Ranked])
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
    parser.add_argument("--cues", type=Path, help="cues of these memories, by id")
    parser.add_argument("--trivial", type=Path, help="prompts that must bring nothing, unless they have `needs`")
    parser.add_argument("--splits", type=Path, help="else splits.json beside the memories; without one, all of them")
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
    labelled = [*chosen(asked.memories, splits, side, cues_of(asked.cues))]
    settings = {"LANE_RECALL_MODEL": asked.model} if asked.model else {}
    settings |= {"LANE_RECALL_SECOND_LOOK": "false"} if asked.no_second_look else {}
    began = time.monotonic()
    by_repo, model, look = measured(labelled, trivial(asked.trivial), settings)
    kept = {
        "command": COMMAND + (" --cues recall-cues.jsonl.xz" if asked.cues else ""),
        "benchmark": "recall",
        "split": side,
        "model": model,
        "second_look": look,
        "machine": machine(),
        "memories": len(labelled),
        "with_cues": sum(bool(one.note.cues) for one in labelled),
        "seconds": round(time.monotonic() - began),
        **summed(by_repo),
        "real": summed(
            {repo: c for repo, c in by_repo.items() if any(m.real for m in labelled if m.note.repo == repo)}
        ),
    }
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


def read(path: Path) -> Iterator[dict[str, Any]]:
    with lzma.open(path, "rt") if path.suffix == ".xz" else path.open() as lines:
        yield from map(json.loads, lines)


def cues_of(path: Path | None) -> dict[str, list[str]]:
    return {line["id"]: line["cues"] for line in read(path)} if path else {}


def chosen(memories: Path, splits: Path, side: str, cues: dict[str, list[str]]) -> Iterator[Labelled]:
    named = json.loads(splits.read_text())["validation"] if side != "all" else {}
    validation = {*named.get("repositories", ()), *named.get("written_projects", ())}
    for line in read(memories):
        if side == "all" or (line["repo"] in validation) == (side == "validation"):
            asked = {words.casefold() for words in (*line["probes"], *line["non_probes"])}
            some = (cue for cue in cues.get(line["id"], line.get("cues", ())) if cue.casefold() not in asked)
            type_ = line.get("type", "learning")
            note = Note(line["id"], line["repo"], type_, line["title"], line["content"], tuple(some))
            real = line.get("source", "real") == "real"
            yield Labelled(note, real, tuple(line["probes"]), tuple(line["non_probes"]))


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
            _without_floor(lane, one, by_repo[one.note.repo])
    return by_repo, model, look


def _without_floor(lane: Lane, one: Labelled, counts: Counts) -> None:
    for probe, prompts in ((True, one.probes), (False, one.non_probes)):
        for words in prompts:
            found = matches(lane, Asked(one.note.repo, words, one.note.id))
            sure = ((each.memory.id, each.similarity if each.needed is None else each.needed) for each in found)
            counts.ranked.append(Ranked(probe, tuple((name == one.note.id, how) for name, how in sure)))
            order = [each.memory.id for each in found]
            if probe:
                counts.ranks.append(order.index(one.note.id) if one.note.id in order else MOST)


def curve(ranked: Sequence[Ranked]) -> dict[str, dict[str, float]]:
    """At the lowest floor at which no more than this share of the non_probes bring their memory up."""
    others = [one for one in ranked if not one.probe]
    brought = (sure for one in others for place, (own, sure) in enumerate(one.notes) if own and place < NOTES)
    surest = [*sorted(brought, reverse=True), -1.0]
    found = dict[str, dict[str, float]]()
    for share in SHARES:
        floor = surest[min(int(share * len(others)), len(surest) - 1)] + 1e-6
        told = [one.told(floor) for one in ranked if one.probe]
        hits, notes = sum(any(own) for own in told), sum(map(len, told))
        found[f"{share:.2f}"] = {
            "floor": round(floor, 3),
            "shown": _share(hits, len(told)),
            "right": _share(hits, notes),
            "non_probe_shown": _share(sum(any(one.told(floor)) for one in others), len(others)),
        }
    return found


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


def summed(by_repo: dict[str, Counts]) -> dict[str, Any]:
    """Over all prompts, and as the mean of what each repository sees."""
    every = Counts()
    for counts in by_repo.values():
        every.ranks += counts.ranks
        every.ranked += counts.ranked
        for name in ("probes", "shown", "on_probes", "others", "wrong", "on_others", "trivial", "silent"):
            setattr(every, name, getattr(every, name) + getattr(counts, name))
    each = [counts.figures() for counts in by_repo.values()]
    names = every.figures()
    mean = {name: round(sum(one[name] for one in each) / len(each), 4) for name in names} if each else {}
    return {"repositories": len(each), "all": names, "mean": mean, "curve": curve(every.ranked)}


def table(kept: dict[str, Any]) -> None:
    names = list(kept["all"]["all"] if "all" in kept["all"] else kept["all"])
    print(f"{kept['memories']} memories of {kept['repositories']} repositories ({kept['split']}), {kept['model']}\n")
    print(f"{'':<12}" + "".join(f"{name:>17}" for name in names))
    for title, row in (("all", kept["all"]), ("mean", kept["mean"]), ("real, all", kept["real"]["all"])):
        print(f"{title:<12}" + "".join(f"{row.get(name, 0):>17.3f}" for name in names))


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


if __name__ == "__main__":
    main()
