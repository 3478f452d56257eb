"""How many plain teachings are found in prompts that others wrote, and how much else is taken for one.

python -m benchmarks.teachings --sentences FILE… [--json] [--misses]

Each line of a file is {"id", "lang", "text", "teachings": [{"words", "scope"}], "kind"}; an empty list is a trap.
A found teaching is right if its quote covers half of the labelled words and they are a third of it.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

from memlane.catch.teachings import Plainness, Teaching, teachings

COVERED, SHARE = 0.5, 0.33


class Label(TypedDict):
    """A part of a prompt that teaches something."""

    words: str
    scope: str


class LabelledPrompt(TypedDict):
    """One line of a file."""

    id: str
    lang: str
    text: str
    teachings: list[Label]
    kind: str


@dataclass(slots=True)
class TeachingTally:
    """Of one language. A held one is found too, but waits for a yes."""

    labels: int = 0
    found: int = 0  # labels
    found_active: int = 0
    told: int = 0  # teachings, right or wrong
    right: int = 0
    active: int = 0
    active_right: int = 0
    scopes: int = 0  # of what was found, right
    prompts: int = 0
    seconds: float = 0.0
    misses: list[str] = field(default_factory=list[str])

    def figures(self) -> dict[str, float]:
        return {
            "prompts": self.prompts,
            "labels": self.labels,
            "recall": _share(self.found, self.labels),
            "precision": _share(self.right, self.told),
            "active_recall": _share(self.found_active, self.labels),
            "active_precision": _share(self.active_right, self.active),
            "held": self.told - self.active,
            "scope": _share(self.scopes, self.found),
            "ms": round(1000 * self.seconds / max(1, self.prompts), 3),
        }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 3) if whole else 1.0


def measured(prompts: Sequence[LabelledPrompt]) -> dict[str, TeachingTally]:
    tallies = defaultdict[str, TeachingTally](TeachingTally)
    for prompt in prompts:
        began = time.perf_counter()
        found = teachings(prompt["text"])
        took = time.perf_counter() - began
        for name in (prompt["lang"], "all"):
            _count(tallies[name], prompt, found, took)
    return dict(sorted(tallies.items(), key=lambda pair: (pair[0] == "all", pair[0])))


def _count(tally: TeachingTally, prompt: LabelledPrompt, found: Sequence[Teaching], took: float) -> None:
    tally.prompts += 1
    tally.seconds += took
    tally.labels += len(prompt["teachings"])
    tally.told += len(found)
    tally.active += sum(one.plainness is Plainness.PLAIN for one in found)
    for label in prompt["teachings"]:
        hits = [one for one in found if _same(one, label, prompt["text"])]
        tally.found += bool(hits)
        tally.found_active += any(one.plainness is Plainness.PLAIN for one in hits)
        tally.scopes += bool(hits) and hits[0].scope.value == label["scope"]
        if not hits:
            tally.misses.append(f"missed  {prompt['id']} {label['words']}")
    for one in found:
        right = any(_same(one, label, prompt["text"]) for label in prompt["teachings"])
        tally.right += right
        tally.active_right += right and one.plainness is Plainness.PLAIN
        if not right:
            tally.misses.append(f"wrong   {prompt['id']} ({one.plainness.value}) {one.quote}")


def _same(one: Teaching, label: Label, text: str) -> bool:
    start = text.find(label["words"])
    end = start + len(label["words"])
    shared = min(one.end, end) - max(one.start, start)
    return start >= 0 and shared >= COVERED * len(label["words"]) and shared >= SHARE * (one.end - one.start)


def _read(files: Sequence[Path]) -> Iterator[LabelledPrompt]:
    for file in files:
        for number, line in enumerate(file.read_text().splitlines(), 1):
            try:
                yield json.loads(line)
            except ValueError:
                sys.exit(f"{file}:{number}: not JSON")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--sentences", nargs="+", type=Path, required=True, metavar="FILE")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--misses", action="store_true")
    given = parser.parse_args()
    tallies = measured(list(_read(given.sentences)))
    if given.json:
        print(json.dumps({name: tally.figures() for name, tally in tallies.items()}, indent=2))
        return
    for name, tally in tallies.items():
        print(f"{name:4}", "  ".join(f"{key} {value}" for key, value in tally.figures().items()))
    for line in tallies["all"].misses if given.misses else ():
        print(line)


if __name__ == "__main__":
    main()
