"""Windows handed to an agent, one or several at a time, and what it read in them. Two agents never get the same one."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import groupby, islice
from typing import Literal

import msgspec

from memlane.app.catch.claims import MINUTES, Claims, OpenCount, WindowClaim, nobody, taken_over
from memlane.app.catch.progress import LOOKED, CatchProgress, OpenWindows
from memlane.app.catch.questions import MemoryQuestion, MemoryQuestions
from memlane.app.catch.windows import CatchWindows
from memlane.app.home import Home
from memlane.catch.checks import DraftRefusal, check
from memlane.catch.model.answer import Problem, WindowAnswer, items_of, schema, understood
from memlane.catch.model.occasions import answered
from memlane.catch.model.prompt import prompt, rendered
from memlane.catch.promise import by_promise
from memlane.domain import Draft, Memory, RunFilter, Window, WindowDrafts, random_id
from memlane.errors import NotFoundError, UnreadError
from memlane.flow.catch import CatchOutcome as Caught

MOST_AT_ONCE = 20  # windows that one agent has at one time
_ENOUGH = 40  # windows to choose from


@dataclass(frozen=True, slots=True)
class AgentReader:
    """The extractor an agent is: what it reads is handed in."""

    version: str
    name: str = "agent"

    def read(self, window: Window, nearby: Sequence[Memory]) -> WindowDrafts:  # noqa: ARG002 - an Extractor's verb
        raise UnreadError("an agent reads only when asked", hint="lane catch next")


@dataclass(frozen=True, slots=True)
class Assignment:
    """One window, with all that is needed to read it."""

    token: str
    until: datetime
    window: Window
    nearby: Sequence[Memory]
    again: bool  # it was this agent's already
    kind: Literal["window"] = "window"

    @property
    def instructions(self) -> str:
        return prompt().text

    @property
    def text(self) -> str:
        return rendered(self.window, self.nearby)

    @property
    def schema(self) -> Mapping[str, object]:
        return schema()


@dataclass(frozen=True, slots=True)
class AssignmentReceipt:
    """What became of an answer. What is in `problems` was not kept; the window is the agent's until it is mended."""

    token: str
    caught: Caught
    problems: Sequence[Problem] = ()
    already: str = ""  # why there was nothing left to do


