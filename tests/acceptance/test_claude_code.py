"""The real Claude Code with our plugin in it: a note reaches its model, its runs are kept, nothing of ours stops it."""

from __future__ import annotations

import errno
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memlane.surfaces.hooks.client import STOP
from tests.acceptance.hooks import HookHome, until
from tests.clients.drive import ClaudeCode, Session, installed
from tests.conftest import LaneHome

NOTE = (
    "Deploys of the shop go through make ship, never through kubectl apply. The reason is the release lock that only "
    "make ship takes; without it two deploys of the shop once ran into each other MARK-reason"
)
BEYOND_ITS_TITLE = "MARK-reason"  # a title may stand in a list; this is only in the note itself
PROMPT = "how do deploys of the shop go, through make ship or kubectl apply?"
UNRELATED = "what is the capital of France @@say Paris@@"
SAID = "@@say all is well@@"
GENEROUS = 4  # times our own stop: what a crowded machine may make of it
SMALL_DISK = "size=6m"


@dataclass(frozen=True, slots=True)
class AtHome:
    """Claude Code in a home where Memory Lane is set up."""

    claude: Callable[..., ClaudeCode]
    hooked: HookHome

    def run(self, prompt: str, *words: str, cwd: str = "project", **variables: str) -> Session:
        return self.claude(cwd=cwd, **variables).run(prompt, *words)

    def transcripts(self) -> Sequence[Path]:
        return self.claude().transcripts()

    def kept(self) -> list[bytes]:
        """The newest bytes of every run in the archive."""
        folders = {path.parent for path in (self.hooked.path / "archive").rglob("*.raw")}
        return sorted(max(folder.glob("g*.raw")).read_bytes() for folder in folders)

    def wrote(self) -> list[bytes]:
        """What the client itself has."""
        return sorted(path.read_bytes() for path in self.transcripts())

    def recalls(self) -> list[dict[str, Any]]:
        """As `lane recalls` tells them, oldest first."""
        done = self.hooked.command("recalls", "--json")
        assert done.returncode == 0, done.stderr
        return list(reversed(json.loads(done.stdout)["data"]))


def answered(at_home: AtHome, prompt: str, cwd: str = "project") -> Session:
    """A hook that a crowded machine made too slow says nothing: it is asked again."""
    for _again in range(5):
        session = at_home.run(prompt, cwd=cwd)
        assert until(lambda: at_home.recalls()[-1]["moment"] == "prompt")
        if at_home.recalls()[-1]["outcome"] != "too-slow":
            return session
    raise AssertionError(at_home.recalls())


