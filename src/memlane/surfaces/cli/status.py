"""`lane status`: how things stand, on one screen; and what bare `lane` says. Neither ever waits for anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from memlane.domain import Finding, Level
from memlane.errors import LaneError, NotSetUpError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import clock, day, long_ago, many, one_line, size, wrapped
from memlane.surfaces.documents import of_finding

if TYPE_CHECKING:
    from memlane.app.health import HomeOverview
    from memlane.app.vectors import VectorProgress

Hints = tuple[tuple[str, str], ...]
NO_HOOKS, INSTALL = "hooks are not installed", "lane init"
GLANCE = 5  # lines of bare `lane`
LEAD = 12  # columns that say what a line is about

NOT_SET_UP: Hints = (
    ("lane demo", "try it on sample runs; your data is not touched"),
    ("lane init", "set up Lane; shows every change and asks first"),
    ("lane --help", "every command"),
)
CANNOT_LOOK: Hints = (
    ("lane doctor", "problems and fixes"),
    ("lane rebuild", "rebuild the index from the archive"),
    ("lane --help", "every command"),
)
SET_UP: Hints = (
    ('lane search "words you remember"', "find it in any run"),
    ('lane remember "a note"', "save a note for every agent"),
    ("lane --help", "every command"),
)


@frame.command()
def command(screen: Screen) -> None:
    """Show status on one screen."""
    with screen.lane() as lane:
        standing, meant = lane.health.now(), lane.search.progress()
    lines = _lines(screen, standing, meant)
    if screen.json:
        screen.emit("lane.status/1", [of_finding(line) for line in lines], _meta(standing, meant))
        return
    for line in lines:
        _print(screen, line)


def glance() -> None:
    """Bare `lane`: five lines and three hints, also where nothing is set up. It never fails and never asks."""
    screen = frame.screen(json=False)
    try:
        with screen.lane() as lane:
            lines = _lines(screen, lane.health.now())
    except NotSetUpError:
        click.echo("Memory Lane is not set up here yet. Nothing is captured.")
        hints = NOT_SET_UP
    except LaneError as error:
        click.echo(f"Memory Lane cannot read its data: {error.message}")
        hints = CANNOT_LOOK
    else:
        for line in lines[:GLANCE]:
            click.echo(_text(screen, line))
        hints = SET_UP
    click.echo()
    for hint, about in hints:
        click.echo(f"  {hint:<34}{about}")


def _print(screen: Screen, line: Finding) -> None:
    """Whole: what does not fit goes on under itself."""
    if not screen.terminal:
        screen.record(line.kind, line.what)
        return
    for n, part in enumerate(wrapped(one_line(line.what), screen.columns - LEAD)):
        screen.line(f"{line.kind.capitalize() if n == 0 else '':<{LEAD}}{part}")


def _text(screen: Screen, line: Finding) -> str:
    text = f"{line.kind.capitalize():<{LEAD}}{one_line(line.what)}"
    return screen.cut(text, screen.columns) if screen.terminal else text


def _lines(screen: Screen, standing: HomeOverview, meant: VectorProgress | None = None) -> list[Finding]:
    rows = [
        ("capturing", *_capturing(screen, standing)),
        ("recall", _recall(standing), "" if standing.hooks else INSTALL),
        ("home", _home(standing), ""),
        ("search", *_search(standing, meant)),
        ("last run", _last_run(screen, standing), ""),
        ("catching", *_catching(screen, standing)),
        ("queue", *_queue(screen, standing)),
        ("machines", ", ".join(f"{m} (this)" if m == standing.machine else m for m in standing.machines), ""),
        ("timer", *_timer(screen, standing)),
    ]
    return [Finding(kind, Level.NOTE if hint else Level.OK, what, hint) for kind, what, hint in rows if what]


def _capturing(screen: Screen, standing: HomeOverview) -> tuple[str, str]:
    if standing.paused is not None:
        until = standing.paused.until
        return f"paused until {clock(until) if until else 'you resume it'}", "lane pause --off"
    names = [
        agent.title + (f" ({long_ago(agent.last_captured, screen.now)})" if agent.last_captured else "")
        for agent in standing.agents
        if agent.here
    ]
    if not names:
        return "no agents found on this machine", INSTALL
    return (", ".join(names), "") if standing.hooks else (f"{NO_HOOKS}; seen here: {', '.join(names)}", INSTALL)


def _recall(standing: HomeOverview) -> str:
    recall = standing.recall
    off = f"    off in: {', '.join(recall.off_in)}" if recall.off_in else ""
    if not recall.enabled:
        return "off (recall.enabled is false)"
    if not standing.hooks:
        return f"{NO_HOOKS}: no agent gets notes{off}"
    if not recall.shown:
        return f"on, nothing recalled yet{off}"
    many_memories = f"{recall.memories:g} {'memory' if recall.memories == 1 else 'memories'} median"
    return f"on, {many_memories}, {recall.tokens:.0f} tokens, {recall.milliseconds:.0f} ms{off}"


def _home(standing: HomeOverview) -> str:
    counts = [many(standing.runs, "run"), many(standing.turns, "turn"), many(standing.memories, "memory", "memories")]
    return ", ".join([*counts, size(standing.bytes)])


def _catching(screen: Screen, standing: HomeOverview) -> tuple[str, str]:
    held = [f"{standing.held:,} held: lane mem review"] if standing.held else []
    read = f"{sum(standing.windows.values()):,} passages read" if standing.windows else "nothing read yet"
    off = screen.config.text("catch.with") == "none"
    return "; ".join([*held, "off (catch.with is none)" if off else read]), "lane mem review" if held else ""


def _queue(screen: Screen, standing: HomeOverview) -> tuple[str, str]:
    waiting = f"{many(standing.waiting, 'run')} waiting"
    dream, hint = standing.dream, ""
    if not dream.enabled:
        said = "no dreams (dream.enabled is false)"
    elif dream.runs:
        said = f"next dream after {many(dream.runs, 'more run')}"
    elif dream.at is not None and dream.at > screen.now:
        said = f"dream {day(dream.at, screen.now)} {clock(dream.at)}"
    else:
        said, hint = "next dream when you are idle", "lane dream --dry-run"
    return f"{waiting}, {said}", hint


def _search(standing: HomeOverview, meant: VectorProgress | None) -> tuple[str, str]:
    aside = f"; {many(standing.set_aside, 'file')} set aside" if standing.set_aside else ""
    hint = "lane doctor --files" if aside else ""
    if standing.waiting:
        return f"{many(standing.waiting, 'run')} waiting to be indexed{aside}", hint or "lane capture"
    return f"words up to date{_meaning(meant)}{aside}", hint


def _meaning(meant: VectorProgress | None) -> str:
    """Bare `lane` does not ask: a model may have to be looked for."""
    if meant is None or not meant.all:
        return ""
    if meant.done < meant.all:
        return f"; meaning {meant.done * 100 // meant.all} %" + (f" ({meant.why})" if meant.why else "")
    return ", meaning too"


def _last_run(screen: Screen, standing: HomeOverview) -> str:
    run = standing.last_run
    if run is None:
        return "none yet"
    words = screen.cut(one_line(run.title or run.first.text), 40)
    return f'{run.id[:6]} {run.agent} {run.project.name} "{words}" {long_ago(run.ended, screen.now)}'


def _timer(screen: Screen, standing: HomeOverview) -> tuple[str, str]:
    if standing.last_tick is None:
        return "has not run yet", "lane init"
    return f"last tick {long_ago(standing.last_tick, screen.now)}", ""


def _meta(standing: HomeOverview, meant: VectorProgress) -> dict[str, object]:
    return {
        "user": standing.user,
        "machine": standing.machine,
        "machines": standing.machines,
        "agents": standing.agents,
        "hooks": standing.hooks,
        "recall": standing.recall,
        "runs": standing.runs,
        "turns": standing.turns,
        "memories": standing.memories,
        "held": standing.held,
        "windows": standing.windows,
        "bytes": standing.bytes,
        "waiting": standing.waiting,
        "meaning": {"model": meant.model or None, "share": round(meant.share, 4), "why": meant.why or None},
        "set_aside": standing.set_aside,
        "paused": standing.paused,
        "dream": {"enabled": standing.dream.enabled, "last": standing.dream.last, "next": standing.dream.at},
        "last_tick": standing.last_tick,
        "last_run": standing.last_run.id if standing.last_run else None,
    }
