"""How this machine is joined to a Central, and one conversation with it. The token is in a file for its owner alone."""

from __future__ import annotations

import hashlib
import socket
import uuid
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TypeVar, cast

import msgspec

from memlane.app.home import Home
from memlane.app.home.contact import MEMBERSHIP
from memlane.domain.token import kind_of
from memlane.errors import (
    BusyError,
    LaneError,
    NotAllowedError,
    NotFoundError,
    NotSetUpError,
    UnreachableError,
    UsageError,
)
from memlane.system.http_client import (
    Asker,
    Endpoint,
    HttpAnswer,
    NoAnswerError,
    TooLargeError,
    TooSlowError,
    UntrustedError,
)

T = TypeVar("T")
FILE = MEMBERSHIP
ASKER = Asker(UnreachableError, "ship", "Central")
PATIENCE = 120.0  # seconds for one request: 16 MiB on a slow line
QUESTION = 10.0
FRAMES = "application/vnd.memlane.frames"
MACHINE_ID = Path("/etc/machine-id")
_ERRORS: Mapping[str, type[LaneError]] = {"usage": UsageError, "not-found": NotFoundError, "busy": BusyError}
WELL = 300
LATER = "nothing is lost: it is sent when Central answers"
UNTRUSTED = "if its authority is your own, SSL_CERT_FILE names the file with that authority's certificate"


class Membership(msgspec.Struct, frozen=True):
    """Which Central, as whom, and the token that opens it."""

    url: str
    central: str
    owner: str
    machine: str
    id: str
    token: str
    joined: datetime


class LinkFile:
    def __init__(self, home: Home) -> None:
        self._home = home
        self.path = home.config.home / FILE

    def read(self) -> Membership | None:
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=Membership)
        except FileNotFoundError:
            return None
        except msgspec.DecodeError as error:
            raise LaneError(f"{self.path} cannot be read ({error})", hint=f"join again: rm {self.path}") from None

    def must(self) -> Membership:
        if (found := self.read()) is None:
            raise NotSetUpError("this machine has not joined a Central", hint="lane join URL")
        return found

    def write(self, link: Membership) -> None:
        """0600, as the disk makes every file."""
        self._home.disk.make_folders(self.path.parent)
        self._home.disk.replace(self.path, msgspec.json.encode(link) + b"\n")

    def remove(self) -> None:
        with suppress(FileNotFoundError):
            self._home.disk.unlink(self.path)


def computer(home: Home) -> str:
    """Tells this computer and this folder from a copy of the home elsewhere. It says nothing else about either."""
    try:
        name = MACHINE_ID.read_text().strip()
    except OSError:
        name = f"{socket.gethostname()} {uuid.getnode()}"
    return hashlib.sha256(f"lane {name} {home.config.home.resolve()}".encode()).hexdigest()[:32]


class CentralLine:
    """Questions to one Central; each says who asks and which Central is meant."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        self.headers = dict(headers)
        self._endpoint = Endpoint(url, ASKER, headers={})

    @property
    def shown(self) -> str:
        return self._endpoint.shown

    def ask(self, path: str, fields: Mapping[str, object] | None = None, timeout: float = QUESTION) -> object:
        """The data of the document that comes back; a GET without fields."""
        body = None if fields is None else msgspec.json.encode(fields)
        return data_of(self.send(path, body, timeout))

    def send(self, path: str, body: bytes | None, timeout: float = PATIENCE, content: str = "") -> HttpAnswer:
        """Its answer, or our error with its words."""
        headers = {**self.headers, "Content-Type": content} if content else self.headers
        try:
            answer = self._endpoint.once(f"{self._endpoint.path}{path}", body, timeout, headers)
        except (NoAnswerError, TooSlowError, TooLargeError) as error:
            raise UnreachableError(str(error), hint=UNTRUSTED if isinstance(error, UntrustedError) else LATER) from None
        if answer.status >= WELL:
            raise _error(answer)
        return answer

    def __enter__(self) -> CentralLine:
        return self

    def __exit__(self, *_raised: object) -> None:
        self._endpoint.close()


def line_to(link: Membership, home: Home) -> CentralLine:
    if not kind_of(link.token):
        raise NotAllowedError(f"the token in {FILE} is damaged", hint="lane join URL, with a new code")
    headers = {
        "Authorization": f"Bearer {link.token}",
        "X-Lane-Central": link.central,
        "X-Lane-Computer": computer(home),
    }
    return CentralLine(link.url, headers)


def data_of(answer: HttpAnswer) -> object:
    try:
        return msgspec.json.decode(answer.body, type=dict[str, object])["data"]
    except (msgspec.DecodeError, KeyError):
        raise no_central() from None


def understood(said: object, kind: type[T]) -> T:
    """What Central said, in the shape in which it says that."""
    try:
        return msgspec.convert(said, kind)
    except msgspec.ValidationError:
        raise no_central() from None


def no_central() -> UnreachableError:
    """Somebody else has its address: the page of a hotel, a proxy, another program."""
    return UnreachableError("what answers there is no Central", hint="lane join URL")


def _error(answer: HttpAnswer) -> LaneError:
    """With Central's own words and hint."""
    try:
        said = msgspec.json.decode(answer.body, type=dict[str, dict[str, object]])["error"]
    except (msgspec.DecodeError, KeyError):
        return UnreachableError(f"what answers there is no Central (status {answer.status})", hint="lane join URL")
    kind = str(said.get("kind", ""))
    if answer.status in (401, 403, 409, 421):
        error: type[LaneError] = NotAllowedError
    elif answer.status == 429 or answer.status >= 500:
        error = UnreachableError
    else:
        error = _ERRORS.get(kind, LaneError)
    made = error(cast(str, said.get("message", "")) or f"status {answer.status}", hint=str(said.get("hint", "")))
    if kind:
        made.kind = kind
    return made
