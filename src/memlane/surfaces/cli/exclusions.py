"""`lane exclude` and `lane pause`: what is never captured, and when nothing is."""

from __future__ import annotations

from pathlib import Path

import click

from memlane.config import load
from memlane.errors import NotFoundError, UsageError
from memlane.surfaces.cli import frame, times
from memlane.surfaces.cli.findings import acted, done
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import clock, duration

SETTING = "capture.exclude"

exclude = frame.group(
    "What is never captured: folders an agent works in, transcripts, agents (agent:codex).", bare="list"
)


@frame.command("add", of=exclude)
@click.argument("patterns", nargs=-1, required=True)
def add(screen: Screen, patterns: tuple[str, ...]) -> None:
    """Stop capturing what matches. Existing runs stay; remove one with lane forget RUN."""
    named = [_whole(pattern) for pattern in patterns]
    with screen.lane() as lane:
        lane.capture.exclude([*screen.config.names(SETTING), *named])
    findings = [done("never captured", name, f"lane exclude remove {name}") for name in named]
    acted(screen, "lane.exclude/1", findings, "undo", _meta())


@frame.command("list", of=exclude)
def list_(screen: Screen) -> None:
    """List the patterns."""
    patterns = screen.config.names(SETTING)
    screen.remember_list(patterns)
    if screen.json or patterns:
        acted(screen, "lane.exclude/1", [done("never captured", pattern) for pattern in patterns], "", _meta())
    else:
        screen.say("Everything is captured. To exclude something: lane exclude add ~/secret-project")


@frame.command("remove", of=exclude)
@click.argument("patterns", nargs=-1, required=True)
def remove(screen: Screen, patterns: tuple[str, ...]) -> None:
    """Stop excluding it."""
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


@frame.command()
@click.argument("length", required=False, default="")
@click.option("--off", is_flag=True, help="Resume capture.")
def pause(screen: Screen, length: str, off: bool) -> None:
    """Capture nothing for LENGTH (30m, 2h), or until --off."""
    if off and length:
        raise UsageError("give a length or --off, not both", hint="lane pause 30m, or: lane pause --off")
    wanted = times.length(length) if length else None
    with screen.lane() as lane:
        if off:
            was = lane.capture.end_pause()
            what = "resumed" if was else "was not paused"
            acted(screen, "lane.pause/1", [done("capture", what)], "", {"paused": None})
            return
        paused = lane.capture.start_pause(wanted)
    until = f"until {clock(paused.until)} ({duration(wanted)})" if paused.until and wanted else "until you resume it"
    meta = {"paused": {"since": paused.since, "until": paused.until}}
    acted(screen, "lane.pause/1", [done("paused", f"nothing is captured {until}", "lane pause --off")], "resume", meta)
