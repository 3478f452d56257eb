"""What a catch asks: raw names of a Draft, with the folders, Runs and answers of one home."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.home.journal import memory_line
from memlane.domain import Memory, Mention, Project, Scope, Type
from memlane.errors import NotFoundError, UsageError
from tests.flow.homes import a_lane, answer, prompt, transcript, write

AT = datetime(2026, 11, 1, 9, 0, tzinfo=UTC)
HERE = Project("app", "/home/dev/app")
PAGES = {
    "people/brown-neal.md": "---\nname: Neal Brown\naliases: [NB]\n---\nMet in spring.\n",
    "people/stone-mark.md": "# Mark Stone\n",
    "people/reyes-mark.md": "---\nname: Mark Reyes\n---\n",
    "people/hoy-amy.md": "no heading at all\n",
    "shops/indy-hall.md": "# Indy Hall\n",
}


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[Lane]:
    for name, text in PAGES.items():
        page = tmp_path / "home" / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text)
    with a_lane(tmp_path, LANE_ENTITIES_FOLDERS="person=~/people,business=~/shops") as lane:
        edit = {
            "type": "tool_use",
            "id": "t1",
            "name": "Edit",
            "input": {"file_path": "/home/dev/app/src/mail/send.py"},
        }
        write(transcript(tmp_path), [prompt("fix the retry"), answer([edit])])
        lane.capture.sweep()
        yield lane


def kept(lane: Lane, id: str, title: str, *mentions: Mention, project: Project = HERE, owner: str = "ann") -> Memory:
    memory = Memory(
        id, owner, Type.LEARNING, title, title, AT, AT, AT, AT,
        related_entities=mentions, scope=Scope.PROJECT, project=project.name, project_key=project.key,
    )  # fmt: skip
    lane.acts.writer.write([memory_line(memory)])
    return memory


def mentions_of(lane: Lane, id: str) -> tuple[Mention, ...]:
    return lane.memories.get(id).related_entities


def test_a_draft_has_its_names_resolved_and_those_its_text_names_added(lane: Lane) -> None:
    given = [Mention("person", "Neal"), Mention("person", "Zed Quux")]
    text = "Neal wants the agenda early\nIndy Hall opens at nine, says Amy Hoy. Mark said no to Neal."
    assert lane.entities.resolve_mentions(given, HERE, text) == (
        Mention("person", "Neal", "brown-neal", resolved=True),
        Mention("person", "Zed Quux"),
        Mention("business", "Indy Hall", "indy-hall", resolved=True),
        Mention("person", "Amy Hoy", "hoy-amy", resolved=True),
        Mention("person", "Mark"),
    )


def test_a_type_nobody_knows_is_kept_as_written(lane: Lane) -> None:
    (kept_as_written,) = lane.entities.resolve_mentions([Mention("ritual", "Morning Pages")], HERE, "")
    assert kept_as_written == Mention("ritual", "Morning Pages")


def test_a_file_is_named_by_the_end_of_its_path(lane: Lane) -> None:
    (file,) = lane.entities.resolve_mentions([], HERE, "send.py must not retry on a 4xx answer")
    assert file == Mention("file", "send.py", "src/mail/send.py", resolved=True)
    assert lane.entities.resolve_mentions([], HERE, "other.py must not retry") == ()


def test_the_project_of_a_run_is_known_by_its_name(lane: Lane) -> None:
    assert lane.entities.entity("project:app").origin == "run"


def test_a_name_that_fits_two_waits_and_an_answer_settles_every_memory_that_used_it(lane: Lane) -> None:
    kept(lane, "m_0000000000001", "Mark wants the budget first", Mention("person", "Mark"))
    kept(lane, "m_0000000000002", "Mark signs on Fridays", Mention("person", "mark"))
    elsewhere = Project("shop", "/home/dev/shop")
    kept(lane, "m_0000000000003", "Mark counts the till", Mention("person", "Mark"), project=elsewhere)
    first, second = lane.entities.waiting()
    assert (first.raw.casefold(), first.project, first.memories) == ("mark", HERE, 2)
    assert [fit.entity.slug for fit in first.fits] == ["reyes-mark", "stone-mark"]
    assert (second.project, second.memories) == (elsewhere, 1)

    assert lane.entities.answer("Mark", "person:stone-mark", HERE.key) == 2
    assert mentions_of(lane, "m_0000000000001") == (Mention("person", "Mark", "stone-mark", resolved=True),)
    assert [one.project for one in lane.entities.waiting()] == [elsewhere]
    assert lane.entities.resolve_mentions([Mention("person", "Mark")], HERE, "") == (
        Mention("person", "Mark", "stone-mark", resolved=True),
    )
    assert lane.entities.resolve_mentions([Mention("person", "Mark")], elsewhere, "") == (Mention("person", "Mark"),)


def test_answering_again_undoes_an_answer(lane: Lane) -> None:
    kept(lane, "m_0000000000001", "Mark wants the budget first", Mention("person", "Mark"))
    lane.entities.answer("Mark", "person:stone-mark")
    lane.entities.answer("Mark", "person:reyes-mark")
    assert mentions_of(lane, "m_0000000000001")[0].slug == "reyes-mark"


def test_an_answer_is_undone_and_the_question_is_open_again(lane: Lane) -> None:
    other = Mention("business", "Indy Hall", "indy-hall", resolved=True)
    kept(lane, "m_0000000000001", "Mark wants the budget first", Mention("", "Mark"), other)
    asked = lane.entities.waiting()
    before = lane.memories.get("m_0000000000001")
    lane.entities.answer("Mark", "person:stone-mark", HERE.key)
    assert lane.entities.waiting() == []
    undone = lane.acts.undo(lane.acts.get())
    assert lane.entities.waiting() == asked
    assert lane.entities.answers() == []
    assert lane.memories.get("m_0000000000001") == before
    lane.archive.rebuild()
    assert (lane.entities.waiting(), lane.entities.answers()) == (asked, [])
    assert lane.memories.get("m_0000000000001") == before
    lane.acts.undo(lane.acts.get(undone.by))  # and that is undone too
    assert [one.entity for one in lane.entities.answers()] == ["person:stone-mark"]
    assert mentions_of(lane, "m_0000000000001")[0] == Mention("person", "Mark", "stone-mark", resolved=True)


def test_after_an_undo_the_answer_before_it_holds_again(lane: Lane) -> None:
    kept(lane, "m_0000000000001", "Mark wants the budget first", Mention("person", "Mark"))
    lane.entities.answer("Mark", "person:stone-mark")
    first = lane.acts.get().id
    lane.entities.answer("Mark", "person:reyes-mark")
    with pytest.raises(UsageError, match="it changed since"):
        lane.acts.undo(lane.acts.get(first))
    lane.acts.undo(lane.acts.get())
    assert [one.entity for one in lane.entities.answers()] == ["person:stone-mark"]
    assert mentions_of(lane, "m_0000000000001")[0].slug == "stone-mark"


def test_somebody_new_and_not_a_name_are_undone_too(lane: Lane) -> None:
    kept(lane, "m_0000000000001", "Zed Quux wants it in blue", Mention("person", "Zed Quux"))
    asked = lane.entities.waiting()
    lane.entities.answer_new("Zed Quux", "person")
    lane.acts.undo(lane.acts.get())
    assert lane.entities.waiting() == asked
    with pytest.raises(NotFoundError):
        lane.entities.entity("person:quux-zed")
    lane.entities.answer("Zed Quux", "")
    assert lane.entities.waiting() == []
    lane.acts.undo(lane.acts.get())
    assert lane.entities.waiting() == asked


def test_what_was_split_off_is_undone_with_its_names_and_memories(lane: Lane) -> None:
    mine = Mention("person", "Mark Stone", "stone-mark", resolved=True)
    kept(lane, "m_0000000000001", "Mark Stone signs on Fridays", mine)
    lane.entities.split("person:stone-mark", "Marco Stone", (), ["m_0000000000001"])
    assert mentions_of(lane, "m_0000000000001")[0].slug == "stone-marco"
    lane.acts.undo(lane.acts.get())
    assert mentions_of(lane, "m_0000000000001") == (mine,)
    assert lane.entities.answers() == []


def test_somebody_new_is_made_and_meant_in_one_act(lane: Lane) -> None:
    kept(lane, "m_0000000000001", "Zed Quux wants it in blue", Mention("person", "Zed Quux"))
    (one,) = lane.entities.waiting()
    assert one.fits == ()
    entity, settled = lane.entities.answer_new("Zed Quux", one.type)
    assert (entity.key, settled) == ("person:quux-zed", 1)
    assert lane.entities.waiting() == []
    assert [memory.id for memory in lane.entities.about("Zed Quux").memories] == ["m_0000000000001"]


def test_what_is_not_a_name_is_not_asked_about_again(lane: Lane) -> None:
    kept(lane, "m_0000000000001", "Foo Bar is a placeholder", Mention("person", "Foo Bar"))
    assert len(lane.entities.waiting()) == 1
    lane.entities.answer("Foo Bar", "")
    assert lane.entities.waiting() == []


def test_a_thing_nobody_knows_is_asked_about_when_three_memories_name_it(lane: Lane) -> None:
    for n in (1, 2):
        kept(lane, f"m_000000000000{n}", f"Kubernetes note {n}", Mention("technology", "Kubernetes"))
    assert lane.entities.waiting() == []
    kept(lane, "m_0000000000003", "Kubernetes note 3", Mention("technology", "Kubernetes"))
    assert [one.raw for one in lane.entities.waiting()] == ["Kubernetes"]


@pytest.mark.parametrize("raw", ["website", "the website", "localhost:3000", "http://127.0.0.1:8080/x", "[::1]:80"])
def test_what_everybody_has_is_no_name_to_ask_about(lane: Lane, raw: str) -> None:
    for n in (1, 2, 3):
        kept(lane, f"m_000000000000{n}", f"It is slow on day {n}", Mention("website", raw))
    assert lane.entities.waiting() == []
    for n in (4, 5, 6):
        kept(lane, f"m_000000000000{n}", f"It is slow on day {n}", Mention("website", "status.harbour.example"))
    assert [one.raw for one in lane.entities.waiting()] == ["status.harbour.example"]


def test_an_answer_outlives_the_index(lane: Lane) -> None:
    kept(lane, "m_0000000000001", "Mark wants the budget first", Mention("person", "Mark"))
    lane.entities.answer("Mark", "person:stone-mark")
    lane.entities.merge("person:reyes-mark", "person:stone-mark")
    lane.archive.rebuild()
    assert mentions_of(lane, "m_0000000000001")[0].slug == "stone-mark"
    assert lane.entities.entity("Mark Reyes").key == "person:stone-mark"


def test_a_renamed_one_is_found_by_both_names(lane: Lane) -> None:
    lane.entities.rename("person:brown-neal", "Neal Green")
    assert lane.entities.entity("Neal Green").key == lane.entities.entity("Neal Brown").key == "person:brown-neal"
    assert lane.entities.entity("person:brown-neal").name == "Neal Green"


def test_memories_of_a_merged_one_are_shown_under_the_other_and_come_back_apart(lane: Lane) -> None:
    mark = Mention("person", "Mark Reyes", "reyes-mark", resolved=True)
    kept(lane, "m_0000000000001", "Mark Reyes wants less", mark)
    lane.entities.merge("person:reyes-mark", "person:stone-mark")
    about = lane.entities.about("person:stone-mark")
    assert [memory.id for memory in about.memories] == ["m_0000000000001"]
    assert about.merged == ["person:reyes-mark"]
    assert lane.entities.entity("Mark").key == "person:stone-mark"
    lane.entities.unmerge("person:reyes-mark")
    assert lane.entities.about("person:stone-mark").memories == []
    assert len(lane.entities.about("person:reyes-mark").memories) == 1


def test_two_types_are_not_mixed_by_accident(lane: Lane) -> None:
    with pytest.raises(UsageError, match="different types"):
        lane.entities.merge("person:hoy-amy", "business:indy-hall")


def test_a_split_takes_its_name_and_its_memories_along(lane: Lane) -> None:
    neal = Mention("person", "NB", "brown-neal", resolved=True)
    kept(lane, "m_0000000000001", "NB pays by card", neal)
    kept(lane, "m_0000000000002", "Neal pays late", Mention("person", "Neal", "brown-neal", resolved=True))
    kept(lane, "m_0000000000003", "Neal again", Mention("person", "Neal", "brown-neal", resolved=True))
    lane.entities.split("person:brown-neal", "Nora Blum", ["NB"], ["m_0000000000003"])
    titles = {memory.id for memory in lane.entities.about("Nora Blum").memories}
    assert titles == {"m_0000000000001", "m_0000000000003"}
    assert lane.entities.resolve_mentions([Mention("person", "NB")], HERE, "")[0].slug == "blum-nora"
    assert [m.id for m in lane.entities.about("person:brown-neal").memories] == ["m_0000000000002"]


def test_a_removed_one_is_nobody_until_it_is_added_again(lane: Lane) -> None:
    lane.entities.remove("person:hoy-amy")
    with pytest.raises(NotFoundError):
        lane.entities.entity("Amy Hoy")
    lane.entities.add("Amy Hoy", "person", slug="hoy-amy")
    assert lane.entities.entity("Amy").key == "person:hoy-amy"


def test_a_secret_is_no_name(lane: Lane) -> None:
    secret = next(sample for rule, sample in lane.home.gate.samples(7) if "github" in rule)
    made = lane.entities.add(f"token {secret.text}", "feature")
    assert secret.secret not in made.name
    assert secret.secret.lower() not in made.slug


def test_a_file_some_memory_is_about_is_listed_and_no_other(lane: Lane) -> None:
    kept(
        lane, "m_0000000000001", "send.py never retries", Mention("file", "send.py", "src/mail/send.py", resolved=True)
    )
    assert [about.entity.key for about in lane.entities.entities("file")] == ["file:src/mail/send.py"]
    assert len(lane.entities.about("file:src/mail/send.py").memories) == 1


def test_a_setting_that_makes_no_sense_is_named_and_stops_nothing(tmp_path: Path) -> None:
    with a_lane(tmp_path, LANE_ENTITIES_FOLDERS="people,person=~/nowhere") as lane:
        lane.home.begin()
        assert lane.entities.resolve_mentions([Mention("person", "Neal")], HERE, "") == (Mention("person", "Neal"),)
        assert list(lane.entities.broken) == ["people", str(tmp_path / "home" / "nowhere")]
