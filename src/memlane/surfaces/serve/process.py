"""The process of `lane serve`: where it listens, with which certificate, and how it ends."""

from __future__ import annotations

import ipaddress
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from memlane.app import Lane
from memlane.config import Config
from memlane.domain.door import plain
from memlane.errors import LaneError, UsageError
from memlane.surfaces import api, mcp
from memlane.surfaces.api.router import Route
from memlane.surfaces.serve.address import CentralAddress
from memlane.surfaces.serve.door import CentralDoor
from memlane.surfaces.serve.otlp import exporting
from memlane.surfaces.serve.owners import OwnerDesks
from memlane.surfaces.serve.trail import trail
from memlane.system.extra import install_line

TO_FINISH = 20  # seconds that a request may still take after we are told to stop
KEPT_ALIVE = 120  # seconds between two questions of one line: a hook of a thin machine has no time for a handshake


@dataclass(frozen=True, slots=True)
class Listening:
    """Where, and how safely."""

    host: str
    port: int
    certificate: Path | None = None
    key: Path | None = None
    plain: bool = False  # a person says that plain HTTP is safe here: behind a proxy, or in a private network
    names: tuple[str, ...] = ()

    @property
    def url(self) -> str:
        return f"{'https' if self.certificate else 'http'}://{self.names[0] if self.names else self.host}:{self.port}"


def must_be_safe(listening: Listening) -> None:
    """A token that crosses a network unencrypted is everybody's."""
    if listening.certificate is None and not _is_loopback(listening.host) and not listening.plain:
        raise UsageError(
            f"plain HTTP at {listening.host} would show every token to the network",
            hint="lane serve --cert FILE --key FILE; behind a proxy with TLS: lane serve --plain",
        )
    if (listening.certificate is None) != (listening.key is None):
        raise UsageError(
            "a certificate needs its key, and a key its certificate", hint="lane serve --cert FILE --key FILE"
        )
    for file in filter(None, (listening.certificate, listening.key)):
        if not file.is_file():
            raise UsageError(f"{file} is not a file", hint="lane serve --cert FILE --key FILE")


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def serve(config: Config, listening: Listening, ready: Callable[[str], None]) -> None:
    """Until a signal says stop. Requests that have begun are finished."""
    must_be_safe(listening)
    try:
        import uvicorn  # noqa: PLC0415 - the extra `central`
    except ImportError:
        raise UsageError("`lane serve` needs uvicorn", hint=install_line("central")) from None
    from memlane.surfaces.serve.patience import AT_ONCE, PatientProtocol  # noqa: PLC0415 - it is uvicorn's

    with Lane(config) as lane:
        if config.in_a_store:
            lane.home.disk.takes_files(config.archive_base)
        lane.home.begin()
        address = CentralAddress(lane.control, _names(listening))
        _ = lane.control.central
        door = CentralDoor(table(), address, OwnerDesks(config), trail(config, _say), _say)
        settings = uvicorn.Config(
            door,
            host=listening.host,
            port=listening.port,
            ssl_certfile=listening.certificate,
            ssl_keyfile=listening.key,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws="none",
            http=PatientProtocol,
            backlog=AT_ONCE // 2,  # lines that are opened before one of them is looked at
            timeout_graceful_shutdown=TO_FINISH,
            timeout_keep_alive=KEPT_ALIVE,
        )
        server = uvicorn.Server(settings)
        try:
            with exporting(config, door.metrics, _say):
                _started(server, listening, ready)
        except SystemExit:  # what uvicorn makes of an address that is taken
            raise LaneError(f"nothing can listen at {listening.url}", hint="lane serve --port N") from None


def _started(server: object, listening: Listening, ready: Callable[[str], None]) -> None:
    import asyncio  # noqa: PLC0415 - for a server alone

    import uvicorn  # noqa: PLC0415 - the extra `central`

    assert isinstance(server, uvicorn.Server)
    running = server

    def stop(_number: int, _frame: object) -> None:
        """Also what uvicorn calls again at its end: what follows the last answer is not cut off."""
        running.should_exit = True

    with server.config.bind_socket() as line:
        signal.signal(signal.SIGTERM, stop)
        line.listen()  # who asks from now on is answered, if only in a moment
        port = line.getsockname()[1]
        ready(listening.url.rpartition(":")[0] + f":{port}")
        asyncio.run(server.serve(sockets=[line]))


def table() -> Sequence[Route]:
    """What programs ask of a home, of the home of whoever asks; and what only Central answers."""
    return api.table(by_mcp, api.central_routes())


def by_mcp(lane: Lane, want: api.RouteRequest) -> api.HttpReply:
    told = mcp.posted(want.asked.body, want.asked.headers, mcp.AgentDesk(lambda: lane))
    return api.HttpReply(told.status, told.body, after=told.after)


def _names(listening: Listening) -> frozenset[str]:
    """The operator's names, with and without the port; none: any."""
    return frozenset(f"{name}{port}" for name in listening.names for port in ("", f":{listening.port}"))


def _say(level: str, text: str) -> None:
    sys.stderr.write(plain(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {level} {text}") + "\n")
