"""Do the guide's own prompts get their notes from the model that ships? `python -m benchmarks.guide [--each] [--json]`.

The bank of the examples in a home of its own, nothing stubbed. Warm: the model is open. Cold: the hook as an agent
runs it, after the daemon has left: each prompt starts one. Opening: the prompt is the first of a process that begins to
open the model, and is answered at once; a cold prompt comes down to that where there is no time. Right: what the case
says comes first and nothing it forbids is told. Each prompt is asked in the guide's words and in others; beside them
prompts that look like some note and need none.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.cold_hook import ColdHook
from benchmarks.guide_cases import CASES, NAMED, SAID, SILENT, GuideCase
from campaigns.report import machine
from memlane.app import Lane
from memlane.config import load
from memlane.domain import Entry, Match, Memory, Project, Query, Recall
from memlane.domain.journal import MEMORY
from memlane.flow.journal import write_down
from memlane.identity import project_of
from memlane.storage import memory_data
from tests.flow.example_bank import BANK, ENTITIES, NOW

COMMAND = "python -m benchmarks.guide"
RIGHT, SILENCE, WRONG = "right", "silent", "wrong"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", action="store_true", help="print what every prompt brought")
    parser.add_argument("--ahead", action="store_true", help="hooks go before all else on a busy machine (as root)")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--save", type=Path, help="keep the figures in this file")
    asked = parser.parse_args()
    command = f"{COMMAND} --ahead" if asked.ahead else COMMAND
    kept: dict[str, Any] = {"command": command, "benchmark": "guide", "machine": machine(), "prompts": len(CASES)}
    with tempfile.TemporaryDirectory() as folder:
        for state in STATES:
            kept[state] = everything(Path(folder) / state, state, each=asked.each, ahead=asked.ahead)
    if asked.save:
        asked.save.write_text(json.dumps(kept, indent=2) + "\n")
    if not asked.json:
        table(kept)
    print(json.dumps(kept))


class Warm:
    """One process for all of them, which has opened the model."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.lane = folder, lane_in(folder)

    def ask(self, prompt: str) -> Recall:
        return self.lane.recall.recall(query(prompt, self.folder))

    def close(self) -> None:
        self.lane.close()


class Opening:
    """One process for each prompt, which it is the first of."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def ask(self, prompt: str) -> Recall:
        with lane_in(self.folder) as lane:
            lane.recall.prepare()
            found = lane.recall.recall(query(prompt, self.folder))
        if "fallback" not in found.extra and found.why != "the prompt asks for nothing in particular":
            raise SystemExit(f"the model was open already: {found.extra}")
        return found

    def close(self) -> None:
        """Each process has ended."""


STATES: Mapping[str, Callable[[Path, bool], Warm | ColdHook | Opening]] = {
    "warm": lambda folder, _ahead: Warm(folder),
    "cold": ColdHook,
    "opening": lambda folder, _ahead: Opening(folder),
}


def everything(folder: Path, state: str, *, each: bool, ahead: bool) -> dict[str, Any]:
    """In homes of its own."""
    folder.mkdir()
    bank, bare = folder / "bank", folder / "said"
    now = datetime.now(UTC) if state == "cold" else NOW  # a daemon has the machine's clock
    fill(bank, now)
    said(bare, now)
    found = dict[str, Any]()
    for home, cases, silent, name in ((bank, CASES, SILENT, "bank"), (bare, NAMED, (), "names")):
        with closing(STATES[state](home, ahead)) as asking:
            found[name] = measured(cases, silent, home, asking.ask, f"{state} " if each else "")
            found[name] |= {"hooks": asking.figures()} if isinstance(asking, ColdHook) else {}
    return found


def lane_in(folder: Path, now: datetime = NOW) -> Lane:
    folder.mkdir(exist_ok=True)
    lane = Lane(load({"HOME": str(folder), "LANE_HOME": str(folder / "lane"), "LANE_USER": "ann"}))
    lane.home.clock = lambda: now
    return lane


def fill(folder: Path, now: datetime = NOW) -> None:
    """The bank's people, places and memories, as old as they are in the examples."""
    here, since = place(folder), now - NOW
    with lane_in(folder, now) as lane:
        lane.home.begin()
        for one in ENTITIES:
            lane.entities.add(one.name, one.type, one.aliases, one.slug)
        placed = [older(replace(one, id=f"m_{one.id}", project=here.name, project_key=here.key), since) for one in BANK]
        tools = lane.home.tools()
        write_down([Entry(MEMORY, one.id, now, one.owner, "desk", "person", memory_data(one)) for one in placed], tools)


