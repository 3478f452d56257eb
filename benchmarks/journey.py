"""From what was said to what is recalled: `python -m benchmarks.journey --moments F [--extractor NAME]`.

The memories our extractor makes of labelled moments are the bank, each in its repository; the readers' probes and
non_probes are the prompts. Beside it the same with the readers' own text for every memory: the ceiling.
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.bank import Asked, Note, bank, figures
from campaigns.report import machine
from memlane.catch import from_line
from memlane.catch.embedded import EmbeddedExtractor
from memlane.catch.extractor import ACTIVE_FROM

COMMAND = "python -m benchmarks.journey --moments moments-dev.jsonl.xz"
EXTRACTORS = ("embedded",)
SIDES = ("validation", "training", "all")


@dataclass(frozen=True, slots=True)
class Labelled:
    """What a careful reader would keep of one moment, and what somebody types later."""

    note: Note
    probe: str
    non_probe: str
    moment: int  # which line it stands in


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moments", type=Path, required=True)
    parser.add_argument("--splits", type=Path, help="else splits.json beside the moments; without one, all of them")
    parser.add_argument("--split", choices=SIDES, default="validation")
    parser.add_argument("--extractor", choices=EXTRACTORS, default="embedded")
    parser.add_argument("--no-second-look", action="store_true", help="as recall.second_look false")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--save", type=Path, help="keep the figures in this file")
    asked = parser.parse_args()
    side, lines = of_side(asked.moments, asked.splits, asked.split)
    found = measured(lines, **({"LANE_RECALL_SECOND_LOOK": "false"} if asked.no_second_look else {}))
    about = {"command": COMMAND, "benchmark": "journey", "split": side, "extractor": asked.extractor}
    kept = {**about, "machine": machine(), "moments": len(lines), **found}
    if asked.save:
        asked.save.write_text(json.dumps(kept, indent=2) + "\n")
    if not asked.json:
        table(found)
    print(json.dumps(kept))


def of_side(moments: Path, splits: Path | None, side: str) -> tuple[str, list[dict[str, Any]]]:
    """Which side it is, and the moments of it: all of them where nobody says how they are split."""
    splits = splits or moments.with_name("splits.json")
    side = side if splits.is_file() else "all"
    return side, [*chosen(moments, splits, side)]


def chosen(moments: Path, splits: Path, side: str) -> Iterator[dict[str, Any]]:
    validation = json.loads(splits.read_text())["validation"]["repositories"] if side != "all" else ()
    with lzma.open(moments, "rt") if moments.suffix == ".xz" else moments.open() as lines:
        for line in map(json.loads, lines):
            if side == "all" or (line["repo"] in validation) == (side == "validation"):
                yield line


def measured(lines: Sequence[dict[str, Any]], **settings: str) -> dict[str, Any]:
    """`settings` as variables."""
    labelled = [*labelled_in(lines)]
    ours = [*_ours(lines)]
    caught = {note.id.split("/")[0] for note in ours}
    return {
        "memories": len(labelled),
        "made": len(ours),
        "caught": round(sum(str(one.moment) in caught for one in labelled) / max(1, len(labelled)), 4),
        "embedded": recalled(ours, labelled, settings, by_moment=True),
        "ceiling": recalled([one.note for one in labelled], labelled, settings, by_moment=False),
    }


def labelled_in(lines: Sequence[dict[str, Any]]) -> Iterator[Labelled]:
    for number, line in enumerate(lines):
        for nth, memory in enumerate(line["memories"]):
            if memory.get("probe"):
                note = Note(f"m_{number}_{nth}", line["repo"], memory["type"], memory["title"], memory["content"])
                yield Labelled(note, memory["probe"], memory["non_probe"], number)


def _ours(lines: Sequence[dict[str, Any]]) -> Iterator[Note]:
    """What would become active; its id begins with the line it was made of."""
    extractor = EmbeddedExtractor()
    for number, line in enumerate(lines):
        for nth, draft in enumerate(extractor.drafts(from_line(line))):
            if draft.confidence >= ACTIVE_FROM:
                yield Note(f"{number}/{nth}", line["repo"], draft.type.value, draft.title, draft.content)


def recalled(
    notes: Sequence[Note], labelled: Sequence[Labelled], settings: dict[str, str], *, by_moment: bool
) -> dict[str, float]:
    """A probe is answered by any note made of its moment; what was never caught cannot be shown."""
    with bank(notes, **settings) as lane:
        own = [str(one.moment) if by_moment else one.note.id for one in labelled]
        probes = [Asked(one.note.repo, one.probe, id) for one, id in zip(labelled, own, strict=True)]
        others = [Asked(one.note.repo, one.non_probe, id) for one, id in zip(labelled, own, strict=True)]
        return dict(figures(lane, probes, [asked for asked in others if asked.words]))


def table(found: dict[str, Any]) -> None:
    print(f"{found['memories']} labelled memories; {found['made']} made, {found['caught']:.0%} of the moments caught\n")
    print(f"{'':<12}{'shown':>8}{'right':>8}{'notes':>8}{'non_probe':>11}")
    for name in ("embedded", "ceiling"):
        row = found[name]
        print(f"{name:<12}{row['shown']:>8.3f}{row['right']:>8.3f}{row['notes']:>8.2f}{row['non_probe_shown']:>11.3f}")


if __name__ == "__main__":
    main()
