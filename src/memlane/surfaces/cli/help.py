"""`lane help`: the same as `--help`, and the topics that belong to no command."""

from __future__ import annotations

import click

from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import wrapped

EXIT_CODES = (
    (0, "success, even if nothing was found (1 with `--fail-empty`)"),
    (1, "failed, or `lane doctor` found a problem"),
    (2, "wrong usage, or an ambiguous or unknown id"),
    (3, "not set up, or the index is missing: lane init, lane capture, lane rebuild"),
    (4, "not allowed: it belongs to someone else"),
    (5, "the other machine or service does not answer"),
    (6, "partly done: the output names what was set aside"),
    (7, "busy, try again: another process holds the lock"),
    (130, "interrupted"),
)


@frame.command()
@click.argument("topic", required=False, default="")
def command(screen: Screen, topic: str) -> None:
    """Help on a command, or on a topic: exit-codes."""
    if topic == "exit-codes":
        _exit_codes(screen)
        return
    root = click.get_current_context().find_root()
    wanted = root.command
    if topic and isinstance(wanted, click.Group):
        _name, found, _rest = wanted.resolve_command(root, [topic])
        root = click.Context(found or wanted, info_name=topic, parent=root)
        wanted = found or wanted
    screen.line(wanted.get_help(root))


def _exit_codes(screen: Screen) -> None:
    if screen.json:
        screen.emit("lane.help/1", [{"code": code, "meaning": meaning} for code, meaning in EXIT_CODES])
        return
    for code, meaning in EXIT_CODES:
        for number, line in enumerate(wrapped(meaning, screen.columns - 6)):
            screen.line(f"{'' if number else code:>4}  {line}")
