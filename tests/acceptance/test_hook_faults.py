"""Whatever happens to the daemon, the disk or the hook itself: the agent gets nothing and exit code 0, in time."""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memlane.surfaces.hooks.client import LARGEST_LOG, STOP
from tests.acceptance.hooks import NOTE, PROMPT, HookHome, HookOutcome, fake_daemon, installed, until
from tests.conftest import LaneHome

AT_ONCE = 3  # hooks that meet the same fault together
GENEROUS = 4  # times its stop: what a crowded machine may make of it
ANSWER = b'{"systemMessage": "hello"}'
TOO_SLOW = "too slow"


@pytest.fixture
def hooked(lane_home: LaneHome) -> HookHome:
    """A hook whose daemon can be started by nobody: the faults here are of our own making."""
    true = shutil.which("true")
    assert true
    return installed(lane_home.home, lane_home.path, python=true)


@pytest.fixture
def alive(lane_home: LaneHome) -> Iterator[HookHome]:
    """A hook that can start its daemon, and a note to be recalled."""
    made = installed(lane_home.home, lane_home.path)
    with made.lane() as lane:
        lane.memories.remember(NOTE, made.project)
    yield made
    made.end()


def several(hooked: HookHome, event: str = "UserPromptSubmit") -> list[HookOutcome]:
    calls = [hooked.calling(event) for _ in range(AT_ONCE)]
    return [call.end() for call in calls]


def ended_in_time(called: HookOutcome) -> bool:
    return called.seconds < GENEROUS * STOP


# -- F1, F9: seven fake daemons and more -------------------------------------------------------------------------------


def reads(line: socket.socket) -> None:
    line.recv(1 << 20)


def never_answers(line: socket.socket) -> None:
    while line.recv(1 << 16):
        pass


def answers_byte_by_byte(line: socket.socket) -> None:
    reads(line)
    for byte in b"lane/1 %d\n" % len(ANSWER) + ANSWER:
        line.sendall(bytes([byte]))
        time.sleep(STOP / 10)


def answers_garbage(line: socket.socket) -> None:
    reads(line)
    line.sendall(random.Random(1).randbytes(5000) + b"\n")


def answers_100_mb(line: socket.socket) -> None:
    reads(line)
    line.sendall(b"lane/1 100000000\n")
    for _ in range(100):
        line.sendall(b"x" * 1_000_000)


def answers_100_mb_on_one_line(line: socket.socket) -> None:
    reads(line)
    for _ in range(100):
        line.sendall(b"x" * 1_000_000)


def hangs_up(line: socket.socket) -> None:
    line.close()


def answers_half(line: socket.socket) -> None:
    reads(line)
    line.sendall(b"lane/1 %d\n" % len(ANSWER) + ANSWER[:-5])


def answers_something_else(line: socket.socket) -> None:
    reads(line)
    line.sendall(b"lane/1 5\nhello")


def is_older(line: socket.socket) -> None:
    reads(line)
    line.sendall(b"lane/0 %d\n" % len(ANSWER) + ANSWER)


def is_newer(line: socket.socket) -> None:
    reads(line)
    line.sendall(b"lane/2 %d\n" % len(ANSWER) + ANSWER)


FAULTS: dict[str, tuple[Callable[[socket.socket], None], str]] = {
    "never answers": (never_answers, TOO_SLOW),
    "answers byte by byte": (answers_byte_by_byte, TOO_SLOW),
    "answers garbage": (answers_garbage, "another version"),
    "answers 100 MB": (answers_100_mb, "makes no sense"),
    "answers 100 MB on one line": (answers_100_mb_on_one_line, "makes no sense"),
    "hangs up": (hangs_up, "waiting for the answer"),
    "answers half": (answers_half, "cut"),
    "answers something else": (answers_something_else, "makes no sense"),
    "is older": (is_older, "another version"),
    "is newer": (is_newer, "another version"),
}


@pytest.mark.fault("F1")
@pytest.mark.parametrize("fault", FAULTS)
def test_a_daemon_that_misbehaves_is_not_noticed_by_the_agent(hooked: HookHome, fault: str) -> None:
    behave, cause = FAULTS[fault]
    with fake_daemon(hooked, behave):
        calls = several(hooked)
    assert all(call.silent and ended_in_time(call) for call in calls)
    lines = hooked.log.splitlines()
    assert 0 < len(lines) <= AT_ONCE
    assert all(cause in line or "hung up" in line for line in lines), lines


def test_the_fake_daemon_can_also_answer_well(hooked: HookHome) -> None:
    def answers(line: socket.socket) -> None:
        reads(line)
        line.sendall(b"lane/1 %d\n" % len(ANSWER) + ANSWER)

    with fake_daemon(hooked, answers):
        assert [call.stdout for call in several(hooked)] == [ANSWER + b"\n"] * AT_ONCE
    assert hooked.log == ""


