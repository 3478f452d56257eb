"""One run of another machine into a home of copies: a page at a time, each with what the copy does not have yet.

Knows nothing of what the run says. A copy that Central's run does not go on from is the caller's to throw away.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from memlane import archive
from memlane.app.home import Home
from memlane.app.home.link import CentralLine
from memlane.archive import Answer, Reception, RunReceipt, Sender, ShipFrame


def fetch_run(line: CentralLine, copy: Home, run: str) -> str:
    """Why the copy does not fit to what Central has; "": it has all of it. `run` may be the beginning of its id."""
    begun = dict[str, int]()
    while True:
        held = _held(copy, run, begun)
        frames, more = _page(line, run, held)
        if why := _kept(copy, frames, begun):
            return why
        if not more:
            return ""
        run = frames[0].head.run
        if _held(copy, run, begun) == held:
            return "it does not grow by what Central sends"


def _held(copy: Home, run: str, begun: dict[str, int]) -> RunReceipt:
    held = archive.receipt_of(archive.held(copy.disk, copy.layout.find(run)))
    held.begun = dict(begun)
    return held


def _page(line: CentralLine, run: str, held: RunReceipt) -> tuple[Sequence[ShipFrame], bool]:
    reply = line.send(f"/api/runs/{run}/frames", msgspec.json.encode(held))
    return list(archive.unpacked(reply.body)), reply.headers.get("x-lane-more") == "1"


def _kept(copy: Home, frames: Sequence[ShipFrame], begun: dict[str, int]) -> str:
    """Why one of them does not fit, or ""."""
    sender = Sender(copy.config.user, copy.config.machine)
    for one in frames:
        with copy.lock.held():
            answer = Reception(copy.disk, copy.layout, sender, copy.clock()).take(one).answer
        if answer.answer not in (Answer.TAKEN, Answer.HAVE):
            return answer.why
        if not answer.last:  # of a file that is only partly here
            begun[archive.part_name(one.head)] = answer.size
    return ""
