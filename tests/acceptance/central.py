"""A real Central for tests: `lane serve` as a process, and people whose machines join it."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.acceptance.command_line import Person


@dataclass
class Central:
    """One that answers, and the folder it keeps."""

    person: Person
    server: subprocess.Popen[bytes]
    url: str

    def invite(self, owner: str, *more: str) -> str:
        made = self.person.lane("machines", "invite", "--for", owner, *more, "--json")
        assert made.code == 0, made
        return made.data["code"]

    def archive(self, owner: str) -> dict[str, bytes]:
        return archived(self.person, owner)


def archived(person: Person, owner: str) -> dict[str, bytes]:
    """Runs and journals, byte for byte, without what is being written this very moment."""
    root = person.lane_home / "archive" / owner
    found = [path for part in ("runs", "journal") for path in sorted((root / part).rglob("*")) if path.is_file()]
    return {str(path.relative_to(root)): path.read_bytes() for path in found if path.suffix != ".tmp"}


def machine(home: Path, name: str, user: str = "noor", variables: Mapping[str, str] | None = None) -> Person:
    """`variables`: also those of an object store; its client does not work in a forked process."""
    home.mkdir(parents=True, exist_ok=True)
    own = {"LANE_MACHINE": name, "LANE_USER": user, "LANE_SHIP_BACKGROUND": "false", **(variables or {})}
    return Person(home, own, quick=not variables)


@contextmanager
def serving(home: Path, *more: str, port: int = 0, variables: Mapping[str, str] | None = None) -> Generator[Central]:
    person = machine(home, "overlook", "operator", variables)
    server = person.start("serve", "--port", str(port), "--json", *more)
    try:
        yield Central(person, server, _url(server))
    finally:
        if server.poll() is None:
            server.send_signal(signal.SIGTERM)
        server.communicate(timeout=30)


def _url(server: subprocess.Popen[bytes]) -> str:
    assert server.stdout is not None
    line = server.stdout.readline()
    assert line, server.stderr.read() if server.stderr else ""
    return json.loads(line)["data"]["url"]
