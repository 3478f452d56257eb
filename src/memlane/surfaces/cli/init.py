"""`lane init`: looks, shows what it would change, asks, does it, and takes in what is there.

Nothing is written before the yes.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memlane.config import load
from memlane.errors import LaneError, UsageError
from memlane.surfaces.cli import daemon, frame
from memlane.surfaces.cli.capture import go_on_after, read_on
from memlane.surfaces.cli.catch_setup import CHOICES
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.init_plan import OWN_FOLDERS, InitPlan, counted, exact, found, planned
from memlane.surfaces.cli.init_reader import choose_reader
from memlane.surfaces.cli.init_report import begin, show, tell, tell_nobody, tell_plan
from memlane.surfaces.cli.progress import ProgressBar
from memlane.surfaces.cli.text import one_line, size

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.catch import ExtractorOffer
    from memlane.app.setup import MachineLook, SetupOutcome

PARTLY = 6
NO_TTY = "this terminal cannot answer questions (no TTY)"
READERS = tuple(name for name in CHOICES if name not in ("command", "agent"))
SPARE = 1.5  # times what the transcripts take: the copies, and the index beside them


@frame.command()
@click.option("--yes", "-y", is_flag=True, help="Accept the plan without asking.")
@click.option("--dry-run", is_flag=True, help="Print the plan and every change, and do nothing.")
@click.option("--agent", "only", multiple=True, metavar="NAME", help="Only this agent; repeatable.")
@click.option("--no-timer", is_flag=True, help="Without the timer that runs `lane tick`.")
@click.option("--no-hooks", is_flag=True, help="Without hooks: capture only, by timer and by hand.")
@click.option("--reader", type=click.Choice(READERS), default=None, help="Who reads runs, without a question.")
def command(
    screen: Screen,
    yes: bool,
    dry_run: bool,
    only: tuple[str, ...],
    no_timer: bool,
    no_hooks: bool,
    reader: str | None,
) -> None:
    """Set up Lane here: shows every change and asks first. Safe to repeat."""
    began = time.monotonic()
    with screen.lane() as lane:
        look = lane.setup.look()
        chosen = _chosen(lane, look, only)
        if not look.agents:
            tell_nobody(screen, lane.setup, look)
            return
        _must_be_here_alone(lane)
        proposal = _proposal(lane, look, chosen, timer=not no_timer, hooks=not no_hooks)
        show(screen, found(screen, proposal, time.monotonic() - began))
        if dry_run:
            tell_plan(screen, lane.setup, proposal)
            return
        wanted = (
            lane.catch.offers.named(reader) if reader else None
        )  # one that is not here is said before anything is changed
        proposal = _agreed(screen, lane, proposal, yes=yes)
        done = _set_up(screen, lane, proposal)
    _take_in(screen, proposal, done, wanted, asks=not yes)


# -- what is proposed --------------------------------------------------------------------------------------------------


def _chosen(lane: Lane, look: MachineLook, only: Sequence[str]) -> tuple[str, ...]:
    known, here = lane.home.agents, [agent.name for agent in look.agents]
    for name in only:
        if name not in known:
            raise UsageError(f"there is no agent {name!r}", hint=f"one of: {', '.join(known)}")
        if here and name not in here:
            raise UsageError(f"{known[name].title} was not found on this machine", hint=f"here: {', '.join(here)}")
    left_out = {pattern.removeprefix("agent:") for pattern in lane.config.names("capture.exclude")}
    return tuple(name for name in here if (name in only if only else name not in left_out))


def _proposal(lane: Lane, look: MachineLook, chosen: tuple[str, ...], *, timer: bool, hooks: bool) -> InitPlan:
    installing = lane.setup
    hookable = [agent.name for agent in look.agents if agent.hooks and agent.name in chosen]
    wanted = installing.wanted(hookable if hooks else [], timer=timer)
    watch = lane.config.switch("daemon.watch")
    recall = installing.recalls(wanted, "claude-code")
    member = lane.shipment.member
    central = member.url if member is not None else ""
    return InitPlan(look, chosen, installing.plan(wanted), hooks, timer, recall, watch, central)


def _agreed(screen: Screen, lane: Lane, proposal: InitPlan, *, yes: bool) -> InitPlan:
    """The proposal a person said yes to; it may be another one than the first."""
    if not proposal.plan.changes and not proposal.plan.left_alone and screen.config.home.is_dir():
        show(screen, ["", "Everything is installed."])
        return proposal
    show(screen, ["", *planned(screen, lane.setup, proposal)])
    _must_have_room(screen, proposal)
    while not yes:
        match _asked(screen):
            case "" | "y" | "yes":
                break
            case "d":
                show(screen, ["", *exact(proposal)], fold=False)
            case "c":
                chosen = _choose(screen, proposal)
                proposal = _proposal(lane, proposal.look, chosen, timer=proposal.timer, hooks=proposal.hooks)
                show(screen, ["", *planned(screen, lane.setup, proposal)])
            case "n" | "no" | "q":
                screen.say("Nothing was changed.")
                screen.leave(0)
            case other:
                screen.say(f"{one_line(other)!r} is not one of the choices.")
    return proposal


def _asked(screen: Screen) -> str:
    if screen.json or not sys.stdin.isatty():
        hint = "lane init --yes        (accept the plan above)\nlane init --dry-run    (print the plan only)"
        raise UsageError(NO_TTY, hint=hint)
    screen.say("\nGo ahead?  [Y]es   [d] show the exact changes   [c] choose agents   [n]o")
    answer: str = click.prompt(">", default="", show_default=False, prompt_suffix=" ", err=True)
    return answer.strip().lower()


def _choose(screen: Screen, proposal: InitPlan) -> tuple[str, ...]:
    """A list to tick off: numbers switch, Enter accepts."""
    chosen, agents = set(proposal.chosen), proposal.look.agents
    while True:
        for n, agent in enumerate(agents, 1):
            screen.say(f"  [{'x' if agent.name in chosen else ' '}] {n}  {agent.title} (runs: {counted(agent)})")
        answer: str = click.prompt("Type a number to toggle, Enter to accept", default="", show_default=False, err=True)
        if not answer.strip():
            return tuple(agent.name for agent in agents if agent.name in chosen)
        numbers = {int(word) for word in answer.replace(",", " ").split() if word.isdigit()}
        chosen ^= {agent.name for n, agent in enumerate(agents, 1) if n in numbers}


def _must_be_here_alone(lane: Lane) -> None:
    if sync := lane.setup.synced():
        home = lane.setup.shown(lane.config.home)
        raise UsageError(
            f"the home would be in a folder that {sync} syncs ({home}); sync tools corrupt"
            " databases and copy your data elsewhere",
            hint="LANE_HOME=~/.memlane lane init",
        )


def _must_have_room(screen: Screen, proposal: InitPlan) -> None:
    if screen.config.in_a_store:
        return
    base = screen.config.archive_base
    while not base.is_dir():
        base = base.parent
    free, needed = shutil.disk_usage(base).free, int(SPARE * sum(agent.bytes for agent in proposal.agents))
    if not screen.config.home.is_dir() and free < needed:
        raise LaneError(
            f"{size(free)} free, about {size(needed)} needed on {base}",
            hint="LANE_HOME=/somewhere/bigger lane init",
        )


# -- doing it ----------------------------------------------------------------------------------------------------------


def _set_up(screen: Screen, lane: Lane, proposal: InitPlan) -> SetupOutcome:
    """The settings. What was not chosen is left out for good: the timer looks at everything else."""
    installing = lane.setup
    hookable = [agent.name for agent in proposal.agents if agent.hooks]
    wanted = installing.wanted(hookable if proposal.hooks else [], timer=proposal.timer)
    rows = [row for row in installing.rows(proposal.plan) if row.area not in OWN_FOLDERS]
    if rows:
        show(screen, ["", "Changing agent settings"])
    done = installing.apply(proposal.plan, wanted)
    failed = {trouble.area for trouble in done.troubles}
    first = {row.area: row for row in reversed(rows)}  # the first of each area stands for all of them
    for area in dict.fromkeys(row.area for row in rows):
        row = first[area]
        if area not in failed:
            kept = f"     backup {done.backups[row.where]}" if row.where in done.backups else ""
            show(screen, [f"  ok  {proposal.title(area):<12}  {row.where}{kept}"])
    _leave_out(lane, proposal)
    return done


def _leave_out(lane: Lane, proposal: InitPlan) -> None:
    before = lane.config.names("capture.exclude")
    chosen = {f"agent:{name}" for name in proposal.chosen}
    others = [f"agent:{agent.name}" for agent in proposal.look.agents if agent.name not in proposal.chosen]
    after = (*(pattern for pattern in before if pattern not in chosen), *others)
    if tuple(dict.fromkeys(after)) != before:
        lane.capture.exclude(after)


def _take_in(
    screen: Screen, proposal: InitPlan, done: SetupOutcome, wanted: ExtractorOffer | None, *, asks: bool
) -> None:
    screen = replace(screen, config=load())  # what was left out a moment ago is a setting
    show(screen, [""])
    typed = proposal.look.typed if "claude-code" in proposal.chosen else None
    told = [name for name in (*done.changed, *done.in_place) if proposal.recall or name != "claude-code"]
    with screen.lane() as lane, ProgressBar(screen.columns, quiet=screen.json) as progress:
        asked = lane.setup.first_run.asked_from(told)
        begun = begin(lane, Path.cwd(), progress, typed=typed.path if typed else None, told=asked)
    if proposal.timer and not proposal.has_timer and proposal.watch:  # none is possible here: the daemon watches
        with suppress(LaneError):
            daemon.begin(screen.config)
    tell(screen, proposal, done, begun)
    go_on_after(screen, begun.report)
    if screen.config.switch("thin"):  # Central reads for it
        return
    chosen = choose_reader(screen, wanted, asks=asks and not begun.report.paused)
    if begun.unread or chosen:
        read_on(screen)
    if done.troubles or begun.report.set_aside:
        screen.leave(PARTLY)
