"""One question, one answer: the agent's JSON in, what it wants printed out. Writes nothing down."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

import msgspec

from memlane.app import Lane
from memlane.app.recall import HookAnswer
from memlane.errors import LaneError
from memlane.surfaces.daemon.opened import Opened
from memlane.surfaces.daemon.protocol import Request

NOTHING = HookAnswer({})
# What one question can bring about: it is said in the log, and the next question is answered as if nothing were.
ONE_QUESTION = (LaneError, OSError, ValueError, RecursionError)


class Answering:
    def __init__(self) -> None:
        self.opened = Opened(may_write=lambda: False, begin=prepared)

    def prepare(self) -> None:
        """The index is opened now: on a disk that fills up later, it could not be."""
        with suppress(*ONE_QUESTION):
            self.opened.lane()

    def answer(self, request: Request) -> HookAnswer:
        recalling = self.opened.lane().recall
        return recalling.hooked(request.agent, request.event, given(request), off=request.off)

    def look_around(self) -> None:
        with suppress(*ONE_QUESTION):
            self.opened.lane().recall.look_around()

    def tick_is_due(self) -> bool:
        with suppress(*ONE_QUESTION):
            return self.opened.lane().health.tick_is_due()
        return False

    def too_late(self, request: Request, why: str) -> HookAnswer:
        """Nobody waits for this one any more; what it says about the run still counts."""
        return self.opened.lane().recall.too_late(request.agent, request.event, given(request), why)


def prepared(lane: Lane) -> None:
    with suppress(*ONE_QUESTION):
        lane.recall.prepare()


def given(request: Request) -> Mapping[str, object]:
    try:
        return msgspec.json.decode(request.body, type=dict[str, object])
    except msgspec.DecodeError as error:
        raise ValueError(f"what {request.agent} said at {request.event} is not JSON") from error


def printed(answer: HookAnswer) -> bytes:
    return msgspec.json.encode(answer.output) if answer.output else b""