def older(memory: Memory, since: timedelta) -> Memory:
    moved = {name: getattr(memory, name) + since for name in ("formed_at", "saved_at")}
    seen = {name: getattr(memory, name) + since for name in ("first_observed_at", "last_observed_at")}
    return replace(memory, **moved, **seen)


def said(folder: Path, now: datetime) -> None:
    """What somebody asked to be remembered, in a home that knows nobody. Ids are in the order of `SAID`."""
    with lane_in(folder, now) as lane:
        made = [lane.memories.remember(one, folder) for one in SAID]
    (folder / "ids.json").write_text(json.dumps({one.id: f"S{n}" for n, one in enumerate(made)}))


def place(folder: Path) -> Project:
    folder.mkdir(exist_ok=True)
    return project_of(str(folder))


def query(prompt: str, folder: Path) -> Query:
    return Query(prompt, place(folder), str(folder), "claude-code", "", "")


def measured(
    cases: Sequence[GuideCase], silent: Sequence[str], folder: Path, ask: Callable[[str], Recall], told: str
) -> dict[str, Any]:
    """`told`: what each line about a prompt begins with; "": none is printed."""
    ids = folder / "ids.json"
    named: dict[str, str] = json.loads(ids.read_text()) if ids.is_file() else {}
    results: dict[str, list[tuple[str, str]]] = {"own": [], "reworded": [], "look-alikes": []}
    asked = [("reworded" if n else "own", one, prompt) for one in cases for n, prompt in enumerate(one.prompts)]
    asked += [("look-alikes", GuideCase("silent", (prompt,)), prompt) for prompt in silent]
    for what, case, prompt in asked:
        found = ask(prompt)
        results[what].append((verdict := judged(found, case, named), prompt))
        if told and (what != "look-alikes" or verdict != RIGHT):
            print(f"{told}{verdict:<7}{prompt[:66]:<68}{described(found, named)}", flush=True)
    return {what: counted(some) for what, some in results.items() if some}


def judged(found: Recall, case: GuideCase, named: Mapping[str, str]) -> str:
    shown = [called(match.memory.id, named) for match in found.shown]
    if case.ask and any(case.ask.casefold() in one.raw.casefold() for one in found.asks):
        return RIGHT
    if not shown and not found.asks:
        return SILENCE if case.first or case.ask or case.days else RIGHT
    if case.days:
        ages = [(found.at - match.memory.last_observed_at).days for match in found.shown]
        fits = all(case.days[0] <= days <= case.days[1] for days in ages)
    else:
        fits = bool(shown) and shown[0] in case.first
    return RIGHT if fits and not found.asks and set(shown).isdisjoint(case.never) else WRONG


def described(found: Recall, named: Mapping[str, str]) -> str:
    asks = [f"which {one.raw}?" for one in found.asks]
    notes = [_note(match, named) for match in found.shown]
    near = [f"({_note(match, named)})" for match in found.near] if not notes and not asks else []
    return " ".join([*asks, *notes, *near, found.why if not notes else ""])


def called(memory: str, named: Mapping[str, str]) -> str:
    """As the cases call it."""
    return named.get(memory, memory.removeprefix("m_"))


def _note(match: Match, named: Mapping[str, str]) -> str:
    sure = match.similarity if match.needed is None else match.needed
    return f"{called(match.memory.id, named)}:{match.source} {sure:.2f}"


def counted(results: Sequence[tuple[str, str]]) -> dict[str, Any]:
    found: dict[str, Any] = {what: sum(one == what for one, _prompt in results) for what in (RIGHT, SILENCE, WRONG)}
    return found | {"of": len(results), "not right": [prompt for one, prompt in results if one != RIGHT]}


def table(kept: Mapping[str, Any]) -> None:
    print(f"\n{'':<24}{'right':>7}{'silent':>8}{'wrong':>7}{'of':>5}")
    for state in STATES:
        for where, found in kept[state].items():
            for what, row in ((what, row) for what, row in found.items() if what != "hooks"):
                counts = f"{row[RIGHT]:>7}{row[SILENCE]:>8}{row[WRONG]:>7}{row['of']:>5}"
                print(f"{f'{state}, {where}, {what}':<24}{counts}")


if __name__ == "__main__":
    main()
