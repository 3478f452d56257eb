"""Claude Code's program fails, does nothing or hangs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from memlane.app.setup import changes
from memlane.app.setup.changes import SetupRequest
from tests.rooms.agents.test_claude_code_install import EVENTS, ODD, read
from tests.rooms.system.computers import AGENT, computer, install, program, settings_of, uninstall


@pytest.mark.parametrize("body", ["sys.exit(1)", "pass", "import time; time.sleep(60)"])
def test_a_program_that_fails_does_nothing_or_hangs_makes_way_for_the_settings(home: Path, body: str) -> None:
    path = settings_of(home, ODD)
    program(home.parent / "bin", "claude", f"{body}\n")
    here = computer(home, programs=home.parent / "bin")
    if "sleep" in body:
        here = replace(here, patience=0.3)
    done = install(here)
    assert done.troubles == ()
    assert any("its program" in note for note in done.notes)
    assert {event for event in EVENTS if "client.py" in json.dumps(read(path)["hooks"].get(event))} == set(EVENTS)
    assert changes.plan(here, SetupRequest(AGENT, timer=False)).changes == ()
    uninstall(here)
    assert path.read_text() == ODD
