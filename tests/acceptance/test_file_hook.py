"""The hook of a touched file, as an agent runs it: the note about that file, and nobody asked about any other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.acceptance.hooks import HookHome, HookOutcome, HookProcess, installed, until
from tests.conftest import LaneHome

NAMES = ("harbour.py", "ledger.py", "kiosk.py")
LARGE = "x" * (3 << 20)  # more than a hook hands on


@pytest.fixture
def hooked(lane_home: LaneHome) -> Iterator[HookHome]:
    made = installed(lane_home.home, lane_home.path)
    with made.lane() as lane:
        for name in NAMES:
            (made.project / name).touch()
            lane.memories.remember(f"Amounts in {name} are cents, never floats", made.project)
    yield made
    made.end()


def touching(hooked: HookHome, name: str, session: str = "s", content: str = "") -> HookProcess:
    touched = {"tool_name": "Read", "tool_input": {"file_path": str(hooked.project / name)}}
    given = hooked.given("PostToolUse", "", session, **touched, tool_response={"content": content})
    return hooked.calling("PostToolUse", given)


def touch(hooked: HookHome, name: str, session: str = "s", content: str = "") -> HookOutcome:
    return touching(hooked, name, session, content).end()


def test_a_file_nothing_is_known_about_starts_no_daemon(hooked: HookHome) -> None:
    assert touch(hooked, "other.py").silent
    assert touch(hooked, "other.py", content=LARGE).silent
    assert hooked.processes() == []
    assert hooked.log == ""


def test_a_known_file_brings_its_note_however_large_it_is_and_once(hooked: HookHome) -> None:
    hooked.served()
    assert "harbour.py are cents" in touch(hooked, "harbour.py", content=LARGE).context
    assert until(lambda: not touch(hooked, "harbour.py").stdout)
    state = hooked.state()
    assert state is not None
    assert state["shown"] == 1


def test_files_that_are_read_together_bring_each_its_note_once(hooked: HookHome) -> None:
    """On a crowded machine one may have to be touched again: by the edit that follows, say."""
    hooked.served()
    told = list[str]()

    def touched() -> bool:
        together = [(name, touching(hooked, name)) for name in NAMES]
        told.extend(name for name, one in together if one.end().stdout)
        return len(told) >= len(NAMES)

    assert until(touched, looks=20)
    assert not any(touch(hooked, name).stdout for name in NAMES)
    assert sorted(told) == sorted(NAMES)


def test_a_list_that_is_lost_is_written_again_by_the_daemon(hooked: HookHome) -> None:
    (hooked.run / "paths").unlink()
    hooked.served()
    assert until((hooked.run / "paths").exists)
    assert b"\nharbour.py\n" in (hooked.run / "paths").read_bytes()
