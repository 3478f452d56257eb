"""One daemon per home, for its owner alone, gone when nobody asks; it writes down what it said and leaves no orphan."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

import memlane
from memlane.domain import Outcome
from memlane.surfaces.daemon.protocol import LARGEST_BODY
from tests.acceptance.hooks import (
    NOTE,
    HookHome,
    installed,
    journal_lines,
    nobody_writes,
    recalls,
    transcript,
    until,
)
from tests.conftest import LaneHome

ROOT = Path(__file__).resolve().parent.parent.parent
KILLS = 100
RESTARTS = 5
EMPTY = b"lane/1 0\n"


# -- one per home (A22, A23) -------------------------------------------------------------------------------------------


def test_a_second_daemon_ends_with_one_clear_line(hooked: HookHome) -> None:
    first = hooked.served()
    second = hooked.start()
    _, said = second.communicate()
    assert (second.returncode, said) == (0, b"lane daemon: another daemon answers for this home\n")
    assert hooked.holder() == first.pid


@pytest.mark.fault("A22")
def test_of_five_daemons_started_together_one_lives(hooked: HookHome) -> None:
    five = [hooked.start() for _ in range(5)]
    assert until(lambda: sum(process.poll() is not None for process in five) == 4)
    assert [process.returncode for process in five if process.returncode is not None] == [0] * 4
    assert NOTE in hooked.told()
    assert [process.pid for process in five if process.poll() is None] == [hooked.holder()]


def test_what_an_old_lock_file_says_never_matters(hooked: HookHome) -> None:
    (hooked.run / "daemon.lock").write_text(json.dumps({"epoch": 3, "pid": os.getpid(), "since": 0}))
    assert NOTE in hooked.told()
    hooked.end()
    (hooked.run / "daemon.lock").write_bytes(b"\xff\0 not a claim")
    assert NOTE in hooked.told()


def test_each_daemon_has_a_greater_epoch_than_the_one_before(hooked: HookHome) -> None:
    epochs: list[int] = []
    for _ in range(3):
        process = hooked.served()
        state = hooked.state()
        assert state
        epochs.append(state["epoch"])
        process.kill()
        process.wait()
    assert epochs == sorted(set(epochs))


@pytest.mark.fault("A23")
def test_a_frozen_daemon_that_was_replaced_leaves_before_it_writes(hooked: HookHome) -> None:
    """Its lock file was lost (a restored home, an emptied folder), so another could begin while it slept."""
    old = hooked.served()
    with nobody_writes(hooked):
        assert NOTE in hooked.answer(session="of the old one")
        assert until(lambda: (hooked.state() or {})["queue"] == 0)  # taken from the queue, waiting for the lock
        os.kill(old.pid, signal.SIGSTOP)
        (hooked.run / "daemon.lock").unlink()
        (hooked.run / "daemon.sock").unlink()
        before = journal_lines(hooked)
    new = hooked.served()
    os.kill(old.pid, signal.SIGCONT)
    assert old.wait() == 0
    assert journal_lines(hooked) == before
    assert NOTE in hooked.answer(session="of the new one")
    assert hooked.holder() == new.pid


# -- for its owner alone -----------------------------------------------------------------------------------------------


@pytest.mark.fault("J3")
def test_its_files_are_its_owners_alone(hooked: HookHome) -> None:
    hooked.run.chmod(0o755)
    hooked.served()
    modes = {path.name: path.stat().st_mode & 0o777 for path in hooked.run.iterdir()}
    assert hooked.run.stat().st_mode & 0o777 == 0o700
    assert {modes[name] for name in ("daemon.sock", "daemon.lock", "token")} == {0o600}


def test_a_request_without_the_token_gets_nothing(hooked: HookHome) -> None:
    hooked.served()
    asked = hooked.given("UserPromptSubmit")
    assert NOTE.encode() in hooked.say(asked)
    for wrong in ("", "0" * 64, hooked.token[:-1], hooked.token + "0", "\udcff"):
        assert hooked.say(asked, token=wrong.encode("utf-8", "surrogateescape").decode("latin-1")) == EMPTY
    state = hooked.state()
    assert state
    assert state["refused"] == 5


@pytest.mark.parametrize(
    "request_",
    [
        b"\n",
        b"\0" * 100 + b"\n",
        b"lane/1\n",
        b"x" * 100_000,
        b"lane/1\0length=-1\n",
    ],
)
def test_what_is_no_request_gets_nothing(hooked: HookHome, request_: bytes) -> None:
    process = hooked.served()
    assert hooked.send(request_) == EMPTY
    assert hooked.state()
    assert process.poll() is None


def test_a_request_that_is_too_large_is_refused_before_it_is_read(hooked: HookHome) -> None:
    hooked.served()
    assert hooked.say(b"{}", length=LARGEST_BODY + 1) == EMPTY
    assert hooked.say(b" " * (LARGEST_BODY - 2) + b"{}") == EMPTY  # the largest there may be: read, and it says nothing


def test_agents_and_events_we_do_not_know_are_told_nothing(hooked: HookHome) -> None:
    hooked.served()
    given = hooked.given("UserPromptSubmit")
    assert hooked.say(given, agent="nobody") == EMPTY
    assert hooked.say(given, event="Notification") == EMPTY


@pytest.mark.fault("F9")
def test_a_hook_of_another_version_gets_nothing_and_a_newer_one_a_new_daemon(hooked: HookHome) -> None:
    process = hooked.served()
    assert hooked.say(hooked.given("UserPromptSubmit"), protocol="lane/0") == EMPTY
    assert hooked.state()
    assert hooked.say(hooked.given("UserPromptSubmit"), protocol="lane/2") == EMPTY
    assert process.wait() == 0


def test_a_hook_that_does_not_speak_holds_nobody_up(hooked: HookHome) -> None:
    hooked.served()
    with ExitStack() as lines:
        for said in (b"", b"lane/1\0token=", f"lane/1\0token={hooked.token}\0length=5\n".encode()):
            line = lines.enter_context(socket.socket(socket.AF_UNIX))
            line.connect(str(hooked.run / "daemon.sock"))
            line.sendall(said)
        assert NOTE in hooked.answer()
        assert until(lambda: (hooked.state() or {})["connections"] == 0)  # they had their time


# -- coming and going --------------------------------------------------------------------------------------------------


def test_it_leaves_when_nobody_asks_and_comes_back_with_the_next_hook(hooked: HookHome) -> None:
    process = hooked.served(LANE_DAEMON_IDLE_MINUTES="0")
    assert process.wait() == 0
    assert not (hooked.run / "daemon.sock").exists()
    assert NOTE in hooked.told()


def test_asked_to_leave_it_first_writes_down_what_it_said(hooked: HookHome) -> None:
    process = hooked.served()
    with nobody_writes(hooked) as let_go:
        for number in range(5):
            assert NOTE in hooked.answer(session=str(number))
        before = journal_lines(hooked)
        process.terminate()
        assert until(lambda: not (hooked.run / "daemon.sock").exists())
        let_go()
        assert process.wait() == 0
    assert journal_lines(hooked) == before + 5
    assert [recall.outcome for recall in recalls(hooked)] == [Outcome.SHOWN] * 5


def test_a_hook_that_comes_while_it_leaves_finds_the_next_one(hooked: HookHome) -> None:
    process = hooked.served()
    with nobody_writes(hooked) as let_go:
        hooked.answer(session="first")
        process.terminate()
        assert until(lambda: not (hooked.run / "daemon.sock").exists())
        asked = hooked.calling(given=hooked.given("UserPromptSubmit", session="second"))
        let_go()
        assert asked.end().exit_code == 0
        assert NOTE in hooked.told()
    assert process.wait() == 0
    assert until(lambda: hooked.processes() == [hooked.holder()])


def test_it_leaves_when_another_version_is_installed(hooked: HookHome, tmp_path: Path) -> None:
    package = tmp_path / "memlane"
    shutil.copytree(Path(memlane.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    process = hooked.served(PYTHONPATH=str(tmp_path))
    os.utime(package / "__init__.py", (1, 1))
    hooked.state()
    assert process.wait() == 0


def test_it_leaves_a_home_that_is_taken_away_and_writes_nothing_there(hooked: HookHome) -> None:
    process = hooked.served()
    hooked.answer()
    assert until(lambda: len(recalls(hooked)) == 1)
    shutil.rmtree(hooked.path)
    process.send_signal(signal.SIGCONT)  # it looks around when it is woken, and every few seconds
    assert process.wait() == 0
    assert not hooked.path.exists()


def test_lane_daemon_starts_tells_stops_also_a_frozen_one(hooked: HookHome) -> None:
    def told(*words: str) -> dict[str, object]:
        document = json.loads(hooked.command("daemon", *words, "--json").stdout)
        assert document["schema"] == "lane.daemon/1"
        return document["data"]

    assert told("status") == {"running": False, "frozen": False}
    started = told("start")
    assert (started["running"], started["frozen"], started["pid"]) == (True, False, hooked.holder())
    assert told("start")["pid"] == started["pid"]
    hooked.answer()
    assert told("status")["answered"] == 1
    os.kill(hooked.holder(), signal.SIGSTOP)
    assert told("status")["frozen"] is True
    restarted = told("restart")
    assert (restarted["frozen"], restarted["pid"] != started["pid"]) == (False, True)
    assert told("stop")["running"] is False
    assert told("stop")["running"] is False


def test_lane_daemon_start_without_a_home_says_so(lane_home: LaneHome) -> None:
    made = HookHome(lane_home.home, lane_home.path / "none", lane_home.path)
    done = made.command("daemon", "start")
    assert (done.returncode, b"hint:" in done.stderr) == (3, True)


# -- kills (F13) -------------------------------------------------------------------------------------------------------


def test_a_daemon_killed_a_hundred_times_while_hooks_ask(lane_home: LaneHome) -> None:
    true = shutil.which("true")
    assert true
    hooked = installed(lane_home.home, lane_home.path, python=true)
    with hooked.lane() as lane:
        lane.memories.remember(NOTE, hooked.project)
    seed = time.time_ns() % 1_000_000
    command = [sys.executable, "-m", "tests.acceptance.kills", hooked.home, str(KILLS), str(seed)]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **hooked.variables}, capture_output=True, check=False)
    assert done.returncode == 0, f"seed {seed}\n{done.stderr.decode()}"
    found = json.loads(done.stdout)
    assert found["exit 0"] == KILLS * 3, f"seed {seed}"
    assert "partial" not in found
    assert found["interrupted"] > KILLS / 2, "the kills did not land inside the work"
    assert found["answered"] > found.get("silent", 0)  # by the next daemon
    with hooked.lane() as lane:
        lane.capture.sweep()  # registers a line whose writer was killed right behind it
        assert list(lane.archive.verify()) == []
    assert hooked.all_processes() == []


@pytest.mark.fault("F13")
def test_killed_daemons_are_replaced_one_by_one_and_leave_nobody_behind(hooked: HookHome) -> None:
    path = transcript(hooked)
    for number in range(RESTARTS):
        calls = [hooked.calling(given=hooked.given("UserPromptSubmit", session=f"{number}-{n}")) for n in range(4)]
        hooked.call("Stop", hooked.given("Stop", transcript_path=str(path)))
        assert all(call.end().exit_code == 0 for call in calls)
        assert until(hooked.holder)
        os.kill(hooked.holder(), signal.SIGKILL)
        assert NOTE in hooked.told()
        assert until(lambda: hooked.processes() == [hooked.holder()])
    hooked.command("daemon", "stop")
    assert until(lambda: not hooked.all_processes())


# -- its own secrets (H8) ----------------------------------------------------------------------------------------------


@pytest.mark.fault("H8")
def test_its_token_is_in_one_file_and_in_no_log_argument_environment_or_answer(hooked: HookHome) -> None:
    hooked.told()
    hooked.say(b"not json")
    hooked.say(token="wrong")
    hooked.command("doctor", "--json")
    token = hooked.token
    holding = [path for path in hooked.path.rglob("*") if path.is_file() and token.encode() in path.read_bytes()]
    assert [path.name for path in holding] == ["token"]
    for pid in hooked.all_processes():
        for name in ("cmdline", "environ"):
            assert token.encode() not in Path(f"/proc/{pid}/{name}").read_bytes()
        assert "Max core file size        0" in Path(f"/proc/{pid}/limits").read_text()
    for words in (("doctor",), ("status", "--json"), ("config", "--json"), ("daemon", "status")):
        done = hooked.command(*words)
        assert token.encode() not in done.stdout + done.stderr
