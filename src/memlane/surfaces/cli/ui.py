"""`lane ui`: the browser on this home, let in by a code that opens once. Where there is no browser, the address."""

from __future__ import annotations

import errno
import socket
import time
import webbrowser
from collections.abc import Callable
from functools import partial
from typing import cast

import click

from memlane.app.home import save_settings
from memlane.config import Config
from memlane.errors import LaneError, NotSetUpError
from memlane.surfaces.cli import daemon, frame
from memlane.surfaces.cli.frame import Screen

FIRST_PORT = 7377
PORTS = 20  # tried, until one is free
TO_OPEN = 10.0  # seconds; the daemon opens its HTTP one after it starts
_PAUSE = 0.1


@frame.command()
@click.option("--no-open", is_flag=True, help="Print the address, open nothing.")
def command(screen: Screen, no_open: bool) -> None:
    """Open the web pages: live recalls, runs, memories."""
    config = screen.config
    if not config.home.is_dir():
        raise NotSetUpError(f"there is no home in {config.home}", hint="lane init, or: lane demo --keep DIR")
    port = config.count("http.port") or _choose(screen)
    host = _answering(config, port)
    with screen.lane() as lane:
        code = lane.access.code()
    address = f"http://{host}:{port}/enter#{code}"
    opened = not no_open and _has_browser(config) and webbrowser.open(address)
    if screen.json:
        screen.emit("lane.ui/1", {"address": address, "port": port, "opened": opened})
        return
    if opened:
        screen.line(f"Opened http://{host}:{port}/ in your browser.")
    else:
        screen.line("Open this in a browser on this machine (works once, for five minutes):")
    screen.line(f"  {address}")


def _choose(screen: Screen) -> int:
    """The daemon answers HTTP only where a person wants it; who types this does. It stays at that port."""
    port = next((port for port in range(FIRST_PORT, FIRST_PORT + PORTS) if _is_free(port)), None)
    if port is None:
        raise LaneError("no free port for the pages", hint="lane config set http.port 8765")
    save_settings(screen.config, {"http.port": port})
    screen.say(f"The daemon now listens on 127.0.0.1:{port} (to turn it off: lane config set http.port 0).")
    return port


def _is_free(port: int) -> bool:
    """At both addresses of this computer, as far as it has them."""
    return _bindable("127.0.0.1", socket.socket, port) and _bindable(
        "::1", partial(socket.socket, socket.AF_INET6), port
    )


def _bindable(address: str, made: Callable[[], socket.socket], port: int) -> bool:
    try:
        with made() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((address, port))
    except OSError as error:
        return error.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)
    return True


def _answering(config: Config, port: int) -> str:
    """The name it answers to, asked of the daemon itself, over its own socket: whoever else has the port is told
    nothing."""
    if daemon.held_by(config) is not None and not _opened(config, port):
        daemon.end(config)
    daemon.begin(config)
    if not (host := _opened(config, port)):
        hint = "lane config set http.port 0, then: lane ui\nlane logs --last-error"
        raise LaneError(f"the daemon cannot listen on 127.0.0.1:{port}: another program may be using it", hint=hint)
    return host


def _opened(config: Config, port: int) -> str:
    """The name it answers to once it listens there; "": it does not."""
    until = time.monotonic() + TO_OPEN
    while time.monotonic() < until:
        found = daemon.state(config)
        if found.get("http") == port:
            return str(found["host"])
        if not found["running"] or cast(float, found.get("uptime_s", 0.0)) > TO_OPEN / 2:
            return ""
        time.sleep(_PAUSE)
    return ""


def _has_browser(config: Config) -> bool:
    """One with a window: a text browser in this terminal would be no help."""
    return any(config.variables.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
