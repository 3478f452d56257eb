"""On Central: a hook call of an agent on a thin machine, answered as that machine would, and written down here."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from memlane.app.home import Home
from memlane.app.recall.answers import Recalls
from memlane.app.recall.hook_answer import HookAnswer
from memlane.app.recall.place import FolderView, OnThinMachine, ToldFolder
from memlane.app.runs import Runs
from memlane.domain import Machine, Outcome, Project, Recall
from memlane.domain.recall import PROBE


@dataclass(frozen=True, slots=True)
class ThinQuestion:
    """A hook call, and what its machine says about the folder. After `until`, on our clock, nobody waits."""

    machine: str
    agent: str
    event: str
    given: Mapping[str, object]
    folder: ToldFolder
    until: float


class ThinRecalls:
    """One for each thin machine of the owner, because its runs have other ids."""

    def __init__(
        self,
        home: Home,
        opened: Callable[[FolderView], Recalls],
        runs: Callable[[], Runs],
        bring_up_lent: Callable[[], None],
    ) -> None:
        self._home, self._opened, self._runs, self._bring_up_lent = home, opened, runs, bring_up_lent
        self._places = dict[str, tuple[OnThinMachine, Recalls]]()

    def answer(self, asked: ThinQuestion) -> HookAnswer:
        place, recalls = self._of(asked.machine)
        place.told = asked.folder
        self._bring_up_lent()
        if PROBE in asked.given:
            return recalls.probed(asked.agent, asked.event, asked.given)
        answer = recalls.hooked(asked.agent, asked.event, asked.given)
        late = time.monotonic() >= asked.until
        return _unsaid(answer) if late else answer

    def asked(self, machine: str, prompt: str, cwd: str, file: str, folder: ToldFolder) -> Recall:
        """What `lane recall` shows there. Nothing is written down."""
        place, recalls = self._of(machine)
        place.told = folder
        self._bring_up_lent()
        return recalls.asked(prompt, Path(cwd), file=file)

    def keep(self, machine: str, answer: HookAnswer) -> None:
        """After the answer has gone out."""
        _place, recalls = self._of(machine)
        for recall in filter(None, (answer.ahead, answer.recall)):
            recalls.keep(recall)
        if answer.taught is not None:
            recalls.keep_taught(answer.taught)
        if (said := answer.outcome) is not None:
            self._runs().outcomes.outcome(said.run, success=said.success, by=said.agent)

    def _of(self, machine: str) -> tuple[OnThinMachine, Recalls]:
        if machine not in self._places:
            place = OnThinMachine(Machine(self._home.config.user, machine), self._joined)
            recalls = self._opened(place)
            recalls.prepare()
            self._places[machine] = place, recalls
        return self._places[machine]

    def _joined(self, project: Project) -> Project:
        return self._home.storage().projects.of(project, self._home.reader)


def _unsaid(answer: HookAnswer) -> HookAnswer:
    """It came too late: the agent has gone on without it."""
    recall = answer.recall
    if recall is not None and answer.output:
        why = "found after the hook had timed out"
        near = (*recall.shown, *recall.near)
        recall = replace(recall, outcome=Outcome.TOO_SLOW, why=why, shown=(), near=near, tokens=0)
    return replace(answer, output={}, recall=recall, ahead=None if answer.output else answer.ahead)
