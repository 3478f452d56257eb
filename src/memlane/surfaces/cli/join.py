"""`lane join` and `lane leave`: this machine becomes one of a Central's, and stops being one."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click

from memlane.app.shipment import DevicePrompt, Membership, SignsIn
from memlane.errors import UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.daemon import end
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import lasted

EXAMPLES = """
lane join https://central.example.org
lane join https://central.example.org --code abcd-efgh-jkmn-pqrs
lane join https://central.example.org --thin
lane join https://central.example.org --as alice.example.net   (an AT Protocol account; asks for an app password)
lane join https://central.example.org --oidc                   (your company's sign-in; opens in any browser)
"""
CLOCKS = 300.0  # seconds


@frame.command(examples=EXAMPLES)
@click.argument("url")
@click.option("--code", default="", help="The one-time code; asked for without it.")
@click.option("--name", default="", help="The machine's name there; only before its first capture.")
@click.option("--thin", is_flag=True, help="Capture and send only: no index and no model here; Central is asked.")
@click.option("--yes", "-y", is_flag=True, help="Agree to what this Central demands without being asked.")
@click.option("--as", "account", default="", metavar="HANDLE", help="Sign in as this AT Protocol account, or DID.")
@click.option("--pds", default="", metavar="URL", help="Where that account is, if its handle does not say.")
@click.option("--oidc", is_flag=True, help="Sign in with the OpenID issuer of this Central, in a browser.")
def join(screen: Screen, url: str, code: str, name: str, thin: bool, yes: bool, **sign_in: Any) -> None:
    """Join a Central: what is captured here is sent there, and what you know on other machines comes back.

    The code comes from `lane machines invite`, on Central or on a machine of yours that has joined. If the Central
    takes sign-ins, --as or --oidc show who you are instead. An app password goes to your own PDS, never to Central.
    """
    with screen.lane() as lane:
        by = _by(screen, code, **sign_in)
        code = lane.shipment.sign_in(url, by) if by else code or _asked()
        other = lane.home.thin != thin
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


def _by(screen: Screen, code: str, account: str, pds: str, oidc: bool) -> SignsIn | None:
    """None: with a code."""
    from memlane.app.shipment import AtSignIn, OidcSignIn

    if sum(map(bool, (code, account, oidc))) > 1:
        raise UsageError("a code, --as and --oidc are three ways to do the same", hint="use one of them")
    if pds and not account:
        raise UsageError("--pds says where an account is", hint="lane join URL --as HANDLE --pds URL")
    if account:
        return AtSignIn(account, _app_password, pds)
    return OidcSignIn(lambda issuer, prompt: _show(screen, issuer, prompt)) if oidc else None


def _show(screen: Screen, issuer: str, prompt: DevicePrompt) -> None:
    screen.say(f"To sign in at {issuer}, open {prompt.page} in any browser and enter the code {prompt.code}")
    if prompt.whole:
        screen.say(f"or open {prompt.whole}")
    screen.flush()


def _app_password(pds: str) -> str:
    """From the terminal without showing it, or the first line of standard input."""
    if sys.stdin.isatty():
        return click.prompt(f"App password for this machine, made at {pds}", hide_input=True, err=True).strip()
    return sys.stdin.readline().strip()


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
