"""The daemon's HTTP, where a person wants it: programs, agents and pages behind one door, with Lanes of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from memlane.surfaces import api, mcp, web
from memlane.surfaces.api.router import Route
from memlane.surfaces.daemon.beside import Beside
from memlane.surfaces.daemon.claim import Claim
from memlane.surfaces.daemon.opened import Opened
from memlane.surfaces.daemon.scribe import Scribe

if TYPE_CHECKING:
    from memlane.app import Lane


def serving(port: int, token: str, claim: Claim, scribe: Scribe, beside: Beside) -> api.Serving | None:
    """None: somebody else has that port. Hooks are answered all the same. `beside` draws the pages."""

    def begin(lane: Lane) -> None:
        lane.recall.keep_by = scribe.keep

    answers, looks = Opened(claim.ours, begin), Opened(lambda: False)
    routes = table(token, looks.lane)
    try:
        return api.Serving(api.Place(port, token), routes, answers.lane, scribe.say, web.in_html, beside.ask)
    except OSError as error:
        scribe.say("ERROR", f"nothing is answered at 127.0.0.1:{port}: {error.strerror}")
        return None


def table(token: str, looks: Callable[[], Lane]) -> Sequence[Route]:
    """Every route there is. `looks` opens the Lane of the thread that watches for what is new."""
    return [*api.table(by_mcp, web.twins()), *web.table(token, web.Live(looks))]


def by_mcp(lane: Lane, want: api.Want) -> api.Reply:
    """Nothing is kept between two messages: whoever asks introduces themselves again, or stays unnamed."""
    told = mcp.posted(want.asked.body, want.asked.headers, mcp.Desk(lambda: lane))
    return api.Reply(told.status, told.body, after=told.after)
