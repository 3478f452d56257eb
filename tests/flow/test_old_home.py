"""A home made by an earlier commit opens and answers as it did there; with its index, and with one built anew.

Its index has schema 7, which is still the one we write, so it is opened as it is. Where a later schema replaces it,
only the rebuilt one can answer, and the first test goes.
"""

from __future__ import annotations

import json
import re
import shutil
import tarfile
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.command_line import Person
from tests.house.tree import ROOT

BRACKETS = re.compile(r"[\[\]]")
HOMES = ROOT / "tests" / "fixtures" / "homes"


@pytest.fixture
def person(tmp_path: Path) -> Person:
    """Somebody who has used Memory Lane since then."""
    with tarfile.open(HOMES / "5ea62a7.tar.xz") as packed:
        packed.extraction_filter = getattr(tarfile, "data_filter", None)  # an argument only since 3.11.4
        packed.extractall(tmp_path)
    return Person(tmp_path, quick=True)


def recorded(person: Person) -> dict[str, dict[str, Any]]:
    return json.loads((person.lane_home / "recorded.json").read_text())


def answers(person: Person) -> dict[str, Any]:
    return {name: person.lane(*asked["words"], "--json").data for name, asked in recorded(person).items()}


def comparable(name: str, answer: Any) -> Any:
    """A note counts less as it ages, and findings are worded anew: which memories and how alike, what and how grave."""
    if name == "recall":
        return [(match["id"], match["similarity"]) for match in answer]
    if name == "verify":  # it has no register yet, and says so
        return [(finding["kind"], finding["level"]) for finding in answer if finding["kind"] != "register"]
    if name == "search":  # what was found was marked by brackets once; now its places stand beside it
        return [{**hit, "snippet": BRACKETS.sub("", hit["snippet"]), "hits": []} for hit in answer]
    return answer


FILLED_SINCE = ("entities",)  # fields that were there and always empty


def as_then(now: Any, then: Any) -> Any:
    """Without fields that came later; a title of ours no longer ends with a full stop."""
    if isinstance(now, dict) and isinstance(then, dict):
        kept = {name: as_then(now[name], then[name]) for name in then if name in now}
        return kept | {name: then[name] for name in FILLED_SINCE if name in then}
    if isinstance(now, list) and isinstance(then, list) and len(now) == len(then):
        return [as_then(*each) for each in zip(now, then, strict=True)]
    return then if isinstance(then, str) and then.rstrip(".") == now else now


def check_same(person: Person) -> None:
    before = {name: comparable(name, each["data"]) for name, each in recorded(person).items()}
    now = {name: as_then(comparable(name, answer), before[name]) for name, answer in answers(person).items()}
    assert [name for name in before if now[name] != before[name]] == []
    assert all(before.values())  # nothing is equal because it is empty


@pytest.mark.fault("C13", "M3")
def test_it_answers_as_before(person: Person) -> None:
    check_same(person)


@pytest.mark.fault("C13")
def test_it_answers_as_before_from_an_index_built_anew(person: Person) -> None:
    shutil.rmtree(person.lane_home / "index")
    assert person.lane("rebuild").code == 0
    check_same(person)


def test_what_is_said_now_stands_beside_what_was_said_then(person: Person) -> None:
    then = [memory["id"] for memory in recorded(person)["memories"]["data"]]
    made = person.lane("remember", "Charts go out on Fridays.", "--cwd", "code/ferry-api", "--json").data["id"]
    assert {memory["id"] for memory in person.lane("mem", "list", "--json").data} == {made, *then}
    assert person.lane("undo", made).code == 0
    assert person.lane("archive", "verify", "--json").document["meta"]["failed"] == 0


# -- an index that this version cannot read ----------------------------------------------------------------------------


def age(person: Person) -> None:
    """Its index is of the schema before ours."""
    index = person.lane_home / "index"
    for path in index.glob("v7-*"):
        path.rename(index / path.name.replace("v7-", "v6-", 1))
    current = index / "CURRENT"
    current.write_text(current.read_text().replace("v7-", "v6-", 1))


def test_the_first_command_builds_an_index_of_another_version_anew_and_answers(person: Person) -> None:
    age(person)
    ran = person.lane("mem", "list", "--json")
    assert ran.code == 0
    assert "built anew from the archive" in ran.err
    check_same(person)
    assert person.lane("mem", "list").err == ""  # once


def test_doctor_only_says_so(person: Person) -> None:
    age(person)
    said = [one for one in person.lane("doctor", "--json").data if "no index for this version" in one["what"]]
    assert said
    assert all("lane rebuild" in one["hint"] for one in said)
    assert not list((person.lane_home / "index").glob("v7-*"))


def test_after_a_capture_everything_that_was_remembered_is_recalled(person: Person) -> None:
    age(person)
    then = {memory["id"] for memory in recorded(person)["memories"]["data"]}
    assert person.lane("capture").code == 0
    assert {memory["id"] for memory in person.lane("mem", "list", "--json").data} == then
    recall = recorded(person)["recall"]
    assert recall["data"][0]["id"] in [match["id"] for match in person.lane(*recall["words"], "--json").data]