def test_no_socket_and_no_daemon_that_starts(hooked: HookHome) -> None:
    assert all(call.silent and ended_in_time(call) for call in several(hooked))
    assert hooked.log.count(TOO_SLOW) > 0


def test_a_daemon_that_did_not_start_last_time_is_not_waited_for(hooked: HookHome) -> None:
    hooked.run.mkdir()
    (hooked.run / "starting").touch()
    os.utime(hooked.run / "starting", (1, 1))
    assert hooked.call().silent
    assert TOO_SLOW not in hooked.log
    assert "did not start last time" in hooked.log


@pytest.mark.fault("F1")
def test_a_socket_nobody_listens_on(hooked: HookHome) -> None:
    hooked.run.mkdir()
    with socket.socket(socket.AF_UNIX) as left_behind:
        left_behind.bind(str(hooked.run / "daemon.sock"))
    assert all(call.silent and ended_in_time(call) for call in several(hooked))


@pytest.mark.fault("F1")
def test_a_socket_that_is_a_file_or_a_folder(hooked: HookHome) -> None:
    hooked.run.mkdir()
    (hooked.run / "daemon.sock").write_text("not a socket")
    assert hooked.call().silent
    (hooked.run / "daemon.sock").unlink()
    (hooked.run / "daemon.sock").mkdir()
    assert hooked.call().silent


def test_a_home_that_is_gone_or_unknown(hooked: HookHome) -> None:
    gone = {**hooked.variables, "LANE_HOME": str(hooked.home / "gone")}
    assert hooked.call(variables=gone).silent
    assert not (hooked.home / "gone").exists()
    (hooked.script.parent / "home.txt").unlink()
    assert hooked.call(variables={}).silent


# -- F3: killed at any point -------------------------------------------------------------------------------------------


@pytest.mark.fault("F3")
def test_a_killed_hook_leaves_a_whole_answer_or_none_and_no_lock(hooked: HookHome) -> None:
    """The answer is long, so that half of it could be printed."""
    long = b'{"systemMessage": "' + b"x" * 50_000 + b'"}'

    def answers(line: socket.socket) -> None:
        reads(line)
        line.sendall(b"lane/1 %d\n" % len(long) + long)

    dice, printed = random.Random(5), set[int]()
    with fake_daemon(hooked, answers):
        whole = hooked.call().seconds
        for _ in range(30):
            call = hooked.calling()
            time.sleep(dice.uniform(0, whole))
            call.process.send_signal(signal.SIGKILL)
            printed.add(len(call.end().stdout))
        assert printed <= {0, len(long) + 1}
        assert hooked.call().stdout == long + b"\n"


# -- F4: its own stdin and stdout --------------------------------------------------------------------------------------


@pytest.mark.fault("F4")
def test_an_agent_that_says_nothing(hooked: HookHome) -> None:
    assert hooked.call(given=b"").silent


@pytest.mark.fault("F4")
def test_50_mb_are_read_to_their_end_and_dropped(hooked: HookHome) -> None:
    call = hooked.call(given=b"x" * 50_000_000)
    assert call.silent
    assert "50000000 bytes" in hooked.log or TOO_SLOW in hooked.log


def test_stdin_that_never_ends(hooked: HookHome) -> None:
    command = [sys.executable, "-I", "-S", hooked.script, "claude-code", "UserPromptSubmit"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, env=hooked.variables) as process:
        assert process.wait() == 0
    assert f"{TOO_SLOW}: reading what the agent says" in hooked.log


