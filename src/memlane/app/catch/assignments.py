"""Windows handed to an agent, one at a time, and what it read in them. Two agents never get the same one."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby, islice

import msgspec

from memlane import __version__
from memlane.app.catch.windows import CatchWindows
from memlane.app.home import Home
from memlane.app.home.language_model import kept
from memlane.app.home.memory_rules import TITLE_WANTED
from memlane.catch import IDLE
from memlane.catch.checks import DraftRefusal, check
from memlane.catch.model.answer import Problem, schema, understood
from memlane.catch.model.prompt import prompt, rendered
from memlane.catch.promise import by_promise
from memlane.domain import Draft, Memory, RunFilter, Window, WindowDrafts, random_id
from memlane.errors import NotFoundError, UnreadError
from memlane.flow.catch import CatchOutcome as Caught

MINUTES = 30  # a window is somebody's for so long
_LOOKED = 4.0  # seconds spent on finding the window that matters most
_ENOUGH = 40  # windows to choose from
_KEPT = timedelta(days=7)  # a window that was handed out is remembered for so long


class WindowClaim(msgspec.Struct):
    run: str
    key: str
    by: str
    until: datetime
    nearby: list[str]
    done: bool = False
    memories: list[str] = []


class WindowClaims(msgspec.Struct):
    claims: dict[str, WindowClaim] = {}
    empty: dict[str, str] = {}  # Runs with nothing left to read, and how they looked then


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
    """What became of an answer. With problems nothing was kept and the window is still the agent's."""

    token: str
    caught: Caught
    problems: Sequence[Problem] = ()
    already: str = ""  # why there was nothing left to do
    more: bool = False


