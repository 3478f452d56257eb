"""What does a reader have to read? `python -m benchmarks.windows --home HOME [--moments F] [--json] [--save F]`.

HOME is a person's home that was captured into HOME/.lane (or $LANE_HOME); it is only read. Tokens are counted as
`lane catch --estimate` counts them: characters of instructions and window, divided by 3.6, each window asked by itself.
With labelled moments: how many of those in the home's runs a reader sees, word for word, in the part to be read.
"""

from __future__ import annotations

import argparse
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.journey import SIDES, of_side
from campaigns.report import machine
from memlane.app import Lane
from memlane.catch.model.prompt import prompt, rendered, size_of
from memlane.catch.quotes import verbatim
from memlane.config import load
from memlane.domain import RunFilter, Spot, Window
from memlane.domain.door import unquoted

COMMAND = "python -m benchmarks.windows --home HOME --moments moments-dev.jsonl.xz --split all"
CHARACTERS = 3.6  # for a token
_MARK = re.compile(r"^t(\d+)\.(\d+) ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ReadWindow:
    """One Window as a reader is shown it."""

    window: Window
    text: str
    own: str  # the part that is to be read
    context: int  # characters of what stands before it

    @classmethod
    def of(cls, window: Window) -> ReadWindow:
        text = rendered(window, ())
        marks = [(Spot(int(found[1]), int(found[2])), found.start()) for found in _MARK.finditer(text)]
        begins = next((at for spot, at in marks if spot >= window.first), len(text))
        context = begins - marks[0][1] if marks else 0
        return cls(window, text, unquoted(text[begins:]), context)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.windows", description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--moments", type=Path)
    parser.add_argument("--splits", type=Path, help="else splits.json beside the moments; without one, all of them")
    parser.add_argument("--split", choices=SIDES, default="all")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--save", type=Path, help="keep the figures in this file")
    asked = parser.parse_args()
    with lane_of(asked.home) as lane:
        names = {summary.id: summary.native_id for summary in summaries(lane)}
        read = [ReadWindow.of(window) for window in windows(lane)]
    kept: dict[str, Any] = {"command": COMMAND, "benchmark": "windows", "machine": machine(), **sizes(read)}
    if asked.moments:
        side, lines = of_side(asked.moments, asked.splits, asked.split)
        kept |= {"split": side, **in_view(lines, read, names)}
    if asked.save:
        asked.save.write_text(json.dumps(kept, indent=2) + "\n")
    if not asked.json:
        table(kept)
    print(json.dumps(kept))


def lane_of(home: Path) -> Lane:
    place = os.environ.get("LANE_HOME", str(home.resolve() / ".lane"))
    return Lane(load({**os.environ, "HOME": str(home.resolve()), "LANE_HOME": place}))


def summaries(lane: Lane) -> Iterable[Any]:
    return lane.home.storage().runs.listed(RunFilter(), lane.home.reader)


def windows(lane: Lane) -> Iterator[Window]:
    """All that are closed, whoever has read them."""
    yield from lane.catch.open_windows("nobody")


def sizes(read: list[ReadWindow]) -> dict[str, Any]:
    told, whole = len(prompt().text), sum(len(each.text) for each in read)
    size = size_of(each.window for each in read)
    return {
        "windows": size.windows,
        "tokens": size.tokens_in,
        "tokens_per_window": round(size.tokens_in / max(1, size.windows)),
        "tokens_of_instructions": round(told * len(read) / CHARACTERS),
        "tokens_of_windows": round(whole / CHARACTERS),
        "longest_tokens": round(max((told + len(each.text) for each in read), default=0) / CHARACTERS),
        "context_share": round(sum(each.context for each in read) / max(1, whole), 4),
    }


def in_view(lines: Iterable[Mapping[str, Any]], read: list[ReadWindow], names: Mapping[str, str]) -> dict[str, Any]:
    """Labelled memories of runs that are here, and those whose quoted words a reader sees in the part to be read."""
    by_name: dict[str, list[ReadWindow]] = {}
    for each in read:
        by_name.setdefault(names[each.window.run], []).append(each)
    here, seen, lost = 0, 0, Counter[str]()
    for line in lines:
        there = next((windows for name, windows in by_name.items() if name in line["run"]), None)
        for memory in line["memories"] if there is not None else ():
            here += 1
            if any(verbatim(memory["quote"], each.own) for each in there or ()):
                seen += 1
            else:
                lost[f"{line['run']}:{line['line']}"] += 1
    return {"moments": here, "in_view": seen, "not_in_view": sorted(lost)}


def table(kept: Mapping[str, Any]) -> None:
    print(f"{kept['windows']} windows, {kept['tokens']:,} tokens, {kept['tokens_per_window']:,} for each")
    print(f"instructions {kept['tokens_of_instructions']:,}, windows {kept['tokens_of_windows']:,}")
    print(f"repeated as context {kept['context_share']:.1%}; the longest takes {kept['longest_tokens']:,}")
    if "moments" in kept:
        print(f"labelled memories here {kept['moments']}, in view {kept['in_view']}")


if __name__ == "__main__":
    main()
