"""Deleted, damaged, moved, forgotten: the archive is the truth, and what can be made good is."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.command_line import Person
from tests.conftest import LaneHome

QUESTIONS = (["runs"], ["tree"], ["mem", "list"], ["search", "deploy"], ["search", "the", "--limit", "100"])


@pytest.fixture
def person(lane_home: LaneHome) -> Person:
    someone = Person(lane_home.home, quick=True)
    someone.claude_run("one", "deploy the shop", "and the worker")
    someone.claude_run("two", "why does the deploy fail?", project="worker")
    assert someone.lane("capture").code == 0
    return someone


def answers(person: Person) -> list[object]:
    runs = [run["id"] for run in person.lane("runs", "--json").data]
    found: list[object] = []
    for words in (*QUESTIONS, *(["show", run] for run in runs)):
        document = person.lane(*words, "--json").document
        document["meta"].pop("ms", None)
        found.append(document)
    return found


@pytest.mark.fault("C6", "M4")
def test_a_deleted_database_is_built_again_and_every_answer_is_the_same(lane_home: LaneHome) -> None:
    someone = Person(lane_home.home, quick=True).with_samples()
    someone.claude_run("one", "deploy the shop")
    someone.lane("capture")
    someone.lane("remember", "deploys go through make ship")
    someone.lane("mem", "forget", someone.lane("remember", "a passing thought", "--json").data["id"])
    forgotten = someone.lane("runs", "--json").data[-1]["id"]
    someone.lane("forget", forgotten)
    before = answers(someone)
    shutil.rmtree(someone.lane_home / "index")
    healed = someone.lane("runs")
    assert (healed.code, "built anew" in healed.err) == (0, True)
    assert answers(someone) == before
    assert forgotten not in json.dumps(before)


SAID_BY_THE_BYTES = ("run", "user", "machine", "agent", "native_id", "cwd")


def lose_metadata(folders: Sequence[Path]) -> None:
    for number, folder in enumerate(folders):
        if number % 2:
            (folder / "metadata.json").write_text("{torn")
        else:
            (folder / "metadata.json").unlink()


def known_again(folder: Path, before: dict[str, Any], names: Sequence[str]) -> bool:
    now = json.loads((folder / "metadata.json").read_text())
    digests = [[g["sha256"] for g in one["generations"]] for one in (now, before)]
    return digests[0] == digests[1] and all(now[name] == before[name] for name in names)


def test_lost_metadata_is_rebuilt_from_the_raw_bytes(lane_home: LaneHome) -> None:
    """The agents' own files are gone too: only the archive is left."""
    someone = Person(lane_home.home, quick=True).with_samples()
    someone.lane("capture", "--machine", "old-laptop")
    folders = sorted(someone.lane_home.glob("archive/*/runs/*/r_*"))
    before = {folder: json.loads((folder / "metadata.json").read_text()) for folder in folders}
    shutil.rmtree(someone.home / ".claude")
    shutil.rmtree(someone.home / ".codex")
    lose_metadata(folders)
    assert someone.lane("archive", "verify").code == 1
    assert someone.lane("archive", "repair").code == 0
    assert someone.lane("archive", "verify").code == 0
    assert [f.name for f in folders if not known_again(f, before[f], SAID_BY_THE_BYTES)] == []


def test_metadata_is_rebuilt_without_an_index_too(lane_home: LaneHome) -> None:
    """By what the records say alone, checked against the folder's name."""
    someone = Person(lane_home.home, quick=True).with_samples()
    someone.lane("capture")
    folders = sorted(someone.lane_home.glob("archive/*/runs/*/r_*"))
    before = {folder: json.loads((folder / "metadata.json").read_text()) for folder in folders}
    lose_metadata(folders)
    shutil.rmtree(someone.lane_home / "index")
    assert someone.lane("rebuild").code == 1  # it refuses to leave them out
    someone.lane("archive", "repair")
    there = [folder for folder in folders if (folder / "metadata.json").exists()]
    again = [folder for folder in there if before[folder]["agent"] in ("claude-code", "codex")]
    names = (*SAID_BY_THE_BYTES, "parent_native_id", "relation")
    assert [f.name for f in again if not known_again(f, before[f], names)] == []
    unknown = {before[folder]["native_id"] for folder in folders if folder not in there}
    assert all("_" in native_id for native_id in unknown), unknown  # a reverted Codex thread is named by its file alone


