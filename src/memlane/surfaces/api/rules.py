"""Who may ask, how and how much: checked before a route is even looked for, then once more by the route's own rule.

127.0.0.1 is not an identity, and a browser is not its person: hence the token, the Host and the Origin.
"""

from __future__ import annotations

import hmac
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from memlane.surfaces.api.http import HttpRequest, RefusedError

BEARER = "Bearer "
PLAIN_HOSTS = ("127.0.0.1", "localhost", "[::1]")  # every server on this computer has these
JSON = "application/json"
FRAMES = "application/vnd.memlane.frames"
SMALL = 64 << 10  # bytes: a question
MESSAGE = 4 << 20  # bytes: what an MCP message may be
ANSWER = 1 << 18  # bytes: what a model says about a few windows
HOOK = 1 << 20  # bytes: what an agent says at a hook, a long prompt included
ON_SOCKET = "lane"  # what the daemon's socket is called in a Host header


class Check(StrEnum):
    """What can be asked of a request."""

    HOST = "host"
    ORIGIN = "origin"
    TOKEN = "token"
    PASS = "pass"  # of a browser that its person let in
    KNOWN = "token or pass"
    LENGTH = "length"
    JSON = "json"
    FRAMES = "frames"  # pieces of an archive, packed


AT_THE_DOOR = (Check.HOST, Check.ORIGIN)
EVERYBODY = (*AT_THE_DOOR, Check.TOKEN)
BROWSERS = (*AT_THE_DOOR, Check.PASS)
EITHER = (*AT_THE_DOOR, Check.KNOWN)


READ, SHIP = "read", "ship"  # what a token may be good for


@dataclass(frozen=True, slots=True)
class AccessRule:
    """What a route asks of a request, in this order."""

    checks: tuple[Check, ...]
    largest: int = 0
    right: str = READ


@dataclass(frozen=True, slots=True)
class TokenHolder:
    """Who asks, by their token: whose machine it is, which one, and what it may do. Never read from the request."""

    owner: str = ""  # "": the person whose home this is
    machine: str = ""
    id: str = ""
    rights: frozenset[str] = frozenset({READ})


class Door(Protocol):
    """Where we are reached, and who is let in there."""

    @property
    def names(self) -> frozenset[str]: ...

    @property
    def origins(self) -> frozenset[str]: ...

    def holder(self, asked: HttpRequest) -> TokenHolder | None:
        """By the token in the request. A RefusedError says more than "nobody" about a token that we know."""
        ...

    def admits(self, asked: HttpRequest) -> bool:
        """A browser with a pass."""
        ...


@dataclass(frozen=True, slots=True)
class HttpAddress:
    """Where we are reached, and the token that opens the door."""

    port: int
    token: str

    @property
    def names(self) -> frozenset[str]:
        """Port 0 is the daemon's socket, which no browser reaches."""
        if not self.port:
            return frozenset({ON_SOCKET})
        return frozenset(f"{name}:{self.port}" for name in (*PLAIN_HOSTS, self.host))

    @property
    def origins(self) -> frozenset[str]:
        return frozenset(f"http://{name}" for name in self.names)

    def holder(self, asked: HttpRequest) -> TokenHolder | None:
        given = token_in(asked)
        return TokenHolder() if hmac.compare_digest(given.encode(), self.token.encode()) else None

    def admits(self, asked: HttpRequest) -> bool:
        return _has_pass(asked, self)

    @property
    def host(self) -> str:
        """This home's own name; browsers take every name below `localhost` for this computer. A cookie belongs to a
        host and ignores the port: no other server here knows this name, so none is sent the cookie."""
        return f"lane-{_mac('host', self.token)[:20]}.localhost"


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


def ships(largest: int) -> AccessRule:
    """A POST of packed frames, by a machine's token."""
    return AccessRule((*EVERYBODY, Check.LENGTH, Check.FRAMES), largest, SHIP)


def ships_nothing() -> AccessRule:
    """A GET that a token which only ships may send too."""
    return AccessRule((*EVERYBODY, Check.LENGTH), right=SHIP)


def known(asked: HttpRequest, place: Door) -> bool:
    """By either: asked of who looks for what is not there."""
    return place.holder(asked) is not None or place.admits(asked)


def keep(rule: AccessRule, asked: HttpRequest, place: Door) -> None:
    for check in rule.checks:
        _CHECKS[check](asked, rule, place)


def _host(asked: HttpRequest, _rule: AccessRule, place: Door) -> None:
    if len(asked.hosts) != 1 or (place.names and asked.hosts[0] not in place.names):
        raise RefusedError(421, "wrong-host", "the Host header is not this server")


def _origin(asked: HttpRequest, _rule: AccessRule, place: Door) -> None:
    """Absent from programs; a page of anybody else names itself, or hides its name."""
    origin = asked.headers.get("origin")
    foreign = origin is not None and origin not in place.origins
    if foreign or asked.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        raise RefusedError(403, "wrong-origin", "requests from other origins are refused")


def _token(asked: HttpRequest, rule: AccessRule, place: Door) -> None:
    holder = place.holder(asked)
    if holder is None:
        raise nobody()
    if rule.right not in holder.rights:
        raise RefusedError(403, "not-allowed", f"this token may not {rule.right}", "lane join URL, with another code")


