"""Health is what a person would find: a real search, a real recall through the installed hook, a write taken back."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.acceptance.command_line import CommandOutcome, Person
from tests.acceptance.hooks import until
from tests.conftest import LaneHome

SAID = "the ferry leaves from the northern pier"
OF_HOOK = "plugin/plugins/lane/bin/client.py"


@pytest.fixture
def person(lane_home: LaneHome) -> Iterator[Person]:
    """Claude Code with our hooks in its settings, a run, a note, and a daemon that answers."""
    someone = Person(lane_home.home, {"PATH": "/usr/bin:/bin"}, quick=True)
    someone.claude_run("one", SAID)
    assert someone.lane("capture").code == 0
    assert someone.lane("remember", "The northern pier is closed in winter").code == 0
    assert someone.lane("hook", "install", "claude-code").code == 0
    someone.lane("daemon", "start")
    yield someone
    someone.lane("daemon", "stop")


def levels(said: CommandOutcome, kind: str) -> list[tuple[str, str, str]]:
    return [(one["level"], one["what"], one["hint"]) for one in said.data if one["kind"] == kind]


def health(person: Person) -> tuple[str, str, str]:
    (line,) = levels(person.lane("status", "--json"), "health")
    return line


def well(person: Person) -> bool:
    """All was tried and worked. A hook that a crowded machine keeps from answering in time is asked again."""
    return until(lambda: health(person)[0] == "ok" and person.lane("doctor").code == 0, looks=10)


def the(person: Person, pattern: str) -> Path:
    return next(person.lane_home.glob(pattern))


@pytest.mark.fault("M1")
def test_ok_is_said_when_all_of_it_was_tried_and_worked(person: Person) -> None:
    assert well(person)
    said = "ok: a search, a write and a recall through Claude Code were tried and work"
    assert until(lambda: health(person) == ("ok", said, ""), looks=10)
    doctor = person.lane("doctor", "--json")
    assert levels(doctor, "search")[0][0] == levels(doctor, "write")[0][0] == "ok"
    assert any("its hook was asked" in what for _level, what, _hint in levels(doctor, "recall"))


def test_trying_leaves_nothing_behind(person: Person) -> None:
    def left() -> list[tuple[str, bytes]]:
        kept = [path for path in person.lane_home.glob("archive/**/*") if path.is_file()]
        return [(str(path), path.read_bytes()) for path in sorted(kept)]

    before, recalls = left(), person.lane("recalls", "--json").data
    assert well(person)
    assert left() == before
    assert person.lane("recalls", "--json").data == recalls
    assert list(person.lane_home.glob("run/probe*")) == []


def garbled(path: Path) -> None:
    path.write_bytes(b"\xff\x00 not what was written")


INDEX: dict[str, Callable[[Person], object]] = {
    "its postings are gone": lambda person: the(person, "index/*.terms/*/*.idx").unlink(),
    "its store is gone": lambda person: the(person, "index/*.terms/*/*.store").unlink(),
    "its positions are gone": lambda person: the(person, "index/*.terms/*/*.pos").unlink(),
    "its list is garbled": lambda person: garbled(the(person, "index/*.terms/*/meta.json")),
    "its rows are garbled": lambda person: garbled(the(person, "index/*.db")),
}
VECTORS: dict[str, Callable[[Person], object]] = {
    "they are gone": lambda person: shutil.rmtree(person.lane_home / "vectors"),
    "their description is garbled": lambda person: garbled(the(person, "vectors/*/*/about.json")),
    "their rows are cut": lambda person: the(person, "vectors/*/*/rows").write_bytes(b"1234"),
}


@pytest.mark.fault("C7", "M1")
@pytest.mark.parametrize("damage", INDEX)
@pytest.mark.parametrize("fix", [["rebuild"], ["tick"]])
def test_a_damaged_index_is_said_everywhere_and_the_command_helps(person: Person, damage: str, fix: list[str]) -> None:
    INDEX[damage](person)
    search, status, doctor = (person.lane(*words) for words in (["search", "pier"], ["status"], ["doctor"]))
    assert [search.code, status.code, doctor.code] == [1, 1, 1]
    assert "lane rebuild" in search.err
    assert "Traceback" not in search.err + status.err + doctor.err
    assert "words up to date" not in status.out or "FAIL" in status.out
    assert person.lane(*fix).code == 0
    assert SAID.split()[1] in person.lane("search", "pier").out
    assert well(person)


@pytest.mark.parametrize("damage", VECTORS)
@pytest.mark.parametrize("fix", [["rebuild"], ["tick"]])
def test_damaged_vectors_leave_words_and_the_command_helps(person: Person, damage: str, fix: list[str]) -> None:
    VECTORS[damage](person)
    status, doctor = person.lane("status"), person.lane("doctor")
    assert [status.code, doctor.code] == [1, 1]
    search = person.lane("search", "pier", "--json")
    assert (search.code, len(search.data)) == (0, 1)
    assert search.document["meta"]["meaning"]["why"]
    assert "words only" in person.on_screen("search", "pier").out
    assert person.lane(*fix).code == 0
    assert person.lane("search", "pier", "--json").document["meta"]["meaning"]["why"] is None
    assert well(person)


def test_what_was_moved_aside_is_named_once_and_stays(person: Person) -> None:
    VECTORS["their description is garbled"](person)
    told = person.lane("tick", "--json").data
    assert [one["what"] for one in told if one["kind"] == "damaged" and "about.json" in one["what"]]
    assert "about.json" in person.lane("logs").out
    assert [one for one in person.lane("tick", "--json").data if one["kind"] == "damaged"] == []
    (aside,) = person.lane_home.glob("vectors/*/*.damaged-1")
    assert (aside / "rows").stat().st_size > 0
    assert levels(person.lane("doctor", "--json"), "damaged")[0][0] == "note"


@pytest.mark.fault("F6", "M1")
def test_a_hook_that_calls_what_is_gone_is_no_recall(person: Person) -> None:
    (person.lane_home / OF_HOOK).unlink()
    level, what, hint = health(person)
    assert (level, hint) == ("FAIL", "lane hook repair")
    assert "does not exist" in what
    assert "on in" not in person.lane("status").out
    assert person.lane("hook", "repair").code == 0
    assert well(person)


def test_a_hook_that_does_not_answer_is_no_recall(person: Person) -> None:
    (person.lane_home / OF_HOOK).write_text("import sys\n")
    assert health(person)[0] == "FAIL"
    assert person.lane("doctor").code == 1


def test_hooks_that_somebody_took_out_by_hand_are_no_recall(person: Person) -> None:
    (person.home / ".claude" / "settings.json").write_text("{}")
    level, what, _hint = health(person)
    assert (level, "no agent is told anything" in what) == ("note", True)
    assert person.lane("status", "--json").document["meta"]["recall"]["agents"] == []
    assert "hooks are not installed" in person.lane().out


def test_recall_that_is_off_for_an_agent_is_not_on(person: Person) -> None:
    assert person.lane("status", "--json").document["meta"]["recall"]["agents"] == ["Claude Code"]
    person.lane("config", "set", "recall.off_for", "claude-code")
    assert person.lane("status", "--json").document["meta"]["recall"]["agents"] == []


def test_a_token_that_changed_on_the_disk_is_noticed_by_the_daemon(person: Person) -> None:
    (person.lane_home / "run" / "token").write_bytes(b"\xff\xfe garbled")
    holder = (person.lane_home / "run" / "daemon.lock").read_bytes()
    person.lane("doctor")
    person.lane("daemon", "start")
    assert well(person)
    assert (person.lane_home / "run" / "daemon.lock").read_bytes() != holder
