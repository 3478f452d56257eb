"""What `lane init` does after the yes: everything in, what can be known at once, and a prompt that will need it."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from memlane.domain import State
from memlane.errors import LaneError
from memlane.surfaces.cli import daemon
from memlane.surfaces.cli.capture import step_of
from memlane.surfaces.cli.progress import Progress, Step

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.capture import CaptureReport
    from memlane.app.catch import CatchReport
    from memlane.app.setup.first_run import MemoryTotals, NotesRead, PromptSuggestion

Got = TypeVar("Got")


@dataclass(frozen=True, slots=True)
class Begun:
    """All that is there after the first look, and what it took. None: it could not be done, `troubles` say why."""

    report: CaptureReport
    caught: CatchReport | None
    noted: NotesRead | None
    known: MemoryTotals
    suggestion: PromptSuggestion | None
    seconds: float
    troubles: tuple[LaneError, ...] = ()

    @property
    def caught_active(self) -> int:
        return sum(m.state is State.ACTIVE for m in self.caught.kept.made) if self.caught else 0

    @property
    def unread(self) -> int:
        """Runs nobody has read for memories yet."""
        return self.caught.left if self.caught else 0


def begin(lane: Lane, here: Path, progress: Progress, *, typed: Path | None, told: bool) -> Begun:
    """`typed`: prompts of runs that are gone. `told`: agents are, so a prompt is looked for that shows it.

    A part that fails stops no other.
    """
    began, troubles = time.monotonic(), list[LaneError]()

    def tried(part: Callable[[], Got]) -> Got | None:
        try:
            return None if report.paused else part()
        except LaneError as error:  # what was taken in is taken in
            troubles.append(error)
            return None

    report = lane.capture.sweep(on=lambda made: progress.show(step_of(made)))
    if typed is not None and (rest := tried(lambda: lane.capture.imports.take([typed]))) is not None:
        report = report.and_then(rest)
    caught = tried(
        lambda: lane.setup.first_run.catch(here, lambda n, of: progress.show(Step("catching", n, of, n / max(1, of))))
    )
    noted = tried(lane.setup.first_run.notes)
    known, took = lane.setup.first_run.known(), time.monotonic() - began
    suggestion = tried(lambda: _suggested(lane, here, progress)) if told and known.active else None
    return Begun(report, caught, noted, known, suggestion, took, tuple(troubles))


def _suggested(lane: Lane, here: Path, progress: Progress) -> PromptSuggestion | None:
    progress.show(Step("recalling", 0, 1, 0.0))
    found = lane.setup.first_run.prompt(here)
    if found is not None:  # it was promised: the first prompt is not to wait for a daemon that starts
        with suppress(LaneError):
            daemon.begin(lane.config)
    progress.show(Step("recalling", 1, 1, 1.0))
    return found
