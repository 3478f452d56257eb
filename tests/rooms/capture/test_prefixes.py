"""A path that begins like another is another: patterns and folders are compared by their parts."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlane.app.archive.move import must_be_apart
from memlane.archive import Layout
from memlane.capture import excluded
from memlane.errors import UsageError


@pytest.mark.fault("J6")
@pytest.mark.parametrize("other", ["/data/user10", "/data/user1.old/x", "/data/user1-b/x", "/data/user10/x"])
def test_a_pattern_covers_its_folder_and_none_that_begins_like_it(other: str) -> None:
    def out(cwd: str) -> str:
        return excluded(["/data/user1"], path="", agent="codex", cwd=cwd)

    assert out("/data/user1") == out("/data/user1/work") == "/data/user1"
    assert out(other) == ""


@pytest.mark.fault("J6")
def test_users_whose_names_begin_alike_share_no_folder(tmp_path: Path) -> None:
    one, two = Layout(tmp_path, "user1"), Layout(tmp_path, "user10")
    assert one.root != two.root
    assert one.root not in two.root.parents


@pytest.mark.fault("J6")
def test_an_archive_may_move_beside_itself_and_not_into_itself(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    archive.mkdir()
    must_be_apart(archive, tmp_path / "archive2")
    with pytest.raises(UsageError):
        must_be_apart(archive, archive / "inside")
