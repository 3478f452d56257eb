"""One address that is asked over HTTP and answers with JSON. It knows nothing of vectors, windows or settings.

The standard library's client: it is loaded in milliseconds and follows no redirect. Addresses no model lives at
(link-local ones, where clouds keep credentials) are refused when they are looked up and again when connected.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import select
import socket
import ssl
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import cast
from urllib.parse import SplitResult, urlsplit

from memlane.errors import LaneError

_CONNECT = 3.0  # seconds
_PAUSE = 0.25  # seconds before the one time it is asked again
_LONGEST_PAUSE = 2.0  # whatever it says in Retry-After
_MOST = 1 << 27  # bytes of an answer
_SHOWN = 160  # characters of what went wrong
_READ = 1 << 16  # bytes in which it is looked for
_DEEPEST = 3
_NAMES = ("error", "message", "detail", "msg", "errors")
_OK = 200
_BUSY = 429
_BROKEN = 500

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_METADATA = frozenset(map(ipaddress.ip_address, ("fd00:ec2::254", "100.100.100.200", "168.63.129.16")))


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    status: int
    body: bytes
    retry_after: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])  # names in lower case


def said_in(answer: HttpAnswer) -> str:
    """What it says went wrong, in one line: the sentence in its JSON, else the beginning of what it sent."""
    try:
        said = _sentence(json.loads(answer.body[:_READ]))
    except (ValueError, RecursionError):
        said = ""
    text = said or answer.body[: 4 * _SHOWN].decode("utf-8", "replace")
    return " ".join(text.split())[:_SHOWN] or "nothing"


def _sentence(document: object, depth: int = 0) -> str:
    """`{"error": {"message": …}}`, `{"error": …}`, `{"detail": [{"msg": …}]}`: where endpoints put it."""
    if isinstance(document, str):
        return document
    if depth > _DEEPEST or not document:
        return ""
    if isinstance(document, list):
        return _sentence(cast(list[object], document)[0], depth + 1)
    if not isinstance(document, dict):
        return ""
    table = cast(dict[str, object], document)
    return next((said for name in _NAMES if (said := _sentence(table.get(name), depth + 1))), "")


@dataclass(frozen=True, slots=True)
class Asker:
    """Whose endpoint it is: how its troubles are raised, and which settings (`embed`, `catch`) its hints name."""

    error: type[LaneError]
    settings: str
    what: str = "model"  # that lives at the address

    def trouble(self, message: str, hint: str = "") -> LaneError:
        return self.error(message, hint)


class TooSlowError(Exception):
    """It was not done in time."""


class NoAnswerError(Exception):
    """It cannot be reached, hung up, or does not speak HTTP."""


class NotReachedError(NoAnswerError):
    """No connection came about: nobody there heard anything."""


class UntrustedError(NoAnswerError):
    """Its certificate is of nobody whom this computer trusts."""


class TooLargeError(Exception):
    """It has more to say than anybody can mean."""


class Endpoint:
    """Keeps its connection from request to request. `shown` is how people see it: without whatever must not be seen."""

    def __init__(
        self,
        url: str,
        asker: Asker,
        *,
        key: str = "",
        headers: Mapping[str, str] | None = None,
        most: int = _MOST,
        public: bool = False,
    ) -> None:
        """`public`: a stranger named the address, so nothing in a private network is asked."""
        self._parts = _address(url, asker)
        self._asker, self._most, self._public = asker, most, public
        self.shown = f"{self._parts.scheme}://{self._parts.hostname}:{self._port}"
        self._headers = {"Content-Type": "application/json", "Accept": "application/json", **(headers or {})}
        self._key = key.encode()
        if key and headers is None:
            self._headers["Authorization"] = f"Bearer {key}"
        self._connection: http.client.HTTPConnection | None = None
        self._closed = threading.Event()

    @property
    def path(self) -> str:
        return self._parts.path.rstrip("/")

    @property
    def local(self) -> bool:
        """On this computer or in this house: nobody sends a bill."""
        name = self._parts.hostname or ""
        if name == "localhost" or name.endswith((".local", ".lan", ".internal")):
            return True
        with suppress(ValueError):
            found = _plain(name)
            return found.is_private or found.is_loopback or found.is_unspecified
        return False

    def post(self, path: str, body: bytes, timeout: float) -> HttpAnswer:
        """What it answered, whatever that is, asked once more if it stumbles; else the asker's error."""
        reused = self._connection is not None
        try:
            answer = self.once(path, body, timeout)
        except NoAnswerError:
            self._closed.wait(0.0 if reused else _PAUSE)  # it may have closed what lay idle
            return self._told(path, body, timeout)
        except (TooSlowError, TooLargeError) as error:
            raise self._asker.trouble(str(error)) from None
        if answer.status == _BUSY or answer.status >= _BROKEN:
            self._closed.wait(_pause(answer.retry_after))
            return self._told(path, body, timeout)
        return answer

    def _told(self, path: str, body: bytes, timeout: float) -> HttpAnswer:
        try:
            return self.once(path, body, timeout)
        except (TooSlowError, TooLargeError) as error:
            raise self._asker.trouble(str(error)) from None
        except NoAnswerError as error:
            raise self._asker.trouble(str(error), f"is it running? lane config get {self._asker.settings}") from None

    def once(
        self, path: str, body: bytes | None, timeout: float, headers: Mapping[str, str] | None = None
    ) -> HttpAnswer:
        """Asked one time, with a body or for what it has. It has `timeout` seconds, however slowly it speaks."""
        if self._closed.is_set():
            raise self._asker.trouble("memlane is closing")
        began = time.monotonic()
        try:
            with self._until(timeout):
                answer = self._asked(path, body, timeout, headers or {})
            if time.monotonic() - began >= timeout:
                raise TimeoutError  # what came is all we let come, not all there was
        except (OSError, http.client.HTTPException) as error:
            self.hang_up()
            if isinstance(error, TimeoutError) or time.monotonic() - began >= timeout:
                raise TooSlowError(f"{self.shown} took longer than {timeout:g} s") from None
            if isinstance(error, ssl.SSLCertVerificationError):
                why = f"{self.shown} has a certificate that this computer does not trust ({error.verify_message})"
                raise UntrustedError(why) from None
            why = (error.strerror if isinstance(error, OSError) else "") or type(error).__name__
            unheard = isinstance(error, ConnectionRefusedError | socket.gaierror)
            raise (NotReachedError if unheard else NoAnswerError)(f"{self.shown} does not answer ({why})") from None
        return answer

    def close(self) -> None:
        """Also from another thread: whoever waits for an answer stops waiting."""
        self._closed.set()
        self.hang_up()

    @contextmanager
    def _until(self, seconds: float) -> Generator[None]:
        """A socket's own timeout begins again with every byte; this one does not."""
        timer = threading.Timer(seconds, self._cut_off)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _asked(self, path: str, body: bytes | None, timeout: float, more: Mapping[str, str]) -> HttpAnswer:
        connection = self._connected()
        if connection.sock is not None:
            connection.sock.settimeout(timeout)
        headers = {**self._headers, **more}
        connection.request("GET" if body is None else "POST", path, body, headers)
        with connection.getresponse() as found:
            said = self._unkeyed(found.read(self._most + 1), found.status)
            if not found.isclosed() or found.will_close:
                self.hang_up()
            if len(said) > self._most:
                raise TooLargeError(f"{self.shown} answers with more than {self._most >> 20} MiB")
            if found.length:
                raise http.client.IncompleteRead(said, found.length)
        told = {name.lower(): value for name, value in found.headers.items()}
        return HttpAnswer(found.status, said, told.get("retry-after", ""), told)

    def _unkeyed(self, body: bytes, status: int) -> bytes:
        """An endpoint that complains may quote what it was sent."""
        return body.replace(self._key, b"[key]") if self._key and status != _OK else body

    def _connected(self) -> http.client.HTTPConnection:
        if self._connection is not None and _was_closed(self._connection.sock):
            self.hang_up()
        if self._connection is None:
            secure = self._parts.scheme == "https"
            name = self._parts.hostname or ""
            for found in socket.getaddrinfo(name, self._port, type=socket.SOCK_STREAM):
                self._allow(str(found[4][0]))
            kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
            connection = kind(name, self._port, timeout=_CONNECT)
            connection.connect()
            connection.auto_open = 0  # what was cut off does not come back by itself
            self._connection = connection
            self._allow(str(connection.sock.getpeername()[0]))  # a name may mean something else by now
        return self._connection

    def _allow(self, address: str) -> None:
        found = _plain(address)
        if self._public and not found.is_global:
            self.hang_up()
            raise self._asker.trouble(f"{self.shown} is in a private network, and only named by a document")
        if found.is_link_local or found.is_multicast or found in _METADATA:
            self.hang_up()
            raise self._asker.trouble(
                f"there is no {self._asker.what} at {self.shown}", f"lane config get {self._asker.settings}.url"
            )

    @property
    def _port(self) -> int:
        return self._parts.port or {"http": 80, "https": 443}[self._parts.scheme]

    def _cut_off(self) -> None:
        """Whoever reads reads an end; closing is theirs."""
        if (connection := self._connection) is not None and (sock := connection.sock) is not None:
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)

    def hang_up(self) -> None:
        self._cut_off()
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


