"""`lane runs`: the runs there are, newest first; `lane similar`: those about the same. Opens no transcript."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import click

from memlane.domain import RunFilter, RunSummary
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.filters import chosen, filters, named
from memlane.surfaces.cli.frame import Column, Screen
from memlane.surfaces.cli.text import ago, iso, many, one_line
from memlane.surfaces.documents import of_run

if TYPE_CHECKING:
    from memlane.app import Lane

A_SCREENFUL = 30
LIVE = timedelta(minutes=2)
CHILDREN = ("subagent",)  # folded under their parent on a person's screen


@frame.command(lists=True)
@filters
@click.option("--file", default="", metavar="PATH", help="That touched this file; the end of its path is enough.")
@click.option("--all", "everything", is_flag=True, help="Include subagents, no limit.")
@click.option("--limit", type=click.IntRange(min=1), default=None, help="At most this many.")
@click.option("--here", is_flag=True, help="Only what this machine has; do not ask Central.")
def runs(screen: Screen, everything: bool, limit: int | None, here: bool, **given: Any) -> None:
    """List runs, newest first."""
    with screen.lane() as lane:
        found = runs_of_all(screen, lane, chosen(screen, lane, given), here=here)
        folded = _folded(found) if _for_people(screen) and not everything else {}
        rows = [run for run in found if run.id not in folded]
        shown = rows[: limit or (A_SCREENFUL if _for_people(screen) and not everything else None)]
        ids = lane.runs.short_ids([run.id for run in shown] if screen.terminal else [])
        ids = {**{run.id: run.id for run in shown}, **ids}
    screen.remember_list([run.id for run in shown])
    screen.listing("lane.runs/1", shown, of_run, _columns(screen, shown, ids, folded), {"runs": len(found)})
    if not screen.json:
        _afterwards(screen, len(rows) - len(shown), len(folded), bool(found), named(given))


def runs_of_all(screen: Screen, lane: Lane, which: RunFilter, *, here: bool) -> list[RunSummary]:
    """Those of this machine, and of the owner's others if Central answers; as they are here, where they are here."""
    found = list(lane.runs.select(which))
    if here:
        return found
    others, why = lane.everywhere.runs(which)
    if why:
        screen.note(why)
    return merged(found, others)


def merged(found: list[RunSummary], others: Sequence[RunSummary]) -> list[RunSummary]:
    """Newest first; what is here as it is here."""
    if not others:
        return found
    known = {run.id for run in found}
    both = [*found, *(run for run in others if run.id not in known)]
    return sorted(both, key=lambda run: str(run.ended or run.started or ""), reverse=True)


def _for_people(screen: Screen) -> bool:
    return screen.terminal and not screen.json and not screen.form.asked


def _folded(runs: Sequence[RunSummary]) -> dict[str, str]:
    """Subagents whose parent is in the list too: run → parent."""
    here = {run.id for run in runs}
    return {run.id: run.parent for run in runs if run.relation in CHILDREN and run.parent in here}


def _columns(screen: Screen, shown: list[RunSummary], ids: Mapping[str, str], folded: dict[str, str]) -> list[Column]:
    numbers = {run.id: str(n) for n, run in enumerate(shown, 1)}
    several = len({run.machine for run in shown}) > 1
    children = list(folded.values())

    def words(run: RunSummary) -> str:
        below = children.count(run.id)
        return labelled(run) + (f"  +{many(below, 'subagent')}" if below else "")

    def who(run: RunSummary) -> str:
        return f"{run.agent} @{run.machine}" if several else run.agent

    return [
        Column(lambda run: numbers[run.id], None, "dim", right=True),
        Column(None, lambda run: run.id),
        Column(lambda run: ago(run.ended, screen.now), lambda run: iso(run.started), right=True),
        Column(None, lambda run: iso(run.ended)),
        Column(who, lambda run: run.agent, "cyan", from_width=70),
        Column(None, lambda run: run.machine),
        Column(
            lambda run: run.project.name,
            lambda run: run.project.name,
            "green",
            from_width=80,
            most=24 if screen.columns >= 100 else 14,
        ),
        Column(lambda run: f"{run.turns}t", lambda run: str(run.turns), right=True),
        Column(words, run_title, stretch=True),
        Column(lambda run: ids[run.id], None, "dim"),
    ]


