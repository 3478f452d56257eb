"""A kill at every step of writing the memory folder (E65): no line without its page, no page older than its line."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from memlane.app import Lane
from memlane.domain import Memory, State
from memlane.system.disk import Disk
from tests.flow.folders import QUICK, caught, changed, folder, index, named, snapshot, some, topics, written
from tests.flow.homes import a_lane

OWNER = re.compile(r"^  lane: (m_\w+)$", re.MULTILINE)
BODY = re.compile(r"\n---\n.*?<!--", re.DOTALL)
LINE = re.compile(r"^- \[(.*)\]\(([^()\s]+\.md)\)", re.MULTILINE)


class KilledError(BaseException):
    """Nobody catches it: as good as the end of the process."""


class MortalDisk(Disk):
    """Ends the process before its nth verb that changes something. `meanwhile` happens before every rename."""

    def __init__(self, lives: int = 1 << 30) -> None:
        super().__init__()
        self.lives, self.meanwhile = lives, lambda _path: None

    def _one(self) -> None:
        self.lives -= 1
        if self.lives < 0:
            raise KilledError

    def make_folder(self, path: Path) -> None:
        self._one()
        super().make_folder(path)

    def open_to_write(self, path: Path) -> int:
        self._one()
        return super().open_to_write(path)

    def write(self, descriptor: int, data: bytes, offset: int) -> None:
        if self.lives == 0:  # killed in the middle of it
            super().write(descriptor, data[: len(data) // 2], offset)
        self._one()
        super().write(descriptor, data, offset)

    def rename(self, source: Path, target: Path) -> None:
        self._one()
        super().rename(source, target)

    def unlink(self, path: Path) -> None:
        if os.path.lexists(path):
            self._one()
        super().unlink(path)

    def sync(self, descriptor: int) -> None:
        pass

    def sync_folder(self, path: Path) -> None:
        pass

    def read_whole(self, path: Path) -> bytes:
        found = super().read_whole(path)
        self.meanwhile(path)
        return found


def before(count: int = 4) -> list[Memory]:
    return some(count)


def after() -> list[Memory]:
    """One as it was, one with new words, one that is gone, one nobody is sure of any more, one that was not there."""
    same, said, gone, unsure = some(4)
    return [
        same,
        replace(said, title="Lesson 1, newly put", content="New words."),
        replace(gone, state=State.RETIRED),
        replace(unsure, confidence=50),
        replace(some(6)[5], title="Lesson 5"),
    ]


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[Lane]:
    with a_lane(tmp_path, disk=MortalDisk(), **QUICK) as opened:
        yield opened


def killed_at(lane: Lane, lives: int) -> bool:
    """Whether it was; a Lane is then as fresh as after a restart."""
    disk = lane.home.disk
    assert isinstance(disk, MortalDisk)
    disk.lives = lives
    try:
        written(lane)
    except KilledError:
        return True
    finally:
        disk.lives = 1 << 30
    return False


def leads_to_what_it_says(path: Path) -> bool:
    """Every line has its page, and the page has the words the line was made of."""
    text = (path / "MEMORY.md").read_text() if (path / "MEMORY.md").exists() else ""
    return all(title in (path / file).read_text() for title, file in LINE.findall(text))


def test_e65_a_kill_at_every_step_leaves_no_line_without_its_page_and_the_next_write_finishes(
    tmp_path: Path, lane: Lane
) -> None:
    caught(lane, *before())
    written(lane)
    caught(lane, *after())
    start = snapshot(lane.config.home / "memory")
    written(lane)
    end, step = snapshot(lane.config.home / "memory"), 0
    while True:
        put_back(lane.config.home / "memory", start)
        was_killed = killed_at(lane, step)
        path = folder(lane)
        assert leads_to_what_it_says(path), step
        found = written(lane)
        assert (found.edits, found.paused, found.kept, found.left_out) == ([], [], [], []), step
        assert snapshot(lane.config.home / "memory") == end, step
        if not was_killed:
            break
        step += 1
    assert step > 15


def put_back(path: Path, files: dict[str, bytes]) -> None:
    for file in path.rglob("*"):
        if file.is_file():
            file.unlink()
    for name, data in files.items():
        (path / name).write_bytes(data)


def test_a_kill_at_every_step_of_the_first_write_and_of_taking_an_edit_over(tmp_path: Path) -> None:
    for step in range(200):
        place = tmp_path / str(step)
        place.mkdir()
        with a_lane(place, disk=MortalDisk(), **QUICK) as lane:
            caught(lane, *before(2))
            first = killed_at(lane, step)
            assert written(lane).paused == []
            page = folder(lane) / "lesson-0-aaaa.md"
            changed(page, "What lesson 0 says.", "What I say.")
            second = killed_at(lane, step)
            assert leads_to_what_it_says(folder(lane))
            written(lane)
            assert lane.memories.get(named(0)).content == "What I say."
            assert "What I say." in page.read_text()
            assert [moved.entry.actor for moved in lane.memories.history(named(0))].count("person") == 1
            assert not [name for name in snapshot(lane.config.home / "memory") if name.endswith((".tmp", ".lane"))]
        if not first and not second:
            break
    assert 15 < step < 199


def test_an_edit_made_while_we_write_is_kept_and_taken_over_the_next_time(lane: Lane) -> None:
    disk = lane.home.disk
    assert isinstance(disk, MortalDisk)
    caught(lane, *before(3))
    written(lane)
    caught(lane, *(replace(m, content=f"{m.content} Again.") for m in before(3)))
    page, index_file, reads = folder(lane) / "lesson-1-aaba.md", folder(lane) / "MEMORY.md", list[Path]()

    def meanwhile(path: Path) -> None:
        reads.append(path)
        if path == page and reads.count(page) == 1:  # after the look, before the write
            changed(page, "What lesson 1 says.", "What I say.")
        if path == index_file and reads.count(index_file) == 1:
            index_file.write_text(f"mine\n{index_file.read_text()}")

    disk.meanwhile = meanwhile
    found = written(lane)
    assert sorted(found.late) == [index_file, page]
    assert "What I say." in page.read_text()
    disk.meanwhile = lambda _path: None
    found = written(lane)
    assert [edit.memory.content for edit in found.edits] == ["What I say."]
    assert index_file.read_text().startswith("mine\n<!-- lane:begin -->")
    assert "What I say." in topics(folder(lane))["lesson-1-aaba.md"]
    assert len(index(folder(lane))) == 3


@pytest.mark.parametrize("seed", range(12))
def test_whatever_happens_in_whichever_order_the_last_word_of_a_person_stands(lane: Lane, seed: int) -> None:
    """Edits, dreams, restarts and kills, at random: no line without its page, no edit lost, none made by us."""
    dice, typed = Random(seed), dict[str, str]()
    caught(lane, *before(5))
    written(lane)
    path = folder(lane)
    for n in range(25):
        page = dice.choice(sorted(topics(path)))
        memory = OWNER.search((path / page).read_text())[1]  # type: ignore[index]
        match dice.choice(("edit", "edit", "dream", "kill", "write", "rename")):
            case "edit":
                typed[memory] = f"What I say, number {n}."
                (path / page).write_text(
                    BODY.sub(f"\n---\n\n{typed[memory]}\n\n<!--", (path / page).read_text(), count=1)
                )
            case "dream":
                free = [m for m in before(5) if m.id not in typed]
                caught(lane, *(replace(m, content=f"What dream {n} says.", times_observed=n + 1) for m in free))
            case "kill":
                killed_at(lane, dice.randrange(30))
            case "rename":
                (path / page).rename(path / f"mine-{n}.md")
                written(lane)
            case _:
                written(lane)
        assert all((path / file).exists() for file in index(path))
    found = written(lane)
    assert (found.kept, found.paused, written(lane).wrote) == ([], [], 0)
    assert {m.id: m.content for m in lane.memories.all() if m.id in typed} == typed
    assert sorted(index(path)) == sorted(topics(path))
    assert leads_to_what_it_says(path)
    for memory in typed:
        assert lane.memories.history(memory)[-1].entry.actor == "person"
