"""`lane exclude`: what is never captured: folders, transcripts, whole agents."""

from __future__ import annotations

from pathlib import Path

import click

from memlane.config import load
from memlane.errors import NotFoundError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.findings import acted, done
from memlane.surfaces.cli.frame import Screen

SETTING = "capture.exclude"

command = frame.group("What is never captured: folders an agent works in, transcripts, agents (agent:codex).")


@frame.command("add", of=command)
@click.argument("patterns", nargs=-1, required=True)
def add(screen: Screen, patterns: tuple[str, ...]) -> None:
    """From now on, nothing that matches is captured. What is already there stays: lane forget RUN."""
    named = [_whole(pattern) for pattern in patterns]
    with screen.lane() as lane:
        lane.capture.exclude([*screen.config.names(SETTING), *named])
    findings = [done("never captured", name, f"lane exclude remove {name}") for name in named]
    acted(screen, "lane.exclude/1", findings, "undo", _meta())


@frame.command("list", of=command)
def list_(screen: Screen) -> None:
    """The patterns in force."""
    patterns = screen.config.names(SETTING)
    screen.remember_list(patterns)
    if screen.json or patterns:
        acted(screen, "lane.exclude/1", [done("never captured", pattern) for pattern in patterns], "", _meta())
    else:
        screen.say("Everything is captured. Leave something out: lane exclude add ~/secret-project")


@frame.command("remove", of=command)
@click.argument("patterns", nargs=-1, required=True)
def remove(screen: Screen, patterns: tuple[str, ...]) -> None:
    """Capture it again."""
    held = screen.config.names(SETTING)
    named = [_held(screen.meant(pattern), held) for pattern in patterns]
    with screen.lane() as lane:
        lane.capture.exclude([pattern for pattern in held if pattern not in named])
    acted(screen, "lane.exclude/1", [done("captured again", name, "lane capture") for name in named], "next", _meta())


def _whole(pattern: str) -> str:
    """A folder that is there is meant as a whole path, however it was typed."""
    if pattern.startswith("agent:") or "*" in pattern:
        return pattern
    path = Path(pattern).expanduser()
    return str(path.resolve()) if path.exists() else pattern


def _held(pattern: str, held: tuple[str, ...]) -> str:
    for name in (pattern, _whole(pattern)):
        if name in held:
            return name
    raise NotFoundError(f"{pattern!r} is not excluded", hint=f"excluded: {', '.join(held) or 'nothing'}")


def _meta() -> dict[str, object]:
    return {"patterns": load().names(SETTING)}
