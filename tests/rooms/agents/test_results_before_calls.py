"""A result that was written before its call: one call with its name and its result, whichever came first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from memlane.domain import Author, Kind, Step
from tests.rooms.agents import claude_code_records as claude
from tests.rooms.agents import codex_rollouts as codex
from tests.rooms.agents import copilot_cli_events as copilot
from tests.rooms.agents import pi_sessions as pi

GIVEN = {"command": "make test"}
Told = Callable[[bool], list[Step]]


def _ordered(call: Any, result: Any, *, early: bool) -> tuple[Any, Any]:
    return (result, call) if early else (call, result)


def _claude(early: bool) -> list[Step]:
    asked, failed = claude.agent(claude.calls("c1", "Bash", **GIVEN)), claude.result("c1", "2 failed", error=True)
    pair = _ordered(asked, failed, early=early)
    return claude.read(claude.typed("run it"), *pair, claude.agent(claude.says("done"), message="m2")).steps


def _codex(early: bool) -> list[Step]:
    failed = "Exit code: 2\nWall time: 0.1 seconds\nOutput:\n2 failed"
    pair = _ordered(*codex.call("shell", {"command": ["make", "test"]}, failed), early=early)
    return codex.steps(codex.read(codex.rollout(codex.meta(), *codex.prompt("run it"), *pair))[0])


def _copilot(early: bool) -> list[Step]:
    ended = copilot.done("2 failed\n<exited with exit code 2>")
    asked = copilot.says("", copilot.request("bash", GIVEN))
    started = copilot.event("tool.execution_start", toolCallId="c1", toolName="bash", arguments=GIVEN)
    events = (ended, asked, started) if early else (asked, started, ended)
    return copilot.steps(copilot.read(copilot.session(copilot.user("run it"), *events))[0])


def _pi(early: bool) -> list[Step]:
    pair = _ordered(*pi.call("bash", GIVEN, "2 failed", failed=True), early=early)
    return pi.steps(pi.read(pi.session(pi.user("run it"), *pair))[0])


AGENTS: Mapping[str, Told] = {"claude-code": _claude, "codex": _codex, "copilot-cli": _copilot, "pi": _pi}


@pytest.mark.parametrize("agent", AGENTS)
def test_a_call_and_its_result_are_one_step_in_either_order(agent: str) -> None:
    usual, early = ([step for step in AGENTS[agent](order) if step.call] for order in (False, True))
    assert [(s.call, s.ours) for s in early] == [(s.call, s.ours) for s in usual]
    (step,) = early
    assert step.call
    assert step.call.name
    assert step.call.result
    assert step.call.error


@pytest.mark.parametrize("agent", AGENTS)
def test_steps_stay_in_the_order_of_their_lines(agent: str) -> None:
    lines = [step.line for step in AGENTS[agent](True)]
    assert lines == sorted(lines)


def test_a_written_file_counts_as_changed_and_a_refused_one_does_not() -> None:
    write = claude.agent(claude.calls("c1", "Write", file_path="/a.py"))
    for error in (False, True):
        told = claude.read(claude.typed("go"), claude.result("c1", "ok", error=error), write)
        (step,) = told.of(Kind.TOOL_CALL)
        assert step.call
        assert (step.call.files, step.call.changes) == (("/a.py",), not error)


def test_what_a_person_answered_is_theirs_though_the_question_comes_later() -> None:
    asked = claude.agent(claude.calls("c1", "AskUserQuestion", questions=[]), entrypoint="cli")
    given = claude.result("c1", "answered", toolUseResult={"answers": {"Which?": "the small one"}})
    other = claude.agent(claude.calls("c1", "Bash", command="x"), entrypoint="cli")
    (answer,) = claude.read(claude.typed("go"), given, asked).of(Kind.ANSWER)
    assert (answer.author, answer.text) == (Author.PERSON, "the small one")
    assert claude.read(claude.typed("go"), given, other).of(Kind.ANSWER) == []
    question, reply = codex.call("request_user_input", {}, '{"answers":{"q":{"answers":["the small one"]}}}')
    told = codex.steps(codex.read(codex.rollout(codex.meta(), *codex.prompt("go"), reply, question))[0])
    assert [step.text for step in told if step.kind is Kind.ANSWER] == ["the small one"]


def test_two_results_before_two_calls_are_two_calls() -> None:
    first, second = (claude.agent(claude.calls(c, "Bash", command=c), message=c) for c in ("c1", "c2"))
    told = claude.read(claude.typed("go"), claude.result("c2", "two"), claude.result("c1", "one"), first, second)
    pairs = {(s.call.input["command"], s.call.result) for s in told.of(Kind.TOOL_CALL) if s.call}
    assert pairs == {("c1", "one"), ("c2", "two")}
    assert len(told.of(Kind.TOOL_CALL)) == 2
