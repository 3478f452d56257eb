"""Who may ask, how and how much: checked before a route is even looked for, then once more by the route's own rule.

127.0.0.1 is not an identity, and a browser is not its person: hence the token, the Host and the Origin.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from memlane.surfaces.api import passes
from memlane.surfaces.api.asked import Asked, RefusedError

BEARER = "Bearer "
JSON = "application/json"
SMALL = 64 << 10  # bytes: a question
MESSAGE = 4 << 20  # bytes: what an MCP message may be


class Check(StrEnum):
    """What can be asked of a request."""

    HOST = "host"
    ORIGIN = "origin"
    TOKEN = "token"
    PASS = "pass"  # of a browser that its person let in
    KNOWN = "token or pass"
    LENGTH = "length"
    JSON = "json"


AT_THE_DOOR = (Check.HOST, Check.ORIGIN)
EVERYBODY = (*AT_THE_DOOR, Check.TOKEN)
BROWSERS = (*AT_THE_DOOR, Check.PASS)
EITHER = (*AT_THE_DOOR, Check.KNOWN)


@dataclass(frozen=True, slots=True)
class Rule:
    """What a route asks of a request, in this order."""

    checks: tuple[Check, ...]
    largest: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """Where we are reached, and the token that opens the door."""

    port: int
    token: str

    @property
    def names(self) -> frozenset[str]:
        return frozenset(f"{name}:{self.port}" for name in ("127.0.0.1", "localhost", "[::1]"))


def reads() -> Rule:
    """A GET: no body, no effect."""
    return Rule((*EVERYBODY, Check.LENGTH))


def takes(largest: int = SMALL) -> Rule:
    """A POST of JSON."""
    return Rule((*EVERYBODY, Check.LENGTH, Check.JSON), largest)


def shows() -> Rule:
    """A GET of a page: for a browser that was let in."""
    return Rule((*BROWSERS, Check.LENGTH))


def tells() -> Rule:
    """A GET of what a page shows, by a browser that was let in or by a program."""
    return Rule((*EITHER, Check.LENGTH))


def acts(largest: int = SMALL) -> Rule:
    """A POST by a page of ours."""
    return Rule((*BROWSERS, Check.LENGTH, Check.JSON), largest)


def anybody() -> Rule:
    """A GET of what says nothing about this home."""
    return Rule((*AT_THE_DOOR, Check.LENGTH))


def knocks() -> Rule:
    """A POST by who is not known yet."""
    return Rule((*AT_THE_DOOR, Check.LENGTH, Check.JSON), SMALL)


def known(asked: Asked, place: Place) -> bool:
    """By either: asked of who looks for what is not there."""
    return _has_token(asked, place) or _has_pass(asked, place)


def keep(rule: Rule, asked: Asked, place: Place) -> None:
    for check in rule.checks:
        _CHECKS[check](asked, rule, place)


def _host(asked: Asked, _rule: Rule, place: Place) -> None:
    if len(asked.hosts) != 1 or asked.hosts[0] not in place.names:
        raise RefusedError(421, "wrong-host", "this is not who you asked for")


def _origin(asked: Asked, _rule: Rule, place: Place) -> None:
    """Absent from programs; a page of anybody else names itself, or hides its name."""
    origin = asked.headers.get("origin")
    foreign = origin is not None and origin not in {f"http://{name}" for name in place.names}
    if foreign or asked.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        raise RefusedError(403, "wrong-origin", "pages from elsewhere are not answered")


def _token(asked: Asked, _rule: Rule, place: Place) -> None:
    if not _has_token(asked, place):
        raise nobody()


def _pass(asked: Asked, _rule: Rule, place: Place) -> None:
    if not _has_pass(asked, place):
        raise RefusedError(401, "no-pass", "this browser was not let in", "lane ui")


def _known(asked: Asked, _rule: Rule, place: Place) -> None:
    if not known(asked, place):
        raise nobody()


def nobody() -> RefusedError:
    return RefusedError(401, "no-token", "the token is missing or wrong", "Authorization: Bearer <run/token>")


def _has_token(asked: Asked, place: Place) -> bool:
    given = asked.headers.get("authorization", "")
    return given.startswith(BEARER) and hmac.compare_digest(given[len(BEARER) :].encode(), place.token.encode())


def _has_pass(asked: Asked, place: Place) -> bool:
    return passes.holds(passes.carried(asked.headers.get("cookie", "")), place.token)


def _length(asked: Asked, rule: Rule, _place: Place) -> None:
    if asked.length is None:
        if rule.largest:
            raise RefusedError(411, "no-length", "a body is sent with its length")
    elif asked.length > rule.largest:
        raise RefusedError(413, "too-large", f"at most {rule.largest} bytes are taken here")


def _json(asked: Asked, _rule: Rule, _place: Place) -> None:
    """Also what keeps a page's plain form out: it cannot send this type without asking first."""
    kind = asked.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != JSON:
        raise RefusedError(415, "not-json", "the body must be application/json")


_CHECKS: dict[Check, Callable[[Asked, Rule, Place], None]] = {
    Check.HOST: _host,
    Check.ORIGIN: _origin,
    Check.TOKEN: _token,
    Check.PASS: _pass,
    Check.KNOWN: _known,
    Check.LENGTH: _length,
    Check.JSON: _json,
}
