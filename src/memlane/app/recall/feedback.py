"""A thumb up or down on a Memory that was told: it counts on prompts like the one it was told on, and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from memlane import recall as recalling
from memlane.app.home import Home
from memlane.app.home.journal import ActLine, ActWriter, actor_of
from memlane.domain import Feedback, Memory, Outcome, Recall, random_id
from memlane.domain.journal import FEEDBACK
from memlane.errors import NotFoundError, UsageError

LOOKED_THROUGH = 200  # newest Recalls, for the one that told it


@dataclass(frozen=True, slots=True)
class FeedbackEffect:
    """What was said about which Memory on which Recall, and what its score is multiplied with there from now on."""

    feedback: Feedback
    memory: Memory
    recall: Recall
    before: float
    after: float
    act: str


class Verdicts:
    def __init__(self, home: Home, writer: ActWriter) -> None:
        self._home = home
        self._writer = writer

    def judge(
        self, given: str, *, up: bool, recall: str = "", because: str = "", cwd: Path | None = None, by: str = ""
    ) -> FeedbackEffect:
        """`given`: a Memory, or a Recall that told one; `by`: the agent that says so, if it is not the person."""
        told = self._told(given, recall, cwd)
        memory = self._memory(given, told)
        masked = self._home.gate.mask(because) if because else ""
        words, now = told.query.words, self._home.clock()
        feedback = Feedback(random_id("f"), self._home.config.user, told.id, memory.id, up, words, now, masked, by)
        before = self.factor(memory.id, words)
        data = {"feedback": msgspec.to_builtins(feedback)}
        act = self._writer.write([ActLine(FEEDBACK, feedback.id, data, actor_of(by))])
        return FeedbackEffect(feedback, memory, told, before, self.factor(memory.id, words), act)

    def given_on(self, recalls: Sequence[Recall]) -> Mapping[tuple[str, str], Feedback]:
        """The last word on each Memory in each of these Recalls, by both their ids; the person's before any agent's."""
        told = list(dict.fromkeys(match.memory.id for recall in recalls for match in recall.shown))
        judged = self._home.storage().recalls.judged(told, self._home.reader) if told else ()
        return {(one.recall, one.memory): one for one in sorted(judged, key=lambda one: not one.by)}

    def verdicts(self, memory: str) -> Sequence[Feedback]:
        """All that still count, oldest first."""
        return self._home.storage().recalls.judged([memory], self._home.reader)

    def on(self, recall: Recall) -> Sequence[Feedback]:
        """Given on what this one told."""
        told = [match.memory.id for match in recall.shown]
        given = self._home.storage().recalls.judged(told, self._home.reader) if told else ()
        return [one for one in given if one.recall == recall.id]

    def _told(self, given: str, recall: str, cwd: Path | None) -> Recall:
        recalls, reader = self._home.storage().recalls, self._home.reader
        named = recall or (given if given.startswith("l_") else "")
        if named:
            found = recalls.get(named, reader)
            if found is None:
                raise NotFoundError(f"there is no recall {named}", hint="lane recalls")
            return found
        places = (str(cwd), "") if cwd else ("",)
        newest = (one for place in places for one in recalls.newest(LOOKED_THROUGH, reader, cwd=place))
        telling = [one for one in newest if any(match.memory.id.startswith(given) for match in one.shown)]
        told = next((one for one in telling if one.query.words), telling[0] if telling else None)
        if told is None:
            raise NotFoundError(
                f"{given} was not in a recent recall", hint="lane recalls; lane feedback MEMORY --recall ID"
            )
        return told

    def _memory(self, given: str, told: Recall) -> Memory:
        shown = [match.memory for match in (*told.shown, *told.near)]
        named = [one for one in shown if given.startswith("m_") and one.id.startswith(given)]
        if not given.startswith("m_"):
            named = [match.memory for match in told.shown]
        if len(named) != 1 or told.outcome is Outcome.NOT_LOOKED:
            raise UsageError(f"{given} does not name one memory", hint=f"lane why {told.id}")
        return named[0]

    def factor(self, memory: str, words: str) -> float:
        """What its thumbs multiply its score with on this very prompt."""
        judged = self._home.storage().recalls.judged([memory], self._home.reader)
        downs = recalling.net_downs((one, 1.0) for one in judged if one.query == words)
        return self._home.tools().weights.factor(downs)
