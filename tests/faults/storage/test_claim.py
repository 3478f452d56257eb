"""A worker that is killed has no work: the kernel gives its lock back."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memlane.errors import BusyError
from memlane.storage.embedded import EmbeddedEngine

HOLDS = """
import sys
from pathlib import Path
from memlane.storage.embedded import EmbeddedEngine
with EmbeddedEngine(Path(sys.argv[1]), Path(sys.argv[2])).claim():
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_killed_workers_work_is_anybodys_at_once(tmp_path: Path) -> None:
    places = tmp_path / "index", tmp_path / "vectors"
    engine = EmbeddedEngine(*places)
    worker = subprocess.Popen(
        [sys.executable, "-c", HOLDS, *map(str, places)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert worker.stdout is not None
    assert worker.stdout.readline() == "held\n"
    with pytest.raises(BusyError, match="another worker"), engine.claim():
        pass
    worker.kill()
    worker.communicate()
    with engine.claim():
        pass
