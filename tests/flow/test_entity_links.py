"""The directory of entities grows after the notes: every name in them is linked, or waits for an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import psycopg
import pytest

from campaigns.postgres_server import shared
from memlane.app import Lane
from memlane.app.home.journal import memory_line
from memlane.domain import Memory, Mention, Scope, State, Type
from tests.flow.homes import a_lane, answer, prompt, transcript, write

AT = datetime(2026, 11, 1, 9, 0, tzinfo=UTC)
FIRST = ("Neal", "Amy", "Dana", "Joel", "Priya", "Sven", "Olga", "Tomas", "Ines", "Kofi")
LAST = ("Brown", "Hoy", "Reyes", "Stone", "Tetterus", "King", "Okafor", "Lindqvist", "Ferreira", "Novak")
PEOPLE = [f"{first} {last}" for first, last in zip(FIRST, LAST, strict=True)]
BUSINESSES = ("Indy Hall", "Stacking the Bricks", "GoodSomm")
FEATURES = ("Memory Lane", "Night Shift")
NOTES = 200
FOLDERS = "person=~/people,business=~/businesses,feature=~/features"
numbers = count()


def postgres() -> dict[str, str]:
    name = f"links_{next(numbers)}"
    with psycopg.connect(shared().url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")  # type: ignore[arg-type] - our own name
    return {"LANE_STORAGE_URL": shared().url.replace("/postgres?", f"/{name}?")}


ENGINES: dict[str, Callable[[], dict[str, str]]] = {"embedded": dict, "postgres": postgres}


class LateDirectory:
    """Notes first, people later: what a home looks like when its folders are configured after months of work."""

    def __init__(self, folder: Path, engine: str) -> None:
        self.folder = folder
        self._settings = ENGINES[engine]() | {"LANE_RECALL_MODEL": "none"}

    def lane(self, **settings: str) -> Lane:
        lane = a_lane(self.folder, **self._settings, **settings)
        lane.home.begin()
        return lane

    def configured(self) -> Lane:
        return self.lane(LANE_ENTITIES_FOLDERS=FOLDERS)

    def page(self, folder: str, slug: str, text: str) -> Path:
        path = self.folder / "home" / folder / f"{slug}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def folders(self) -> None:
        for name in PEOPLE:
            first, last = name.split()
            self.page("people", f"{last}-{first}".lower(), f"# {name}\n")
        self.page("people", "stone-mark", "# Mark Stone\n")
        self.page("people", "reyes-mark", "# Mark Reyes\n")
        for folder, names in (("businesses", BUSINESSES), ("features", FEATURES)):
            for name in names:
                self.page(folder, name.lower().replace(" ", "-"), f"# {name}\n")


def note(lane: Lane, id: str, words: str, *mentions: Mention) -> None:
    memory = Memory(
        id, "ann", Type.LEARNING, words, "", AT, AT, AT, AT, related_entities=mentions, scope=Scope.GLOBAL,
        state=State.ACTIVE,
    )  # fmt: skip
    lane.acts.writer.write([memory_line(memory)])


def expected(n: int) -> tuple[str, set[str], set[str]]:
    """What note `n` says, whom it means, and what nobody can be sure of."""
    person, business, feature = PEOPLE[n % 10], BUSINESSES[n % 3], FEATURES[n % 2]
    slug = "-".join(reversed(person.lower().split()))
    match n % 5:
        case 0:
            return f"{person} wants a short agenda, note {n}", {f"person:{slug}"}, set()
        case 1:
            return f"Ask {person.split()[0]} about the invoice {n}", {f"person:{slug}"}, set()
        case 2:
            return f"{business} counts its members every week {n}", {f"business:{_slug(business)}"}, set()
        case 3:
            return f"Mark wants the budget of {feature} first {n}", {f"feature:{_slug(feature)}"}, {"mark"}
        case _:
            return f"Run the tests before a release {n}", set(), set()


def _slug(name: str) -> str:
    return name.lower().replace(" ", "-")


def linked(lane: Lane) -> Mapping[str, tuple[set[str], set[str]]]:
    found = lane.memories.all(list(State))
    return {
        memory.id: (
            {f"{one.type}:{one.slug}" for one in memory.related_entities if one.resolved},
            {one.raw.casefold() for one in memory.related_entities if not one.resolved},
        )
        for memory in found
    }


@pytest.fixture(params=ENGINES)
def late(request: pytest.FixtureRequest, tmp_path: Path) -> LateDirectory:
    return LateDirectory(tmp_path, request.param)


@pytest.fixture
def home(tmp_path: Path) -> LateDirectory:
    return LateDirectory(tmp_path, "embedded")


def test_200_notes_then_three_folders_are_linked_or_queued_within_one_look_and_after_a_rebuild(
    late: LateDirectory,
) -> None:
    wanted = {f"m_{n:013d}": expected(n) for n in range(NOTES)}
    with late.lane() as lane:
        memories = [
            memory_line(
                Memory(id, "ann", Type.LEARNING, words, "", AT, AT, AT, AT, scope=Scope.GLOBAL, state=State.ACTIVE)
            )
            for id, (words, _known, _unsure) in wanted.items()
        ]
        lane.acts.writer.write(memories)
        lane.entities.look()
        assert all(named == (set(), set()) for named in linked(lane).values())
    late.folders()
    with late.configured() as lane:
        report = lane.entities.look()
        now = linked(lane)
        assert now == {id: (known, unsure) for id, (_words, known, unsure) in wanted.items()}
        assert report.memories == sum(bool(known or unsure) for _words, known, unsure in wanted.values())
        assert [(one.raw, one.memories) for one in lane.entities.waiting()] == [("Mark", NOTES // 5)]
        lane.archive.rebuild()
        assert linked(lane) == now
        assert lane.entities.look().memories == 0
        assert linked(lane) == now


def test_an_entity_added_by_hand_links_what_names_it_and_the_undo_of_it_takes_the_links_along(
    home: LateDirectory,
) -> None:
    with home.lane() as lane:
        note(lane, "m_0000000000001", "Zed Quux likes blue", Mention("person", "Zed Quux"))
        lane.entities.look()
        before = lane.memories.get("m_0000000000001").related_entities
        lane.entities.add("Zed Quux", "person")
        lane.entities.look()
        assert linked(lane)["m_0000000000001"] == ({"person:quux-zed"}, set())
        lane.acts.undo(lane.acts.get())
        lane.entities.look()
        assert lane.memories.get("m_0000000000001").related_entities == before


def test_links_that_a_person_undid_are_not_made_again_when_the_directory_changes(home: LateDirectory) -> None:
    home.folders()
    with home.lane() as lane:
        note(lane, "m_0000000000001", "Neal Brown wants a short agenda")
    with home.configured() as lane:
        act = lane.entities.look().acts[0]
        assert linked(lane)["m_0000000000001"] == ({"person:brown-neal"}, set())
        lane.acts.undo(lane.acts.get(act))
        assert linked(lane)["m_0000000000001"] == (set(), set())
        home.page("people", "brown-neal", "---\nname: Neal Brown\naliases: [NB]\n---\n")
        lane.entities.look()
        lane.archive.rebuild()
        lane.entities.look()
        assert linked(lane)["m_0000000000001"] == (set(), set())


def test_without_a_name_an_undo_never_takes_back_what_lane_linked(home: LateDirectory) -> None:
    home.folders()
    with home.configured() as lane:
        lane.memories.remember("Sven likes tea.", home.folder)
        note(lane, "m_0000000000001", "nobody")
        note(lane, "m_0000000000002", "Zed Quux likes blue")
        lane.entities.add("Zed Quux", "person")
        lane.entities.look()
        assert "quux-zed" in str(lane.acts.get().names)


def test_a_renamed_page_takes_its_memories_along(home: LateDirectory) -> None:
    page = home.page("people", "brown-neal", "# Neal Brown\n")
    with home.configured() as lane:
        note(lane, "m_0000000000001", "Neal Brown wants a short agenda")
        lane.entities.look()
        page.rename(page.with_name("neal-b.md"))
        lane.entities.look()
        assert linked(lane)["m_0000000000001"] == ({"person:neal-b"}, set())


def test_a_page_that_is_gone_leaves_what_memories_say_until_somebody_else_fits(home: LateDirectory) -> None:
    page = home.page("people", "brown-neal", "# Neal Brown\n")
    with home.configured() as lane:
        known = Mention("person", "Neal", "brown-neal", resolved=True)
        note(lane, "m_0000000000001", "Neal wants a short agenda", known)
        lane.entities.look()
        page.unlink()
        lane.entities.look()
        assert linked(lane)["m_0000000000001"] == ({"person:brown-neal"}, set())


def test_an_answer_teaches_an_alias_that_other_notes_follow(home: LateDirectory) -> None:
    home.page("people", "king-adam", "# Adam King\n")
    home.page("people", "kent-adam", "# Adam Kent\n")
    with home.configured() as lane:
        note(lane, "m_0000000000001", "Adam K moved to Lisbon", Mention("person", "Adam K"))
        note(lane, "m_0000000000002", "The lease is signed by Adam K on Monday")
        lane.entities.look()
        lane.entities.answer("Adam K", "person:king-adam")
        lane.entities.look()
        assert [named[0] for named in linked(lane).values()] == [{"person:king-adam"}] * 2
        lane.acts.undo(lane.acts.get())
        assert linked(lane)["m_0000000000001"] == (set(), {"adam k"})


def test_what_was_merged_is_linked_to_the_one_it_is_now(home: LateDirectory) -> None:
    with home.lane() as lane:
        lane.entities.add("Indy Hall", "business")
        note(lane, "m_0000000000001", "Independents Hall opens at nine")
        lane.entities.add("Independents Hall", "business")
        lane.entities.merge("business:independents-hall", "business:indy-hall")
        lane.entities.look()
        assert linked(lane)["m_0000000000001"] == ({"business:indy-hall"}, set())


def test_the_undo_of_a_merge_takes_them_apart_again_and_that_of_a_rename_what_the_new_name_linked(
    home: LateDirectory,
) -> None:
    with home.lane() as lane:
        lane.entities.add("Indy Hall", "business")
        lane.entities.add("Independents Hall", "business")
        lane.entities.add("Zed Quux", "person")
        note(lane, "m_0000000000001", "Independents Hall opens at nine")
        note(lane, "m_0000000000002", "Zed Fuchs likes red")
        note(lane, "m_0000000000003", "Zed Quux likes blue")
        lane.entities.merge("business:independents-hall", "business:indy-hall")
        lane.entities.rename("person:quux-zed", "Zed Fuchs")
        lane.entities.look()
        zed = {"person:quux-zed"}
        assert [named for named, _open in linked(lane).values()] == [{"business:indy-hall"}, zed, zed]
        for _act in ("rename", "merge"):
            lane.acts.undo(lane.acts.get())
        lane.entities.look()
        assert [named for named, _open in linked(lane).values()] == [{"business:independents-hall"}, set(), zed]
        lane.archive.rebuild()
        assert lane.entities.look().memories == 0


def test_a_memory_that_was_forgotten_for_good_leaves_no_name_in_the_journal(home: LateDirectory) -> None:
    home.folders()
    with home.lane() as lane:
        note(lane, "m_0000000000001", "Neal Brown wants a short agenda")
    with home.configured() as lane:
        lane.entities.look()
        lane.memories.forget_for_good(lane.memories.plan_gone(["m_0000000000001"]))
        written = b"".join(path.read_bytes() for path in lane.home.layout.journal_files())
        assert b"brown-neal" not in written


def test_people_and_their_work_are_listed_first_and_files_last(home: LateDirectory) -> None:
    home.folders()
    with home.configured() as lane:
        note(lane, "m_0000000000001", "send.py", Mention("file", "a.py", "a.py", resolved=True))
        types = list(dict.fromkeys(row.entity.type for row in lane.entities.entities()))
        assert types == ["person", "business", "feature", "file"]


def said(words: str, n: int) -> list[dict[str, object]]:
    return [prompt(words, n), answer([{"type": "text", "text": "Done."}], n + 1)]


def test_a_run_says_whom_it_names_as_it_grows_and_as_the_directory_does(late: LateDirectory) -> None:
    path = transcript(late.folder)
    edit = {"type": "tool_use", "id": "t1", "name": "Edit", "input": {"file_path": "/home/dev/app/src/mail/send.py"}}
    write(path, [prompt("Ask Neal Brown about the invoice", 1), answer([edit], 2)])
    with late.lane() as lane:
        lane.capture.sweep()
        (run,) = lane.runs.select()
        assert run.entities == ("project:app", "file:src/mail/send.py")
    late.folders()
    with late.configured() as lane:
        lane.entities.look()
        lane.entities.name_runs()
        (run,) = lane.runs.select()
        assert run.entities == ("person:brown-neal", "project:app", "file:src/mail/send.py")
        write(path, said("and tell Amy that Indy Hall is booked; Mark knows", 3))
        lane.capture.sweep()
        (run,) = lane.runs.select()
        grown = (
            "person:brown-neal", "person:hoy-amy", "project:app", "business:indy-hall", "file:src/mail/send.py",
        )  # fmt: skip
        assert run.entities == grown
        lane.archive.rebuild()
        (run,) = lane.runs.select()
        assert run.entities == grown
        assert [one.id for one in lane.entities.runs_about(lane.entities.about("Amy Hoy"), 5)] == [run.id]


def test_a_run_follows_a_page_that_is_renamed(home: LateDirectory) -> None:
    page = home.page("people", "brown-neal", "# Neal Brown\n")
    write(transcript(home.folder), said("Ask Neal Brown about the invoice", 1))
    with home.configured() as lane:
        lane.capture.sweep()
        lane.entities.look()
        lane.entities.name_runs()
        page.rename(page.with_name("neal-b.md"))
        lane.entities.look()
        lane.entities.name_runs()
        (run,) = lane.runs.select()
        assert run.entities == ("person:neal-b", "project:app")
