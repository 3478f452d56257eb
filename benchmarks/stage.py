"""A copy of a person's home and a lane home beside it, to run commands and open lanes in, and what a command costs."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memlane.app import Lane
from memlane.config import load

TERMS = {"postings", "segments", "unwritten", "removed"}  # tables of a PostgreSQL that say which Chunk has a term


@dataclass(frozen=True, slots=True)
class Stage:
    """Where everything of one measurement lies."""

    folder: Path
    storage: str = ""  # the address of a PostgreSQL

    @property
    def person(self) -> Path:
        return self.folder / "person"

    @property
    def lane_home(self) -> Path:
        return self.folder / "lane"

    def variables(self, **more: str) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("LANE_")}
        kept.pop("PYTHONDONTWRITEBYTECODE", None)  # what is installed was compiled once
        ours = {"HOME": str(self.person), "LANE_HOME": str(self.lane_home), "LANE_USER": "ann", "LANE_MACHINE": "desk"}
        return {**kept, **ours, **({"LANE_STORAGE_URL": self.storage} if self.storage else {}), **more}

    def lane(self, **more: str) -> Lane:
        return Lane(load(self.variables(**more)))

    def run(self, *words: str, **more: str) -> dict[str, float]:
        """One command, to its end: seconds, CPU seconds and peak memory, of it and all it waited for."""
        return cost([sys.executable, *words], self.variables(**more))


def cost(words: Sequence[str], variables: Mapping[str, str]) -> dict[str, float]:
    began = time.perf_counter()
    process = subprocess.Popen(words, env=dict(variables), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _pid, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(words)} ended with {process.returncode}")
    seconds = time.perf_counter() - began
    return {
        "seconds": round(seconds, 3),
        "cpu_seconds": round(used.ru_utime + used.ru_stime, 3),
        "peak_mb": round(used.ru_maxrss / 1024, 1),
    }


def size(path: Path) -> float:
    """MB of files, as they lie on the disk."""
    files = (found for found in path.rglob("*") if found.is_file() and not found.is_symlink())
    return round(sum(found.stat().st_blocks * 512 for found in files) / 1e6, 1)


def sizes(stage: Stage) -> dict[str, float]:
    """By part: the transcripts themselves, the database, its terms, the vectors."""
    home, index = stage.lane_home, stage.lane_home / "index"
    if stage.storage:
        parts = in_database(stage.storage)
    else:
        terms = sum(size(folder) for folder in index.glob("*.terms"))
        parts = {"index": round(size(index) - terms, 1), "terms": terms, "vectors": size(home / "vectors")}
    elsewhere = sum(parts.values()) if stage.storage else 0.0
    return {"archive": size(home / "archive"), **parts, "all": round(size(home) + elsewhere, 1)}


def in_database(url: str) -> dict[str, float]:
    """The same of a PostgreSQL: tables with their indexes and long values, of every schema of ours."""
    import psycopg  # noqa: PLC0415 - only for who asks for it

    asked = (
        "SELECT tablename, pg_total_relation_size(format('%I.%I', schemaname, tablename)::regclass) FROM pg_tables"
        " WHERE schemaname = 'lane' OR schemaname LIKE 'lane\\_v%'"
    )
    parts = {"index": 0.0, "terms": 0.0, "vectors": 0.0}
    with psycopg.connect(url) as connection:
        for table, held in connection.execute(asked).fetchall():
            whole = table.rstrip("_0123456789")  # of which it is a part
            part = "terms" if whole in TERMS else "vectors" if whole in ("vectors", "signs") else "index"
            parts[part] += held / 1e6
    return {part: round(held, 1) for part, held in parts.items()}
