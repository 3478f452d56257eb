"""`lane title`: what a person calls a run. An agent's own title never takes its place."""

from __future__ import annotations

import click

from memlane.errors import UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.findings import acted, done
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import cut

EXAMPLES = """
lane title 1 the release that went wrong
lane title r_7f3k
lane title r_7f3k --clear
lane title r_7f3k --ask
"""


@frame.command(examples=EXAMPLES)
@click.argument("run")
@click.argument("text", nargs=-1)
@click.option("--clear", is_flag=True, help="Give it the agent's own title back.")
@click.option("--ask", is_flag=True, help="Let the model of `lane catch setup` find one.")
def command(screen: Screen, run: str, text: tuple[str, ...], clear: bool, ask: bool) -> None:
    """Give RUN a title of your own; without TEXT, say what it is called."""
    if bool(text) + clear + ask > 1:
        raise UsageError("a title is given, asked for or taken off, one of them", hint=f"lane title {run} --clear")
    with screen.lane() as lane:
        found = lane.runs.get(lane.runs.address(screen.meant(run)).run)
        before = lane.runs.labels.own_title(found.id)
        after = lane.runs.labels.title(found.id, " ".join(text)) if text or clear else found
        after = lane.runs.labels.ask_title(found.id) if ask else after
        own = lane.runs.labels.own_title(found.id)
    kind = ("titled" if own else "not-titled-any-more") if own != before else "nothing-changed"
    if not (text or clear or ask):
        kind = "title"
    undo = f"lane undo {after.id}" if own != before else ""
    what = f'{after.id} "{cut(after.title, 80)}"' if after.title else after.id
    meta = {"run": after.id, "title": after.title, "own": own or None, "before": before or None, "undo": undo or None}
    acted(screen, "lane.title/1", [done(kind, what, undo)], "undo", meta)
