"""Pages are drawn by a process of their own: whatever happens to it, hooks are answered and the next page comes."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from campaigns.agents import until
from tests.acceptance.hooks import NOTE, HookHome, installed
from tests.acceptance.test_ui import asked, at_a_port_of_its_own, opened
from tests.conftest import LaneHome

DRAWS = "memlane.surfaces.daemon.renderer"


@pytest.fixture
def hooked(lane_home: LaneHome) -> Iterator[HookHome]:
    made = installed(lane_home.home, lane_home.path)
    with made.lane() as lane:
        lane.memories.remember(NOTE, made.project)
    yield made
    made.end()


def let_in(hooked: HookHome) -> tuple[int, str]:
    at_a_port_of_its_own(hooked)
    port, code = opened(hooked)
    return port, asked(port, "POST", "/enter", {"code": code}).headers["set-cookie"].partition(";")[0]


def test_who_draws_is_started_by_a_page_and_its_death_ends_nothing(hooked: HookHome) -> None:
    port, carried = let_in(hooked)
    daemon = hooked.holder()
    assert hooked.processes(DRAWS) == []
    assert NOTE in asked(port, "GET", "/memories", cookie=carried).body
    (first,) = hooked.processes(DRAWS)
    os.kill(first, signal.SIGKILL)
    assert NOTE in asked(port, "GET", "/memories", cookie=carried).body, "another one draws"
    assert hooked.processes(DRAWS) not in ([], [first])
    assert NOTE in hooked.told()
    assert hooked.holder() == daemon


def test_an_act_is_the_daemons_and_the_next_page_shows_it(hooked: HookHome) -> None:
    port, carried = let_in(hooked)
    asked(port, "GET", "/memories", cookie=carried)
    done = asked(port, "POST", "/memories/add", {"text": "Backups run at noon"}, cookie=carried)
    assert done.status == 200
    assert "Backups run at noon" in asked(port, "GET", "/memories", cookie=carried).body


def test_a_damaged_index_is_an_error_page_and_hooks_go_on(hooked: HookHome) -> None:
    port, carried = let_in(hooked)
    daemon = hooked.holder()
    (index,) = [path for path in (hooked.path / "index").iterdir() if path.suffix == ".db"]
    kept = index.read_bytes()
    index.write_bytes(b"no database at all" * 1000)
    try:
        broken = asked(port, "GET", "/memories", cookie=carried)
    finally:
        index.write_bytes(kept)
    assert broken.status == 500
    assert "lane " in broken.body, "it says what to do"
    assert str(index) not in broken.body
    assert hooked.holder() == daemon
    assert hooked.state() is not None


def test_who_draws_leaves_with_the_daemon(hooked: HookHome) -> None:
    port, carried = let_in(hooked)
    asked(port, "GET", "/health", cookie=carried)
    assert hooked.processes(DRAWS)
    os.kill(hooked.holder(), signal.SIGKILL)
    assert until(lambda: not hooked.processes(DRAWS))
