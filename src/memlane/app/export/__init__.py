"""What leaves this home as files: Runs that were chosen, masked, in a format others read.

Writes beside the target and moves it there whole: a killed export leaves the target as it was.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from memlane import export
from memlane.app.export.report import (
    CARD,
    HTML,
    INDEX,
    MANIFEST,
    NATIVE,
    PARQUET,
    REPORT,
    ExportFile,
    ExportReport,
    MaskedPlace,
)
from memlane.app.export.tables import TableFiles
from memlane.app.home import Home
from memlane.app.runs import Runs
from memlane.app.search import RunSearch
from memlane.domain import Address, RunFilter, RunSummary, State, Turn
from memlane.errors import DamagedError, UsageError

MOST_FOUND = 1000  # Runs that a search chooses
OnRun = Callable[[int, int, RunSummary], object]


class Exports:
    def __init__(self, home: Home, runs: Runs, search: Callable[[], RunSearch]) -> None:
        self._home, self._runs, self._search = home, runs, search

    def choose(self, given: Sequence[str], which: RunFilter, words: str = "") -> Sequence[RunSummary]:
        """These Runs, or those a search finds, or all of them; in the order they began."""
        chosen = which
        if given:
            chosen = replace(chosen, only=frozenset(self._runs.get(one).id for one in given))
        if words:
            found = {turn.run.id for turn in self._search().find(words, chosen, MOST_FOUND).search.best}
            chosen = replace(chosen, only=frozenset(found))
        return sorted(self._runs.select(chosen), key=lambda run: (str(run.started), run.id))

    def write(self, runs: Sequence[RunSummary], form: str, folder: Path, on: OnRun) -> ExportReport:
        """All of them into a folder that is not there yet."""
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageError(f"{folder} exists and is not empty", hint="name a new folder")
        if form == PARQUET:
            TableFiles.must_be_installed()
        folder.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        try:
            report = self._written(runs, form, beside, on)
            beside.rename(folder)
        except BaseException:
            shutil.rmtree(beside, ignore_errors=True)
            raise
        report.folder = folder
        return report

    def _written(self, runs: Sequence[RunSummary], form: str, folder: Path, on: OnRun) -> ExportReport:
        report = ExportReport(folder, form)
        tables = TableFiles(folder) if form == PARQUET else None
        for number, run in enumerate(runs):
            on(number, len(runs), run)
            try:
                self._write_run(run, form, folder, report, tables)
            except DamagedError as error:
                report.set_aside.append((run.id, error.message))
        if tables is not None:
            self._add_memories(tables)
            tables.close()
        self._describe(folder, report)
        return report

    def _write_run(
        self, run: RunSummary, form: str, folder: Path, report: ExportReport, tables: TableFiles | None
    ) -> None:
        seen = ExportReport(folder, form)  # of this Run alone, until it is whole
        if tables is not None:
            tables.add(export.run_rows(run, self._turns(run, seen)).tables)
        else:
            file = folder / report.path_of(run)
            file.parent.mkdir(mode=0o700, exist_ok=True)
            try:
                _write(file, self._pieces(run, form, seen))
            except DamagedError:
                file.unlink(missing_ok=True)
                raise
        report.runs.append(run)
        report.turns += run.turns
        report.masked += seen.masked

    def _pieces(self, run: RunSummary, form: str, seen: ExportReport) -> Iterator[bytes]:
        if form == NATIVE:
            yield from self._native(run, seen)
        else:
            for piece in export.FORMATS[form].pieces(run, self._turns(run, seen)):
                yield piece.encode("utf-8", "replace")

    def _turns(self, run: RunSummary, seen: ExportReport) -> Iterator[Turn]:
        gate = self._home.tools().gate()
        for turn in self._runs.show(run.id).turns:
            for step in turn.steps:
                place = str(Address(run.id, turn.n, step.n))
                seen.masked += [MaskedPlace(run.id, place, rule, n) for rule, n in gate.marked(step).items()]
            yield turn

    def _native(self, run: RunSummary, seen: ExportReport) -> Iterator[bytes]:
        gate = self._home.tools().gate()
        for number, data, held in export.masked_lines(self._runs.raw(run.id), gate.mask_values):
            place = f"line {number}"
            seen.masked += [MaskedPlace(run.id, place, rule, n) for rule, n in gate.marked(held).items()]
            yield data

    def _add_memories(self, tables: TableFiles) -> None:
        """All that this Reader has, whichever Runs were chosen: a memory is not of one Run."""
        storage, reader = self._home.storage(), self._home.reader
        memories = storage.memories.listed(tuple(state for state in State if state is not State.FORGOTTEN), reader)
        recalls = storage.recalls.newest(None, reader)
        verdicts = storage.recalls.judged([memory.id for memory in memories], reader)
        mask = self._home.tools().gate().mask_values
        tables.add({"memories": mask(list(export.memory_rows(memories)))})
        tables.add({"recalls": mask(list(export.recall_rows(recalls, verdicts)))})

    def _describe(self, folder: Path, report: ExportReport) -> None:
        lines = (
            json.dumps({"run": m.run, "place": m.place, "rule": m.rule, "count": m.count}) + "\n" for m in report.masked
        )
        _write(folder / REPORT, (line.encode() for line in lines))
        _write(folder / CARD, [report.card().encode()])
        if report.format == HTML:
            pieces = export.html_contents(report.contents)
            _write(folder / INDEX, (piece.encode("utf-8", "replace") for piece in pieces))
        report.files = [_filed(folder, file) for file in sorted(folder.rglob("*")) if file.is_file()]
        manifest = {
            "schema": "lane.export.manifest/1",
            "format": report.format,
            "made": self._home.clock().isoformat(),
            "runs": [run.id for run in report.runs],
            "turns": report.turns,
            "masked": dict(report.rules),
            "set_aside": [{"run": run, "reason": reason} for run, reason in report.set_aside],
            "files": [{"path": file.path, "bytes": file.bytes, "sha256": file.sha256} for file in report.files],
        }
        _write(folder / MANIFEST, [json.dumps(manifest, indent=1, ensure_ascii=False).encode() + b"\n"])


def _write(file: Path, pieces: Iterable[bytes]) -> None:
    with file.open("xb") as out:
        file.chmod(0o600)
        for piece in pieces:
            out.write(piece)


def _filed(folder: Path, file: Path) -> ExportFile:
    with file.open("rb") as data:
        digest = hashlib.file_digest(data, "sha256").hexdigest()
    return ExportFile(str(file.relative_to(folder)), file.stat().st_size, digest)


__all__ = ["ExportReport", "Exports"]