class Assignments:
    def __init__(self, home: Home, catch: CatchWindows) -> None:
        self._home, self._catch = home, catch
        self._kept = kept(home, "claims", WindowClaims)

    # -- next ------------------------------------------------------------------------------------------------------

    def next(self, by: str = "", runs: Sequence[str] = ()) -> Assignment | None:
        """Of the windows nobody has, the most promising; those of one Run oldest first. None: all is read."""
        by = by or claimer(self._home)
        if (mine := self._mine(by)) is not None:
            return mine
        windows = self._best(runs)
        with self._kept.changed() as claims:
            self._tidy(claims)
            taken = {(c.run, c.key) for c in claims.claims.values() if c.until > self._now and not c.done}
            window = next((w for w in windows if (w.run, w.key) not in taken), None)
            if window is None:
                return None
            nearby, token, until = self._catch.nearby(window), random_id("w"), self._until
            claims.claims[token] = WindowClaim(window.run, window.key, by, until, [memory.id for memory in nearby])
        return Assignment(token, until, window, nearby, again=False)

    def _best(self, runs: Sequence[str]) -> list[Window]:
        """Of the newest Runs, by promise; enough of them for whoever else reads."""
        enough = _ENOUGH + len(self._kept.read().claims)
        found = list(islice(self._open(runs), enough))
        by_run = [list(windows) for _run, windows in groupby(found, key=lambda window: window.run)]
        return by_promise(by_run, self._now)

    def _mine(self, by: str) -> Assignment | None:
        """Whoever asks twice has the same window, also after their time is over and nobody else took it."""
        if not by:
            return None
        claims = self._kept.read().claims
        for token, claim in claims.items():
            if claim.by != by or claim.done or self._taken_over(token, claims):
                continue
            if (window := self._window(claim)) is not None:
                with self._kept.changed() as changed:
                    changed.claims[token].until = until = self._until
                return Assignment(token, until, window, self._shown(claim, window), again=True)
        return None

    def _shown(self, claim: WindowClaim, window: Window) -> Sequence[Memory]:
        return [memory for memory in self._catch.nearby(window) if memory.id in claim.nearby]

    def _open(self, runs: Sequence[str]) -> Iterator[Window]:
        """Of the newest Runs, for a few seconds; what has nothing left is not looked at again before it changes."""
        storage, began = self._home.storage(), time.monotonic()
        empty, found_empty = self._kept.read().empty, dict[str, str]()
        for summary in storage.runs.listed(RunFilter(), self._home.reader):
            mark = f"{__version__} {storage.work.indexed(summary.id)}"
            if (runs and summary.id not in runs) or empty.get(summary.id) == mark:
                continue
            windows = list(self._catch.open_windows("agent", [summary.id]))
            yield from windows
            if not windows and summary.ended is not None and self._now - summary.ended > IDLE:
                found_empty[summary.id] = mark
            if time.monotonic() - began > _LOOKED:
                break
        if found_empty:
            with self._kept.changed() as claims:
                claims.empty |= found_empty

    # -- submit ----------------------------------------------------------------------------------------------------

    def submit(self, token: str, text: str) -> AssignmentReceipt:
        token, claim = self._claim(token)
        window = None if claim.done else self._window(claim)
        if window is None:
            return AssignmentReceipt(token, Caught(), already=self._why_done(claim), more=self._more())
        answer = understood(text, window, claim.nearby)
        problems = [*answer.problems, *_long_titles(answer.drafts), *self._unfit(answer.drafts, window)]
        if problems:
            return AssignmentReceipt(token, Caught(), problems)
        version = f"{prompt().version}/{agent(self._home)}"
        caught = self._catch.keep(window, WindowDrafts(answer.drafts), AgentReader(version), "agent")
        self._done(token, caught)
        return AssignmentReceipt(token, caught, more=self._more())

    def _claim(self, token: str) -> tuple[str, WindowClaim]:
        claims = self._kept.read().claims
        if token not in claims:
            near = [known for known in claims if len(token) > 5 and known.startswith(token)]
            if len(near) != 1:
                raise NotFoundError(
                    f"unknown token {token!r}",
                    hint="copy the token from `lane catch next`, or get another window: lane catch next",
                )
            token = near[0]
        if self._taken_over(token, claims):
            raise NotFoundError(
                f"{token} expired after {MINUTES} minutes and another agent has that window now",
                hint="lane catch next",
            )
        return token, claims[token]

    def _taken_over(self, token: str, claims: Mapping[str, WindowClaim]) -> bool:
        """Whoever comes late may still answer, if nobody has taken the window since."""
        mine, tokens = claims[token], [*claims]
        later = (claims[other] for other in tokens[tokens.index(token) + 1 :])  # in the order they were handed out
        return any((c.run, c.key) == (mine.run, mine.key) and not c.done and not mine.done for c in later)

    def _unfit(self, drafts: Sequence[Draft], window: Window) -> Iterator[Problem]:
        """What every Draft has to pass, told while it can still be mended. What the Gate refuses is kept refused."""
        for number, draft in enumerate(drafts):
            found = check(draft, window, self._home.gate)
            if isinstance(found, DraftRefusal) and found.by != "gate":
                yield Problem(f"memories[{number}].{found.place}", found.says, "fix it, or leave this memory out")

    def _done(self, token: str, caught: Caught) -> None:
        with self._kept.changed() as claims:
            if (claim := claims.claims.get(token)) is not None:
                claim.done = True
                claim.memories = [memory.id for memory in (*caught.made, *caught.again)]

    def _why_done(self, claim: WindowClaim) -> str:
        made = f": {', '.join(claim.memories)}" if claim.memories else ""
        return f"this window was answered before{made}" if claim.done else "this window has been read since"

    def _more(self) -> bool:
        claims = self._kept.read().claims.values()
        taken = {(c.run, c.key) for c in claims if c.until > self._now or c.done}
        return any((window.run, window.key) not in taken for window in self._open(()))

    # -- both ------------------------------------------------------------------------------------------------------

    def _window(self, claim: WindowClaim) -> Window | None:
        open_ = self._catch.open_windows("agent", [claim.run])
        return next((window for window in open_ if window.key == claim.key), None)

    def _tidy(self, claims: WindowClaims) -> None:
        claims.claims = {token: claim for token, claim in claims.claims.items() if claim.until + _KEPT > self._now}

    @property
    def _now(self) -> datetime:
        return self._home.clock()

    @property
    def _until(self) -> datetime:
        return self._now + timedelta(minutes=MINUTES)


def claimer(home: Home) -> str:
    """The agent's run that calls, where it says so; "" is nobody in particular."""
    caller = home.agents.caller(home.config.variables)
    return f"{caller.variable}={caller.native_id}" if caller.native_id else ""


def agent(home: Home) -> str:
    return home.agent or re.sub(r"[^\w.-]", "", home.config.variables.get("AI_AGENT", ""))[:40] or "agent"


def _long_titles(drafts: Sequence[Draft]) -> Iterator[Problem]:
    """Whoever can still mend it is held to what it was asked for; what a model wrote at once may be longer."""
    for number, draft in enumerate(drafts):
        if len(draft.title) > TITLE_WANTED:
            what = f"it has {len(draft.title)} characters"
            yield Problem(f"memories[{number}].title", what, f"one sentence, at most {TITLE_WANTED} characters")
