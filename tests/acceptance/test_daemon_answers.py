"""What the daemon says to a hook, and what it writes down of it."""

from __future__ import annotations

import os
import shutil
import signal

import pytest

from memlane.domain import Outcome
from memlane.surfaces.daemon import log_file as logging
from memlane.surfaces.daemon import scribe as scribes
from memlane.surfaces.daemon.files import claim
from tests.acceptance.hooks import (
    NOTE,
    PROMPT,
    UNRELATED,
    HookHome,
    nobody_writes,
    recalls,
    until,
)

A_SECRET = "ghp_" + "R7xK2mPq9LwT4vNz8BcD1fGh5JsY3aEu6ViQ"


def test_a_note_is_told_once_per_run_and_written_down_each_time(hooked: HookHome) -> None:
    hooked.served()
    assert NOTE in hooked.answer(session="one")
    assert until(lambda: len(recalls(hooked)) == 1)
    assert hooked.answer(session="one") == ""
    assert NOTE in hooked.answer(session="two")
    assert hooked.answer(UNRELATED, session="three") == ""
    assert until(lambda: len(recalls(hooked)) == 4)
    assert [recall.outcome.value for recall in recalls(hooked)] == ["shown", "silent", "shown", "silent"]


def test_a_run_is_not_told_the_same_twice_while_nothing_can_be_written_down(hooked: HookHome) -> None:
    hooked.served()
    with nobody_writes(hooked):
        assert NOTE in hooked.answer(session="one")
        assert hooked.answer(session="one") == ""
        assert NOTE in hooked.answer(session="another")


def test_lane_off_is_obeyed_and_written_down(hooked: HookHome) -> None:
    hooked.served()
    assert hooked.answer(off=1) == ""
    assert until(lambda: len(recalls(hooked)) == 1)
    (off,) = recalls(hooked)
    assert (off.outcome, off.why) == (Outcome.NOT_LOOKED, "LANE_OFF is set")


def test_a_daemon_started_by_a_hook_that_is_off_is_not_off_itself(hooked: HookHome) -> None:
    assert hooked.ask(LANE_OFF="1").silent
    assert until(hooked.holder)
    assert NOTE in hooked.told()


def test_a_changed_setting_holds_from_the_next_question_on(hooked: HookHome) -> None:
    process = hooked.served()
    assert NOTE in hooked.answer(session="one")
    assert hooked.command("config", "set", "recall.enabled", "false").returncode == 0
    assert hooked.answer(session="two") == ""
    assert hooked.command("config", "set", "recall.enabled", "true").returncode == 0
    assert NOTE in hooked.answer(session="three")
    assert process.poll() is None


def test_a_rebuilt_index_is_noticed(hooked: HookHome) -> None:
    process = hooked.served()
    assert NOTE in hooked.answer(session="one")
    with hooked.lane() as lane:
        lane.archive.rebuild()
        lane.memories.remember("Labels on crates are printed by the zebra printer in hall four", hooked.project)
    assert "zebra" in hooked.answer("who prints labels on crates, the zebra printer in hall four?", "two")
    assert process.poll() is None


def test_a_home_without_an_index_is_told_nothing_until_there_is_one(hooked: HookHome) -> None:
    shutil.rmtree(hooked.path / "index")
    process = hooked.served()
    assert hooked.answer() == ""
    with hooked.lane() as lane:
        lane.home.begin()
        lane.archive.rebuild()
    assert NOTE in hooked.answer(session="after")
    assert process.poll() is None


def test_a_question_that_waited_too_long_is_not_answered_but_written_down(hooked: HookHome) -> None:
    process = hooked.served()
    os.kill(process.pid, signal.SIGSTOP)
    asked = [hooked.calling(given=hooked.given("UserPromptSubmit", session=str(n))) for n in range(3)]
    assert all(call.end().silent for call in asked)
    os.kill(process.pid, signal.SIGCONT)
    assert until(lambda: len(recalls(hooked)) == 3)
    assert {recall.outcome for recall in recalls(hooked)} == {Outcome.TOO_SLOW}
    assert NOTE in hooked.answer(session="0")  # it was never told


@pytest.mark.fault("M2")
def test_its_log_names_the_failure_and_neither_the_prompt_nor_a_secret(hooked: HookHome) -> None:
    hooked.served()
    hooked.path.joinpath("config.toml").write_text(f'[recall]\nenabled = "{A_SECRET}"\n')
    assert hooked.answer() == ""
    hooked.path.joinpath("config.toml").write_text("")
    hooked.call(given=b"not json")
    log = hooked.path / "log" / "daemon.log"
    assert until(lambda: log.exists() and log.read_text().count("\n") == 2)
    text = log.read_text()
    assert "recall.enabled must be true or false" in text
    assert "is not JSON" in text
    assert A_SECRET not in text
    assert PROMPT not in text
    assert log.stat().st_mode & 0o777 == 0o600


@pytest.mark.fault("M2")
def test_a_log_that_grows_is_put_aside_and_two_old_ones_are_kept(
    hooked: HookHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging, "LARGEST", 1000)
    log = logging.LogFile(hooked.path)
    for number in range(100):
        log.write("ERROR", f"line {number} " + "x" * 80)
    files = sorted((hooked.path / "log").glob("daemon*.log"))
    assert [path.name for path in files] == ["daemon.1.log", "daemon.2.log", "daemon.log"]
    assert all(path.stat().st_size < 1200 for path in files)


def test_a_full_queue_is_counted_and_said(hooked: HookHome, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scribes, "MOST_WAITING", 3)
    hooked.served()
    for number in range(2):
        hooked.answer(session=str(number))
    assert until(lambda: len(recalls(hooked)) == 2)
    (recall, _) = recalls(hooked)
    hooked.end()
    ours = claim(str(hooked.run))
    assert ours
    with nobody_writes(hooked):
        scribe = scribes.Scribe(ours, logging.LogFile(hooked.path))
        for _ in range(10):
            scribe.keep(recall)
        assert 5 <= scribe.dropped <= 7  # three wait, one may be in hand
        scribe.leave(0)
    assert "dropped" in (hooked.path / "log" / "daemon.log").read_text()
    ours.release()