@pytest.mark.fault("F4")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams(alive: HookHome, closed: str) -> None:
    alive.told()  # there is a daemon now, which has something to say
    command = f'"{sys.executable}" -I -S "{alive.script}" claude-code UserPromptSubmit {closed}'
    given = alive.given("UserPromptSubmit", session="other")
    done = subprocess.run(
        ["/bin/sh", "-c", command], input=given, env=alive.variables, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert bool(done.stdout) is (closed == "2>&-")
    assert NOTE in alive.told()


@pytest.mark.fault("F4")
@pytest.mark.parametrize(
    "given", [b"not json", b'{"session_id": ', b"[1]", b'"text"', b"null", b"[" * 500_000, b"\0\xff"]
)
def test_what_is_not_json_is_answered_with_nothing(alive: HookHome, given: bytes) -> None:
    alive.told()
    before = alive.holder()
    assert alive.call(given=given).silent
    assert NOTE in alive.told()
    assert alive.holder() == before  # it did not fall over


# -- F5: many at once --------------------------------------------------------------------------------------------------


@pytest.mark.fault("F5")
def test_a_hundred_hooks_at_once_start_one_daemon_and_all_end_well(alive: HookHome) -> None:
    calls = [alive.calling(given=alive.given("UserPromptSubmit", session=str(n))) for n in range(100)]
    ended = [call.end() for call in calls]
    assert {(call.exit_code, call.stderr) for call in ended} == {(0, b"")}
    assert all(call.silent or NOTE in call.context for call in ended)
    assert NOTE in alive.told()
    assert until(lambda: len(alive.processes()) == 1)


# -- F6: odd surroundings ----------------------------------------------------------------------------------------------


@pytest.mark.fault("F6")
def test_it_needs_nothing_from_its_environment(alive: HookHome) -> None:
    alive.served()
    assert NOTE in alive.call(variables={}, cwd=Path("/")).context


def test_a_home_in_a_very_long_path(lane_home: LaneHome) -> None:
    """A socket's path may be 107 bytes; a home's need not care."""
    deep = lane_home.home / ("d" * 100) / ("e" * 100)
    deep.mkdir(parents=True)
    made = installed(deep, deep / ".memlane")
    try:
        with made.lane() as lane:
            lane.memories.remember(NOTE, made.project)
        assert NOTE in made.told()
    finally:
        made.end()


def test_a_project_cannot_bring_its_own_modules(alive: HookHome, tmp_path: Path) -> None:
    """The hook starts a daemon from inside whatever folder the agent works in."""
    for name in ("posix", "time", "socket", "json", "msgspec", "memlane", "sitecustomize", "usercustomize"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'taken')!r}, 'a').write({name!r})")
    hostile = {**alive.variables, "PYTHONPATH": str(tmp_path), "PYTHONSTARTUP": str(tmp_path / "json.py")}
    alive.call(variables=hostile, cwd=tmp_path)
    assert until(alive.holder)
    assert NOTE in alive.told(PYTHONPATH=str(tmp_path))
    assert not (tmp_path / "taken").exists()


@pytest.mark.fault("F6")
def test_a_home_that_cannot_be_written(hooked: HookHome) -> None:
    """Nobody, root included, makes a folder where a file is."""
    for name in ("run", "log"):
        (hooked.path / name).write_text("a file")
    hooked.path.chmod(0o500)
    for event in ("UserPromptSubmit", "Stop"):
        assert hooked.call(event).silent


def test_lane_hook_run_is_the_same_program(alive: HookHome) -> None:
    command = [sys.executable, "-m", "memlane", "hook", "run", "claude-code", "UserPromptSubmit"]
    alive.served()
    told = b""
    for n in range(10):  # on a busy computer Python alone may take longer than the hook waits
        given = alive.given("UserPromptSubmit", session=f"s{n}")
        done = subprocess.run(command, input=given, capture_output=True, env=alive.variables, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
        if told := done.stdout:
            break
    assert NOTE.encode() in told
    wrong = subprocess.run(
        [*command, "too", "many"], input=given, capture_output=True, env=alive.variables, check=False
    )
    assert (wrong.returncode, wrong.stdout, wrong.stderr) == (0, b"", b"")


# -- F12: one write and gone -------------------------------------------------------------------------------------------


@pytest.mark.fault("F12")
@pytest.mark.parametrize("event", ["Stop", "SessionEnd"])
def test_the_end_of_a_turn_waits_for_no_answer(hooked: HookHome, event: str) -> None:
    heard: list[bytes] = []

    def listens(line: socket.socket) -> None:
        heard.append(line.recv(1 << 16))
        never_answers(line)

    with fake_daemon(hooked, listens):
        assert hooked.call(event).silent
        assert until(lambda: heard)
    assert hooked.log == ""  # it did not run into its stop
    assert heard[0].endswith(hooked.given(event))


def test_the_end_of_a_turn_does_not_wait_for_a_daemon_to_start(hooked: HookHome) -> None:
    for event in ("Stop", "SessionEnd"):
        assert hooked.call(event).silent
    assert TOO_SLOW not in hooked.log


# -- what it writes down -----------------------------------------------------------------------------------------------


def test_its_log_says_why_and_nothing_of_what_was_said(hooked: HookHome) -> None:
    hooked.run.mkdir()
    with fake_daemon(hooked, hangs_up):
        hooked.call(given=hooked.given("UserPromptSubmit", "the password is swordfish"))
    assert "claude-code UserPromptSubmit: nothing was said" in hooked.log
    assert "swordfish" not in hooked.log
    assert PROMPT not in hooked.log
    assert (hooked.path / "log" / "hooks.log").stat().st_mode & 0o777 == 0o600


def test_its_log_has_an_end(hooked: HookHome) -> None:
    (hooked.path / "log").mkdir()
    (hooked.path / "log" / "hooks.log").write_bytes(b"x" * LARGEST_LOG)
    with fake_daemon(hooked, hangs_up):
        assert hooked.call().silent
    assert (hooked.path / "log" / "hooks.log").stat().st_size == LARGEST_LOG
