"""J6: what docs/guides/memory-folder.md promises to whoever edits pages and the index, and edits both at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.domain import Scope, State, Type
from tests.flow.folders import QUICK, caught, changed, folder, index, named, some, topics, written
from tests.flow.homes import a_lane


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[Lane]:
    with a_lane(tmp_path, **QUICK) as opened:
        yield opened


@pytest.fixture
def at(lane: Lane) -> Path:
    caught(lane, *some(4))
    written(lane)
    return folder(lane)


def line_of(at: Path, file: str) -> str:
    return next((line for line in (at / "MEMORY.md").read_text().splitlines() if f"({file})" in line), "")


def no_dead_links(at: Path) -> bool:
    return all((at / file).is_file() for file in index(at))


# -- a page that was renamed, and a line of the index that was changed -------------------------------------------------


def test_a_renamed_page_and_a_change_of_another_line_leave_no_dead_link(lane: Lane, at: Path) -> None:
    (at / "lesson-0-aaaa.md").rename(at / "mine.md")
    changed(at / "MEMORY.md", "What lesson 1 says.", "when it rains")
    found = written(lane)
    assert (found.edits, found.paused, found.left_out) == ([], [], [])
    assert sorted(index(at)) == ["lesson-1-aaba.md", "lesson-2-aaca.md", "lesson-3-aada.md", "mine.md"]
    assert "lesson-0-aaaa.md" not in (at / "MEMORY.md").read_text()
    assert line_of(at, "lesson-1-aaba.md").endswith("when it rains")
    assert written(lane).wrote == 0


def test_a_renamed_page_whose_own_line_was_changed_keeps_both(lane: Lane, at: Path) -> None:
    (at / "lesson-0-aaaa.md").rename(at / "mine.md")
    changed(at / "MEMORY.md", "What lesson 0 says.", "in my words")
    changed(at / "MEMORY.md", "[Lesson 0]", "[My title]")
    (edit,) = written(lane).edits
    assert edit.memory.title == "My title"
    assert line_of(at, "mine.md") == "- [My title](mine.md) — in my words"
    assert no_dead_links(at)


def test_a_page_renamed_in_the_index_as_well_has_our_line(lane: Lane, at: Path) -> None:
    (at / "lesson-0-aaaa.md").rename(at / "mine.md")
    changed(at / "MEMORY.md", "(lesson-0-aaaa.md)", "(mine.md)")
    assert written(lane).edits == []
    lane.memories.edit(named(0), {"title": "Another title"})
    written(lane)
    assert line_of(at, "mine.md").startswith("- [Another title](mine.md)")
    assert len(index(at)) == 4
    assert no_dead_links(at)


def test_a_line_of_theirs_and_a_line_that_was_deleted_follow_a_renamed_page(lane: Lane, at: Path) -> None:
    changed(at / "MEMORY.md", "What lesson 0 says.", "in my words")
    changed(at / "MEMORY.md", f"{line_of(at, 'lesson-1-aaba.md')}\n", "")
    written(lane)
    (at / "lesson-0-aaaa.md").rename(at / "mine.md")
    (at / "lesson-1-aaba.md").rename(at / "quiet.md")
    written(lane)
    assert line_of(at, "mine.md") == "- [Lesson 0](mine.md) — in my words"
    assert line_of(at, "quiet.md") == ""
    assert (at / "quiet.md").is_file()
    assert no_dead_links(at)
    (at / "mine.md").rename(at / "mine-again.md")
    written(lane)
    assert line_of(at, "mine-again.md") == "- [Lesson 0](mine-again.md) — in my words"


def test_a_title_changed_in_a_line_of_theirs_leaves_the_rest_of_it(lane: Lane, at: Path) -> None:
    changed(at / "MEMORY.md", "What lesson 0 says.", "in my words")
    written(lane)
    changed(at / "MEMORY.md", "[Lesson 0]", "[My title]")
    assert [edit.memory.title for edit in written(lane).edits] == ["My title"]
    assert line_of(at, "lesson-0-aaaa.md") == "- [My title](lesson-0-aaaa.md) — in my words"


# -- a head that is broken ---------------------------------------------------------------------------------------------


def without_its_first_border(text: str) -> str:
    return text.removeprefix("---\n")


def without_borders(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if line != "---\n")


def without_its_last_border(text: str) -> str:
    return "---\n" + text.removeprefix("---\n").replace("---\n", "", 1)


def with_a_dash_less(text: str) -> str:
    return text.replace("---\n", "--\n", 1)


@pytest.mark.parametrize(
    "broken", [without_its_first_border, without_borders, without_its_last_border, with_a_dash_less]
)
def test_a_broken_head_never_becomes_the_memorys_text(lane: Lane, at: Path, broken: Callable[[str], str]) -> None:
    page = at / "lesson-0-aaaa.md"
    text = broken(page.read_text())
    page.write_text(text)
    found = written(lane)
    assert found.edits == []
    assert [kept.at.read_text() for kept in found.kept] == [text]
    assert "head is missing" in found.kept[0].why
    assert lane.memories.get(named(0)).content == "What lesson 0 says."
    assert page.read_text().startswith("---\nname: lesson-0-aaaa\n")


def test_blank_lines_before_the_head_mean_nothing(lane: Lane, at: Path) -> None:
    page = at / "lesson-0-aaaa.md"
    page.write_text(f"\n\n{page.read_text()}")
    found = written(lane)
    assert (found.edits, found.kept) == ([], [])
    assert lane.memories.get(named(0)).content == "What lesson 0 says."


# -- brackets ----------------------------------------------------------------------------------------------------------

ODD_TITLES = ("Use [] for lists", "a[0] is first", "see [x](y.md)", "C:\\[temp]\\", "[wip] never on main", "x \\] y [")


@pytest.mark.parametrize("title", ODD_TITLES)
def test_brackets_stay_brackets_also_when_the_title_is_changed_in_the_index(lane: Lane, title: str) -> None:
    caught(lane, replace(some(1)[0], title=title, content="It says [this]."))
    written(lane)
    at = folder(lane)
    (file,) = topics(at)
    assert index(at) == [file]
    before = line_of(at, file)
    assert "(wip)" not in before
    changed(at / "MEMORY.md", before, before.replace("- [", "- [Mine: ", 1))
    assert [edit.memory.title for edit in written(lane).edits] == [f"Mine: {title}"]
    assert lane.memories.get(named(0)).content == "It says [this]."
    assert written(lane).wrote == 0


def test_brackets_in_agents_md_stay_as_they_are(lane: Lane, tmp_path: Path) -> None:
    caught(lane, replace(some(1, project_key=str(tmp_path / "app"))[0], title="Use a[0], never list[-1]"))
    (tmp_path / "app").mkdir()
    report = lane.folder.agents_file.write(tmp_path / "app")
    assert report.lines == [f"- Use a[0], never list[-1] ({named(0)})"]


# -- the rest of the table ---------------------------------------------------------------------------------------------


def test_a_page_of_type_user_is_a_commitment_everywhere(lane: Lane, at: Path) -> None:
    changed(at / "lesson-0-aaaa.md", "type: feedback", "type: user")
    written(lane)
    memory = lane.memories.get(named(0))
    assert (memory.type, memory.scope) == (Type.COMMITMENT, Scope.PERSON)
    assert [name for name in topics(folder(lane, "person")) if name.startswith("lesson-0")]
    assert no_dead_links(at)


def test_a_deleted_page_is_resumed_by_the_command_the_guide_names(lane: Lane, at: Path) -> None:
    (at / "lesson-0-aaaa.md").unlink()
    written(lane)
    assert lane.memories.get(named(0)).state is State.PAUSED
    lane.memories.resume([named(0)])
    written(lane)
    assert "lesson-0-aaaa.md" in index(at)


def test_a_renamed_page_and_its_deleted_neighbour_are_told_apart(lane: Lane, at: Path) -> None:
    (at / "lesson-0-aaaa.md").rename(at / "mine.md")
    (at / "lesson-1-aaba.md").unlink()
    found = written(lane)
    assert [paused.memory.id for paused in found.paused] == [named(1)]
    assert sorted(index(at)) == ["lesson-2-aaca.md", "lesson-3-aada.md", "mine.md"]


def test_files_and_lines_of_their_own_stay(lane: Lane, at: Path) -> None:
    (at / "mine.md").write_text("- my own [file](x.md)\n")
    changed(at / "MEMORY.md", "<!-- lane:begin -->", "- [mine](mine.md)\n<!-- lane:begin -->")
    changed(at / "MEMORY.md", "What lesson 1 says.", "when it rains")
    written(lane)
    assert (at / "mine.md").read_text() == "- my own [file](x.md)\n"
    assert "- [mine](mine.md)\n<!-- lane:begin -->" in (at / "MEMORY.md").read_text()
