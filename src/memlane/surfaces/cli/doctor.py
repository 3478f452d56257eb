"""`lane doctor`: look at everything, name what is wrong and the one thing to do about it. Changes nothing."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence

import click

from memlane import __version__
from memlane.domain import Finding, Level
from memlane.surfaces.cli import daemon, frame
from memlane.surfaces.cli.findings import drawn, told
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import many


@frame.command()
@click.option("--files", is_flag=True, help="List every file that was set aside and every unreadable line.")
@click.option("--agent", default="", metavar="NAME", help="Only this agent.")
def command(screen: Screen, files: bool, agent: str) -> None:
    """Check everything; name each problem and its fix. Exits with 1 if a check failed."""
    with screen.lane(heal=False) as lane:
        if files:
            found = list(lane.health.doctor.files())
            told(screen, "lane.doctor/1", found, {"files": len(found)})
            if not found and not screen.json:
                screen.say("Every file and every line could be read.")
            return
        found = [*lane.health.doctor.everything(lane.setup.findings()), *_daemon(screen)]
    if agent:
        found = [finding for finding in found if agent in (finding.kind, *finding.what.lower().split())]
    counts = {level.value.lower(): sum(f.level is level for f in found) for level in Level}
    _print(screen, found, counts)
    if counts["fail"]:
        screen.leave(1)


def _daemon(screen: Screen) -> Iterator[Finding]:
    state = daemon.state(screen.config)
    yield from _answers(state)
    yield _http(screen.config.count("http.port"), state)


def _http(port: int, state: daemon.State) -> Finding:
    """Who may ask besides the hooks. `lane mcp` needs no port and is started by the agent itself."""
    if not port:
        return Finding("http", Level.OK, "off (http.port is 0); agents get the MCP tools through `lane mcp`")
    if not state["running"] or state["frozen"]:
        return Finding("http", Level.OK, f"port {port} when the daemon runs, on this computer only")
    if state.get("http") == port:
        return Finding("http", Level.OK, f"http://127.0.0.1:{port} answers HTTP and MCP, on this computer only")
    what = "was set after the daemon started, or another program uses it"
    return Finding("http", Level.FAIL, f"Lane does not answer on port {port}: it {what}", "lane daemon restart")


def _answers(state: daemon.State) -> Iterator[Finding]:
    if state["frozen"]:
        yield Finding("daemon", Level.FAIL, f"pid {state['pid']} is running but does not answer", "lane daemon restart")
    elif state["running"]:
        yield Finding("daemon", Level.OK, f"answers, pid {state['pid']}")
    else:
        yield Finding("daemon", Level.OK, "not running; the next hook starts it")


def _print(screen: Screen, found: Sequence[Finding], counts: dict[str, int]) -> None:
    python = platform.python_version()
    config = screen.config
    about = f"Lane {__version__} on {config.machine}, {platform.system()}, Python {python}, home {config.home}"
    if screen.json or not screen.terminal:
        meta = {"version": __version__, "python": python, "home": config.home, **counts}
        told(screen, "lane.doctor/1", found, meta)
        return
    screen.line(screen.cut(about, screen.columns))
    screen.line()
    name_width = max(len(finding.kind) for finding in found)
    for finding in found:
        for line in drawn(screen, finding, name_width):
            screen.line(line)
    screen.line()
    said = [many(counts["fail"], "problem"), many(counts["warn"], "warning"), many(counts["note"], "note")]
    fine = f"{screen.styled('ok', 'green')}: " if not counts["fail"] and not counts["warn"] else ""
    screen.line(fine + ", ".join(said) + ".")
