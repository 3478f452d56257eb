"""Taking in what a person hands over: exports of chats, neutral runs, the prompts of runs that are gone.

What a file is, its content says; its name decides nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from memlane.agents import Container, ImportSource, Peek, Transcript
from memlane.agents.claude_code.history import AGENT, UNNAMED, ClaudeHistory
from memlane.agents.exports.export import kinds_in
from memlane.app.capture.sweep import CaptureReport, OnProgress, Sweeper, quietly
from memlane.app.home import Home
from memlane.capture import SourceFile, SourceFolder, UnreadableFile, look, shown
from memlane.domain import Finding, Level, Run, RunFilter
from memlane.errors import DamagedError, UsageError
from memlane.system.disk import cause_of, signature_of, stat_of

AUTO = "auto"
EXPORTS = "exports"  # which files of the folders of exports were taken, and what they looked like
ENDINGS = (".json", ".jsonl", ".zip")
NOTHING_KNOWN = "no known conversation format in it"
SLACK = timedelta(minutes=1)  # a line is in the history before it is in the transcript
Leave = Callable[[Run, Peek], str]
Span = tuple[str, datetime, datetime]


class Imports:
    def __init__(self, home: Home, capture: Sweeper) -> None:
        self._home = home
        self._capture = capture

    @property
    def kinds(self) -> list[ImportSource]:
        """What can be handed over; their names are those of `--from`."""
        return [source for source in self._home.sources.values() if isinstance(source, ImportSource)]

    def take(
        self, paths: Sequence[Path], *, kind: str = AUTO, machine: str = "", on: OnProgress = quietly
    ) -> CaptureReport:
        """Every conversation in these files and folders, once, however often they are handed over."""
        agents = self._home.agents.values()
        meant = next((agent.name for agent in agents if kind in agent.also_called), kind)
        wanted = [source for source in self.kinds if meant in (AUTO, source.name)]
        if not wanted:
            names = (AUTO, *(source.name for source in self.kinds))
            raise UsageError(f"nothing can be imported from {kind!r}", hint=f"one of: {', '.join(names)}")
        given, aside = list[SourceFile](), list[UnreadableFile]()
        for path, named in _files(paths):
            found = _recognised(path, wanted)
            if isinstance(found, UnreadableFile):
                aside.append(found)
            elif found or not named:
                given += found
            else:
                aside.append(UnreadableFile(shown(path), NOTHING_KNOWN))
        self._home.begin()
        report = self._capture.take_given(given, machine=machine, leave=self._leave(given), on=on)
        return replace(report, set_aside=[*aside, *report.set_aside])

    # -- folders of exports ------------------------------------------------------------------------------------------

    @property
    def folders(self) -> Sequence[Path]:
        home = self._home.config.person_home
        given = self._home.config.names("capture.exports")
        return [home / one[2:] if one.startswith("~/") else Path(one) for one in given]

    def take_new(self) -> CaptureReport | None:
        """What came into the folders of exports since the last look; None: nothing. A file that is still being written
        is named and taken when it has changed."""
        files = {shown(path): (path, signature_of(path.stat())) for path, _named in _files(self._there())}
        seen = {name: signature for name, (_path, signature) in files.items()}
        noted, notes = self._noted(), self._home.storage().notes
        fresh = [path for name, (path, signature) in files.items() if noted.get(name) != signature]
        if not fresh:
            return None
        report = self.take(fresh)
        if report.paused is None:
            notes.put(EXPORTS, msgspec.json.encode(seen).decode())
        return report

    def newest_export(self) -> datetime | None:
        times = [path.stat().st_mtime for path, _named in _files(self._there())]
        return datetime.fromtimestamp(max(times), UTC) if times else None

    def findings(self) -> Iterator[Finding]:
        """Chats online are here only as far as somebody downloads them."""
        for folder in self.folders:
            if not folder.is_dir():
                yield Finding("exports", Level.WARN, f"{folder} is missing", "lane config get capture.exports")
        newest = self.newest_export()
        if newest is not None:
            days = (self._home.clock() - newest).days
            late = days >= self._home.config.number("capture.exports_days")
            what = f"the newest export of chats is {days} day{'s' * (days != 1)} old"
            yield Finding(
                "exports", Level.NOTE if late else Level.OK, what, "download a new one into the folder" if late else ""
            )
        elif self.folders:
            yield Finding("exports", Level.NOTE, "no export of chats yet", "download one into the folder")

    def _there(self) -> list[Path]:
        return [folder for folder in self.folders if folder.is_dir()]

    def _noted(self) -> dict[str, str]:
        noted = self._home.storage().notes.get(EXPORTS)
        return msgspec.json.decode(noted, type=dict[str, str]) if noted else {}

    def _leave(self, given: Sequence[SourceFile]) -> Leave:
        """Prompts alone are worth taking only of runs whose transcript is neither on the disk nor in the archive."""
        histories = [seen.path for seen in given if isinstance(seen.source, ClaudeHistory)]
        there = {name for path in histories for name in self._transcripts_beside(path)}
        spans = self._spans() if histories else []

        def leave(run: Run, peek: Peek) -> str:
            if run.agent == AGENT and run.native_id in there:
                return "its transcript is on the disk"
            if run.native_id.startswith(UNNAMED) and any(_within(peek, span) for span in spans):
                return "its transcript is in the archive"
            return ""

        return leave

    def _transcripts_beside(self, history: Path) -> Iterator[str]:
        for seen in look(self._home.disk, [SourceFolder(self._home.sources[AGENT], history.parent / "projects")]):
            if isinstance(seen, SourceFile) and isinstance(seen.what, Transcript):
                yield seen.what.native_id

    def _spans(self) -> list[Span]:
        runs = self._home.storage().runs.listed(RunFilter(agent=AGENT), self._home.reader)
        return [(run.cwd, run.started, run.ended) for run in runs if run.started and run.ended]


def _within(peek: Peek, span: Span) -> bool:
    cwd, started, ended = span
    return peek.cwd == cwd and peek.started is not None and started - SLACK <= peek.started <= ended + SLACK


def _files(paths: Sequence[Path]) -> Iterator[tuple[Path, bool]]:
    """Each file, and whether it was named itself. Links in a folder are not followed."""
    for path in paths:
        if path.is_dir():
            for folder, folders, names in os.walk(path.absolute()):
                folders.sort()
                found = (Path(folder, name) for name in sorted(names) if name.lower().endswith(ENDINGS))
                yield from ((file, False) for file in found if file.is_file() and not file.is_symlink())
        elif path.is_file():
            yield path.absolute(), True
        else:
            raise UsageError(
                f"{path} is neither a file nor a folder", hint="give an export: the zip, or its unpacked content"
            )


def _recognised(path: Path, wanted: Sequence[ImportSource]) -> list[SourceFile] | UnreadableFile:
    try:
        kinds, stat = kinds_in(path, wanted), stat_of(path.stat())
    except OSError as error:
        return UnreadableFile(shown(path), cause_of(error))
    except DamagedError as error:
        return UnreadableFile(shown(path), error.message)
    return [SourceFile(source, path, Container(), stat) for source in kinds]