def _was_closed(line: socket.socket | None) -> bool:
    """While it lay idle: all that may come unasked is its end."""
    if line is None:
        return True
    try:
        return bool(select.select([line], [], [], 0)[0])
    except (OSError, ValueError):
        return True


def _plain(address: str) -> IpAddress:
    """An IPv4 address in IPv6 clothes is the IPv4 address."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv4Address):
        return found
    if found in _NAT64:
        return ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
    return found.ipv4_mapped or found.sixtofour or found


def _address(url: str, asker: Asker) -> SplitResult:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        parts, usable = urlsplit(""), False
    settings = asker.settings
    if parts.username or parts.password:
        raise asker.trouble(
            f"the {asker.what}'s address contains a password", f"lane config set {settings}.key_variable VARIABLE"
        )
    if not usable:
        raise asker.trouble(
            f"the {asker.what}'s address must start with http:// or https://", f"lane config set {settings}.url URL"
        )
    return parts


def _pause(retry_after: str) -> float:
    """What it asks for, if that is a number of seconds somebody can wait."""
    return min(_LONGEST_PAUSE, float(retry_after)) if retry_after.isdecimal() else _PAUSE


def variable(name: str, variables: Mapping[str, str], asker: Asker) -> str:
    """The key this variable holds; no name, no key."""
    if not name:
        return ""
    if not (key := variables.get(name, "").strip()):
        raise asker.trouble(f"the variable {name} is empty or not set", f"export {name}=…")
    return key
