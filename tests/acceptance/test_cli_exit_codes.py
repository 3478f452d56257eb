"""Each code of `lane help exit-codes`, produced once. (4 and 5 belong to other people and other machines: not yet.)"""

from __future__ import annotations

import fcntl
import shutil
import signal
import sqlite3

import pytest

from memlane.surfaces.cli import tell
from memlane.surfaces.cli.help import EXIT_CODES
from tests.acceptance.command_line import Person
from tests.conftest import LaneHome
from tools.pages import error_classes


@pytest.fixture
def person(lane_home: LaneHome) -> Person:
    someone = Person(lane_home.home)
    someone.claude_run("one", "deploy the shop")
    return someone


def test_0_is_done_also_when_nothing_was_found(person: Person) -> None:
    assert person.lane("capture").code == 0
    assert person.lane("search", "zzzzzz").code == 0
    assert person.lane("--version").code == 0


def test_1_is_failed_or_a_problem_that_doctor_found(person: Person) -> None:
    person.lane("capture")
    assert person.lane("doctor").code == 0
    (metadata,) = person.lane_home.glob("archive/*/runs/*/*/metadata.json")
    metadata.write_text("{")
    found = person.lane("doctor")
    assert found.code == 1
    assert "FAIL\tarchive" in found.out
    assert "lane archive repair" in found.out


def test_2_is_wrong_usage(person: Person) -> None:
    assert person.lane("runs", "--nonsense").code == 2
    person.lane("capture")
    assert person.lane("show", "r").code == 2
    nothing = person.lane("search", " ", "--json")
    assert (nothing.code, nothing.error["hint"]) == (2, 'lane search "connection refused"')


def test_3_is_not_set_up_and_a_lost_index_is_built_anew(person: Person) -> None:
    before = person.lane("runs")
    assert before.code == 3
    assert "lane init" in before.err
    assert person.lane("tick").code == 3
    assert not person.lane_home.exists()
    person.lane("capture")
    shutil.rmtree(person.lane_home / "index")
    after = person.lane("runs", "--json")
    assert after.code == 0
    assert "built anew from the archive" in after.err


def test_6_is_partly_done_and_what_was_set_aside_is_named(person: Person) -> None:
    person.lane("capture")
    (metadata,) = person.lane_home.glob("archive/*/runs/*/*/metadata.json")
    metadata.write_text(metadata.read_text().replace("memlane-archive/1", "memlane-archive/99"))
    person.claude_run("one", "deploy the shop", "and tell me how it went")
    person.claude_run("two", "something else")
    ran = person.lane("capture", "--json")
    assert ran.code == 6
    assert len(ran.data) == 1
    (aside,) = ran.document["meta"]["set_aside_files"]
    assert aside["path"].endswith("one.jsonl")
    assert "memlane-archive/99" in aside["reason"]
    assert "one.jsonl" in person.lane("doctor", "--files").out


def test_7_is_busy_and_worth_another_try(person: Person) -> None:
    person.lane("capture")
    with (person.lane_home / "run" / "write.lock").open("r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        ran = person.lane("remember", "deploys go through make ship", "--json")
    assert (ran.code, ran.error["kind"], ran.error["retryable"]) == (7, "busy", True)
    assert person.lane("remember", "deploys go through make ship").code == 0


def test_130_is_interrupted(person: Person) -> None:
    person.lane("capture")
    watching = person.start("recalls", "--follow")
    assert watching.stderr is not None
    assert b"waiting" in watching.stderr.readline()
    watching.send_signal(signal.SIGINT)
    _out, err = watching.communicate()
    assert watching.returncode == 130
    assert err == b""


def test_every_error_has_a_code_that_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    explained = {code for code, _meaning in EXIT_CODES}
    assert {error.exit_code for error in error_classes()} <= explained
    for error in error_classes():
        assert tell(error("it happened", hint="do this"), []) == error.exit_code
    assert "hint: do this" in capsys.readouterr().err


def test_what_nobody_foresaw_is_one_sentence_and_its_traceback_is_in_the_log(person: Person) -> None:
    person.lane("capture")
    (index,) = person.lane_home.glob("index/*.db")
    with sqlite3.connect(index) as database:
        database.execute("UPDATE runs SET body = 'no run at all'")
    database.close()
    ran = person.lane("runs")
    assert ran.code == 1
    assert "Traceback" not in ran.err
    assert "lane logs --last-error" in ran.err
    assert "DecodeError" in person.lane("logs", "--last-error").out
    assert "Traceback" in person.lane("runs", LANE_DEBUG="1").err
    assert (person.lane_home / "log" / "cli.log").stat().st_mode & 0o777 == 0o600
