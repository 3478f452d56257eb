"""What does a reader have to read? `python -m benchmarks.windows --home HOME [--moments F] [--json] [--save F]`.

HOME is a person's home that was captured into HOME/.lane (or $LANE_HOME); it is only read. Tokens are counted as
`lane catch --estimate` counts them: characters of instructions and window, divided by 3.6, each window asked by itself.
With labelled moments: how many of those in the home's runs a reader sees, word for word, in the part to be read, and
how many of them have been read after a tenth, a quarter and a half of the tokens, newest run first and by promise.
"""

from __future__ import annotations

import argparse
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.journey import SIDES, of_side
from campaigns.report import machine
from memlane.app import Lane
from memlane.catch.model.bundle import rendered_many
from memlane.catch.model.prompt import prompt, rendered, size_of
from memlane.catch.promise import by_promise
from memlane.catch.quotes import verbatim
from memlane.config import load
from memlane.domain import RunFilter, Spot, Window
from memlane.domain.door import unquoted

COMMAND = "python -m benchmarks.windows --home HOME --moments moments-dev.jsonl.xz --split all"
CHARACTERS = 3.6  # for a token
SHARES = (0.10, 0.25, 0.50)
AT_ONCE = 30_000  # tokens of one question, for a reader with a long context
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
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

    @property
    def tokens(self) -> float:
        return (len(prompt().text) + len(self.text)) / CHARACTERS

    def has_line(self, line: int) -> bool:
        return any(step.line == line for spot, step in self.window.steps() if spot >= self.window.first)


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
        names = {run.id: run.native_id for run in lane.home.storage().runs.listed(RunFilter(), lane.home.reader)}
        read = [ReadWindow.of(window) for window in lane.catch.open_windows("nobody")]  # whoever has read them
        raw = {name: b"".join(lane.runs.raw(run)) for run, name in names.items() if asked.moments}
    kept: dict[str, Any] = {"command": COMMAND, "benchmark": "windows", "machine": machine(), **sizes(read)}
    if asked.moments:
        side, lines = of_side(asked.moments, asked.splits, asked.split)
        here = [line for line in lines if is_here(line, raw)]
        kept |= {"split": side, **in_view(here, read, names)}
    if asked.save:
        asked.save.write_text(json.dumps(kept, indent=2) + "\n")
    if not asked.json:
        table(kept)
    print(json.dumps(kept))


def lane_of(home: Path) -> Lane:
    place = os.environ.get("LANE_HOME", str(home.resolve() / ".lane"))
    return Lane(load({**os.environ, "HOME": str(home.resolve()), "LANE_HOME": place}))


def sizes(read: Sequence[ReadWindow]) -> dict[str, Any]:
    whole = sum(len(each.text) for each in read)
    size = size_of(each.window for each in read)
    return {
        "windows": size.windows,
        "tokens": size.tokens_in,
        "tokens_per_window": round(size.tokens_in / max(1, size.windows)),
        "tokens_of_instructions": round(len(prompt().text) * len(read) / CHARACTERS),
        "tokens_of_windows": round(whole / CHARACTERS),
        "longest_tokens": round(max((each.tokens for each in read), default=0)),
        "context_share": round(sum(each.context for each in read) / max(1, whole), 4),
        "several_at_once": at_once([each.window for each in read]),
    }


def at_once(windows: Sequence[Window]) -> dict[str, int]:
    """The same windows in as few questions as fit."""
    questions: list[list[Window]] = [[]]
    room = AT_ONCE * CHARACTERS
    for window in windows:
        size = len(rendered(window, ()))
        if size > room and questions[-1]:
            questions.append([])
            room = AT_ONCE * CHARACTERS
        questions[-1].append(window)
        room -= size
    characters = sum(len(prompt().text) + len(rendered_many(asked, ())) for asked in questions)
    return {"questions": len(questions), "tokens": round(characters / CHARACTERS)}


def is_here(line: Mapping[str, Any], raw: Mapping[str, bytes]) -> bool:
    """A session may have been published twice, and another part of it is in the home than was labelled."""
    return any(name in line["run"] and line["uuid"].encode() in content for name, content in raw.items())


def in_view(lines: Iterable[Mapping[str, Any]], read: Sequence[ReadWindow], names: Mapping[str, str]) -> dict[str, Any]:
    """Labelled memories of runs that are here, those a reader sees in the part to be read, and when."""
    by_name: dict[str, list[ReadWindow]] = {}
    for each in read:
        by_name.setdefault(names[each.window.run], []).append(each)
    here, found, labelled = 0, dict[str, int](), dict[str, list[ReadWindow]]()
    for line in lines:
        name = next((name for name in by_name if name in line["run"]), None)
        if name is None:
            continue
        labelled[name] = by_name[name]
        for memory in line["memories"]:
            here += 1
            if (seen := holder(memory["quote"], line["line"], by_name[name])) is not None:
                found[_id(seen)] = found.get(_id(seen), 0) + 1
    return {"moments": here, "in_view": sum(found.values()), "read_after": read_after(list(labelled.values()), found)}


def holder(quote: str, line: int, windows: Sequence[ReadWindow]) -> ReadWindow | None:
    """The one with the labelled line, else the first that shows the words."""
    showing = [each for each in windows if verbatim(quote, each.own)]
    return next((each for each in showing if each.has_line(line)), showing[0] if showing else None)


def read_after(runs: Sequence[Sequence[ReadWindow]], found: Mapping[str, int]) -> dict[str, dict[str, float]]:
    """Of labelled runs only. Newest run first is how it was; by promise is how it is."""
    newest = sorted(runs, key=lambda run: max(map(_formed, run)), reverse=True)
    by_id = {_id(each): each for run in runs for each in run}
    now = max((_formed(each) for run in runs for each in run), default=LONG_AGO)
    promised = by_promise([[each.window for each in run] for run in runs], now)
    orders = {
        "newest_first": [each for run in newest for each in run],
        "by_promise": [by_id[f"{window.run} {window.key}"] for window in promised],
    }
    return {name: dict(_after(order, found)) for name, order in orders.items()}


def _after(order: Sequence[ReadWindow], found: Mapping[str, int]) -> Iterator[tuple[str, float]]:
    whole, kept = sum(each.tokens for each in order), max(1, sum(found.values()))
    for share in SHARES:
        spent, seen = 0.0, 0
        for each in order:
            spent += each.tokens
            if spent > share * whole:
                break
            seen += found.get(_id(each), 0)
        yield f"{share:.0%}", round(seen / kept, 3)


def _id(each: ReadWindow) -> str:
    return f"{each.window.run} {each.window.key}"


def _formed(each: ReadWindow) -> datetime:
    return each.window.formed_at or LONG_AGO


def table(kept: Mapping[str, Any]) -> None:
    print(f"{kept['windows']} windows, {kept['tokens']:,} tokens, {kept['tokens_per_window']:,} for each")
    print(f"instructions {kept['tokens_of_instructions']:,}, windows {kept['tokens_of_windows']:,}")
    print(f"repeated as context {kept['context_share']:.1%}; the longest takes {kept['longest_tokens']:,}")
    several = kept["several_at_once"]
    print(f"several in one question: {several['questions']} questions, {several['tokens']:,} tokens")
    if "moments" in kept:
        print(f"labelled memories here {kept['moments']}, in view {kept['in_view']}")
        for name, row in kept["read_after"].items():
            print(f"  {name:<14}" + "   ".join(f"after {share}: {seen:.0%}" for share, seen in row.items()))


if __name__ == "__main__":
    main()
