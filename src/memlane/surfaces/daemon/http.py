"""The daemon's HTTP, where a person wants it: both protocols behind one door, with a Lane and a thread of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlane.surfaces import api, mcp
from memlane.surfaces.daemon.claim import Claim
from memlane.surfaces.daemon.opened import Opened
from memlane.surfaces.daemon.scribe import Scribe

if TYPE_CHECKING:
    from memlane.lane import Lane


def serving(port: int, token: str, claim: Claim, scribe: Scribe) -> api.Serving | None:
    """None: somebody else has that port. Hooks are answered all the same."""

    def begin(lane: Lane) -> None:
        lane.recalling.keep_by = scribe.keep

    try:
        return api.Serving(api.Place(port, token), api.table(by_mcp), Opened(claim.ours, begin).lane, scribe.say)
    except OSError as error:
        scribe.say("ERROR", f"nothing is answered at 127.0.0.1:{port}: {error.strerror}")
        return None


def by_mcp(lane: Lane, want: api.Want) -> api.Reply:
    """Nothing is kept between two messages: whoever asks introduces themselves again, or stays unnamed."""
    told = mcp.posted(want.asked.body, want.asked.headers, mcp.Desk(lambda: lane))
    return api.Reply(told.status, told.body, after=told.after)
