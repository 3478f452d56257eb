"""`lane entity`: as a script uses it, and as a person answers with one key."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.config import load
from memlane.domain import Mention, Project
from tests.acceptance.command_line import SCHEMAS, CommandOutcome, Person, misfits, schema_of
from tests.acceptance.terminal import seated
from tests.rooms.entities.test_home_names import kept

SHOP = Project("shop", "/home/dev/shop")
TILL = Project("till", "/home/dev/till")


@pytest.fixture
def person(tmp_path: Path) -> Person:
    """Two Marks and a Neal on pages, and memories that name them and a stranger."""
    someone = Person(tmp_path, {"LANE_ENTITIES_FOLDERS": "person=~/people"}, quick=True)
    people = tmp_path / "people"
    people.mkdir()
    (people / "brown-neal.md").write_text("---\nname: Neal Brown\naliases: [NB]\n---\n")
    (people / "stone-mark.md").write_text("# Mark Stone\n")
    (people / "reyes-mark.md").write_text("# Mark Reyes\n")
    (people / "elsewhere.md").symlink_to("/etc/hostname")
    assert someone.lane("entity", "add", "Indy Hall", "--type", "business").code == 0
    with Lane(load(someone.surroundings({}))) as lane:
        known = Mention("person", "Mark Stone", "stone-mark", resolved=True)
        owner = lane.config.user
        kept(
            lane, "m_0000000000001", "Mark wants the budget first", Mention("person", "Mark"), project=SHOP, owner=owner
        )
        kept(lane, "m_0000000000002", "Mark counts the till", Mention("person", "Mark"), project=TILL, owner=owner)
        kept(lane, "m_0000000000003", "Mark Stone prefers mornings", known, project=SHOP, owner=owner)
        kept(lane, "m_0000000000004", "Zed Quux likes blue", Mention("person", "Zed Quux"), project=SHOP, owner=owner)
    return someone


def fits(ran: CommandOutcome) -> CommandOutcome:
    assert ran.code == 0, ran
    assert misfits(ran.document, schema_of(ran.document)) == []
    return ran


def test_every_document_fits_its_schema(person: Person) -> None:
    used = set[str]()
    for words in (
        ["list"],
        ["show", "Neal Brown"],
        ["show", "person:stone-mark", "--all"],
        ["add", "Amy Hoy", "--alias", "Ames"],
        ["rename", "person:hoy-amy", "Amy Hoyle"],
        ["merge", "person:reyes-mark", "person:stone-mark"],
        ["split", "person:reyes-mark"],
        ["split", "person:hoy-amy", "--alias", "Ames", "--name", "Ames Lab"],
        ["review"],
        ["review", "--answer", "Zed Quux=new"],
        ["remove", "business:indy-hall"],
    ):
        used.add(fits(person.lane("entity", *words, "--json")).document["schema"])
    assert {f"{path.stem}/1" for path in SCHEMAS.glob("lane.entity.*.json")} == used


def test_a_list_names_the_pages_it_passed_over(person: Person) -> None:
    listed = fits(person.lane("entity", "list", "--type", "person", "--json"))
    assert [one["id"] for one in listed.data] == ["person:reyes-mark", "person:stone-mark", "person:brown-neal"]
    assert [Path(one["what"]).name for one in listed.document["meta"]["passed_over"]] == ["elsewhere.md"]


def test_what_undo_says_takes_it_back(person: Person) -> None:
    for words in (
        ["rename", "person:brown-neal", "Neal Green"],
        ["merge", "person:reyes-mark", "person:stone-mark"],
        ["add", "Amy Hoy"],
        ["remove", "business:indy-hall"],
    ):
        before = [(one["id"], one["name"]) for one in person.lane("entity", "list", "--json").data]
        undo = fits(person.lane("entity", *words, "--json")).document["meta"]["undo"]
        assert [(one["id"], one["name"]) for one in person.lane("entity", "list", "--json").data] != before
        assert person.lane(*shlex.split(undo)[1:]).code == 0
        assert [(one["id"], one["name"]) for one in person.lane("entity", "list", "--json").data] == before


def test_a_name_that_fits_two_is_never_shown_as_one(person: Person) -> None:
    ran = person.lane("entity", "show", "Mark")
    assert ran.code == 2
    assert "person:reyes-mark, person:stone-mark" in ran.err


def test_the_queue_is_a_plain_list_in_a_pipe_with_the_likely_one_first(person: Person) -> None:
    first, second, third = fits(person.lane("entity", "review", "--json")).data
    assert (first["name"], first["project"]) == ("Mark", "shop")
    assert [(one["id"], one["likely"]) for one in first["choices"]] == [
        ("person:stone-mark", True),
        ("person:reyes-mark", False),
    ]
    assert (second["name"], second["project"]) == ("Mark", "till")
    assert (third["name"], third["choices"]) == ("Zed Quux", [])
    assert len(person.lane("entity", "review").records) == 3


def test_a_script_answers_for_one_project_or_everywhere(person: Person) -> None:
    answer = ["entity", "review", "--answer", "Mark=person:stone-mark"]
    done = fits(person.lane(*answer, "--project", "shop", "--json")).data
    assert [(one["project_key"], one["memories"]) for one in done] == [(SHOP.key, 1)]
    assert [one["project"] for one in person.lane("entity", "review", "--json").data] == ["till", "shop"]
    fits(person.lane("entity", "review", "--answer", "Mark=person:reyes-mark", "--everywhere", "--json"))
    assert [one["name"] for one in person.lane("entity", "review", "--json").data] == ["Zed Quux"]


def test_an_answer_that_makes_no_sense_changes_nothing(person: Person) -> None:
    ran = person.lane("entity", "review", "--answer", "Zed Quux=new", "--answer", "Mark=person:nobody")
    assert ran.code == 2
    assert len(person.lane("entity", "review", "--json").data) == 3
    assert person.lane("entity", "review", "--answer", "Mark").code == 2


def test_at_a_terminal_each_name_takes_one_key(person: Person) -> None:
    with seated(person, "entity", "review", rows=60) as seat:
        seat.sees('1 of 3   "Mark" in shop')
        seat.press("1s")
        seat.sees('3 of 3   "Zed Quux" in shop')
        seat.press("\x1b[Aq")  # an arrow is no answer
        seat.sees("1 name left")
        assert seat.ends() == 0
        assert seat.cooked
        assert "Linked: Mark is person:stone-mark." in seat.glass.text
        assert "Not a name." in seat.glass.text
    assert [one["name"] for one in person.lane("entity", "review", "--json").data] == ["Zed Quux"]


def test_someone_new_is_a_number_and_enter_is_later(person: Person) -> None:
    with seated(person, "entity", "review", rows=60) as seat:
        seat.sees('1 of 3   "Mark" in shop')
        seat.press("\r3q")
        assert seat.ends() == 0
    assert person.lane("entity", "show", "person:mark").code == 0
    assert [one["name"] for one in person.lane("entity", "review", "--json").data] == ["Mark", "Zed Quux"]
