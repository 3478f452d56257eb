"""`lane join` and `lane leave`: this machine becomes one of a Central's, and stops being one."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from memlane.app.shipment import Membership
from memlane.errors import UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.daemon import end
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import lasted

EXAMPLES = """
lane join https://central.example.org
lane join https://central.example.org --code abcd-efgh-jkmn-pqrs
lane join https://central.example.org --thin
"""
CLOCKS = 300.0  # seconds


@frame.command(examples=EXAMPLES)
@click.argument("url")
@click.option("--code", default="", help="The one-time code; asked for without it.")
@click.option("--name", default="", help="The machine's name there; only before its first capture.")
@click.option("--thin", is_flag=True, help="Capture and send only: no index and no model here; Central is asked.")
@click.option("--yes", "-y", is_flag=True, help="Agree to what this Central demands without being asked.")
def join(screen: Screen, url: str, code: str, name: str, thin: bool, yes: bool) -> None:
    """Join a Central: what is captured here is sent there, and what you know on other machines comes back.

    The code comes from `lane machines invite`, on Central or on a machine of yours that has joined.
    """
    with screen.lane() as lane:
        other, code = lane.home.thin != thin, code or _asked()
        if not _agreed(screen, lane.shipment.rules_of(url, code).words, yes=yes):
            screen.say("Nothing was changed; the code stays open.")
            return
        link = lane.shipment.join(url, code, name, thin=thin)
    if other:  # the next hook starts the daemon that this machine has from now on
        end(screen.config)
    with screen.again().lane() as lane:
        standing = lane.shipment.standing()
        set_up = any(agent.hook is not None for agent in lane.health.hooks.agents())
    skew = standing.skew if standing else 0.0
    if screen.json:
        screen.emit("lane.join/1", _of(link), {"clock_skew_seconds": round(skew, 1)})
    else:
        screen.line(f"Joined {link.url} as {link.machine} of {link.owner}")
        screen.say("everything is sent in the background; to send it now: lane ship --now")
    if abs(skew) > CLOCKS:
        ahead = "ahead of" if skew > 0 else "behind"
        screen.note(
            f"this machine's clock is {lasted(abs(skew))} {ahead} Central's: newer lessons may lose to older ones"
        )
    if not set_up and not screen.json:
        _set_up(screen)


def _set_up(screen: Screen) -> None:
    """A machine that captures nothing yet: its hooks and its timer, with the plan and the question of `lane init`."""
    if not sys.stdin.isatty():
        screen.say("to capture what your agents do here: lane init")
        return
    from memlane.surfaces.cli.init import command as init

    given = {"yes": False, "dry_run": False, "only": (), "no_timer": False, "no_hooks": False, "reader": None}
    click.get_current_context().invoke(init, json=False, no_color=False, **given)


def _agreed(screen: Screen, words: Sequence[str], *, yes: bool) -> bool:
    """What Central demands, before anything leaves this machine."""
    if not words:
        return True
    screen.say("This Central demands of its machines:")
    for line in words:
        screen.say(f"  {line}")
    return screen.confirmed("Join?", yes=yes)


def _asked() -> str:
    if not sys.stdin.isatty():
        raise UsageError("a one-time code is needed", hint="lane join URL --code CODE; made by: lane machines invite")
    return click.prompt("One-time code", err=True)


def _of(link: Membership) -> dict[str, object]:
    return {"url": link.url, "central": link.central, "owner": link.owner, "machine": link.machine, "id": link.id}


@frame.command()
@click.option("--copy", is_flag=True, help="This home is a copy: leave the token of the original alone.")
def leave(screen: Screen, copy: bool) -> None:
    """Leave Central. What was sent stays there, what came from there stays here; nothing is sent any more."""
    with screen.lane() as lane:
        link, thin = lane.shipment.member, lane.home.thin
        why = lane.shipment.leave(copy=copy)
    assert link is not None
    if thin:
        end(screen.config)
    if screen.json:
        screen.emit("lane.leave/1", _of(link), {"revoked": not why and not copy, "why": why or None})
        return
    screen.line(f"Left {link.url}")
    if why:
        screen.note(f"its token could not be ended there: {why}; on Central: lane machines revoke {link.id}")