def _pass(asked: HttpRequest, _rule: AccessRule, place: Door) -> None:
    if not place.admits(asked):
        raise RefusedError(401, "no-pass", "this browser is not signed in", "lane ui")


def _known(asked: HttpRequest, _rule: AccessRule, place: Door) -> None:
    if not known(asked, place):
        raise nobody()


def nobody() -> RefusedError:
    return RefusedError(401, "no-token", "the token is missing or wrong", "Authorization: Bearer <run/token>")


def token_in(asked: HttpRequest) -> str:
    """ "": none."""
    given = asked.headers.get("authorization", "")
    return given[len(BEARER) :] if given.startswith(BEARER) else ""


def _has_pass(asked: HttpRequest, place: HttpAddress) -> bool:
    """Under a name that every server on this computer has, a cookie is no secret: there it opens nothing."""
    browser = browser_of(asked)
    return browser.host == place.host and holds(carried(asked.headers.get("cookie", "")), place.token, browser)


def _length(asked: HttpRequest, rule: AccessRule, _place: Door) -> None:
    if asked.length is None:
        if rule.largest:
            raise RefusedError(411, "no-length", "a body is sent with its length")
    elif asked.length > rule.largest:
        raise RefusedError(413, "too-large", f"at most {rule.largest} bytes are accepted")


def _json(asked: HttpRequest, _rule: AccessRule, _place: Door) -> None:
    """Also what keeps a page's plain form out: it cannot send this type without asking first."""
    if _type_of(asked) != JSON:
        raise RefusedError(415, "not-json", "the body must be application/json")


def _frames(asked: HttpRequest, _rule: AccessRule, _place: Door) -> None:
    if _type_of(asked) != FRAMES:
        raise RefusedError(415, "not-frames", f"the body must be {FRAMES}")


def _type_of(asked: HttpRequest) -> str:
    return asked.headers.get("content-type", "").partition(";")[0].strip().lower()


_CHECKS: dict[Check, Callable[[HttpRequest, AccessRule, Door], None]] = {
    Check.HOST: _host,
    Check.ORIGIN: _origin,
    Check.TOKEN: _token,
    Check.PASS: _pass,
    Check.KNOWN: _known,
    Check.LENGTH: _length,
    Check.JSON: _json,
    Check.FRAMES: _frames,
}


COOKIE = "lane"
IDLE = 86_400  # seconds without a page after which a pass ends
HOLDS = 30 * 86_400  # seconds after which it ends in any case
RENEWED = 600  # seconds: a page that is asked for later gives a fresh one
CLOCKS = 60  # seconds that a clock may have been set back
_PASS = re.compile(r"([0-9]{1,12})\.([0-9]{1,12})\.([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class BrowserSign:
    """What a pass is bound to beside the home: the name it was given under, and what the browser calls itself."""

    host: str
    agent: str = ""


def browser_of(asked: HttpRequest) -> BrowserSign:
    host = asked.hosts[0].rpartition(":")[0] if asked.hosts else ""
    return BrowserSign(host, asked.headers.get("user-agent", ""))


def issued(token: str, to: BrowserSign, at: float | None = None, entered: float | None = None) -> str:
    """`entered`: when the person signed in, if this one takes the place of another."""
    now = int(time.time() if at is None else at)
    since = now if entered is None else int(entered)
    return f"{since}.{now}.{_proof(since, now, token, to)}"


def holds(given: str, token: str, of: BrowserSign, at: float | None = None) -> bool:
    found = _PASS.fullmatch(given)
    if found is None:
        return False
    now, entered, renewed = time.time() if at is None else at, int(found[1]), int(found[2])
    proof = _proof(entered, renewed, token, of)
    return hmac.compare_digest(found[3], proof) and -CLOCKS <= now - renewed < IDLE and -CLOCKS <= now - entered < HOLDS


def renewed(asked: HttpRequest, place: HttpAddress) -> Mapping[str, str]:
    """A fresh pass for a browser that still comes, as a header; nothing while the old one is young."""
    given, browser = carried(asked.headers.get("cookie", "")), browser_of(asked)
    found = _PASS.fullmatch(given)
    if found is None or not _has_pass(asked, place) or time.time() - int(found[2]) < RENEWED:
        return {}
    return {"Set-Cookie": cookie(issued(place.token, browser, entered=int(found[1])))}


def carried(cookies: str, name: str = COOKIE) -> str:
    """The value of a cookie; one that is there twice is nobody's."""
    pairs = [part.strip().partition("=") for part in cookies.split(";")]
    named = [value for key, _, value in pairs if key == name]
    return named[0] if len(named) == 1 else ""


def cookie(value: str) -> str:
    """Without a Domain: for this host alone."""
    return f"{COOKIE}={value}; Path=/; Max-Age={IDLE}; HttpOnly; SameSite=Strict"


def _proof(entered: int, renewed: int, token: str, browser: BrowserSign) -> str:
    return _mac(f"browser {entered} {renewed} {browser.host}\n{browser.agent}", token)


def _mac(text: str, token: str) -> str:
    return hmac.new(token.encode(), text.encode("utf-8", "surrogateescape"), "sha256").hexdigest()
