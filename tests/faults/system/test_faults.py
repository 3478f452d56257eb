"""Killed or refused at any file operation: the agent's settings stay valid, nothing is lost, the next try completes."""

from __future__ import annotations

import errno
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memlane.app.setup import changes
from memlane.app.setup.changes import Computer, Plan, SetupRequest
from memlane.system.disk import Disk
from tests.rooms.system.computers import AGENT, QuickDisk, WithClaude, computer, install, settings_of, tree, uninstall

ODD = '{\n   "model": "x", "hooks": {"Stop": [{"hooks": [{"command": "theirs"}]}]}}'
VERBS = (
    "make_folder",
    "open_to_write",
    "write",
    "truncate",
    "sync",
    "sync_folder",
    "rename",
    "unlink",
    "remove_folder",
)


class KilledError(BaseException):
    """Nobody catches this: the process is gone."""


def failing(at: int, error: Callable[[], BaseException]) -> tuple[Disk, list[str]]:
    """A disk that goes wrong at its nth writing verb, and the verbs it was asked for."""
    disk, asked = QuickDisk(), list[str]()

    def watched(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def verb(*given: Any) -> Any:
            asked.append(name)
            if len(asked) == at:
                raise error()
            return real(*given)

        return verb

    for name in VERBS:
        setattr(disk, name, watched(name, getattr(disk, name)))
    return disk, asked


def full() -> BaseException:
    return OSError(errno.ENOSPC, "No space left on device")


KINDS = [Computer, WithClaude]


def steps(make: Callable[[Disk], object]) -> int:
    disk, asked = failing(0, KilledError)
    make(disk)
    return len(asked)


@pytest.mark.fault("F7")
@pytest.mark.parametrize(
    ("kind", "error", "from_nothing"),
    [
        (Computer, KilledError, True),
        (Computer, full, False),
        (WithClaude, KilledError, False),
        (WithClaude, full, False),
    ],
)
def test_whatever_stops_it_on_the_way_in(
    tmp_path: Path, kind: type[Computer], error: Callable[[], BaseException], from_nothing: bool
) -> None:
    def made(n: int) -> tuple[Computer, dict[str, str]]:
        here = computer(tmp_path / str(n), kind=kind)
        settings_of(here.home, ODD)
        before = tree(here.home)
        if not from_nothing:  # the plugin's own files are there already: only the agent's part is of interest
            only_plugin = Plan(changes.plan(here, SetupRequest(AGENT, timer=False)).of("plugin"))
            changes.apply(only_plugin, here, QuickDisk(), SetupRequest(AGENT, timer=False))
        return here, before

    count = steps(lambda disk: install(made(0)[0], disk=disk))
    assert count > 10
    for at in range(1, count + 1):
        here, before = made(at)
        disk, asked = failing(at, error)
        try:
            install(here, disk=disk)
        except KilledError:
            assert error is KilledError
        now = (here.home / ".claude" / "settings.json").read_text()
        assert json.loads(now)["model"] == "x", asked
        if now != ODD:
            assert (here.home / ".claude" / "settings.json.lane-1").read_text() == ODD
        assert install(here, disk=QuickDisk()).troubles == ()
        assert changes.plan(here, SetupRequest(AGENT, timer=False)).changes == (), asked
        assert uninstall(here, disk=QuickDisk()).troubles == ()
        assert tree(here.home) == before, (at, asked[at - 1])


@pytest.mark.fault("F7")
@pytest.mark.parametrize("kind", KINDS)
def test_whatever_stops_it_on_the_way_out(tmp_path: Path, kind: type[Computer]) -> None:
    def installed(n: int) -> tuple[Computer, dict[str, str]]:
        here = computer(tmp_path / str(n), kind=kind)
        settings_of(here.home, ODD)
        before = tree(here.home)
        install(here, disk=QuickDisk())
        return here, before

    count = steps(lambda disk: uninstall(installed(0)[0], disk=disk))
    assert count > 10
    for at in range(1, count + 1):
        here, before = installed(at)
        disk, asked = failing(at, KilledError)
        with pytest.raises(KilledError):
            uninstall(here, disk=disk)
        now = json.loads((here.home / ".claude" / "settings.json").read_text())
        assert now["model"] == "x"
        uninstall(here, disk=QuickDisk())
        assert tree(here.home) == before, (at, asked[at - 1])


def test_a_plugin_that_could_not_be_written_is_not_called_by_any_hook(tmp_path: Path) -> None:
    path = settings_of(tmp_path, ODD)
    disk, _asked = failing(8, full)
    (trouble,) = install(computer(tmp_path), disk=disk).troubles
    assert trouble.area == "plugin"
    assert path.read_text() == ODD
