"""A damaged file that can be made again stops nothing and stays beside the new one; one that cannot is an error."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import msgspec
import pytest

from memlane.errors import LaneError
from memlane.system.disk import Disk, takes_files
from memlane.system.json_file import JsonFile


class Counted(msgspec.Struct):
    """A number."""

    n: int = 0


def kept(path: Path, *, derived: bool) -> JsonFile[Counted]:
    return JsonFile(path, Counted, Disk(), nullcontext, derived=derived)


def test_what_can_be_made_again_is_moved_aside_and_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "map.json"
    path.write_bytes(b"\xff{")
    file = kept(path, derived=True)
    with file.changed() as counted:
        counted.n += 1
    assert file.read().n == 1
    assert (tmp_path / "map.json.damaged").read_bytes() == b"\xff{"


def test_what_cannot_is_left_where_it_is(tmp_path: Path) -> None:
    path = tmp_path / "spend.json"
    path.write_bytes(b"\xff{")
    with pytest.raises(LaneError, match="cannot be read") as error:
        kept(path, derived=False).read()
    assert error.value.hint
    assert path.read_bytes() == b"\xff{"


def test_a_folder_is_tried_without_a_trace(tmp_path: Path) -> None:
    takes_files(tmp_path)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(OSError, match="missing"):
        takes_files(tmp_path / "missing")
