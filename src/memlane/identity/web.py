"""One document from another service, for a sign-in. It decides which addresses are asked at all.

An address that a person or an operator named may be anywhere. One that a document or a stranger named must be public,
or be on the host that was named. Nothing is asked in the clear beyond this computer, and no redirect is followed.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import cast
from urllib.parse import urlencode, urlsplit

import msgspec

from memlane.errors import NotAllowedError, UnreachableError
from memlane.system.http_client import (
    Asker,
    Endpoint,
    HttpAnswer,
    NoAnswerError,
    TooLargeError,
    TooSlowError,
)

ASKER = Asker(UnreachableError, "identity", "identity service")
MOST = 1 << 18  # bytes of an answer: a DID document has about 1 KB, a set of keys about 5
PATIENCE = 10.0
FORM = "application/x-www-form-urlencoded"
_OK = 200


def host_of(url: str) -> str:
    return (urlsplit(url).hostname or "").lower()


def is_loopback(host: str) -> bool:
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


@dataclass(frozen=True, slots=True)
class Service:
    """Another server: its address, and the host that a person or an operator named, if any. `what` is in messages."""

    what: str
    url: str
    named: str = ""

    def get(self, path: str = "", headers: Mapping[str, str] | None = None) -> HttpAnswer:
        return self._asked(path, None, headers or {})

    def post(self, path: str, fields: object, headers: Mapping[str, str] | None = None) -> HttpAnswer:
        return self._asked(path, msgspec.json.encode(fields), headers or {})

    def post_form(self, fields: Mapping[str, str]) -> HttpAnswer:
        return self._asked("", urlencode(fields).encode(), {"Content-Type": FORM})

    def document(self, path: str = "") -> Mapping[str, object]:
        """What a GET finds, which must be a JSON object."""
        answer = self.get(path)
        if answer.status != _OK:
            raise UnreachableError(f"{self.what} answers with status {answer.status}", hint="try again later")
        return table_in(answer, self.what)

    def _asked(self, path: str, body: bytes | None, headers: Mapping[str, str]) -> HttpAnswer:
        host = host_of(self.url)
        if urlsplit(self.url).scheme != "https" and not is_loopback(host):
            raise NotAllowedError(f"{self.what} is not asked without TLS: {self.url}", hint="its address: https://…")
        endpoint = Endpoint(self.url, ASKER, headers={}, most=MOST, public=host != self.named)
        query = f"?{urlsplit(self.url).query}" if urlsplit(self.url).query else ""
        try:
            return endpoint.once((endpoint.path + path or "/") + query, body, PATIENCE, headers)
        except (NoAnswerError, TooSlowError, TooLargeError) as error:
            raise UnreachableError(f"{self.what} does not answer: {error}", hint="try again later") from None
        finally:
            endpoint.close()


def table_in(answer: HttpAnswer, what: str) -> Mapping[str, object]:
    try:
        found: object = msgspec.json.decode(answer.body)
    except (msgspec.DecodeError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise UnreachableError(f"{what} answers with something else than JSON", hint="is the address right?")
    return cast(Mapping[str, object], found)
