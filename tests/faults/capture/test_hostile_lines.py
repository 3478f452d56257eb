"""Lines of a hundred megabytes and of any bytes at all: rows E1 and E4 of the failure model."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaigns.world import World, scratch
from tests.rooms.capture.test_hostile_lines import GOOD, around, read_back

ROOT = Path(__file__).resolve().parents[3]


MEMORY = """
import resource, sys
from pathlib import Path
from campaigns.plain import line
from campaigns.world import World, gate
world = World(Path(sys.argv[1])).prepare()
gate()
import numpy, tantivy  # what libraries take is not asked here
size = 100 << 20
with world.path("a").open("wb") as file:
    file.write(line("before it"))
    file.write(b'{"text": "')
    for _ in range(size >> 20):
        file.write(b"x" * (1 << 20))
    file.write(b'"}\\n' + line("behind it"))
usual = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (usual + (250 << 20),) * 2)
with world.lane() as lane:
    assert lane.capture.sweep().set_aside == []
    shown = lane.runs.show(world.run("a"))
    turns, run = [turn.person for turn in shown.turns], shown.run
    kept = sum(len(piece) for piece in lane.runs.raw(world.run("a")))
assert turns == ["before it", "behind it"], turns
assert [broken.line for broken in run.broken] == [2]
assert kept == world.path("a").stat().st_size
# Not ru_maxrss: that begins with the memory of whoever started us.
(peak,) = [row.split()[1] for row in Path("/proc/self/status").read_text().splitlines() if row.startswith("VmHWM:")]
print(int(peak) // 1024)
"""


@pytest.mark.fault("E1")
@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for its memory")
def test_e1_a_line_of_a_hundred_megabytes_is_kept_in_little_memory(tmp_path: Path) -> None:
    command = [sys.executable, "-c", MEMORY, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, env={"PYTHONPATH": "src:."}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 300, "megabytes, at most"


@pytest.mark.fault("E4")
@settings(max_examples=60, deadline=None, derandomize=True)
@given(noise=st.lists(st.binary(max_size=60).filter(lambda noise: b"\n" not in noise), max_size=5))
def test_e4_any_bytes_at_all_between_two_lines(noise: list[bytes]) -> None:
    folder = scratch()
    try:
        turns, _run = read_back(World(folder).prepare(), around(*noise))
    finally:
        shutil.rmtree(folder)
    assert (turns[0], turns[-1]) == GOOD
