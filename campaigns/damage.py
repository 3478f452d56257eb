"""Damage every kind of file in every way: what do the checks say, what does a rebuild lose, what is brought back?

`python -m campaigns.damage`. A cell is one damage to one file of a copied home. It is *silent* when the product knows
something else than before and neither `archive verify` nor `doctor` nor `status` names anything; *lost* when a rebuild
takes along what the index still knew, without being told to; *not healed* when somebody still has what was damaged, and
after `archive repair`, a tick and a rebuild it is not back.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from campaigns import full_home, report, victim
from campaigns.damages import Cell, cells
from campaigns.full_home import Answer, FullHome, command, forked
from campaigns.knowledge import knowledge
from campaigns.world import gate, scratch

FAULTS = ("silent", "lost", "not healed", "unclean")
CHECKS = (("archive", "verify"), ("doctor",), ("status",))
NO_SOURCE = re.compile(r"the line (?:dream|caught|wish) .* is missing")  # what only the journal has
BY_THE_CLOCK = frozenset({"tick", "timer", "looks", "queue", "last run"})
CHANGING = re.compile(r"\d+(?: (?:s|min|h|d) ago)?|just now")
SWAPPED = (0, 6)  # done, also where something was set aside
Known = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Look:
    """What a damaged home says of itself: its answers, and what its checks name."""

    knows: Known
    named: frozenset[str]
    crashed: tuple[str, ...] = ()


@dataclass(slots=True)
class Result:
    """What came of it, each fault counted apart."""

    cells: int = 0
    outcomes: dict[str, str] = field(default_factory=dict[str, str])
    faults: dict[str, list[str]] = field(default_factory=lambda: {fault: [] for fault in FAULTS})

    @property
    def clean(self) -> bool:
        return not any(self.faults.values())

    def count(self, outcome: str) -> int:
        return sum(found == outcome for found in self.outcomes.values())


class Grid:
    """One home, kept as it was made; every cell is a copy of it at the same place. `breaking` breaks the product."""

    def __init__(self, breaking: victim.Breaking = victim.as_it_is) -> None:
        gate()
        self.breaking = breaking
        self.folder = scratch()
        self.home = full_home.made(self.folder)
        self.kept = self.folder / "kept"
        shutil.copytree(self.home.ours, self.kept, symlinks=True)
        self.settings = self.home.agents / ".claude" / "settings.json"
        self.without = self.settings.read_bytes() if self.settings.exists() else b"{}"
        forked(self.home, lambda: command("hook", "install", "claude-code").code)
        self.with_hooks = self.settings.read_bytes()
        self.hooked = self.folder / "hooked"
        shutil.copytree(self.home.ours, self.hooked, symlinks=True)
        self.no_source = frozenset(forked(self.home, lambda: full_home.without_source(self.home)))
        self.fresh = {hooked: self._baseline(hooked=hooked) for hooked in (False, True)}

    def close(self) -> None:
        end_daemon(self.home)
        shutil.rmtree(self.folder)

    def cells(self) -> list[Cell]:
        return list(cells(self.hooked))

    def _baseline(self, *, hooked: bool) -> Look:
        self._lay_out(hooked=hooked)
        first, again = self._look(), self._look()
        assert first.knows == again.knows, "two looks at an undamaged home differ"
        assert not (wrong := [name for name, value in first.knows.items() if value.startswith("error")]), wrong
        return first

    def _lay_out(self, *, hooked: bool) -> None:
        end_daemon(self.home)
        shutil.rmtree(self.home.ours, ignore_errors=True)
        self.settings.write_bytes(self.with_hooks if hooked else self.without)
        shutil.copytree(self.hooked if hooked else self.kept, self.home.ours, symlinks=True)

    def _look(self, known: frozenset[str] | None = None) -> Look:
        """`known`: what its checks name also when it is whole; None: all of them are asked."""

        def work() -> list[object]:
            knows, answers = knowledge(self.home), list[Answer]()
            for words in CHECKS:  # the next one only while none has named anything
                answers.append(command(*words, "--json"))
                if known is not None and set(_named(answers)) - known:
                    break
            return [knows, *map(_told, answers)]

        with self.breaking():
            knows, *said = forked(self.home, work)
        answers = [Answer(*one) for one in said]
        crashed = tuple(answer.err for answer in answers if answer.code == full_home.FAILED)
        return Look(knows, frozenset(_named(answers)), crashed)

    def run(self, chosen: Iterable[Cell], result: Result, on: Callable[[str], object] = bool) -> None:
        for cell in chosen:
            result.cells += 1
            outcome, what = self._judged(cell)
            result.outcomes[cell.name] = outcome
            on(f"{outcome:<10} {cell.name}{': ' if what else ''}{what}")
            if outcome in FAULTS:
                result.faults[outcome].append(f"{cell.name}: {what}")

    def _judged(self, cell: Cell) -> tuple[str, str]:
        before = self.fresh[cell.kind.hooked]
        self._lay_out(hooked=cell.kind.hooked)
        target = cell.carry_out(self.home.ours, self.no_source).relative_to(self.home.ours)
        damaged = self._look(before.named)
        named = damaged.named - before.named
        if damaged.crashed:
            return "unclean", f"{target}: {damaged.crashed[0]}"
        changed = differing(before.knows, damaged.knows)
        shrunk, after = self._rebuilt(before.knows, damaged.knows)
        if shrunk:
            return "lost", f"{target}: {', '.join(shrunk[:5])}"
        if (changed or differing(before.knows, after)) and not named:
            return "silent", f"{target}: {', '.join((changed or differing(before.knows, after))[:5])}"
        if not changed and not named and (later := self._after_a_tick(cell, before)):
            return "silent", f"{target}, after a tick: {', '.join(later[:5])}"
        if not changed and not named:
            return "harmless", ""
        self._lay_out(hooked=cell.kind.hooked)
        cell.carry_out(self.home.ours, self.no_source)
        left = self._healed(before)
        if left and cell.can_heal:
            return "not healed", f"{target}: {', '.join(left[:5])}"
        return ("named", "") if left else ("healed", "")

    def _rebuilt(self, before: Known, live: Known) -> tuple[list[str], Known]:
        """What was known until the rebuild and is not any more; and all that is known after it."""

        def work() -> list[object]:
            code = command("rebuild", "--json").code
            return [code, knowledge(self.home) if code in SWAPPED else live]

        with self.breaking():
            code, after = forked(self.home, work)
        kept = {name for name, value in before.items() if live.get(name) == value}
        gone = [name for name in sorted(kept) if after.get(name) != before[name]]
        return [
            name for name in gone if code in SWAPPED and not name.startswith(("search", "recall of", "the map"))
        ], after

    def _after_a_tick(self, cell: Cell, before: Look) -> list[str]:
        """What is known otherwise once the timer has come by, if it did not say so."""
        self._lay_out(hooked=cell.kind.hooked)
        cell.carry_out(self.home.ours, self.no_source)
        with self.breaking():
            ticked, knows = forked(self.home, lambda: [_told(command("tick", "--json")), knowledge(self.home)])
        said = [one for one in Answer(*ticked).findings if one["level"] != "ok" and one["kind"] not in BY_THE_CLOCK]
        return [] if said else [name for name in differing(before.knows, knows) if not name.startswith("line ")]

    def _healed(self, before: Look) -> list[str]:
        """What is still not as it was, after all that a person would try."""

        def work() -> list[object]:
            for words in (("archive", "repair"), ("tick",), ("rebuild",)):
                command(*words, "--json")
            return [knowledge(self.home), _told(command("archive", "verify", "--json"))]

        with self.breaking():
            knows, verified = forked(self.home, work)
        failing = [one["what"] for one in Answer(*verified).findings if one["level"] == "FAIL"]
        known = {name: value for name, value in before.knows.items() if not name.startswith("line ")}  # verify says it
        left = [*differing(known, knows), *(what for what in failing if not NO_SOURCE.search(what))]
        return [what for what in left if not any(run in what for run in self.no_source)]


def differing(before: Known, after: Known) -> list[str]:
    """What was known and is not, or is something else now. More than before is no loss; twice the same is."""
    return [name for name, value in before.items() if after.get(name) != value] + [
        name for name in after if name not in before and name.startswith(("run ", "memory ", "recall ", "verdict "))
    ]


def _told(answer: Answer) -> Sequence[object]:
    return [answer.code, answer.out, answer.err]


def _named(answers: Iterable[Answer]) -> Iterable[str]:
    """What is not well, without what changes by itself: numbers, and how long ago something was."""
    for answer in answers:
        for one in answer.findings:
            if one["level"] != "ok" and one["kind"] not in BY_THE_CLOCK:
                yield CHANGING.sub("#", f"{one['kind']} {one['level']} {one['what']}")
        if answer.err.startswith('{"error"'):
            yield CHANGING.sub("#", answer.err)


def end_daemon(home: FullHome) -> None:
    """The one that a check has started in this home, if it did."""
    with suppress(OSError, ValueError, KeyError):
        pid = int(json.loads((home.ours / "run" / "daemon.lock").read_bytes())["pid"])
        if f"LANE_HOME={home.ours}".encode() in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
            os.kill(pid, signal.SIGKILL)


def figures(result: Result) -> dict[str, object]:
    outcomes = ("harmless", "named", "healed", *FAULTS)
    return {"cells": result.cells, **{name: result.count(name) for name in outcomes}, "grid": result.outcomes}


def main() -> None:
    parser = report.arguments(__doc__)
    parser.add_argument("--only", default="", help="cells whose name has this in it")
    chosen = parser.parse_args()
    began, grid, result = time.monotonic(), Grid(), Result()
    try:
        progress = partial(print, file=sys.stderr, flush=True)
        grid.run([cell for cell in grid.cells() if chosen.only in cell.name], result, progress)
    finally:
        grid.close()
    told = figures(result) | {"seconds": round(time.monotonic() - began)}
    report.tell("python -m campaigns.damage", told, result.faults, chosen)


if __name__ == "__main__":
    main()
