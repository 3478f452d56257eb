"""Who may ask, how and how much: checked before a route is even looked for, then once more by the route's own rule.

127.0.0.1 is not an identity, and a browser is not its person: hence the token, the Host and the Origin.
"""

from __future__ import annotations

import hmac
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from memlane.surfaces.api.http import HttpRequest, RefusedError

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
class AccessRule:
    """What a route asks of a request, in this order."""

    checks: tuple[Check, ...]
    largest: int = 0


@dataclass(frozen=True, slots=True)
class HttpAddress:
    """Where we are reached, and the token that opens the door."""

    port: int
    token: str

    @property
    def names(self) -> frozenset[str]:
        return frozenset(f"{name}:{self.port}" for name in ("127.0.0.1", "localhost", "[::1]"))


def reads() -> AccessRule:
    """A GET: no body, no effect."""
    return AccessRule((*EVERYBODY, Check.LENGTH))


def takes(largest: int = SMALL) -> AccessRule:
    """A POST of JSON."""
    return AccessRule((*EVERYBODY, Check.LENGTH, Check.JSON), largest)


def shows() -> AccessRule:
    """A GET of a page: for a browser that was let in."""
    return AccessRule((*BROWSERS, Check.LENGTH))


def tells() -> AccessRule:
    """A GET of what a page shows, by a browser that was let in or by a program."""
    return AccessRule((*EITHER, Check.LENGTH))


def acts(largest: int = SMALL) -> AccessRule:
    """A POST by a page of ours."""
    return AccessRule((*BROWSERS, Check.LENGTH, Check.JSON), largest)


def anybody() -> AccessRule:
    """A GET of what says nothing about this home."""
    return AccessRule((*AT_THE_DOOR, Check.LENGTH))


def knocks() -> AccessRule:
    """A POST by who is not known yet."""
    return AccessRule((*AT_THE_DOOR, Check.LENGTH, Check.JSON), SMALL)


def known(asked: HttpRequest, place: HttpAddress) -> bool:
    """By either: asked of who looks for what is not there."""
    return _has_token(asked, place) or _has_pass(asked, place)


def keep(rule: AccessRule, asked: HttpRequest, place: HttpAddress) -> None:
    for check in rule.checks:
        _CHECKS[check](asked, rule, place)


def _host(asked: HttpRequest, _rule: AccessRule, place: HttpAddress) -> None:
    if len(asked.hosts) != 1 or asked.hosts[0] not in place.names:
        raise RefusedError(421, "wrong-host", "the Host header is not this server")


def _origin(asked: HttpRequest, _rule: AccessRule, place: HttpAddress) -> None:
    """Absent from programs; a page of anybody else names itself, or hides its name."""
    origin = asked.headers.get("origin")
    foreign = origin is not None and origin not in {f"http://{name}" for name in place.names}
    if foreign or asked.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        raise RefusedError(403, "wrong-origin", "requests from other origins are refused")


def _token(asked: HttpRequest, _rule: AccessRule, place: HttpAddress) -> None:
    if not _has_token(asked, place):
        raise nobody()


def _pass(asked: HttpRequest, _rule: AccessRule, place: HttpAddress) -> None:
    if not _has_pass(asked, place):
        raise RefusedError(401, "no-pass", "this browser is not signed in", "lane ui")


def _known(asked: HttpRequest, _rule: AccessRule, place: HttpAddress) -> None:
    if not known(asked, place):
        raise nobody()


def nobody() -> RefusedError:
    return RefusedError(401, "no-token", "the token is missing or wrong", "Authorization: Bearer <run/token>")


def _has_token(asked: HttpRequest, place: HttpAddress) -> bool:
    given = asked.headers.get("authorization", "")
    return given.startswith(BEARER) and hmac.compare_digest(given[len(BEARER) :].encode(), place.token.encode())


def _has_pass(asked: HttpRequest, place: HttpAddress) -> bool:
    return holds(carried(asked.headers.get("cookie", "")), place.token)


def _length(asked: HttpRequest, rule: AccessRule, _place: HttpAddress) -> None:
    if asked.length is None:
        if rule.largest:
            raise RefusedError(411, "no-length", "a body is sent with its length")
    elif asked.length > rule.largest:
        raise RefusedError(413, "too-large", f"at most {rule.largest} bytes are accepted")


def _json(asked: HttpRequest, _rule: AccessRule, _place: HttpAddress) -> None:
    """Also what keeps a page's plain form out: it cannot send this type without asking first."""
    kind = asked.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != JSON:
        raise RefusedError(415, "not-json", "the body must be application/json")


_CHECKS: dict[Check, Callable[[HttpRequest, AccessRule, HttpAddress], None]] = {
    Check.HOST: _host,
    Check.ORIGIN: _origin,
    Check.TOKEN: _token,
    Check.PASS: _pass,
    Check.KNOWN: _known,
    Check.LENGTH: _length,
    Check.JSON: _json,
}


COOKIE = "lane"
HOLDS = 30 * 86_400  # seconds
_PASS = re.compile(r"([0-9]{1,12})\.([0-9a-f]{64})")


def issued(token: str, at: float | None = None) -> str:
    since = str(int(time.time() if at is None else at))
    return f"{since}.{_proof(since, token)}"


def holds(given: str, token: str, at: float | None = None) -> bool:
    found = _PASS.fullmatch(given)
    if found is None:
        return False
    age = (time.time() if at is None else at) - int(found[1])
    return hmac.compare_digest(found[2], _proof(found[1], token)) and -60 <= age < HOLDS


def carried(cookies: str, name: str = COOKIE) -> str:
    """The value of a cookie; one that is there twice is nobody's."""
    pairs = [part.strip().partition("=") for part in cookies.split(";")]
    named = [value for key, _, value in pairs if key == name]
    return named[0] if len(named) == 1 else ""


def cookie(value: str) -> str:
    return f"{COOKIE}={value}; Path=/; Max-Age={HOLDS}; HttpOnly; SameSite=Strict"


def _proof(since: str, token: str) -> str:
    return hmac.new(token.encode(), f"browser {since}".encode(), "sha256").hexdigest()