@contextmanager
def set_up(lane_home: LaneHome, claude: Callable[..., ClaudeCode]) -> Iterator[AtHome]:
    """A note, and our plugin put in by `lane hook install`, as people do it."""
    agent = claude()
    script = lane_home.path / "plugin" / "plugins" / "lane" / "bin" / "client.py"
    hooked = HookHome(lane_home.home, lane_home.path, script)
    hooked.project.mkdir(exist_ok=True)
    program = installed("claude")
    variables = {**agent.environment(), "PATH": f"{program.parent}:{agent.environment()['PATH']}"}
    with hooked.lane() as lane:
        lane.memories.remember(NOTE, hooked.project)
    command = [sys.executable, "-m", "memlane", "hook", "install", "claude-code"]
    done = subprocess.run(command, env=variables, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    try:
        yield AtHome(claude, hooked)
    finally:
        hooked.end()


@pytest.fixture
def at_home(lane_home: LaneHome, claude: Callable[..., ClaudeCode]) -> Iterator[AtHome]:
    with set_up(lane_home, claude) as made:
        made.hooked.command("daemon", "start")
        yield made


# -- what the client says about our hooks ------------------------------------------------------------------------------


def rows(transcript: Path) -> Iterator[dict[str, Any]]:
    yield from map(json.loads, transcript.read_text().splitlines())


def our_hooks_ended_well(transcript: Path) -> bool:
    """Exit code 0, nothing cancelled, within their stop, as the client itself has written it down."""
    attachments = [row["attachment"] for row in rows(transcript) if "attachment" in row]
    told = [each for each in attachments if each["type"].startswith("hook_")]
    stops = [row for row in rows(transcript) if row.get("subtype") == "stop_hook_summary"]
    infos = [info for row in stops for info in row["hookInfos"]]
    took = [each["durationMs"] for each in (*told, *infos) if "durationMs" in each]
    return (
        {each["type"] for each in told} <= {"hook_success", "hook_additional_context", "hook_system_message"}
        and all(each["exitCode"] == 0 for each in told if "exitCode" in each)
        and bool(stops)
        and all(row["hookErrors"] == [] for row in stops)
        and max(took) < GENEROUS * STOP * 1000
    )


def goes_on(at_home: AtHome) -> bool:
    """A whole session, whatever state we are in: it has its answer, and it never noticed our hooks."""
    before = set(at_home.transcripts())
    session = at_home.run(f"{PROMPT} {SAID}")
    (transcript,) = set(at_home.transcripts()) - before
    return (session.exit_code, session.stdout.strip()) == (0, "all is well") and our_hooks_ended_well(transcript)


def nothing_is_lost(at_home: AtHome) -> bool:
    at_home.hooked.command("capture", "--quiet")
    return bool(at_home.wrote()) and at_home.kept() == at_home.wrote()


# -- the whole path ----------------------------------------------------------------------------------------------------


def test_a_note_is_in_the_next_runs_request_and_not_in_an_unrelated_one(at_home: AtHome) -> None:
    related = at_home.run(PROMPT)
    assert related.stdout.strip() == f"saw: {BEYOND_ITS_TITLE}"
    assert until(lambda: len(at_home.recalls()) == 2)
    start, prompt = at_home.recalls()
    with at_home.hooked.lane() as lane:
        nonce = lane.recall.newest(1)[0].nonce
    assert related.saw(f'<lane-memory nonce="{nonce}"')
    assert related.saw(f'</lane-memory nonce="{nonce}">')
    assert (start["outcome"], prompt["outcome"]) == ("silent", "shown")
    unrelated = at_home.run(UNRELATED, cwd="other")
    assert unrelated.stdout.strip() == "Paris"
    assert not unrelated.saw("lane-memory")
    assert not unrelated.saw("make ship")


@pytest.mark.fault("F14")
def test_a_note_is_told_once_in_a_run_that_goes_on(at_home: AtHome) -> None:
    first = at_home.run(PROMPT)
    assert until(lambda: len(at_home.recalls()) == 2)
    again = at_home.run(PROMPT, "--continue")
    assert (
        again.turns[-1].text.count(BEYOND_ITS_TITLE) == first.turns[-1].text.count(BEYOND_ITS_TITLE) + 1
    )  # its answer


def test_the_run_is_in_the_archive_as_the_client_wrote_it(at_home: AtHome) -> None:
    call = '@@call Bash {"command": "echo counted", "description": "count"}@@'
    session = at_home.run(f"please count {call} {SAID}", "--allowedTools", "Bash")
    assert session.exit_code == 0
    assert until(lambda: at_home.wrote() and at_home.kept() == at_home.wrote(), looks=300)
    assert all(our_hooks_ended_well(path) for path in at_home.transcripts())


def test_lane_off_tells_nothing_and_lane_recalls_says_so(at_home: AtHome) -> None:
    session = at_home.run(PROMPT, LANE_OFF="1")
    assert session.exit_code == 0
    assert not session.saw("lane-memory")
    assert until(lambda: len(at_home.recalls()) == 2)
    assert {(each["outcome"], each["why"]) for each in at_home.recalls()} == {("not-looked", "LANE_OFF is set")}


# -- nothing of ours stops it ------------------------------------------------------------------------------------------


def test_with_the_daemon_killed_the_session_goes_on_and_starts_another(at_home: AtHome) -> None:
    killed = at_home.hooked.holder()
    os.kill(killed, signal.SIGKILL)
    assert goes_on(at_home)
    assert until(lambda: at_home.hooked.holder() not in (0, killed))
    assert nothing_is_lost(at_home)


def test_with_a_daemon_that_can_not_start_the_session_goes_on(at_home: AtHome) -> None:
    at_home.hooked.command("daemon", "stop")
    home = at_home.hooked.script.with_name("home.txt")
    home.write_text(f"{at_home.hooked.path}\n{at_home.hooked.home / 'gone' / 'python'}\n")
    assert goes_on(at_home)
    assert nothing_is_lost(at_home)


@pytest.mark.fault("F2")
def test_with_the_daemon_frozen_the_session_goes_on(at_home: AtHome) -> None:
    frozen = at_home.hooked.holder()
    os.kill(frozen, signal.SIGSTOP)
    assert goes_on(at_home)
    assert nothing_is_lost(at_home)
    os.kill(frozen, signal.SIGCONT)
    assert until(lambda: [each["outcome"] for each in at_home.recalls()] == ["too-slow"])
    assert at_home.hooked.holder() == frozen


def test_with_a_socket_that_never_answers_the_session_goes_on(at_home: AtHome) -> None:
    at_home.hooked.command("daemon", "stop")
    with socket.socket(socket.AF_UNIX) as deaf:
        deaf.bind(str(at_home.hooked.run / "daemon.sock"))
        deaf.listen()
        assert goes_on(at_home)
    assert nothing_is_lost(at_home)


def fill(folder: Path) -> Path:
    """Until not one byte more can be written there."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        for piece in (1 << 16, 1 << 12, 1):
            try:
                while file.write(b"x" * piece):
                    pass
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise
    return filler


@contextmanager
def small_disk(path: Path) -> Generator[bool, None, None]:
    """Whether there is a small disk at this path now: it takes rights that a plain user does not have."""
    path.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", SMALL_DISK, "tmpfs", str(path)]
    try:
        mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        mounted = False
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(path)], check=True)


@contextmanager
def no_room(at_home: AtHome, *, mounted: bool) -> Generator[None, None, None]:
    """A full disk; where that cannot be had, a daemon that may write nothing."""
    if mounted:
        filler = fill(at_home.hooked.path)
        yield
        filler.unlink()
    else:
        at_home.hooked.command("daemon", "stop")
        at_home.hooked.served_without_room()
        yield
        at_home.hooked.command("daemon", "stop")


def test_with_the_disk_full_the_session_goes_on_and_what_was_said_is_written_down_later(
    lane_home: LaneHome, claude: Callable[..., ClaudeCode]
) -> None:
    with small_disk(lane_home.path) as mounted, set_up(lane_home, claude) as at_home:
        at_home.hooked.command("daemon", "start")
        daemon = at_home.hooked.holder()
        with no_room(at_home, mounted=mounted):
            assert goes_on(at_home)
        assert nothing_is_lost(at_home)
        if mounted:
            assert until(lambda: len(at_home.recalls()) == 2, looks=100)
            assert at_home.hooked.holder() == daemon


def test_with_the_disk_full_and_no_daemon_the_session_goes_on(
    lane_home: LaneHome, claude: Callable[..., ClaudeCode]
) -> None:
    with small_disk(lane_home.path) as mounted, set_up(lane_home, claude) as at_home:
        with no_room(at_home, mounted=mounted):
            at_home.hooked.command("daemon", "stop")
            assert goes_on(at_home)
        assert nothing_is_lost(at_home)


def test_with_a_daemon_that_can_write_no_file_the_session_goes_on(at_home: AtHome) -> None:
    """What a full disk is to it, for those who cannot make one."""
    at_home.hooked.command("daemon", "stop")
    at_home.hooked.served_without_room()
    assert goes_on(at_home)
    at_home.hooked.command("daemon", "stop")
    assert nothing_is_lost(at_home)
