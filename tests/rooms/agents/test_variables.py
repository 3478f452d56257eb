"""Whose shell a command runs in, by what agents set there and people's terminals do not."""

from __future__ import annotations

import pytest

from memlane.agents import Registry

PERSONS = {
    "PATH": "/bin",
    "HOME": "/home/noor",
    "TERM_PROGRAM": "vscode",
    "CURSOR_TRACE_ID": "c0ffee",
    "CODEX_HOME": "/x",
}
AGENTS = Registry()
SHELLS = [(variable, agent.name) for agent in AGENTS.values() for variable in agent.variables.shell]
RUNS = [(variable, agent.name) for agent in AGENTS.values() for variable in agent.variables.run]


@pytest.mark.parametrize(("variable", "agent"), SHELLS)
def test_an_agents_shell_is_known_by_its_variable(variable: str, agent: str) -> None:
    assert AGENTS.in_shell({**PERSONS, variable: "1"}) == agent


def test_every_agent_with_a_shell_is_known_by_the_variable_its_client_sets() -> None:
    """As the clients' own documents and programs have it; one table, so no two places can disagree."""
    assert dict(SHELLS) == {
        "CLAUDECODE": "claude-code",
        "CODEX_THREAD_ID": "codex",
        "COPILOT_CLI": "copilot-cli",
        "CURSOR_AGENT": "cursor",
        "GEMINI_CLI": "gemini-cli",
        "OPENCODE": "opencode",
        "PI_CODING_AGENT": "pi",
    }


@pytest.mark.parametrize("value", ["", "0", "false"])
def test_a_persons_shell_has_none_or_has_it_switched_off(value: str) -> None:
    assert AGENTS.in_shell(PERSONS) == ""
    assert AGENTS.in_shell({**PERSONS, "CLAUDECODE": value}) == ""


@pytest.mark.parametrize(("variable", "agent"), RUNS)
def test_the_run_that_calls_is_known_where_its_agent_tells(variable: str, agent: str) -> None:
    caller = AGENTS.caller({**PERSONS, variable: "abc"})
    assert (caller.agent, caller.variable, caller.native_id) == (agent, variable, "abc")
    assert AGENTS.caller(PERSONS).native_id == ""


def test_two_agents_never_share_a_variable() -> None:
    assert len(dict(SHELLS)) == len(SHELLS)
    assert len(dict(RUNS)) == len(RUNS)
