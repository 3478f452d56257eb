"""What a browser carries once its person has let it in: a time, and the proof that this home wrote it down.

Nothing is kept of it here, so it holds over restarts; it ends with its time, or with the token it is made from.
"""

from __future__ import annotations

import hmac
import re
import time

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
