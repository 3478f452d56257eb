"""The extractor that asks a model: one question a Window, once more with the reasons if the answer will not do.

A model with a long context may be asked about several Windows of a Run ahead; what it says well about one of them is
recorded as that Window's answer, and about the others it is asked alone.
Whatever does not come to a valid answer raises UnreadError: the Window stays open, it is never "nothing found".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import cast

from memlane.catch.model.answer import WindowAnswer, schema, understood
from memlane.catch.model.bundle import answers_of, rendered_many
from memlane.catch.model.json_answer import found_in
from memlane.catch.model.prompt import prompt, rendered
from memlane.catch.model.records import AnswerRecord, Answers, Tries
from memlane.domain import Memory, Window, WindowDrafts
from memlane.errors import UnreadError
from memlane.llm import GuardedLlm, LateAnswerError, LlmError, LlmQuestion, LlmReply, NotAskedError, Stop

MOST = 4_000  # tokens of an answer
_REASONS = 12  # of what was wrong, told at once
_SHOWN = 4_000  # characters of the answer that would not do


@dataclass(frozen=True, slots=True)
class ModelDesk:
    """What reading by a model needs, all of it handed in."""

    answers: Answers
    tries: Tries
    mask: Callable[[str], str]  # the Gate: nothing goes out or is written down unmasked
    clock: Callable[[], datetime]
    at_once: int = 1  # Windows in one question


class ModelExtractor:
    name = "model"

    def __init__(self, llm: GuardedLlm, desk: ModelDesk) -> None:
        self._llm, self._desk = llm, desk
        self._stopped, self._at_once = "", desk.at_once

    @property
    def version(self) -> str:
        return f"{prompt().version}/{self._llm.name}"

    def why_not(self) -> str:
        """Why no Window would be read now; "" when one would. What was refused once is refused to the end."""
        return self._stopped or self._llm.why_not()

    def ahead(self, windows: Sequence[Window], nearby: Callable[[Window], Sequence[Memory]]) -> None:
        """Several at once, where the first is not answered yet. One question that fails is the last of its kind: then
        each is asked about alone, and what fails there counts. So does a kill."""
        several = [*islice(filter(self._is_new, windows), self._at_once)]
        if len(several) < 2 or several[0] != windows[0]:
            return
        known = {memory.id: memory for window in several for memory in nearby(window)}
        for window in several:
            self._desk.tries.begin(window)
        if not self._asked_at_once(several, known):
            self._at_once = 1
        for window in several:
            self._desk.tries.take_back(window)

    def _is_new(self, window: Window) -> bool:
        return self._desk.answers.get(self._key(window)) is None and not self._desk.tries.tried(window)

    def _asked_at_once(self, windows: Sequence[Window], known: Mapping[str, Memory]) -> bool:
        """Whether it was of any use."""
        asked, ids = self._desk.mask(rendered_many(windows, list(known.values()))), list(known)
        try:
            reply = self._llm.ask(self._question(asked, len(windows)))
        except LlmError:
            return False
        if reply.stop is not Stop.END:
            return False
        texts = zip(windows, answers_of(reply.text, windows), strict=True)
        good = [(window, text) for window, text in texts if not understood(text, window, ids.__contains__).problems]
        for window, text in good:
            self._desk.answers.put(self._key(window), self._recorded(window, text, ids, [reply], len(windows)))
        if good:
            self._llm.useful()
        return bool(good)

    def read(self, window: Window, nearby: Sequence[Memory]) -> WindowDrafts:
        if (recorded := self._desk.answers.get(self._key(window))) is not None:
            return self._read(recorded, window)
        self._desk.tries.begin(window)
        try:
            recorded = self._asked(window, nearby)
        except LlmError as error:
            if isinstance(error, NotAskedError):
                self._stopped = error.message
            if isinstance(error, LateAnswerError):
                self._desk.tries.postpone(window, error.message)
            elif isinstance(error, NotAskedError) or not error.question:
                self._desk.tries.take_back(window)
            else:
                self._desk.tries.failed(window, error.message)
            raise UnreadError(error.message, error.hint) from error
        except UnreadError as error:
            self._desk.tries.failed(window, error.message)
            self._llm.useless(error.message)
            raise
        self._desk.answers.put(self._key(window), recorded)
        self._llm.useful()
        return self._read(recorded, window)

    def done(self, window: Window) -> None:
        """What was made of it is in the journal: the answer is not needed any more."""
        self._desk.answers.drop(self._key(window))
        self._desk.tries.done(window)

    def close(self) -> None:
        self._llm.close()

    def _key(self, window: Window) -> str:
        return f"{window.run}/{window.key}/{self.version}"

    def _asked(self, window: Window, nearby: Sequence[Memory]) -> AnswerRecord:
        asked = self._desk.mask(rendered(window, nearby))
        ids = [memory.id for memory in nearby]
        first = self._llm.ask(self._question(asked))
        problems = _problems(first, answer := understood(first.text, window, ids.__contains__))
        if not problems:
            return self._recorded(window, first.text, ids, [first])
        second = self._llm.ask(self._question(_once_more(asked, self._desk.mask(first.text), problems)))
        problems = _problems(second, answer := understood(second.text, window, ids.__contains__))
        if _nothing_to_use(second, answer):
            raise UnreadError(
                f"{window.run}#{window.first} was not read: {self._desk.mask(problems[0])}",
                hint="it stays open and Lane will retry",
            )
        return self._recorded(window, second.text, ids, [first, second])

    def _question(self, asked: str, windows: int = 1) -> LlmQuestion:
        return LlmQuestion(prompt().text, asked, schema(), "memories", MOST * windows)

    def _recorded(
        self, window: Window, text: str, ids: list[str], replies: Sequence[LlmReply], share: int = 1
    ) -> AnswerRecord:
        """Masked as values, so that it is still JSON: a mark in it makes the Gate refuse that Memory later."""
        kept = json.dumps(_masked(found_in(text), self._desk.mask), ensure_ascii=False)
        tokens_in, tokens_out = sum(r.tokens_in for r in replies) // share, sum(r.tokens_out for r in replies) // share
        dollars = sum(r.dollars or 0.0 for r in replies) / share
        return AnswerRecord(window.run, kept, ids, tokens_in, tokens_out, dollars, self._desk.clock().isoformat())

    def _read(self, recorded: AnswerRecord, window: Window) -> WindowDrafts:
        answer = understood(recorded.text, window, recorded.nearby.__contains__)
        drafts = (*answer.drafts, *answer.doubtful)  # checks say no to what is not quoted, and the journal says why
        return WindowDrafts(drafts, recorded.tokens_in, recorded.tokens_out, recorded.dollars)


def _problems(reply: LlmReply, answer: WindowAnswer) -> Sequence[str]:
    if reply.stop is Stop.REFUSED:
        return ["the model refused to answer"]
    if reply.stop is Stop.CUT:
        return [f"the answer was cut after {reply.tokens_out or MOST} tokens; say less, keep the few that matter"]
    return [str(problem) for problem in answer.problems]


def _nothing_to_use(reply: LlmReply, answer: WindowAnswer) -> bool:
    """What is wrong costs its own Memory; the whole answer only if nothing else is in it, or it has no end."""
    return reply.stop is not Stop.END or (bool(answer.problems) and not answer.drafts)


def _once_more(asked: str, answered: str, problems: Sequence[str]) -> str:
    reasons = "\n".join(f"- {problem}" for problem in problems[:_REASONS])
    return (
        f"{asked}\n\nYou answered this question before:\n\n{answered[:_SHOWN]}\n\nThat cannot be used:\n{reasons}\n\n"
        "Answer again, the whole JSON object, with these mended. What cannot be mended is left out."
    )


def _masked(value: object, mask: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, list):
        return [_masked(each, mask) for each in cast(list[object], value)]
    if isinstance(value, Mapping):
        return {mask(key): _masked(each, mask) for key, each in cast(Mapping[str, object], value).items()}
    return value