def run_title(run: RunSummary) -> str:
    return one_line(run.title or run.first.text)


def labelled(run: RunSummary) -> str:
    """What a person put on it stands first, where no narrow screen cuts it off."""
    marks = ["pinned"] * run.pinned + [f"+{tag}" for tag in run.tags]
    return ": ".join(filter(None, (" ".join(marks), run_title(run) or "(no words yet)")))


def described(screen: Screen, run: RunSummary) -> str:
    """One run on a line of its own, as `lane tree -i` shows it."""
    live = "live  " if run.ended is not None and screen.now - run.ended < LIVE else ""
    return f"{called(run)} @{run.machine}  {ago(run.ended, screen.now)}  {run.turns}t  {live}{labelled(run)}"


def called(run: RunSummary) -> str:
    return {"resume": "resumed", "fork": "forked", "continuation": "continued"}.get(
        run.relation, run.relation or run.agent
    )


def _afterwards(screen: Screen, more: int, folded: int, any_found: bool, filtered: str) -> None:
    if not any_found:
        screen.say(f"No runs with {filtered}." if filtered else "No runs yet. Capture them: lane capture")
    elif screen.terminal:
        left = [f"{more:,} more"] * bool(more) + [f"{many(folded, 'subagent')} folded"] * bool(folded)
        after = f"{', '.join(left)} (--all).  " if left else ""
        screen.say(f"{after}Read: lane show 1")


ScoredRun = tuple[RunSummary, float]


@frame.command(lists=True)
@click.argument("run")
@filters
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="At most this many.")
def similar(screen: Screen, run: str, limit: int, **given: Any) -> None:
    """List runs on the same topic as RUN, from any agent and project."""
    with screen.lane() as lane:
        this = lane.runs.get(lane.runs.address(screen.meant(run)).run)
        found = lane.search.similar(this.id, chosen(screen, lane, given), limit)
        meant = lane.search.progress()
        ids = lane.runs.short_ids([other.id for other, _score in found] if screen.terminal else [])
    screen.remember_list([other.id for other, _score in found])
    screen.listing("lane.similar/1", found, _similar_document, _similar_columns(screen, found, ids), {"run": this.id})
    if screen.json:
        return
    if not found:
        filtered = f" with {named(given)}" if named(given) else ""
        screen.say(f"No similar runs{filtered}.")
    if meant.why or meant.done < meant.all:
        share = (
            f"{meant.done * 100 // meant.all} % is indexed for meaning" if meant.done else "meaning is not built yet"
        )
        screen.note(meant.why or f"{share}: more may come")
    elif found and screen.terminal:
        screen.say("Read: lane show 1")


def _similar_document(scored: ScoredRun) -> Mapping[str, object]:
    run, score = scored
    return {**of_run(run), "score": round(score, 4)}


def _similar_columns(screen: Screen, found: Sequence[ScoredRun], ids: Mapping[str, str]) -> list[Column]:
    numbers = {run.id: str(n) for n, (run, _score) in enumerate(found, 1)}
    most = 24 if screen.columns >= 100 else 14
    return [
        Column(lambda one: numbers[one[0].id], None, "dim", right=True),
        Column(lambda one: f"{one[1] * 100:.0f} %", lambda one: f"{one[1]:.4f}", right=True),
        Column(None, lambda one: one[0].id),
        Column(lambda one: ago(one[0].ended, screen.now), lambda one: iso(one[0].started), right=True),
        Column(lambda one: one[0].agent, lambda one: one[0].agent, "cyan", from_width=70),
        Column(lambda one: one[0].project.name, lambda one: one[0].project.name, "green", from_width=80, most=most),
        Column(lambda one: f"{one[0].turns}t", lambda one: str(one[0].turns), right=True),
        Column(lambda one: run_title(one[0]) or "(no words yet)", lambda one: run_title(one[0]), stretch=True),
        Column(lambda one: ids[one[0].id], None, "dim"),
    ]
