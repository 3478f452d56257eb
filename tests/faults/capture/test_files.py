"""Cut at any byte, and on a file system where inodes are used again at once: rows A3 and A8 of the failure model."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from campaigns.plain import line
from campaigns.world import World
from tests.rooms.capture.test_files import sweep, turns


@pytest.mark.fault("A8")
@pytest.mark.skipif(os.getuid() != 0 or not shutil.which("mkfs.ext4"), reason="needs root and mkfs.ext4")
def test_a8_on_ext4_where_inodes_are_used_again_at_once(tmp_path: Path) -> None:
    image, mounted = tmp_path / "image", tmp_path / "mounted"
    mounted.mkdir()
    with image.open("wb") as file:
        file.truncate(16 << 20)
    subprocess.run(["mkfs.ext4", "-q", image], check=True)
    if subprocess.run(["mount", "-o", "loop", image, mounted], check=False, capture_output=True).returncode:
        pytest.skip("no loop devices here")
    try:
        world = World(mounted / "world").prepare()
        inodes = set[int]()
        for n in range(8):
            path = world.path("a")
            path.write_bytes(line(f"file {n}" + "x" * n))
            inodes.add(path.stat().st_ino)
            sweep(world)
            path.unlink()
        assert len(inodes) < 8, "an inode was used again"
        assert world.archived("a") == [line(f"file {n}" + "x" * n) for n in range(8)]
    finally:
        subprocess.run(["umount", mounted], check=True)


@pytest.mark.fault("A3")
def test_a3_a_line_cut_at_any_byte_is_archived_and_read_once_it_is_whole(world: World) -> None:
    whole = line("half of this is not there yet")
    for cut in range(1, len(whole)):
        name = f"cut{cut}"
        path = world.path(name)
        path.write_bytes(line("first") + whole[:cut])
        sweep(world)
        assert world.archived(name) == [path.read_bytes()]
        assert turns(world, name) in (["first"], ["first", "half of this is not there yet"])
        with path.open("ab") as file:
            file.write(whole[cut:])
        sweep(world)
        assert world.archived(name) == [line("first") + whole]
        assert turns(world, name) == ["first", "half of this is not there yet"]
