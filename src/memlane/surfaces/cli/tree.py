"""`lane tree`: which run came out of which, by project, machine or agent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from memlane.domain import RunSummary
from memlane.errors import NotFoundError, UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.filters import chosen, filters, named
from memlane.surfaces.cli.frame import Column, Screen
from memlane.surfaces.cli.runs import LIVE, called, labelled, run_title, runs_of_all
from memlane.surfaces.cli.text import ago, iso, many, padded, width
from memlane.surfaces.documents import of_run

if TYPE_CHECKING:
    from memlane.app.runs import RunBranch

WIDE = 80  # columns from which a run's machine is said too
A_SCREENFUL = 40  # threads, on a person's screen
_BY: Mapping[str, Callable[[RunSummary], str]] = {
    "project": lambda run: run.project.name or "(no project)",
    "machine": lambda run: f"@{run.machine}",
    "agent": lambda run: run.agent,
}


@dataclass(frozen=True, slots=True)
class TreeLine:
    """One run and what stands before it."""

    run: RunSummary
    depth: int
    lines: str = ""
    hidden: int = 0


@frame.command(lists=True)
@click.argument("run", required=False, default="")
@filters
@click.option("--by", type=click.Choice(list(_BY)), default="project", show_default=True, help="How to group.")
@click.option("--depth", type=click.IntRange(min=0), default=None, help="Levels to show; deeper ones are counted.")
@click.option("--all", "everything", is_flag=True, help="Show every thread and subagent.")
@click.option("--here", is_flag=True, help="Only what this machine has; do not ask Central.")
@click.option("--follow", "-f", is_flag=True, help="Follow: draw it again when something arrives, until Ctrl+C.")
@click.option("-i", "--interactive", is_flag=True, help="Walk it with the arrow keys; Enter opens a run.")
def command(screen: Screen, run: str, by: str, depth: int | None, everything: bool, here: bool, **given: Any) -> None:
    """Show runs as a tree: subagents, forks and resumes under their parent."""
    follow, interactive = given.pop("follow"), given.pop("interactive")
    if follow and interactive:
        raise UsageError("--follow draws the tree by itself, -i waits for your keys", hint="give one of the two")
    with screen.lane() as lane:

        def families(found: Sequence[RunSummary]) -> Sequence[RunBranch]:
            roots = lane.runs.families(found)
            return [_under(roots, _whole(roots, screen.meant(run)))] if run else roots

        if follow:
            from memlane.surfaces.cli.tree_live import follow as followed

            def drawn(now: Screen, found: Sequence[RunSummary]) -> Iterable[str]:
                rows = [row for branch in families(found) for row in _flat(branch, depth, everything or bool(run))]
                return _groups_drawn(now, _grouped(rows, by))

            followed(screen, lane, chosen(screen, lane, given), drawn, here=here)
        roots = families(runs_of_all(screen, lane, chosen(screen, lane, given), here=here))
    if interactive and roots:
        from memlane.surfaces.cli.tree_walk import walk

        walk(screen, roots)
        return
    people = screen.terminal and not screen.json and not screen.form.asked
    shown = roots[:A_SCREENFUL] if people and not everything else roots
    rows = [row for branch in shown for row in _flat(branch, depth, everything or bool(run) or not people)]
    groups = _grouped(rows, by)
    screen.remember_list([row.run.id for _name, inside in groups for row in inside])
    if people and rows:
        screen.paged(_drawn(screen, groups, len(roots) - len(shown), sum(row.hidden for row in rows)))
    elif not people:
        screen.listing("lane.tree/1", [row for _n, inside in groups for row in inside], _document, _COLUMNS, {"by": by})
    if not roots and not screen.json:
        filtered = named(given)
        screen.say(f"No runs with {filtered}." if filtered else "No runs yet. Capture them: lane capture")


def _document(row: TreeLine) -> dict[str, object]:
    return {**of_run(row.run), "depth": row.depth}


_COLUMNS = [
    Column(None, lambda row: str(row.depth)),
    Column(None, lambda row: row.run.id),
    Column(None, lambda row: row.run.parent),
    Column(None, lambda row: row.run.relation),
    Column(None, lambda row: iso(row.run.started)),
    Column(None, lambda row: row.run.agent),
    Column(None, lambda row: row.run.machine),
    Column(None, lambda row: row.run.project.name),
    Column(None, lambda row: str(row.run.turns)),
    Column(None, lambda row: run_title(row.run)),
]


def _whole(roots: Sequence[RunBranch], given: str) -> str:
    """The id that begins like this, on whichever machine it is."""
    waiting, found = list(roots), list[str]()
    while waiting:
        branch = waiting.pop()
        found += [branch.run.id] if branch.run.id.startswith(given.partition("#")[0]) else []
        waiting += branch.children
    if len(found) != 1:
        raise NotFoundError(
            f"there is no run {given}" if not found else f"{given} may be {', '.join(found)}", "lane runs"
        )
    return found[0]


def _under(roots: Sequence[RunBranch], run: str) -> RunBranch:
    waiting = list(roots)
    while waiting:
        branch = waiting.pop()
        if branch.run.id == run:
            return branch
        waiting += branch.children
    raise AssertionError(f"{run} is a run, so it stands somewhere in the tree")


def _flat(branch: RunBranch, depth: int | None, everything: bool, level: int = 0, lead: str = "") -> Iterator[TreeLine]:
    below = [child for child in branch.children if everything or not _folds(child)]
    if depth is not None and level >= depth:
        below = []
    yield TreeLine(branch.run, level, lead, _size(branch) - 1 - sum(_size(child) for child in below))
    deeper = lead.replace("├─ ", "│  ").replace("└─ ", "   ")
    for child in below:
        yield from _flat(child, depth, everything, level + 1, deeper + ("└─ " if child is below[-1] else "├─ "))


def _folds(branch: RunBranch) -> bool:
    """A subagent nobody talked to and nothing grew out of."""
    return branch.run.relation == "subagent" and not branch.children and branch.run.person_turns == 0


def _size(branch: RunBranch) -> int:
    return 1 + sum(_size(child) for child in branch.children)


def _grouped(rows: Sequence[TreeLine], by: str) -> list[tuple[str, list[TreeLine]]]:
    """A child stands with its root, whatever its own project is."""
    groups: dict[str, list[TreeLine]] = {}
    name = ""
    for row in rows:
        if row.depth == 0:
            name = _BY[by](row.run)
        groups.setdefault(name, []).append(row)
    return list(groups.items())


def _drawn(screen: Screen, groups: list[tuple[str, list[TreeLine]]], more: int, folded: int) -> Iterable[str]:
    yield from _groups_drawn(screen, groups)
    left = [f"{more:,} more threads"] * bool(more) + [f"{many(folded, 'subagent')} folded"] * bool(folded)
    yield f"{', '.join(left)} (--all).  Read: lane show 1" if left else "Read: lane show 1"


def _groups_drawn(screen: Screen, groups: list[tuple[str, list[TreeLine]]]) -> Iterable[str]:
    number = 0
    for name, rows in groups:
        threads = sum(row.depth == 0 for row in rows)
        machines = len({row.run.machine for row in rows})
        counted = many(threads, "thread") + (f", {machines} machines" if machines > 1 else "")
        label = screen.cut(name, screen.columns - width(counted) - 2)
        yield screen.styled(padded(label, screen.columns - width(counted)), "bold green") + counted
        last = [row for row in rows if row.depth == 0][-1].run.id
        ended = False
        for row in rows:
            ended = ended or row.run.id == last
            number += 1
            yield _line(screen, row, number, last=row.run.id == last, under_last=ended)
        yield ""


def _line(screen: Screen, row: TreeLine, number: int, *, last: bool, under_last: bool) -> str:
    run = row.run
    lead = ("└─ " if last else "├─ ") if row.depth == 0 else ("   " if under_last else "│  ") + row.lines
    if not screen.unicode:
        lead = lead.replace("├─", "|-").replace("└─", "`-").replace("│", "|")
    narrow = screen.columns < WIDE
    who = called(run) if narrow else f"{called(run)} @{run.machine}"
    live = run.ended is not None and screen.now - run.ended < LIVE
    marks = ["live"] * live + [f"{run.errors} err"] * bool(run.errors) + [f"+{row.hidden}"] * bool(row.hidden)
    tail = ("  " + " ".join(marks)) if marks else ""
    room = 12 if narrow else 24
    head = f"{number:>3} {lead}{padded(screen.cut(who, room), room)} {ago(run.ended, screen.now):>4} {run.turns:>4}t  "
    room = screen.columns - width(head) - width(tail)
    words = screen.cut(labelled(run), room) if room > 8 else ""
    return (
        screen.styled(head, "cyan" if row.depth == 0 else "") + padded(words, max(0, room)) * bool(words or tail) + tail
    )