def test_bytes_that_do_not_say_whose_they_are_are_left_alone(person: Person) -> None:
    folder = next(person.lane_home.glob("archive/*/runs/*/r_*"))
    stranger = folder.with_name("r_aaaaaaaaaaaaa")
    shutil.copytree(folder, stranger)
    (stranger / "metadata.json").unlink()
    ran = person.lane("archive", "repair", "--json")
    assert ran.code == 1
    assert any(f["kind"] == "unknown-run" and "r_aaaaaaaaaaaaa" in f["what"] for f in ran.data)
    assert not (stranger / "metadata.json").exists()


def test_a_damaged_byte_is_named_with_its_file(person: Person) -> None:
    assert person.lane("archive", "verify").code == 0
    raw = next(person.lane_home.glob("archive/*/runs/*/*/g1.raw"))
    data = bytearray(raw.read_bytes())
    data[100] ^= 1
    raw.write_bytes(data)
    ran = person.lane("archive", "verify", "--json")
    assert ran.code == 1
    assert any(finding["level"] == "FAIL" and raw.parent.name in finding["what"] for finding in ran.data)


def test_a_moved_archive_is_equal_and_used_from_then_on(person: Person) -> None:
    old, new = person.lane_home / "archive", person.home / "nas" / "lane"
    before = {p.relative_to(old): p.read_bytes() for p in old.rglob("*") if p.is_file()}
    ran = person.lane("archive", "move", str(new), "--yes")
    assert ran.code == 0
    assert str(old) in ran.out
    assert {p.relative_to(new): p.read_bytes() for p in new.rglob("*") if p.is_file()} == before
    assert old.is_dir()
    shutil.rmtree(old)
    assert person.lane("archive", "verify").code == 0
    person.claude_run("three", "after the move")
    person.lane("capture")
    assert len(list(new.glob("*/runs/*/r_*"))) == 3
    assert not old.exists()


@pytest.mark.parametrize("target", ["", "inside", "taken"])
def test_an_archive_is_not_moved_into_itself_or_onto_something(person: Person, target: str) -> None:
    base = person.lane_home / "archive"
    taken = person.home / "taken"
    taken.mkdir()
    (taken / "theirs").write_text("keep me")
    place = {"": base, "inside": base / "inside", "taken": taken}[target]
    assert person.lane("archive", "move", str(place), "--yes").code == 2
    assert (taken / "theirs").read_text() == "keep me"
    assert "archive" in person.lane("config", "get", "archive.base").out


def test_a_forgotten_run_is_gone_from_every_answer_until_it_is_restored(person: Person) -> None:
    run = person.lane("search", "worker", "--json").data[0]["run"]
    assert person.lane("forget", run).code == 0
    assert run not in person.lane("runs", "--json").out + person.lane("search", "worker", "deploy", "--json").out
    assert person.lane("show", run).code == 2
    person.lane("capture", "--audit")
    assert run not in person.lane("runs").out
    assert person.lane("restore", run).code == 0
    assert run in person.lane("runs").out


def test_forgetting_for_good_shows_its_plan_and_needs_a_yes(person: Person) -> None:
    run = person.lane("runs", "--json").data[0]["id"]
    (folder,) = person.lane_home.glob(f"archive/*/runs/*/{run}")
    refused = person.lane("forget", run, "--now")
    assert refused.code == 2
    assert "--yes" in refused.err
    assert str(folder) in refused.err
    assert person.lane("forget", run, "--now", "--dry-run").code == 0
    said_no = person.on_screen("forget", run, "--now", typed="n\n")
    assert "Nothing was changed" in said_no.out
    assert folder.is_dir()
    assert person.lane("forget", run).code == 0
    assert person.lane("forget", run, "--now", "--yes").code == 0
    assert not folder.exists()
    assert person.lane("archive", "verify").code == 0


@pytest.mark.fault("H7")
def test_what_was_forgotten_for_good_is_in_no_file_of_ours(person: Person) -> None:
    person.claude_run("secret", "the xyzzyplugh incident happened on friday")
    person.lane("capture")
    run = person.lane("search", "xyzzyplugh", "--json").data[0]["run"]
    person.lane("forget", run, "--now", "--yes")
    person.lane("capture")
    holding = [p for p in person.lane_home.rglob("*") if p.is_file() and b"xyzzyplugh" in p.read_bytes()]
    assert holding == []


