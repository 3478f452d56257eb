"""What the tests of the memory folder are made of: memories as they were caught, and the pages that are written."""

from __future__ import annotations

import re
from pathlib import Path

from memlane.app import Lane
from memlane.app.folder import FolderReport
from memlane.domain import Entry, Memory
from memlane.domain.journal import MEMORY
from memlane.flow.journal import write_down
from memlane.storage import memory_data
from tests.rooms.app.memories import a_memory

HERE = Path("/home/dev/app")
POINTER = re.compile(r"^- \[.*\]\(([^()\s]+\.md)\)")
MARK = "<!-- <lane-memory nonce="
QUICK = {"LANE_RECALL_MODEL": "none", "LANE_EMBED_MODEL": "none"}


def caught(lane: Lane, *memories: Memory) -> None:
    """As an extractor or a dream of ours writes them."""
    lane.home.begin()
    at = lane.home.clock()
    write_down([Entry(MEMORY, m.id, at, "ann", "desk", "lane", memory_data(m)) for m in memories], lane.home.tools())


def named(n: int) -> str:
    letters = "abcdefghijklmnopqrstuvwxyz"
    return f"m_{letters[n // 676 % 26]}{letters[n // 26 % 26]}{letters[n % 26]}aaaaaaaaaa"


def some(count: int, **more: object) -> list[Memory]:
    made = {"project": "app", "project_key": str(HERE), "confidence": 80, **more}
    return [a_memory(named(n), title=f"Lesson {n}", content=f"What lesson {n} says.", **made) for n in range(count)]


def written(lane: Lane) -> FolderReport:
    return lane.folder.write()


def folder(lane: Lane, name: str = "app-") -> Path:
    (found,) = [path for path in (lane.config.home / "memory").iterdir() if path.name.startswith(name)]
    return found


def topics(path: Path) -> dict[str, str]:
    return {file.name: file.read_text() for file in path.glob("*.md") if file.name != "MEMORY.md"}


def index(path: Path) -> list[str]:
    return [found[1] for line in (path / "MEMORY.md").read_text().splitlines() if (found := POINTER.match(line))]


def snapshot(path: Path) -> dict[str, bytes]:
    return {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()}


def changed(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
