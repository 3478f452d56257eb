"""Each agent's reader is there under its name, and is loaded by whoever asks for it."""

from __future__ import annotations

import pytest

from memlane.agents import AGENTS, SOURCES, Registry


def test_every_agent_is_registered_under_the_name_it_gives_itself() -> None:
    only_told = ["vscode", "devin", "amp"]
    assert [source.name for source in SOURCES] == [name for name in AGENTS if name not in only_told]
    assert {name: source.name for name, source in Registry().items()} == {name: name for name in Registry()}


def test_an_agent_nobody_knows_is_not_there() -> None:
    registry = Registry()
    assert "parrot" not in registry
    assert registry.get("parrot") is None
    with pytest.raises(KeyError):
        registry["parrot"]
