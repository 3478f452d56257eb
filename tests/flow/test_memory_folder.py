"""The memory folder: what is known as pages; what a person changes there is found, journaled as theirs, and wins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.domain import Entry, Scope, State, Trust, Type
from memlane.domain.journal import MEMORY
from memlane.flow.journal import write_down
from memlane.storage import memory_data
from tests.flow.dreams import Clock, a_home, dreaming
from tests.flow.folders import (
    HERE,
    MARK,
    QUICK,
    caught,
    changed,
    folder,
    index,
    named,
    snapshot,
    some,
    topics,
    written,
)
from tests.flow.homes import a_lane
from tests.rooms.app.memories import NOON, a_memory, evidence


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[Lane]:
    with a_lane(tmp_path, **QUICK) as opened:
        yield opened


# -- what is written ---------------------------------------------------------------------------------------------------


def test_each_memory_has_a_page_in_claude_codes_format_and_a_line_that_leads_to_it(lane: Lane) -> None:
    caught(
        lane,
        a_memory(
            project="app",
            project_key=str(HERE),
            confidence=80,
            reasoning="they said so",
            evidence=(evidence("no, the list"),),
        ),
    )
    written(lane)
    (page,) = topics(folder(lane)).values()
    assert page.splitlines()[:7] == [
        "---",
        "name: use-the-copy-list-aaaa",
        'description: "Use the COPY list"',
        "metadata:",
        "  type: feedback",
        "  lane: m_aaaaaaaaaaaaa",
        "---",
    ]
    assert "**Why:** they said so\n**How to apply:** in this project." in page
    assert index(folder(lane)) == ["use-the-copy-list-aaaa.md"]


def test_only_what_is_active_sure_mine_and_no_strangers_word_is_written(lane: Lane) -> None:
    good, held, unsure, theirs, outside = some(5)
    others = (
        replace(held, state=State.HELD),
        replace(unsure, confidence=50),
        replace(outside, trust=Trust.OUTSIDE),
    )
    caught(lane, good, *others)
    entry = Entry(MEMORY, theirs.id, NOON, "bob", "desk", "lane", memory_data(replace(theirs, owner="bob")))
    write_down([entry], lane.home.tools())
    written(lane)
    assert index(folder(lane)) == ["lesson-0-aaaa.md"]
    assert list(topics(folder(lane))) == ["lesson-0-aaaa.md"]


def test_what_holds_everywhere_stands_in_the_persons_own_folder(lane: Lane) -> None:
    here, person, tool = some(3)
    caught(lane, here, replace(person, scope=Scope.PERSON), replace(tool, scope=Scope.TOOL))
    written(lane)
    assert len(topics(folder(lane))) == 1
    assert len(topics(folder(lane, "person"))) == 2


def test_a_secret_that_slipped_in_is_masked_on_the_page_and_in_the_index(lane: Lane) -> None:
    key = "AKIA" + "QPW7ZVX2MNB4LKJH"
    caught(lane, a_memory(project="app", project_key=str(HERE), title=f"Use {key}", content=f"It is {key}."))
    written(lane)
    assert all(key.encode() not in data for data in snapshot(lane.config.home / "memory").values())


def test_a_second_write_writes_nothing(lane: Lane) -> None:
    caught(lane, *some(5))
    assert written(lane).wrote == 6
    before = {path: path.stat().st_mtime_ns for path in (lane.config.home / "memory").rglob("*")}
    assert written(lane).wrote == 0
    assert {path: path.stat().st_mtime_ns for path in (lane.config.home / "memory").rglob("*")} == before


def test_nothing_is_due_until_something_is_written_down(lane: Lane) -> None:
    caught(lane, *some(1))
    assert lane.folder.due()
    written(lane)
    assert not lane.folder.due()
    lane.memories.remember("tea is at four", HERE)
    assert lane.folder.due()


def test_a_memory_that_is_gone_leaves_its_line_and_its_page(lane: Lane) -> None:
    caught(lane, *some(3))
    written(lane)
    lane.memories.forget([named(1)])
    written(lane)
    assert sorted(topics(folder(lane))) == sorted(index(folder(lane))) == ["lesson-0-aaaa.md", "lesson-2-aaca.md"]
    lane.memories.restore([named(1)])
    written(lane)
    assert len(index(folder(lane))) == 3


def test_what_is_forgotten_for_good_is_on_no_page_and_in_no_record(lane: Lane) -> None:
    caught(lane, *(replace(m, title=f"Xylophone {m.title}", content="Of xylophones.") for m in some(1)), *some(3)[1:])
    written(lane)
    (page,) = folder(lane).glob("xylophone*.md")
    changed(folder(lane) / "MEMORY.md", "Of xylophones.", "my own xylophone")
    page.write_bytes(b"---\nxylophone, broken\n")
    assert written(lane).kept
    changed(page, "Of xylophones.", "My xylophones.")
    lane.memories.forget_for_good(lane.memories.plan_gone([named(0)]))
    written(lane)
    held = snapshot(lane.config.home / "memory")
    assert [name for name, data in held.items() if b"xylophone" in data.lower() or "xylophone" in name] == []


def test_a_page_keeps_its_name_whatever_its_memory_comes_to_be_called(lane: Lane) -> None:
    caught(lane, *some(1))
    written(lane)
    lane.memories.edit(named(0), {"title": "Another thing"})
    written(lane)
    assert list(topics(folder(lane))) == ["lesson-0-aaaa.md"]
    assert "[Another thing](lesson-0-aaaa.md)" in (folder(lane) / "MEMORY.md").read_text()


# -- limits (E64) ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [300, 400])
def test_e64_the_least_useful_are_left_out_of_the_index_and_not_deleted(lane: Lane, count: int) -> None:
    long = "ünderstandable " * 200
    made = [replace(m, title=f"{m.title} {long[:400]}", content=long) for m in some(count)]
    seldom = [replace(m, confidence=60, type=Type.GAP) for m in made[: count // 2]]
    caught(lane, *seldom, *(replace(m, times_observed=9) for m in made[count // 2 :]))
    written(lane)
    text = (folder(lane) / "MEMORY.md").read_bytes()
    lines = text.decode().splitlines()
    assert len(lines) <= 200
    assert len(text) <= 25_000
    assert max(map(len, lines)) <= 150
    assert text.endswith(b"\n")
    listed = index(folder(lane))
    assert len(listed) > 120
    assert len(topics(folder(lane))) == count
    assert all((folder(lane) / file).is_file() for file in listed)
    assert all("seen 9 times" in topics(folder(lane))[file] for file in listed[: count // 2]) or count == 300
    weakest = sum("seen 9 times" not in page for file, page in topics(folder(lane)).items() if file in listed)
    assert weakest == max(0, len(listed) - count // 2)


# -- what a person changes there ---------------------------------------------------------------------------------------


def dreams(lane: Lane, count: int) -> None:
    """Others change around it, and every time the folder is written."""
    for n in range(count):
        caught(lane, *(replace(m, times_observed=n + 2, content=f"{m.content} {n}") for m in some(9)[1:]))
        written(lane)


def test_a_changed_page_is_the_persons_edit_survives_ten_dreams_and_can_be_undone(lane: Lane) -> None:
    caught(lane, *some(9))
    written(lane)
    page = folder(lane) / "lesson-0-aaaa.md"
    changed(page, "What lesson 0 says.", "What I say.\n\nAnd more, with ünïcode | [x](y.md).")
    changed(page, '"Lesson 0"', "My own title # not a comment")
    (edit,) = written(lane).edits
    assert (edit.memory.title, edit.path) == ("My own title", page)
    dreams(lane, 10)
    assert "What I say.\n\nAnd more, with ünïcode | [x](y.md)." in page.read_text()
    held = lane.memories.get(named(0))
    assert (held.title, held.content) == ("My own title", "What I say.\n\nAnd more, with ünïcode | [x](y.md).")
    assert [moved.entry.actor for moved in lane.memories.history(named(0))] == ["lane", "person"]
    lane.acts.undo(lane.acts.get(edit.act))
    assert written(lane).edits == []
    assert "What lesson 0 says." in page.read_text()


def test_hand_edited_pages_survive_ten_dreams(tmp_path: Path) -> None:
    """Real ones, a day apart, over lessons said twice."""
    clock, did = Clock(), 0
    with a_home(tmp_path, clock, LANE_RECALL_MODEL="none") as lane:
        caught(lane, *some(4), *(replace(m, id=named(n)) for n, m in enumerate(some(4), 10)))
        dreaming(lane).run()
        page = next(path for path in folder(lane).glob("lesson-0*.md"))
        changed(page, "What lesson 0 says.", "What I say.")
        bytes_after = set[bytes]()
        for _night in range(10):
            clock.at += timedelta(days=1)
            caught(lane, *(replace(m, id=named(30 + clock.at.day)) for m in some(1)))
            did += len(dreaming(lane).run().done)
            bytes_after.add(page.read_bytes())
        assert did > 0
        assert len(bytes_after) == 1
        assert "What I say." in page.read_text()
        (edit,) = lane.folder.told.edits
        assert lane.memories.get(edit.memory.id).content == "What I say."


def test_a_persons_edit_wins_over_what_a_dream_made_of_it_meanwhile(lane: Lane) -> None:
    caught(lane, *some(2))
    written(lane)
    changed(folder(lane) / "lesson-0-aaaa.md", "What lesson 0 says.", "What I say.")
    caught(lane, replace(some(1)[0], content="What the dream says.", title="The dream's", state=State.RETIRED))
    written(lane)
    held = lane.memories.get(named(0))
    assert (held.content, held.title, held.state) == ("What I say.", "The dream's", State.ACTIVE)
    assert "What I say." in (folder(lane) / "lesson-0-aaaa.md").read_text()


def test_words_below_the_mark_and_a_mark_that_is_gone_lose_nothing(lane: Lane) -> None:
    caught(lane, *some(2))
    written(lane)
    below, unmarked = folder(lane) / "lesson-0-aaaa.md", folder(lane) / "lesson-1-aaba.md"
    below.write_text(f"{below.read_text()}A note of mine.\n")
    (mark,) = [line for line in unmarked.read_text().splitlines() if line.startswith(MARK)]
    changed(unmarked, f"{mark}\n", "")
    (edit,) = written(lane).edits
    assert edit.memory.content == "What lesson 0 says.\n\nA note of mine."
    assert lane.memories.get(named(1)).content == "What lesson 1 says."
    assert written(lane).wrote == 0


def test_its_kind_can_be_changed_and_a_page_without_a_head_is_all_body(lane: Lane) -> None:
    caught(lane, *some(2))
    written(lane)
    changed(folder(lane) / "lesson-0-aaaa.md", "type: feedback", "type: reference")
    (folder(lane) / "lesson-1-aaba.md").write_text("Only this.\n")
    written(lane)
    assert lane.memories.get(named(0)).type is Type.LEARNING
    assert lane.memories.get(named(1)).content == "Only this."


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (b"---\nname: x\ndescription: half a head\n", "ends its head"),
        (b"---\nname: x\n---\n\xff\xfe", "UTF-8"),
        (b"---\nname: x\n---\n", "nothing is left"),
        (b"", "nothing is left"),
        (b'---\ndescription: "open\n---\nwords\n', "does not end as it begins"),
        (b"---\nmetadata:\n  type: dream\n---\nwords\n", "none of: user"),
        (b"---\nname: x\n---\n" + b"long " * 2000, "at most 8000"),
    ],
)
def test_an_edit_nobody_can_read_is_kept_aside_and_told(lane: Lane, broken: bytes, why: str) -> None:
    caught(lane, *some(2))
    written(lane)
    page = folder(lane) / "lesson-0-aaaa.md"
    page.write_bytes(broken)
    (kept,) = written(lane).kept
    assert why in kept.why
    assert kept.at.read_bytes() == broken
    assert lane.memories.get(named(0)).content == "What lesson 0 says."
    assert "What lesson 0 says." in page.read_text()
    assert written(lane).kept == []


def test_a_field_of_their_own_is_kept_aside_and_the_rest_taken_over(lane: Lane) -> None:
    caught(lane, *some(1))
    written(lane)
    page = folder(lane) / "lesson-0-aaaa.md"
    changed(page, "metadata:", "tags: mine\nmetadata:")
    changed(page, "What lesson 0 says.", "What I say.")
    found = written(lane)
    assert [edit.memory.content for edit in found.edits] == ["What I say."]
    assert b"tags: mine" in found.kept[0].at.read_bytes()


def test_a_page_that_is_taken_away_pauses_its_memory_and_resuming_brings_it_back(lane: Lane) -> None:
    caught(lane, *some(3))
    written(lane)
    (folder(lane) / "lesson-1-aaba.md").unlink()
    (paused,) = written(lane).paused
    assert lane.memories.get(named(1)).state is State.PAUSED
    assert sorted(index(folder(lane))) == ["lesson-0-aaaa.md", "lesson-2-aaca.md"]
    assert written(lane).paused == []
    lane.acts.undo(lane.acts.get(paused.act))
    written(lane)
    assert "lesson-1-aaba.md" in index(folder(lane))


def test_a_folder_that_is_taken_away_as_a_whole_pauses_nothing(lane: Lane) -> None:
    caught(lane, *some(3))
    written(lane)
    for file in folder(lane).iterdir():
        file.unlink()
    folder(lane).rmdir()
    assert written(lane).paused == []
    assert len(index(folder(lane))) == 3


def test_a_page_under_another_name_keeps_it(lane: Lane) -> None:
    caught(lane, *some(2))
    written(lane)
    path = folder(lane)
    (path / "lesson-0-aaaa.md").rename(path / "mine.md")
    found = written(lane)
    assert (found.edits, found.paused) == ([], [])
    assert sorted(topics(path)) == sorted(index(path)) == ["lesson-1-aaba.md", "mine.md"]
    assert "name: mine\n" in (path / "mine.md").read_text()


def test_whatever_else_lies_there_keeps_nothing_from_being_written(lane: Lane, tmp_path: Path) -> None:
    caught(lane, *some(1))
    written(lane)
    path = folder(lane)
    (path / "folder.md").mkdir()
    (path / "link.md").symlink_to(path / "lesson-0-aaaa.md")
    (path / "nowhere.md").symlink_to(tmp_path / "nowhere")
    caught(lane, *some(2))
    found = written(lane)
    assert [one.trouble for one in found.folders] == [""]
    assert index(path) == ["lesson-0-aaaa.md", "lesson-1-aaba.md"]


def test_without_its_record_a_page_is_ours_again_and_one_from_elsewhere_stays(lane: Lane) -> None:
    caught(lane, *some(3))
    written(lane)
    path = folder(lane)
    changed(path / "lesson-1-aaba.md", "What lesson 1 says.", "What I say.")
    elsewhere = (path / "lesson-2-aaca.md").read_text().replace("lane: m_", "lane: m_zzz")
    (path / "from-the-laptop.md").write_text(elsewhere)
    for record in (lane.config.home / "memory" / ".written").iterdir():
        record.unlink()
    found = written(lane)
    assert [kept.why for kept in found.kept] == ["its earlier text is unknown"]
    assert "What I say." in found.kept[0].at.read_text()
    assert sorted(topics(path)) == ["from-the-laptop.md", "lesson-0-aaaa.md", "lesson-1-aaba.md", "lesson-2-aaca.md"]
    assert (path / "from-the-laptop.md").read_text() == elsewhere
    assert sorted(index(path)) == ["lesson-0-aaaa.md", "lesson-1-aaba.md", "lesson-2-aaca.md"]
    lane.memories.edit(named(0), {"title": "Another thing"})
    written(lane)
    assert "[Another thing]" in (path / "MEMORY.md").read_text()


# -- and in the index --------------------------------------------------------------------------------------------------


def test_lines_of_their_own_stay_byte_for_byte_where_they_are(lane: Lane) -> None:
    caught(lane, *some(3))
    written(lane)
    path = folder(lane) / "MEMORY.md"
    ours = path.read_bytes()
    path.write_bytes(b"# Mine\r\nno newline \xff \n\n" + ours + b"- [other](other.md)\nlast")
    (folder(lane) / "other.md").write_text("theirs")
    lane.memories.forget([named(0)])
    written(lane)
    text = path.read_bytes()
    assert text.startswith(b"# Mine\r\nno newline \xff \n\n<!-- lane:begin -->")
    assert text.endswith(b"<!-- lane:end -->\n- [other](other.md)\nlast")
    assert (folder(lane) / "other.md").read_text() == "theirs"


def test_a_title_changed_in_the_index_is_an_edit_and_other_words_of_theirs_stay(lane: Lane) -> None:
    caught(lane, *some(4))
    written(lane)
    path = folder(lane) / "MEMORY.md"
    changed(path, "[Lesson 0]", "[My title]")
    changed(path, "What lesson 1 says.", "when it rains")
    (gone,) = [line for line in path.read_text().splitlines() if "lesson-2" in line]
    changed(path, f"{gone}\n", "A line of mine.\n")
    found = written(lane)
    assert [edit.memory.title for edit in found.edits] == ["My title"]
    assert found.left_out == [folder(lane) / "lesson-2-aaca.md"]
    dreams(lane, 3)
    text = path.read_text()
    assert "[My title](lesson-0-aaaa.md)" in text
    assert "- [Lesson 1](lesson-1-aaba.md) — when it rains\n" in text
    assert "A line of mine.\n<!-- lane:begin -->" in text
    assert "lesson-2-aaca.md" not in text
    assert lane.memories.get(named(2)).state is State.ACTIVE
    assert (folder(lane) / "lesson-2-aaca.md").is_file()
    changed(path, "<!-- lane:end -->", "- [Lesson 2](lesson-2-aaca.md)\n<!-- lane:end -->")
    written(lane)
    assert "lesson-2-aaca.md" in index(folder(lane))


def test_marks_that_are_gone_are_put_back_and_mean_nothing(lane: Lane) -> None:
    caught(lane, *some(3))
    written(lane)
    path = folder(lane) / "MEMORY.md"
    path.write_text("only mine\n")
    found = written(lane)
    assert (found.edits, found.paused, found.left_out) == ([], [], [])
    assert path.read_text().startswith("only mine\n<!-- lane:begin -->")
    assert len(index(folder(lane))) == 3