class Assignments:
    def __init__(self, home: Home, catch: CatchWindows) -> None:
        self._home, self._catch = home, catch
        self._claims = Claims(home)
        self._counts = OpenWindows(home, catch, self._claims)
        self._questions = MemoryQuestions(home, catch, self._claims)

    # -- next ------------------------------------------------------------------------------------------------------

    def next(self, by: str = "", runs: Sequence[str] = ()) -> Assignment | None:
        """Of the windows nobody has, those of the Run this agent is reading, oldest first; then of the most promising
        Run. None: all is read."""
        return next(iter(self.several(by, runs)), None)

    def several(self, by: str = "", runs: Sequence[str] = (), count: int = 1) -> Sequence[Assignment]:
        """The ones this agent has already come first, and are as many as it asks for."""
        by = by or claimer(self._home)
        mine = list(islice(self._mine(by), count))
        if len(mine) == count:
            return mine
        name, windows = by or nobody(), self._best(runs, count, self._claims.last_run(by))
        with self._claims.tidied() as claims:
            taken, free = self._claims.taken(claims), list[Assignment]()
            for window in windows:
                if len(mine) + len(free) < count and (window.run, window.key) not in taken:
                    handed = Assignment(
                        random_id("w"), self._claims.until, window, self._catch.nearby(window), again=False
                    )
                    shown = [memory.id for memory in handed.nearby]
                    claims.claims[handed.token] = WindowClaim(window.run, window.key, name, handed.until, shown)
                    free.append(handed)
        return [*mine, *free]

    def question(self, by: str = "") -> MemoryQuestion | None:
        """Memories of which nobody has said when they matter: for whoever finds no window open."""
        return self._questions.next(by or claimer(self._home))

    def onward(self, token: str) -> Assignment | MemoryQuestion | None:
        """What comes next for whoever has answered this, if they have nothing else to answer."""
        claims, token = self._claims.read(), self._claims.whole(token)
        by = claims.claims[token].by if token in claims.claims else claims.questions[token].by
        return None if self.unanswered(token) else self.next(by) or self._questions.next(by)

    def unanswered(self, token: str) -> Sequence[str]:
        """Tokens that the reader of this one has besides it, of Windows that nobody has read since."""
        claims, token = self._claims.read().claims, self._claims.whole(token)
        if token not in claims:
            return []
        held = self._claims.of(claims[token].by)
        return [other for other, claim in held.items() if other != token and self._window(claim) is not None]

    def progress(self, runs: Sequence[str] = ()) -> CatchProgress:
        return self._counts.progress(runs)

    def _best(self, runs: Sequence[str], count: int, begun: str) -> list[Window]:
        """Of the newest Runs, by promise; enough of them for whoever else reads. What was begun is read to its end:
        the same lesson comes up again in it."""
        enough = _ENOUGH + count + len(self._claims.read().claims)
        found = list(islice(self._open(runs), enough))
        by_run = [list(windows) for _run, windows in groupby(found, key=lambda window: window.run)]
        return sorted(by_promise(by_run, self._home.clock()), key=lambda window: window.run != begun)

    def _mine(self, by: str) -> Iterator[Assignment]:
        """Whoever asks twice has the same window, also after their time is over and nobody else took it."""
        for token, claim in self._claims.of(by).items():
            if (window := self._window(claim)) is not None:
                self._claims.renew(token)
                yield Assignment(token, self._claims.until, window, self._shown(claim, window), again=True)

    def _shown(self, claim: WindowClaim, window: Window) -> Sequence[Memory]:
        return [memory for memory in self._catch.nearby(window) if memory.id in claim.nearby]

    def _open(self, runs: Sequence[str]) -> Iterator[Window]:
        """Of the newest Runs, for a few seconds; what has nothing left is not looked at again before it changes."""
        began, known, fresh = time.monotonic(), self._claims.read().counts, dict[str, OpenCount]()
        try:
            for summary in self._home.storage().runs.listed(RunFilter(), self._home.reader):
                mark = self._counts.mark(summary.id)
                if (runs and summary.id not in runs) or known.get(summary.id) == OpenCount(mark, 0):
                    continue
                windows = list(self._catch.open_windows("agent", [summary.id]))
                if self._counts.settled(summary):
                    fresh[summary.id] = OpenCount(mark, len(windows))
                yield from windows
                if time.monotonic() - began > LOOKED:
                    break
        finally:
            self._counts.note(fresh)

    # -- submit ----------------------------------------------------------------------------------------------------

    def submit(self, token: str, text: str) -> AssignmentReceipt:
        """Part by part: what is good is kept, what is not comes back with its reasons and can be sent again alone."""
        token = self._claims.whole(token)
        claims = self._claims.read()
        if token in claims.questions:
            return self._said(token, text)
        claim = self._claim(token, claims.claims)
        window = None if claim.done else self._window(claim)
        if window is None:
            return AssignmentReceipt(token, Caught(), already=_why_done(claim))
        answer = understood(text, window, partial(self._catch.may_name, window=window))
        unfit = dict(self._unfit(answer, window))
        problems = [*answer.problems, *unfit.values()]
        good = {n: draft for n, draft in zip(answer.numbers, answer.drafts, strict=True) if n not in unfit}
        caught = self._keep(window, claim, tuple(good.values()), mends=bool(problems))
        passed = (n for n, draft in good.items() if isinstance(check(draft, window, self._home.gate), Draft))
        self._note(token, caught, [_part(text, n) for n in passed] if problems else [], mends=bool(problems))
        return AssignmentReceipt(token, caught, problems)

    def _keep(self, window: Window, claim: WindowClaim, drafts: tuple[Draft, ...], *, mends: bool) -> Caught:
        """The Window is read when nothing is left to mend; what was kept of it before is known then."""
        reader = AgentReader(f"{prompt().version}/{agent(self._home)}")
        if mends:
            return self._catch.keep_some(window, WindowDrafts(drafts), reader, "agent") if drafts else Caught()
        earlier = msgspec.json.encode({"memories": claim.taken}).decode()
        before = understood(earlier, window, partial(self._catch.may_name, window=window)).drafts
        return self._catch.keep(window, WindowDrafts((*before, *drafts)), reader, "agent")

    def _said(self, token: str, text: str) -> AssignmentReceipt:
        """About Memories, when they matter."""
        claim = self._claims.read().questions[token]
        if claim.done:
            return AssignmentReceipt(token, Caught(), already="this question was answered before")
        answer = answered(text, claim.memories, self._home.gate)
        made = self._questions.keep(answer.occasions, f"agent:{agent(self._home)}")
        with self._claims.changed() as claims:
            claims.questions[token].done = not answer.problems
            done = claim.memories if not answer.problems else list(answer.occasions)
            claims.asked = list(dict.fromkeys((*claims.asked, *done)))
        return AssignmentReceipt(token, Caught(improved=tuple(made)), answer.problems)

    def _claim(self, token: str, claims: Mapping[str, WindowClaim]) -> WindowClaim:
        if taken_over(token, claims):
            raise NotFoundError(
                f"{token} expired after {MINUTES} minutes and another agent has that window now",
                hint="lane catch next",
            )
        return claims[token]

    def _unfit(self, answer: WindowAnswer, window: Window) -> Iterator[tuple[int, Problem]]:
        """What every Draft has to pass, told while it can still be mended. What the Gate refuses is kept refused."""
        for number, draft in zip(answer.numbers, answer.drafts, strict=True):
            found = check(draft, window, self._home.gate)
            if isinstance(found, DraftRefusal) and found.by != "gate":
                yield (
                    number,
                    Problem(f"memories[{number}].{found.place}", found.says, "fix it, or leave this memory out"),
                )

    def _note(self, token: str, caught: Caught, parts: list[msgspec.Raw], *, mends: bool) -> None:
        with self._claims.changed() as claims:
            if (claim := claims.claims.get(token)) is None:
                return
            names = [memory.id for memory in (*caught.made, *caught.again, *caught.improved)]
            claim.memories = list(dict.fromkeys((*claim.memories, *names)))
            claim.done, claim.refused = not mends, mends
            claim.until = self._claims.until if mends else claim.until
            claim.taken = [*claim.taken, *parts] if mends else []

    # -- both ------------------------------------------------------------------------------------------------------

    def _window(self, claim: WindowClaim) -> Window | None:
        open_ = self._catch.open_windows("agent", [claim.run])
        return next((window for window in open_ if window.key == claim.key), None)


def _part(text: str, number: int) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(items_of(text)[0][number]))


def _why_done(claim: WindowClaim) -> str:
    made = f": {', '.join(claim.memories)}" if claim.memories else ""
    return f"this window was answered before{made}" if claim.done else "this window has been read since"


def claimer(home: Home) -> str:
    """The agent's run that calls, where it says so; "" is nobody in particular."""
    caller = home.agents.caller(home.config.variables)
    return f"{caller.variable}={caller.native_id}" if caller.native_id else ""


def agent(home: Home) -> str:
    return home.agent or re.sub(r"[^\w.-]", "", home.config.variables.get("AI_AGENT", ""))[:40] or "agent"
