"""What was handed to which agent: Windows, and Memories to say something about. One file, shared by all processes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta

import msgspec

from memlane.app.home import Home
from memlane.app.home.language_model import kept
from memlane.domain import random_id
from memlane.errors import NotFoundError

MINUTES = 30  # something is somebody's for so long
NAMELESS = "nobody/"  # begins the name of a reader who did not say who they are
_KEPT = timedelta(days=7)  # what was handed out is remembered for so long


class WindowClaim(msgspec.Struct):
    run: str
    key: str
    by: str
    until: datetime
    nearby: list[str]
    done: bool = False
    memories: list[str] = []
    refused: bool = False  # something in the last answer has to be mended
    taken: list[msgspec.Raw] = []  # parts of answers that were good, until all of the Window is answered


class QuestionClaim(msgspec.Struct):
    """Memories somebody was asked about."""

    by: str
    until: datetime
    memories: list[str]
    done: bool = False


class OpenCount(msgspec.Struct):
    """Windows of a Run that are open, and how the Run looked when they were counted."""

    mark: str
    windows: int


class WindowClaims(msgspec.Struct):
    claims: dict[str, WindowClaim] = {}
    questions: dict[str, QuestionClaim] = {}
    counts: dict[str, OpenCount] = {}
    asked: list[str] = []  # Memories about which an answer came


class Claims:
    def __init__(self, home: Home) -> None:
        self._kept = kept(home, "claims", WindowClaims)
        self._clock: Callable[[], datetime] = home.clock

    def read(self) -> WindowClaims:
        return self._kept.read()

    @contextmanager
    def changed(self) -> Generator[WindowClaims, None, None]:
        with self._kept.changed() as claims:
            yield claims

    @contextmanager
    def tidied(self) -> Generator[WindowClaims, None, None]:
        """The same, without what nobody will ask about any more."""
        with self._kept.changed() as claims:
            oldest = self._clock() - _KEPT
            claims.claims = {token: claim for token, claim in claims.claims.items() if claim.until > oldest}
            claims.questions = {token: claim for token, claim in claims.questions.items() if claim.until > oldest}
            yield claims

    @property
    def until(self) -> datetime:
        return self._clock() + timedelta(minutes=MINUTES)

    def whole(self, token: str) -> str:
        """The token that begins like this."""
        claims = self.read()
        known = [*claims.claims, *claims.questions]
        near = [one for one in known if one == token] or [
            one for one in known if len(token) > 5 and one.startswith(token)
        ]
        if len(near) != 1:
            raise NotFoundError(
                f"unknown token {token!r}",
                hint="copy the token from `lane catch next`, or get another window: lane catch next",
            )
        return near[0]

    def taken(self, claims: WindowClaims) -> set[tuple[str, str]]:
        """Windows that somebody has now."""
        now = self._clock()
        return {(c.run, c.key) for c in claims.claims.values() if c.until > now and not c.done}

    def of(self, by: str) -> Mapping[str, WindowClaim]:
        """Open ones of this reader, also after their time is over if nobody else took them. A reader without a name
        has the one they were told to mend."""
        claims, now = self.read().claims, self._clock()
        return {
            token: claim
            for token, claim in claims.items()
            if not claim.done
            and (claim.by == by if by else claim.by.startswith(NAMELESS) and claim.refused and claim.until > now)
            and not taken_over(token, claims)
        }

    def last_run(self, by: str) -> str:
        """Of the Window this reader was handed last; "" where nobody says who they are."""
        return next((c.run for c in reversed(self.read().claims.values()) if by and c.by == by), "")

    def renew(self, token: str) -> None:
        with self.changed() as claims:
            claims.claims[token].until = self.until


def nobody() -> str:
    return NAMELESS + random_id("c")


def taken_over(token: str, claims: Mapping[str, WindowClaim]) -> bool:
    """Whoever comes late may still answer, if nobody has taken the window since."""
    mine, tokens = claims[token], [*claims]
    later = (claims[other] for other in tokens[tokens.index(token) + 1 :])  # in the order they were handed out
    return any((c.run, c.key) == (mine.run, mine.key) and not c.done and not mine.done for c in later)
