"""Do the guide's own prompts get their notes from the model that ships? `python -m benchmarks.guide [--each] [--json]`.

The bank of the examples in a home of its own, nothing stubbed. Warm: the model is open. Cold: each prompt is the first
of a process that has just begun to open it. Right: what the case says comes first and nothing it forbids is told. Each
prompt is asked in the guide's words and in others; beside them prompts that look like some note and need none.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.guide_cases import CASES, NAMED, SAID, SILENT, GuideCase
from campaigns.report import machine
from memlane.app import Lane
from memlane.config import load
from memlane.domain import Entry, Match, Project, Query, Recall
from memlane.domain.journal import MEMORY
from memlane.flow.journal import write_down
from memlane.identity import project_of
from memlane.storage import memory_data
from tests.flow.example_bank import BANK, ENTITIES, NOW

COMMAND = "python -m benchmarks.guide"
RIGHT, SILENCE, WRONG = "right", "silent", "wrong"
Ask = Callable[[str], Recall]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", action="store_true", help="print what every prompt brought")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--save", type=Path, help="keep the figures in this file")
    asked = parser.parse_args()
    kept: dict[str, Any] = {"command": COMMAND, "benchmark": "guide", "machine": machine(), "prompts": len(CASES)}
    with tempfile.TemporaryDirectory() as folder:
        known, bare = Path(folder) / "bank", Path(folder) / "said"
        fill(known)
        said(bare)
        for state, cold in (("warm", False), ("cold", True)):
            kept[state] = {
                "bank": measured(CASES, SILENT, known, cold=cold, each=asked.each),
                "names": measured(NAMED, (), bare, cold=cold, each=asked.each),
            }
    if asked.save:
        asked.save.write_text(json.dumps(kept, indent=2) + "\n")
    if not asked.json:
        table(kept)
    print(json.dumps(kept))


def lane_in(folder: Path) -> Lane:
    folder.mkdir(exist_ok=True)
    lane = Lane(load({"HOME": str(folder), "LANE_HOME": str(folder / "lane"), "LANE_USER": "ann"}))
    lane.home.clock = lambda: NOW
    return lane


def fill(folder: Path) -> None:
    """The bank's people, places and memories."""
    here = place(folder)
    with lane_in(folder) as lane:
        lane.home.begin()
        for one in ENTITIES:
            lane.entities.add(one.name, one.type, one.aliases, one.slug)
        placed = [replace(one, id=f"m_{one.id}", project=here.name, project_key=here.key) for one in BANK]
        tools = lane.home.tools()
        write_down([Entry(MEMORY, one.id, NOW, one.owner, "desk", "person", memory_data(one)) for one in placed], tools)


def said(folder: Path) -> None:
    """What somebody asked to be remembered, in a home that knows nobody. Ids are in the order of `SAID`."""
    with lane_in(folder) as lane:
        made = [lane.memories.remember(one, folder) for one in SAID]
    (folder / "ids.json").write_text(json.dumps({one.id: f"S{n}" for n, one in enumerate(made)}))


def place(folder: Path) -> Project:
    folder.mkdir(exist_ok=True)
    return project_of(str(folder))


def measured(
    cases: Sequence[GuideCase], silent: Sequence[str], folder: Path, *, cold: bool, each: bool
) -> dict[str, Any]:
    ids = folder / "ids.json"
    named: dict[str, str] = json.loads(ids.read_text()) if ids.is_file() else {}
    results: dict[str, list[tuple[str, str]]] = {"own": [], "reworded": [], "look-alikes": []}
    with asking(folder, cold=cold) as ask:
        for case in cases:
            for n, prompt in enumerate(case.prompts):
                verdict = judged(found := ask(prompt), case, named)
                results["reworded" if n else "own"].append((verdict, prompt))
                if each:
                    print(f"{'cold' if cold else 'warm'} {verdict:<7}{prompt[:66]:<68}{described(found, named)}")
        for prompt in silent:
            verdict = judged(found := ask(prompt), GuideCase("silent", (prompt,)), named)
            results["look-alikes"].append((verdict, prompt))
            if each and verdict != RIGHT:
                print(f"{'cold' if cold else 'warm'} {verdict:<7}{prompt[:66]:<68}{described(found, named)}")
    return {what: counted(some) for what, some in results.items() if some}


@contextmanager
def asking(folder: Path, *, cold: bool) -> Generator[Ask, None, None]:
    """Cold: one process for each prompt, which it is the first of."""

    def query(prompt: str) -> Query:
        return Query(prompt, place(folder), str(folder), "claude-code", "", "")

    def first_of_all(prompt: str) -> Recall:
        with lane_in(folder) as lane:
            lane.recall.prepare()
            found = lane.recall.recall(query(prompt))
        if "fallback" not in found.extra and found.why != "the prompt asks for nothing in particular":
            raise SystemExit(f"the model was open already: {found.extra}")
        return found

    if cold:
        yield first_of_all
        return
    with lane_in(folder) as lane:
        yield lambda prompt: lane.recall.recall(query(prompt))


def judged(found: Recall, case: GuideCase, named: Mapping[str, str]) -> str:
    shown = [called(match.memory.id, named) for match in found.shown]
    if case.ask and any(case.ask.casefold() in one.raw.casefold() for one in found.asks):
        return RIGHT
    if not shown and not found.asks:
        return SILENCE if case.first or case.ask or case.days else RIGHT
    if case.days:
        fits = all(case.days[0] <= (NOW - match.memory.last_observed_at).days <= case.days[1] for match in found.shown)
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
    for state in ("warm", "cold"):
        for where, found in kept[state].items():
            for what, row in found.items():
                counts = f"{row[RIGHT]:>7}{row[SILENCE]:>8}{row[WRONG]:>7}{row['of']:>5}"
                print(f"{f'{state}, {where}, {what}':<24}{counts}")


if __name__ == "__main__":
    main()
