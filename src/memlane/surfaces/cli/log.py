"""What went wrong, written down in `$LANE_HOME/log/`: a traceback belongs there, never on a person's screen.

Every writer has its own file there (`cli.log`, `hooks.log`, `daemon.log`). A line is `TIME LEVEL text`; what belongs
to it follows, indented. Words of ours only: messages of exceptions pass the gate, and are left out if it cannot run.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import click

from memlane.config import Config, load
from memlane.disk import private_folder
from memlane.errors import LaneError

LARGEST = 2_000_000  # bytes; then the older half goes
INDENT = "    "


def folder(config: Config) -> Path:
    return config.home / "log"


def write_down(error: BaseException) -> str:
    """Where a person finds it. `LANE_DEBUG=1` shows it at once."""
    try:
        config = load()
    except LaneError:
        return "run it again with LANE_DEBUG=1"
    if config.debug:
        click.echo("".join(traceback.format_exception(error)), err=True)
    if not config.home.is_dir():
        return "LANE_DEBUG=1 shows more"
    try:
        _append(folder(config) / "cli.log", _entry(error))
    except OSError:
        return "LANE_DEBUG=1 shows more"
    return "lane logs --last-error"


def _entry(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{INDENT}{frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]
    head = f"{datetime.now(UTC).isoformat(timespec='seconds')} ERROR {type(error).__name__}: {_masked(str(error))}"
    return "\n".join([head, *places]) + "\n"


def _masked(message: str) -> str:
    try:
        from memlane.app.home import masked
    except ImportError:
        return "(its message is left out: the gate could not be loaded)"
    try:
        return masked(message[:2000]).replace("\n", " ")
    except LaneError:
        return "(its message is left out: the gate could not run)"


def _append(path: Path, text: str) -> None:
    private_folder(path.parent)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "ab") as file:
        file.write(text.encode("utf-8", "replace"))
        too_large = file.tell() > LARGEST
    if too_large:
        kept = path.read_bytes()[-LARGEST // 2 :]
        path.write_bytes(kept[kept.find(b"\n") + 1 :])


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that was written down, with the lines that belong to it."""

    file: str
    at: datetime | None
    level: str
    text: str


def entries(config: Config) -> Sequence[Entry]:
    """All of it, by everyone, oldest first."""
    found = [entry for path in sorted(folder(config).glob("*.log")) for entry in _in(path)]
    return sorted(found, key=lambda entry: entry.at or datetime.min.replace(tzinfo=UTC))


def _in(path: Path) -> list[Entry]:
    blocks: list[list[str]] = []
    for line in path.read_text(errors="replace").splitlines():
        if line.startswith((" ", "\t")) and blocks:
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return [_read(path, "\n".join(block)) for block in blocks]


def _read(path: Path, text: str) -> Entry:
    at, _, rest = text.partition(" ")
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return Entry(path.name, None, "", text)
    return Entry(path.name, moment if moment.tzinfo else moment.replace(tzinfo=UTC), rest.partition(" ")[0], text)
