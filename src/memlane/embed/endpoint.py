"""One address that is asked over HTTP and answers with JSON, once more if it stumbles. It knows nothing of vectors.

The standard library's client: it is loaded in milliseconds, and one request at a time is all the queue lets through.
"""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from memlane.embed.embedder import EmbedderError

_CONNECT = 3.0  # seconds
_PAUSE = 0.25  # seconds before the one time it is asked again
_LONGEST_PAUSE = 2.0  # whatever it says in Retry-After
_MOST = 1 << 27  # bytes of an answer
_OK = 200
_BUSY = 429
_BROKEN = 500


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: bytes
    retry_after: str = ""


class Endpoint:
    """Keeps its connection from request to request. `shown` is how people see it: without whatever must not be seen."""

    def __init__(self, url: str, key: str) -> None:
        self._parts = _address(url)
        self.shown = f"{self._parts.scheme}://{self._parts.hostname}:{self._port}"
        self._headers = {"Content-Type": "application/json", "Accept": "application/json"}
        self._key = key.encode()
        if key:
            self._headers["Authorization"] = f"Bearer {key}"
        self._connection: http.client.HTTPConnection | None = None
        self._closed = threading.Event()

    @property
    def path(self) -> str:
        return self._parts.path.rstrip("/")

    def post(self, path: str, body: bytes, timeout: float) -> Answer:
        """What it answered, whatever that is; an EmbedderError if it did not, twice."""
        reused = self._connection is not None
        try:
            answer = self._asked(path, body, timeout)
        except TimeoutError:
            self._hang_up()
            raise EmbedderError(f"{self.shown} took longer than {timeout:g} s") from None
        except (OSError, http.client.HTTPException):
            self._hang_up()
            self._closed.wait(0.0 if reused else _PAUSE)  # it may have closed what lay idle
            return self._asked_again(path, body, timeout)
        if answer.status == _BUSY or answer.status >= _BROKEN:
            self._closed.wait(_pause(answer.retry_after))
            return self._asked_again(path, body, timeout)
        return answer

    def close(self) -> None:
        """Also from another thread: whoever waits for an answer stops waiting."""
        self._closed.set()
        self._hang_up()

    def _asked_again(self, path: str, body: bytes, timeout: float) -> Answer:
        try:
            return self._asked(path, body, timeout)
        except TimeoutError:
            self._hang_up()
            raise EmbedderError(f"{self.shown} took longer than {timeout:g} s") from None
        except (OSError, http.client.HTTPException) as error:
            self._hang_up()
            why = (error.strerror if isinstance(error, OSError) else "") or type(error).__name__
            raise EmbedderError(
                f"{self.shown} does not answer ({why})", "is it running? lane config get embed"
            ) from None

    def _asked(self, path: str, body: bytes, timeout: float) -> Answer:
        if self._closed.is_set():
            raise EmbedderError("memlane is closing")
        connection = self._connected()
        if connection.sock is not None:
            connection.sock.settimeout(timeout)
        connection.request("POST", path, body, self._headers)
        found = connection.getresponse()
        said = self._unkeyed(found.read(_MOST), found.status)
        if not found.isclosed() or found.will_close:
            self._hang_up()
        return Answer(found.status, said, found.headers.get("Retry-After", ""))

    def _unkeyed(self, body: bytes, status: int) -> bytes:
        """An endpoint that complains may quote what it was sent."""
        return body.replace(self._key, b"[key]") if self._key and status != _OK else body

    def _connected(self) -> http.client.HTTPConnection:
        if self._connection is None:
            secure = self._parts.scheme == "https"
            kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
            connection = kind(self._parts.hostname or "", self._port, timeout=_CONNECT)
            connection.connect()
            self._connection = connection
        return self._connection

    @property
    def _port(self) -> int:
        return self._parts.port or {"http": 80, "https": 443}[self._parts.scheme]

    def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is None:
            return
        if connection.sock is not None:
            with suppress(OSError):
                connection.sock.shutdown(socket.SHUT_RDWR)
        connection.close()


def _address(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        parts, usable = urlsplit(""), False
    if parts.username or parts.password:
        raise EmbedderError("the model's address holds a password", "lane config set embed.key_variable VARIABLE")
    if not usable:
        raise EmbedderError("the model's address is no http:// or https:// address", "lane config set embed.url URL")
    return parts


def _pause(retry_after: str) -> float:
    """What it asks for, if that is a number of seconds somebody can wait."""
    return min(_LONGEST_PAUSE, float(retry_after)) if retry_after.isdecimal() else _PAUSE


def variable(name: str, variables: Mapping[str, str]) -> str:
    """The key this variable holds; no name, no key."""
    if not name:
        return ""
    if not (key := variables.get(name, "").strip()):
        raise EmbedderError(f"the variable {name} holds no key", f"export {name}=…")
    return key
