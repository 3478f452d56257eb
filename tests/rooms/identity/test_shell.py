"""Whose shell a command runs in, by what agents set there and people's terminals do not."""

from __future__ import annotations

import pytest

from memlane.agents import Registry
from memlane.identity import SET_BY, agent_in

PERSONS = {
    "PATH": "/bin",
    "HOME": "/home/noor",
    "TERM_PROGRAM": "vscode",
    "CURSOR_TRACE_ID": "c0ffee",
    "CODEX_HOME": "/x",
}


@pytest.mark.parametrize(("variable", "agent"), SET_BY.items())
def test_an_agents_shell_is_known_by_its_variable(variable: str, agent: str) -> None:
    assert agent_in({**PERSONS, variable: "1"}) == agent
    assert agent in Registry()


@pytest.mark.parametrize("value", ["", "0", "false"])
def test_a_persons_shell_has_none_or_has_it_switched_off(value: str) -> None:
    assert agent_in(PERSONS) == ""
    assert agent_in({**PERSONS, "CLAUDECODE": value}) == ""
