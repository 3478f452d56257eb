"""A home folder as two agents would have left it. The same home and day give the same bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from pathlib import Path

from memlane.demo import claude_code, codex
from memlane.demo.runs import RUNS
from memlane.demo.sample import CODEX, PERSON, PROJECTS, AgentFolder, SampleRun


@dataclass(frozen=True, slots=True)
class SampleTranscript:
    """One transcript that now lies there."""

    sample: SampleRun
    path: Path
    size: int


def write_home(home: Path, now: datetime) -> list[SampleTranscript]:
    """Checkouts, transcripts and our settings in an empty home; dated back from `now`."""
    for workplace in PROJECTS:
        _write_checkout(home, workplace)
    _write_settings(home)
    return [_write_run(home, sample, now) for sample in RUNS]


def folder_of(home: Path, workplace: AgentFolder) -> Path:
    return home / "code" / workplace.name


def _write_checkout(home: Path, workplace: AgentFolder) -> None:
    git = folder_of(home, workplace) / ".git"
    git.mkdir(parents=True)
    (git / "HEAD").write_text(f"ref: refs/heads/{workplace.branch}\n")
    remote = f'[remote "origin"]\n\turl = {workplace.remote}\n' if workplace.remote else ""
    (git / "config").write_text(f"[core]\n\tbare = false\n{remote}")


def _write_settings(home: Path) -> None:
    """Whose home it is. It is part of every run's id, so a home that is kept is the same home for ever."""
    (home / ".memlane").mkdir(mode=0o700)
    (home / ".memlane" / "config.toml").write_text(f'user = "{PERSON.user}"\nmachine = "{PERSON.machine}"\n')


def _write_run(home: Path, sample: SampleRun, now: datetime) -> SampleTranscript:
    cwd = folder_of(home, sample.at)
    day = (now - timedelta(days=sample.days_ago)).date()
    began = datetime.combine(day, time(sample.hour), now.tzinfo)
    if sample.agent == CODEX:
        path = home / ".codex" / "sessions" / codex.place(sample, began)
        data = _lines(codex.records(sample, cwd, began))
    else:
        path = home / ".claude" / "projects" / claude_code.place(sample, str(cwd))
        data = _lines(claude_code.records(sample, cwd, began))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    if sample.under:
        path.with_suffix(".meta.json").write_text(json.dumps(claude_code.described(sample)) + "\n")
    return SampleTranscript(sample, path, len(data))


def _lines(records: Iterable[claude_code.Record]) -> bytes:
    return b"".join(
        json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" for record in records
    )
