"""`lane policy`: what a Central demands of the machines that join it; on Central, or from a machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import click

from memlane.errors import UsageError
from memlane.surfaces.central_documents import of_policy
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.central import Row, as_row, asked
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.json_values import plain

WHO = click.Choice(["everybody", "admins", "nobody"])
NOTHING = "Nothing is demanded: everything is captured, everybody may share."
command = frame.group("The policy of a Central: what is never captured, who may share, what is masked.", bare="show")


@frame.command("show", of=command)
def show(screen: Screen) -> None:
    """Show what this Central demands of its machines."""
    with screen.lane() as lane:
        row = asked(lane, "/api/policy")
        if row is None:
            row = plain(of_policy(lane.control.policy.now()))
    _told(screen, "lane.policy.show/1", as_row(row))


@frame.command("set", of=command)
@click.option("--never", multiple=True, metavar="PATTERN", help="Never captured: /srv/secret, */secret, agent:codex.")
@click.option("--capture-again", "again", multiple=True, metavar="PATTERN", help="Take a pattern out.")
@click.option("--sharing", type=WHO, default=None, help="Who may share their runs and lessons with others.")
@click.option("--mask/--no-mask", default=None, help="Secrets are masked on each machine before anything is sent.")
def set_(
    screen: Screen, never: tuple[str, ...], again: tuple[str, ...], sharing: str | None, mask: bool | None
) -> None:
    """Change the policy. Machines keep to it from their next exchange on; what arrives against it is refused."""
    if not (never or again or sharing or mask is not None):
        raise UsageError("nothing to change", hint="lane policy set --never */secret, --sharing admins, or --mask")
    with screen.lane() as lane:
        found = asked(lane, "/api/policy")
        before = as_row(found if found is not None else plain(of_policy(lane.control.policy.now())))
        kept = [*cast(Sequence[str], before["never"]), *never]
        patterns = [one for one in dict.fromkeys(kept) if one not in again]
        who = sharing or str(before["sharing"])
        masks = bool(before["mask"]) if mask is None else mask
        row = asked(lane, "/api/policy", {"never": patterns, "sharing": who, "mask": masks})
        if row is None:
            from memlane.app.control import Sharing

            row = plain(of_policy(lane.control.policy.set(patterns, Sharing(who), lane.config.user, mask=masks)))
    _told(screen, "lane.policy.set/1", as_row(row))


def _told(screen: Screen, schema: str, row: Row) -> None:
    if screen.json:
        screen.emit(schema, row)
        return
    for line in cast(Sequence[str], row["says"]) or [NOTHING]:
        screen.line(line)
