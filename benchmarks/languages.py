"""Does a prompt in another language get its English note? `python -m benchmarks.languages [--misses] [--json]`.

Each language is a project with the same twenty notes: without cues, with English ones, and with those of the language
too. `--model` is recall.model, as in benchmarks.recall; one that does not ship is fitted on these very notes.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.bank import Asked, Note, bank, figures, shown
from campaigns.report import machine
from memlane.app import Lane
from memlane.domain import Occasion
from memlane.recall.fit import sample_lines

COMMAND = "python -m benchmarks.languages"
LANGUAGES = ("ja", "zh", "ko", "de", "es", "fr", "pt", "ru")
WITHOUT, ENGLISH, OWN = "no cues", "English cues", "own cues"
NAMES = ("shown", "right", "non_probe_shown")


@dataclass(frozen=True, slots=True)
class ForeignCase:
    """One note in one language: what may be typed for it, and what must and must not bring it."""

    language: str
    note: str
    cues: tuple[str, ...]
    probe: str
    non_probe: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="", help="as recall.model; else the default")
    parser.add_argument("--misses", action="store_true", help="name the prompts that went wrong with all cues")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--save", type=Path, help="keep the figures in this file")
    asked = parser.parse_args()
    settings = {"LANE_RECALL_MODEL": asked.model} if asked.model else {}
    by_cues = {which: measured(which, settings, misses=asked.misses) for which in (WITHOUT, ENGLISH, OWN)}
    kept = {"command": COMMAND, "benchmark": "languages", "machine": machine(), "notes": 20, "by_cues": by_cues}
    if asked.save:
        asked.save.write_text(json.dumps(kept, indent=2) + "\n")
    if not asked.json:
        table(by_cues)
    print(json.dumps(kept))


def measured(which: str, settings: Mapping[str, str], *, misses: bool) -> dict[str, dict[str, float]]:
    every = [*cases()]
    with bank(notes(every, which), **settings) as lane:
        if misses and which == OWN:
            name_misses(lane, every)
        return {language: _figures(lane, [one for one in every if one.language == language]) for language in LANGUAGES}


def _figures(lane: Lane, some: Sequence[ForeignCase]) -> dict[str, float]:
    probes = [Asked(one.language, one.probe, _id(one)) for one in some]
    others = [Asked(one.language, one.non_probe, _id(one)) for one in some]
    found = figures(lane, probes, others)
    return {name: found[name] for name in NAMES}


def name_misses(lane: Lane, every: Sequence[ForeignCase]) -> None:
    for one in every:
        told = shown(lane, Asked(one.language, one.probe, ""))
        if told != [_id(one)]:
            print(f"{one.language} {one.note}: {one.probe} -> {told}")
        if told := shown(lane, Asked(one.language, one.non_probe, "")):
            print(f"{one.language} not {one.note}: {one.non_probe} -> {told}")


def cases() -> Iterator[ForeignCase]:
    for language in LANGUAGES:
        for line in sample_lines(language):
            yield ForeignCase(language, line["id"], tuple(line["cues"]), line["probe"], line["non_probe"])


def notes(every: Sequence[ForeignCase], which: str) -> list[Note]:
    texts = {line["id"]: line for line in sample_lines("notes")}
    made: list[Note] = []
    for one in every:
        text = texts[one.note]
        cues = {WITHOUT: (), ENGLISH: tuple(text["cues"]), OWN: (*text["cues"], *one.cues)}[which]
        made.append(Note(_id(one), one.language, text["type"], text["title"], text["content"], Occasion(cues=cues)))
    return made


def table(by_cues: Mapping[str, Mapping[str, Mapping[str, float]]]) -> None:
    print(f"{'':<6}" + "".join(f"{which:>34}" for which in by_cues))
    print(
        f"{'':<6}"
        + "".join(f"{name:>12}" if name != NAMES[-1] else f"{'non_probe':>10}" for _ in by_cues for name in NAMES)
    )
    for language in LANGUAGES:
        rows = (by_cues[which][language] for which in by_cues)
        print(
            f"{language:<6}"
            + "".join(
                f"{row[name]:>12.2f}" if name != NAMES[-1] else f"{row[name]:>10.2f}" for row in rows for name in NAMES
            )
        )


def _id(one: ForeignCase) -> str:
    return f"{one.language}-{one.note}"


if __name__ == "__main__":
    main()
