"""`lane capture --watch`: each change as it comes, whatever happens to files and folders, until it is told to stop."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
from collections.abc import Callable, Generator
from contextlib import contextmanager

import pytest

from tests.acceptance.command_line import Person, records
from tests.acceptance.hooks import until
from tests.conftest import LaneHome


@pytest.fixture
def person(lane_home: LaneHome) -> Person:
    someone = Person(lane_home.home)
    someone.claude_run("one", "deploy the shop")
    return someone


@contextmanager
def watching(person: Person, *words: str) -> Generator[subprocess.Popen[bytes], None, None]:
    """Running, and through with its first sweep."""
    process = person.start("capture", "--watch", *words)
    try:
        assert until(lambda: generations(person, "one"))
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def generations(person: Person, name: str) -> list[bytes]:
    """What the archive holds of a run, by its newest look on the disk."""
    for file in person.lane_home.glob("archive/*/runs/*/*/metadata.json"):
        try:
            metadata = json.loads(file.read_text())
        except (ValueError, FileNotFoundError):
            continue
        if metadata["native_id"] == name:
            return [(file.parent / f"g{g['n']}.raw").read_bytes()[: g["size"]] for g in metadata["generations"]]
    return []


def is_held(person: Person, name: str, *wanted: bytes) -> Callable[[], bool]:
    return lambda: generations(person, name) == list(wanted)


def line(words: str) -> bytes:
    return json.dumps(records("one", [words], "Done.", "shop")[0]).encode() + b"\n"


def test_what_is_written_is_taken_and_the_end_is_clean(person: Person) -> None:
    path = next(person.home.glob(".claude/projects/*/one.jsonl"))
    with watching(person) as process:
        with path.open("ab") as file:
            file.write(line("and the worker"))
        assert until(is_held(person, "one", path.read_bytes()))
        new = person.claude_run("two", "something new", project="new-project")
        assert until(is_held(person, "two", new.read_bytes()))
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate()
    assert process.returncode == 0
    assert b"Traceback" not in err
    assert len(out.splitlines()) >= 3
    assert "two" in {run["session_id"] for run in person.lane("runs", "--json").data}


def test_interrupted_it_says_that_everything_is_kept(person: Person) -> None:
    with watching(person) as process:
        process.send_signal(signal.SIGINT)
        _out, err = process.communicate()
    assert process.returncode == 130
    assert b"kept" in err


@pytest.mark.fault("A7")
def test_a_file_replaced_by_a_rename_is_read_to_its_end_while_its_writer_goes_on(person: Person) -> None:
    path = next(person.home.glob(".claude/projects/*/one.jsonl"))
    with watching(person), path.open("ab", buffering=0) as writer:
        writer.write(line("still the old file"))
        assert until(is_held(person, "one", path.read_bytes()))
        old, new = path.read_bytes(), line("a new beginning") + line("and more of it")
        temporary = path.with_suffix(".tmp")
        temporary.write_bytes(new)
        temporary.replace(path)
        writer.write(line("late"))
        assert until(is_held(person, "one", old + line("late"), new))
        writer.write(line("later still"))
        assert until(is_held(person, "one", old + line("late") + line("later still"), new))
        with path.open("ab") as file:
            file.write(line("the new one goes on"))
        assert until(is_held(person, "one", old + line("late") + line("later still"), path.read_bytes()))


def test_a_place_that_vanishes_is_waited_for_and_nothing_is_removed(person: Person) -> None:
    claude = person.home / ".claude"
    aside = person.home / "unmounted"
    path = next(claude.glob("projects/*/one.jsonl"))
    with watching(person) as process:
        held = generations(person, "one")
        claude.rename(aside)
        assert not until(lambda: process.poll() is not None, looks=75)
        assert generations(person, "one") == held
        aside.rename(claude)
        with path.open("ab") as file:
            file.write(line("back again"))
        assert until(is_held(person, "one", path.read_bytes()))


def test_it_may_begin_before_any_agent_is_there(lane_home: LaneHome) -> None:
    someone = Person(lane_home.home)
    process = someone.start("capture", "--watch")
    try:
        assert until(lambda: (someone.lane_home / "index" / "CURRENT").exists())
        path = someone.claude_run("first", "hello")
        assert until(is_held(someone, "first", path.read_bytes()))
    finally:
        process.terminate()
        process.communicate()
    assert process.returncode == 0


def test_an_exclusion_holds_at_once(person: Person) -> None:
    with watching(person):
        person.lane("exclude", "add", "/home/dev/hush")
        person.claude_run("hush", "not for keeping", project="hush")
        person.claude_run("loud", "for keeping", project="loud")
        assert until(lambda: generations(person, "loud"))
    assert generations(person, "hush") == []


def test_a_folder_deleted_and_made_anew_is_watched_again(person: Person) -> None:
    """With a path given: the home itself."""
    path = next(person.home.glob(".claude/projects/*/one.jsonl"))
    with watching(person, str(person.home)):
        with path.open("ab") as file:
            file.write(line("seen all the same"))
        assert until(is_held(person, "one", path.read_bytes()))
        shutil.rmtree(path.parent)
        again = person.claude_run("again", "made anew", project="shop")
        assert until(is_held(person, "again", again.read_bytes()))
