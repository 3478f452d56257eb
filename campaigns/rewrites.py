"""What do rewritten documents cost? `python -m campaigns.rewrites --n 200 --size 2000000`.

A chat that grows by one message and is written whole each time: every generation is kept as changes, restored and
compared byte for byte.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from memlane import archive
from memlane.domain import Level, Run
from memlane.domain.delta import Delta
from memlane.system.disk import Disk

NOW = datetime(2026, 1, 5, 9, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Report:
    """Bytes of the last document, bytes its archive takes, and how many generations came back as they were."""

    last: int
    stored: int
    generations: int
    restored: int
    findings: int
    seconds: float


@cache
def said(n: int, size: int) -> dict[str, object]:
    """Words no compressor can guess: only what stood there before may be cheap."""
    chance = random.Random(n)
    words = " ".join(f"{chance.getrandbits(32):x}" for _ in range(size // 9))
    return {"id": f"m{n}", "timestamp": "2026-01-05T09:00:00.000Z", "type": "user", "content": words}


def chat(messages: list[dict[str, object]]) -> bytes:
    head = {"sessionId": "0a1b2c3d-1111-4222-8333-444455556666", "startTime": "2026-01-05T09:00:00.000Z"}
    return json.dumps({**head, "lastUpdated": len(messages), "messages": messages}, indent=2).encode()


def rewrites(folder: Path, count: int, size: int) -> Report:
    began = time.monotonic()
    disk, layout, wrote = Disk(), archive.Layout(folder, "ann"), list[bytes]()
    run = Run("r_x", "ann", "desk", "gemini-cli", "proj/0a1b2c3d")
    metadata: archive.Metadata | None = None
    for n in range(1, count + 1):
        wrote.append(chat([said(k, size // count) for k in range(n)]))
        delta = Delta(run, n, "/home/ann/chat.json", [wrote[-1]], NOW, rewritten=True)
        metadata = archive.rewrite(disk, layout, delta, NOW).metadata
    kept = layout.find("r_x")
    if kept is None or metadata is None:
        raise SystemExit("nothing was kept")
    back = (b"".join(archive.pieces(disk, kept, metadata, generation)) for generation in metadata.generations)
    return Report(
        last=len(wrote[-1]),
        stored=sum(file.stat().st_size for file in kept.rglob("*") if file.is_file()),
        generations=len(metadata.generations),
        restored=sum(content == original for content, original in zip(back, wrote, strict=True)),
        findings=sum(found.level is Level.FAIL for found in archive.verify(disk, layout)),
        seconds=round(time.monotonic() - began, 1),
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=200)
    parser.add_argument("--size", type=int, default=2_000_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = rewrites(Path(folder), asked.n, asked.size)
    print(json.dumps(asdict(report) | {"ratio": round(report.stored / report.last, 2)}))
    whole = report.restored == report.generations and not report.findings
    return 0 if whole and report.stored < 3 * report.last else 1


if __name__ == "__main__":
    raise SystemExit(main())
