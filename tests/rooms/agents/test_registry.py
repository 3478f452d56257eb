"""Each agent's reader is there under its name, and is loaded by whoever asks for it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from memlane.agents import OURS, SOURCES, Registry


def test_every_agent_is_registered_under_the_name_it_gives_itself() -> None:
    assert [source.name for source in SOURCES] == list(OURS)
    assert {name: source.name for name, source in Registry().items()} == {name: name for name in Registry()}


def test_asking_for_one_agent_loads_no_other() -> None:
    code = "from memlane.agents import Registry; Registry()['codex']; import sys; print(*sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[2] for name in told.stdout.split() if name.startswith("memlane.agents.")}
    assert "codex" in loaded
    assert not loaded & {"claude_code", "copilot", "cursor", "gemini", "opencode", "exports", "neutral", "outside"}


def test_an_agent_nobody_knows_is_not_there() -> None:
    registry = Registry()
    assert "parrot" not in registry
    assert registry.get("parrot") is None
    with pytest.raises(KeyError):
        registry["parrot"]
