"""`lane mem folder`, `lane mem agents-md` and `lane skills` as people type them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.acceptance.command_line import Person, misfits, schema_of
from tests.flow.talks import Talk, days_ago

WISHES = (
    "write release notes from the merged changes since the last tag",
    "the release notes please, out of all changes merged since the tag",
    "make release notes of what changes were merged after our tag",
)


@pytest.fixture
def person(tmp_path: Path) -> Person:
    someone = Person(tmp_path, quick=True)
    someone.lane("remember", "deploys of the shop go through make ship", "--scope", "person")
    return someone


def fits(document: dict[str, object]) -> bool:
    return misfits(document, schema_of(document)) == []


def test_the_folder_is_written_changed_by_hand_and_told(person: Person) -> None:
    assert person.lane("mem", "folder").code == 0
    written = person.lane("mem", "folder", "--write", "--json")
    assert fits(written.document)
    (one,) = written.data
    assert (one["pages"], one["lines"]) == (1, 1)
    (page,) = [path for path in Path(one["folder"]).glob("*.md") if path.name != "MEMORY.md"]
    page.write_text(page.read_text().replace("deploys of the shop go through make ship\n", "only on Mondays\n"))
    again = person.lane("mem", "folder", "--write", "--json")
    assert fits(again.document)
    (edit,) = again.document["meta"]["edits"]
    assert person.lane("mem", "show", edit["memory"], "--json").data["content"] == "only on Mondays"
    assert person.lane(*edit["undo"].split()[1:], "--json").code == 0
    assert "through make ship" in person.lane("mem", "show", edit["memory"], "--json").data["content"]


def test_what_the_tick_took_over_it_tells(person: Person) -> None:
    person.lane("tick")
    (page,) = [
        path for path in (person.home / ".memlane" / "memory" / "person").glob("*.md") if path.name != "MEMORY.md"
    ]
    page.unlink()
    person.lane("remember", "tea is at four")
    ticked = person.lane("tick", "--json")
    assert [finding["kind"] for finding in ticked.data if finding["kind"] == "paused"] == ["paused"]


def test_skills_are_listed_and_one_is_drafted(person: Person, tmp_path: Path) -> None:
    for number, wish in enumerate(WISHES, 1):
        talk = Talk(tmp_path, number, day=days_ago(10 - number)).person(wish).agent("Here.")
        path = person.home / ".claude" / "projects" / "-home-dev-app" / f"{talk.session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(record) + "\n" for record in talk.records))
    person.lane("capture")
    listed = person.lane("skills", "--json")
    assert fits(listed.document)
    assert [(one["times"], one["name"]) for one in listed.data] == [(3, "release-notes-changes-merged-tag")]
    drafted = person.lane("skills", "draft", "1", "-o", str(tmp_path / "out"), "--json")
    assert fits(drafted.document)
    assert Path(drafted.data["path"]).read_text().startswith("---\nname: release-notes-changes-merged-tag\n")
    assert person.lane("skills", "draft", "9").code != 0
    assert person.lane("skills", "--min", "4", "--json").data == []
