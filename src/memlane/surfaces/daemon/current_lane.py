"""A Lane that is opened again when its settings change, and one hook's question answered from it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from memlane.app import Lane
from memlane.app.recall import NOTHING, HookAnswer
from memlane.config import load
from memlane.domain.door import leaving
from memlane.domain.recall import PROBE
from memlane.errors import LaneError, NotSetUpError
from memlane.surfaces.daemon.protocol import HookRequest

Signature = tuple[int, int, int] | None
# What one question can bring about: it is said in the log, and the next question is answered as if nothing were.
ONE_QUESTION = (LaneError, OSError, ValueError, RecursionError)


class CurrentLane:
    """A Lane that is opened again when its settings have changed. It writes only while `may_write` says so."""

    def __init__(self, may_write: Callable[[], bool], begin: Callable[[Lane], None] = lambda _lane: None) -> None:
        self.config = load()  # the last one that could be read
        self._begin = begin  # whenever one is opened
        self._may_write = may_write
        self._lane: Lane | None = None
        self.incomplete = False  # it was opened where there is no index yet
        self._read: Signature = None

    def lane(self) -> Lane:
        now = signature(self.config.file)
        if self._lane is not None and now == self._read:
            return self._lane
        self.close()
        self.config, self._read = load(), now
        self._lane = Lane(self.config)
        self._lane.home.lock.fence = self._may_write
        self.incomplete = False
        try:
            self._begin(self._lane)
        except NotSetUpError:
            self.incomplete = True
        except ONE_QUESTION:  # whoever asks meets it again
            pass
        return self._lane

    def close(self) -> None:
        if self._lane is not None:
            self._lane.close()
            self._lane = None


def signature(path: Path) -> Signature:
    """Changes whenever the file is written or replaced."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


OPENING_TAKES = 0.1  # seconds of the model, at least
THINKING_TAKES = 0.06  # seconds of a prompt that is looked up with the model for the first time
SAYING_TAKES = 0.02  # of these, once all is looked up


class Answerer:
    def __init__(self) -> None:
        self.opened = CurrentLane(may_write=lambda: False, begin=prepare_recall)

    def prepare(self) -> None:
        """The index is opened now: on a disk that fills up later, it could not be."""
        with suppress(*ONE_QUESTION):
            self.opened.lane()

    def answer(self, request: HookRequest, alone: Callable[[], bool]) -> HookAnswer:
        """The first prompt has an answer by words before the model is opened. It waits for a better one, where there is
        time to open it and nobody else asks."""
        answer, began = self._answered(request), time.monotonic()
        if answer.by_words and began + OPENING_TAKES + THINKING_TAKES < request.until:
            while _is_time_to_think(began, request.until) and alone():
                if self.opened.lane().recall.understands():
                    return self._answered(request)
        return answer

    def _answered(self, request: HookRequest) -> HookAnswer:
        if self.opened.incomplete:  # there was no index when it was opened: it is opened again, and prepared
            self.opened.close()
        recalling, said = self.opened.lane().recall, given(request)
        if PROBE in said:
            return recalling.probed(request.agent, request.event, said)
        until = request.until - SAYING_TAKES
        return recalling.hooked(request.agent, request.event, said, off=request.off, meant=request.meant, until=until)

    def look_around(self) -> None:
        with suppress(*ONE_QUESTION):
            self.opened.lane().recall.look_around()

    def tick_is_due(self) -> bool:
        with suppress(*ONE_QUESTION):
            return self.outdated() or self.opened.lane().health.tick_is_due()
        return False

    def outdated(self) -> bool:
        """There is no index that we can read: a tick builds one."""
        with suppress(*ONE_QUESTION):
            return self.opened.lane().home.outdated
        return False

    def too_late(self, request: HookRequest, why: str) -> HookAnswer:
        """Nobody waits for this one any more; what it says about the run still counts."""
        said = given(request)
        if PROBE in said:
            return NOTHING
        return self.opened.lane().recall.too_late(request.agent, request.event, said, why)


def _is_time_to_think(began: float, until: float) -> bool:
    """A busy machine thinks as slowly as it opens the model."""
    now = time.monotonic()
    return now + max(THINKING_TAKES, (now - began) / 2) < until


def prepare_recall(lane: Lane) -> None:
    lane.recall.prepare()


def given(request: HookRequest) -> Mapping[str, object]:
    try:
        return msgspec.json.decode(request.body, type=dict[str, object])
    except msgspec.DecodeError as error:
        raise ValueError(f"what {request.agent} said at {request.event} is not JSON") from error


def printed(answer: HookAnswer) -> bytes:
    return msgspec.json.encode(leaving(answer.output)) if answer.output else b""


def printed_with_card(answer: HookAnswer) -> bytes:
    """For our code inside an agent: what the agent is given, and what the person sees of it."""
    return msgspec.json.encode({"output": leaving(answer.output), "card": answer.card})
