"""A document its agent rewrites whole: kept as changes, small, and each generation given back byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from campaigns.rewrites import chat, said
from memlane import archive
from memlane.app import Lane
from memlane.domain import RunFilter
from memlane.errors import DamagedError
from tests.flow.homes import a_lane


def place(folder: Path) -> Path:
    path = folder / "home" / ".gemini" / "tmp" / "proj" / "chats" / "session-2026-01-05T09-00-0a1b2c3d.json"
    path.parent.mkdir(parents=True)
    return path


def everything_kept(lane: Lane) -> tuple[archive.Metadata, Path]:
    (folder,) = lane.home.layout.run_folders()
    metadata = archive.load(lane.home.disk, folder)
    assert metadata is not None
    return metadata, folder


def test_a_rewrite_is_one_run_with_its_turns_as_they_are_now(tmp_path: Path) -> None:
    path, lane = place(tmp_path), a_lane(tmp_path)
    path.write_bytes(chat([said(1, 100), said(2, 100)]))
    lane.capture.sweep(agent="gemini-cli")
    path.write_bytes(chat([said(1, 100), said(3, 100), said(4, 100)]))
    (change,) = lane.capture.sweep(agent="gemini-cli").changes
    (run,) = lane.runs.select(RunFilter())
    assert (change.generation, run.turns) == (2, 3)
    assert [t.person for t in lane.runs.show(run.id).turns] == [said(n, 100)["content"] for n in (1, 3, 4)]
    assert lane.capture.sweep(agent="gemini-cli", audit=True).changes == []


@pytest.mark.parametrize("victim", ["g2.patch", "g1.raw"])
def test_damage_in_a_change_is_found_and_never_handed_out(tmp_path: Path, victim: str) -> None:
    path, lane = place(tmp_path), a_lane(tmp_path)
    for n in (1, 2, 3):
        path.write_bytes(chat([said(k, 400) for k in range(n)]))
        lane.capture.sweep(agent="gemini-cli")
    metadata, folder = everything_kept(lane)
    data = bytearray((folder / victim).read_bytes())
    data[len(data) // 2] ^= 1
    (folder / victim).write_bytes(bytes(data))
    with pytest.raises(DamagedError):
        b"".join(archive.pieces(lane.home.disk, folder, metadata, metadata.newest))
    assert any(victim in finding.what for finding in lane.archive.verify())