def test_paused_nothing_is_captured_and_afterwards_only_what_came_later(person: Person) -> None:
    assert person.lane("pause", "2h").code == 0
    person.claude_run("private", "something for nobody")
    paused = person.lane("capture", "--json")
    assert (paused.code, paused.data) == (0, [])
    assert paused.document["meta"]["paused"]["until"]
    assert "paused" in person.lane("status").out
    assert person.lane("pause", "--off").code == 0
    assert "private" not in {run["session_id"] for run in person.lane("runs", "--json").data}


def test_what_is_excluded_is_not_captured_and_can_be_again(person: Person) -> None:
    person.lane("exclude", "add", "/home/dev/hush")
    assert "/home/dev/hush" in person.lane("exclude", "list").out
    person.claude_run("hush", "not for keeping", project="hush")
    person.lane("capture")
    assert "hush" not in {run["session_id"] for run in person.lane("runs", "--json").data}
    person.lane("exclude", "remove", "/home/dev/hush")
    person.lane("capture")
    assert "hush" in {run["session_id"] for run in person.lane("runs", "--json").data}


@pytest.mark.fault("A25", "M4")
def test_a_copied_home_is_taken_in_under_its_own_name(person: Person, tmp_path: Path) -> None:
    other = Person(tmp_path / "old-laptop")
    other.home.mkdir()
    other.claude_run("one", "deploy the shop", "from another computer")
    ran = person.lane("capture", str(other.home), "--machine", "old-laptop", "--json")
    assert [change["machine"] for change in ran.data] == ["old-laptop"]
    assert len(person.lane("runs", "--json").data) == 3
    assert len(person.lane("runs", "--machine", "old-laptop", "--json").data) == 1


def test_settings_say_where_they_come_from_and_keep_a_persons_comments(person: Person) -> None:
    file = person.lane_home / "config.toml"
    file.write_text(file.read_text() + "\n# mine\n[recall]\nfloor = 0.4 # low\n")
    assert person.lane("config", "get", "recall.floor", "--json").data["origin"] == "config.toml"
    assert person.lane("config", "set", "recall.per_prompt", "2").code == 0
    assert "# mine" in file.read_text()
    assert "# low" in file.read_text()
    assert person.lane("config", "get", "recall.per_prompt", LANE_RECALL_PER_PROMPT="1").out == "1\n"
    assert person.lane("config", "set", "recall.per_prompt", "many").code == 2
    assert person.lane("config", "set", "machine", "other").code == 2
    assert person.lane("config", "set", "recall.enabled", "false", "--project", ".").code == 0
    assert str(person.home) in person.lane("config", "get", "recall.off_in").out


def test_a_lost_journal_is_named_refused_repaired_and_then_whole_again(person: Person) -> None:
    person.lane("remember", "Releases are cut on Thursdays only.", "--cwd", ".")
    person.lane("capture")
    (journal,) = person.lane_home.glob("archive/*/journal/*/*.jsonl")
    journal.unlink()
    verified = person.lane("archive", "verify", "--json")
    assert verified.code == 1
    assert verified.document["meta"]["missing"] >= 1
    assert (verified.document["meta"]["extra"], verified.document["meta"]["altered"]) == (0, 0)
    doctor = person.lane("doctor")
    assert doctor.code == 1
    assert "lane archive repair" in doctor.out
    refused = person.lane("rebuild", "--json")
    assert (refused.code, refused.error["kind"]) == (1, "would-lose")
    assert "--accept-loss" in refused.error["hint"]
    assert person.lane("archive", "repair").code == 0
    assert person.lane("archive", "verify").code == 0
    assert person.lane("rebuild").code == 0
    assert "Thursdays" in person.lane("mem", "list").out


def test_a_loss_is_accepted_by_its_name(person: Person) -> None:
    person.lane("remember", "Gone soon.", "--cwd", ".")
    (journal,) = person.lane_home.glob("archive/*/journal/*/*.jsonl")
    journal.unlink()
    assert person.lane("rebuild", "--accept-loss", "m_nonsense").code == 1
    assert person.lane("rebuild", "--accept-loss", f"{journal.parent.name}/{journal.name}").code == 0
    assert "Gone soon" not in person.lane("mem", "list").out
    assert person.lane("archive", "verify").code == 0
