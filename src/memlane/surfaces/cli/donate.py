"""`lane donate`: give runs to everybody, after reading what would leave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from memlane.errors import UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.filters import chosen, filters, named
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.progress import ProgressBar, ProgressStep
from memlane.surfaces.cli.runs import run_title
from memlane.surfaces.cli.text import many, one_line, size

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.donation import Donation, DonationPlan
    from memlane.domain import RunSummary

ASKED = "Leave anything out? RUN, RUN#t3 or RUN#t3.2, Enter for nothing:"
FORMATS = ("sts", "neutral", "atif")
SHOWN = 40  # masked places on a screen; a file has all


@frame.command(
    examples="""
lane donate ~/give --licence CC-BY-4.0 r_j4kr r_v3vz
lane donate hf://buckets/me/public --licence CC0-1.0 --project . --without r_j4kr#t3
"""
)
@click.argument("target", metavar="TARGET")
@click.argument("runs", metavar="[RUN…]", nargs=-1)
@click.option("--licence", default="", metavar="NAME", help="Under which licence, for example CC-BY-4.0.")
@click.option("--without", multiple=True, metavar="ADDRESS", help="Leave out a run, a turn or a step.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="sts", show_default=True, help="As what.")
@click.option("--yes", "-y", is_flag=True, help="You have read it: skip the question.")
@filters
def command(screen: Screen, target: str, runs: tuple[str, ...], licence: str, yes: bool, **given: Any) -> None:
    """Give runs away: masked, without your name, and only after you have seen all of it.

    Secrets, e-mail and IP addresses, phone numbers, home folders and your own names are masked; a privacy model in the
    folder `donate.model` looks once more. Everything that would leave is written to a private folder for you to read,
    with each masked place before and after; you may leave out more, then Lane asks. TARGET is a folder, s3://… or
    hf://buckets/….
    """
    if not licence:
        raise UsageError("a donation needs a licence", hint="--licence CC-BY-4.0 (or CC0-1.0, MIT …)")
    if not runs and not named(given):
        raise UsageError("choose what to give", hint="name runs, or use --project, --agent, --since, --tag")
    with screen.lane() as lane:
        picked = lane.exports.choose([screen.meant(run) for run in runs], chosen(screen, lane, given))
        plan = _settled(screen, lane, picked, given["form"], given["without"], asks=not yes)
        try:
            if not screen.confirmed(f"Give this to {target} under {licence}?", yes=yes):
                screen.say("Nothing left this machine.")
                return
            donation = lane.donations.give(plan, target, licence)
        finally:
            lane.donations.drop(plan)
    if screen.json:
        screen.emit("lane.donate/1", _document(plan, donation), {"runs": len(plan.runs)})
    else:
        screen.say(f"done  {many(len(donation.files), 'file')} given to {donation.target} ({donation.licence})")


def _settled(
    screen: Screen, lane: Lane, picked: Sequence[RunSummary], form: str, without: Sequence[str], *, asks: bool
) -> DonationPlan:
    """Shown, cut and shown again, until nothing more is to be left out."""
    left_out = list(without)
    while True:
        with ProgressBar(screen.columns, quiet=screen.json) as progress:
            plan = lane.donations.plan(
                picked,
                form,
                left_out,
                lambda n, total, run: progress.show(ProgressStep("masking", n, total, n / total, run.id)),
            )
        _show(screen, plan)
        if not (asks and plan.files and screen.can_ask):
            return plan
        more: str = click.prompt(ASKED, default="", show_default=False, prompt_suffix=" ", err=True)
        if not more.split():
            return plan
        lane.donations.drop(plan)
        left_out += more.split()


def _show(screen: Screen, plan: DonationPlan) -> None:
    if screen.json:
        return
    for run in plan.runs:
        screen.say(f"{run.id}  {run.agent}  {many(run.turns, 'turn')}  {run_title(run)}")
    screen.say("")
    for run, why in plan.kept_back:
        screen.say(f"note  {run} stays: {one_line(why)}")
    for span in plan.spans[:SHOWN]:
        for line in span.lines:
            screen.say(one_line(line))
    if len(plan.spans) > SHOWN:
        screen.say(f"{len(plan.spans) - SHOWN:,} more masked places")
    what = f"{many(len(plan.files), 'file')}, {size(sum(plan.files.values()))}"
    screen.say(f"\n{what}, {many(len(plan.spans), 'place')} masked, {many(plan.left_out, 'part')} left out.")
    looked = f"Second look by {plan.second_look}." if plan.second_look else "No second look (donate.model is not set)."
    screen.say(f"{looked} Rules find patterns, not meaning: read it.")
    screen.say(f"All of it, as it would leave: {plan.folder}")
    screen.say(f"Each masked place, before and after: {plan.changes}")


def _document(plan: DonationPlan, donation: Donation) -> dict[str, object]:
    return {
        "id": donation.id,
        "target": donation.target,
        "licence": donation.licence,
        "runs": [run.id for run in plan.runs],
        "files": dict(donation.files),
        "masked": dict(plan.rules),
        "masked_places": [{"place": one.place, "rule": one.rule, "around": one.around} for one in plan.spans],
        "left_out": plan.left_out,
        "kept_back": [{"run": run, "reason": why} for run, why in plan.kept_back],
        "second_look": plan.second_look or None,
    }
