"""`lane logs` and what it prints: errors, written to `$LANE_HOME/log/` with a traceback, never to a screen."""

from __future__ import annotations

import os
import sys
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memlane.config import Config, load
from memlane.domain.door import plain
from memlane.errors import LaneError, UsageError
from memlane.surfaces.cli import frame, times
from memlane.surfaces.cli.frame import Screen, until_interrupted
from memlane.surfaces.cli.output import say_line
from memlane.surfaces.cli.text import iso, many, one_line, size
from memlane.system.disk import private_folder

if TYPE_CHECKING:
    from memlane.app.capture import CapturedLine

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
        say_line("".join(traceback.format_exception(error)))
    if not config.home.is_dir():
        return "LANE_DEBUG=1 shows more"
    try:
        _append(folder(config) / "cli.log", _entry(error))
    except OSError:
        return "LANE_DEBUG=1 shows more"
    return "lane logs --last-error"


def say(config: Config, level: str, text: str) -> None:
    """One line for whoever looks later; a disk that takes none stops nothing."""
    at = datetime.now(UTC).isoformat(timespec="seconds")
    with suppress(OSError):
        _append(folder(config) / "cli.log", f"{at} {level} {_masked(text)}\n")


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
class LogEntry:
    """One thing that was written down, with the lines that belong to it."""

    file: str
    at: datetime | None
    level: str
    text: str


def entries(config: Config) -> Sequence[LogEntry]:
    """All of it, by everyone, oldest first."""
    found = [entry for path in sorted(folder(config).glob("*.log")) for entry in _in(path)]
    return sorted(found, key=lambda entry: entry.at or datetime.min.replace(tzinfo=UTC))


def _in(path: Path) -> list[LogEntry]:
    blocks: list[list[str]] = []
    for line in path.read_text(errors="replace").splitlines():
        if line.startswith((" ", "\t")) and blocks:
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return [_read(path, "\n".join(block)) for block in blocks]


def _read(path: Path, text: str) -> LogEntry:
    at, _, rest = text.partition(" ")
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return LogEntry(path.name, None, "", text)
    return LogEntry(path.name, moment if moment.tzinfo else moment.replace(tzinfo=UTC), rest.partition(" ")[0], text)


EVERY = 1.0  # seconds between two looks


@frame.command()
@click.option("--follow", "-f", is_flag=True, help="Follow: print each line as it is written.")
@click.option("--last-error", is_flag=True, help="Only the last error, in full.")
@click.option("--since", default="", metavar="WHEN", help="Only after: 1h, yesterday.")
@click.option("--capture", is_flag=True, help="What was captured instead: run, bytes, turns, when, by whom.")
@click.option("--limit", type=click.IntRange(min=1), default=200, show_default=True, help="At most this many entries.")
def command(screen: Screen, follow: bool, last_error: bool, since: str, capture: bool, limit: int) -> None:
    """Show the error log, oldest first; or what was captured."""
    if capture:
        if follow or last_error:
            raise UsageError("--capture stands alone", hint="lane logs --capture --since 1h")
        _captured(screen, since, limit)
        return
    found = list(entries(screen.config))
    if since:
        after = times.moment(since, screen.now.astimezone())
        found = [entry for entry in found if entry.at is None or entry.at >= after]
    if last_error:
        found = [entry for entry in found if entry.level == "ERROR"][-1:]
    shown = found[-limit:]
    if screen.json:
        documents = [{"kind": e.level, "what": plain(e.text), "hint": "", "at": e.at, "file": e.file} for e in shown]
        screen.emit("lane.logs/1", documents, {"entries": len(found)})
        return
    screen.paged((plain(entry.text) for entry in shown), pager=not follow)
    if not shown and not follow:
        screen.say("No errors logged." if last_error else "The log is empty.")
    if follow:
        with until_interrupted(screen):
            _follow(screen, len(found))


def _captured(screen: Screen, since: str, limit: int) -> None:
    with screen.lane() as lane:
        found = list(lane.capture.diary.lines())
    after = times.moment(since, screen.now.astimezone()) if since else None
    found = [line for line in found if after is None or line.at >= after]
    if screen.json:
        documents = [
            {
                "kind": "captured",
                "what": said(line),
                "hint": f"lane show {line.run}",
                "at": line.at,
                "file": "capture.jsonl",
            }
            | {"run": line.run, "bytes": line.bytes, "turns": line.turns, "by": line.by}
            for line in found[-limit:]
        ]
        screen.emit("lane.logs/1", documents, {"entries": len(found)})
        return
    screen.paged(f"{iso(line.at)}  {said(line)}" for line in found[-limit:])
    if not found:
        screen.say("Nothing captured yet." if not since else "Nothing captured since then.")


def said(line: CapturedLine) -> str:
    agent, machine = one_line(line.agent), one_line(line.machine)
    return f"{line.run}  {agent} @{machine}  +{size(line.bytes)}  {many(line.turns, 'turn')}  by {line.by}"


def _follow(screen: Screen, known: int) -> None:
    while True:
        time.sleep(EVERY)
        found = list(entries(screen.config))
        for entry in found[known:]:
            screen.line(plain(entry.text))
        sys.stdout.flush()
        known = len(found)
