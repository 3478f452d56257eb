"""What the daemon does when a turn has ended: it captures, and runs the tick that no timer ran."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path

import pytest

from memlane.surfaces.daemon.children import MODULE
from tests.acceptance.hooks import (
    NOTE,
    HookHome,
    nobody_writes,
    transcript,
    until,
)

# -- capture after a turn ----------------------------------------------------------------------------------------------


def archived(hooked: HookHome) -> list[bytes]:
    return [path.read_bytes() for path in (hooked.path / "archive").rglob("g1.raw")]


@pytest.mark.parametrize("event", ["Stop", "SessionEnd"])
@pytest.mark.parametrize("running", [True, False])
def test_the_end_of_a_turn_is_captured_whether_or_not_a_daemon_runs(
    hooked: HookHome, event: str, running: bool
) -> None:
    if running:
        hooked.served()
    path = transcript(hooked)
    assert hooked.call(event, hooked.given(event, transcript_path=str(path))).silent
    assert until(lambda: archived(hooked) == [path.read_bytes()] * 2)


def test_transcripts_are_found_where_this_agent_said_it_keeps_them(hooked: HookHome) -> None:
    hooked.served()  # which has never heard of that folder
    elsewhere = hooked.home / "elsewhere"
    shutil.move(transcript(hooked).parent.parent.parent, elsewhere)
    (path,) = elsewhere.glob("projects/*/*.jsonl")
    variables = {**hooked.variables, "CLAUDE_CONFIG_DIR": str(elsewhere)}
    hooked.call("Stop", hooked.given("Stop", transcript_path=str(path)), variables=variables)
    assert until(lambda: archived(hooked) == [path.read_bytes()] * 2)


def test_turns_that_end_together_are_captured_by_one_child_at_a_time(hooked: HookHome) -> None:
    hooked.served()
    paths = [transcript(hooked, f"0b4f8f0e-0000-4000-8000-00000000000{n}") for n in range(8)]
    most = 0
    with nobody_writes(hooked):
        for path in paths:
            hooked.call("Stop", hooked.given("Stop", session=path.stem, transcript_path=str(path)))
            most = max(most, len(hooked.processes(MODULE)))
        assert until(lambda: len(hooked.processes(MODULE)) == 1)
    assert most <= 1
    assert until(lambda: len(archived(hooked)) == 2 * len(paths))
    assert until(lambda: not hooked.processes(MODULE))


@pytest.mark.fault("F13")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_capture_dies_with_its_daemon(hooked: HookHome, number: signal.Signals) -> None:
    process = hooked.served()
    path = transcript(hooked)
    with nobody_writes(hooked):
        hooked.call("Stop", hooked.given("Stop", transcript_path=str(path)))
        assert until(lambda: hooked.processes(MODULE))
        process.send_signal(number)
        process.wait()
        assert until(lambda: not hooked.processes(MODULE))
    assert hooked.command("capture", "--quiet").returncode == 0
    assert archived(hooked) == [path.read_bytes()] * 2


def test_the_agents_folder_is_not_kept_busy_nor_its_files_open(hooked: HookHome) -> None:
    hooked.call(cwd=hooked.project)
    assert until(hooked.holder)  # on a crowded machine the hook has left before its daemon is there
    process = Path("/proc") / str(hooked.holder())
    assert (process / "cwd").readlink() == hooked.run
    assert {(process / "fd" / number).readlink() for number in ("0", "1", "2")} == {Path("/dev/null")}


# -- the tick, where no timer runs it ----------------------------------------------------------------------------------


def ticked(hooked: HookHome) -> str:
    with hooked.lane() as lane:
        return lane.home.storage().notes.get("ticked") or ""


def ends_a_turn(hooked: HookHome) -> None:
    transcript = str(hooked.home / ".claude" / "projects" / "p" / "s.jsonl")
    assert hooked.call("Stop", hooked.given("Stop", transcript_path=transcript)).silent


def test_a_turn_that_ends_runs_the_tick_that_no_timer_ran(hooked: HookHome) -> None:
    hooked.command("config", "set", "daemon.tick_minutes", "0.0001")
    hooked.served()
    hooked.told()
    assert not ticked(hooked), "whoever waits for an answer pays for no tick"
    ends_a_turn(hooked)
    assert until(lambda: ticked(hooked))
    first = ticked(hooked)
    for _ in range(3):
        ends_a_turn(hooked)
    assert (hooked.state() or {})["answered"] >= 4
    assert ticked(hooked) == first, "not again at every turn"


def test_a_hook_that_meets_an_index_of_another_version_has_it_built_in_the_background(hooked: HookHome) -> None:
    index = hooked.path / "index"
    current = index / "CURRENT"
    current.write_text("v1-1.db\n")
    hooked.command("config", "set", "daemon.tick_minutes", "0")  # it is not for the sake of time
    assert hooked.ask().silent
    assert until(lambda: current.read_text() != "v1-1.db\n")
    assert NOTE in hooked.told(), "and what was remembered is recalled again"


def test_no_turn_runs_a_tick_while_a_timer_does_or_nobody_wants_it(hooked: HookHome) -> None:
    hooked.command("tick")
    by_the_timer = ticked(hooked)
    hooked.served()
    ends_a_turn(hooked)
    hooked.command("config", "set", "daemon.tick_minutes", "0")
    ends_a_turn(hooked)
    captured = until(lambda: not (hooked.state() or {"capturing": True})["capturing"])
    assert (captured, ticked(hooked)) == (True, by_the_timer)
