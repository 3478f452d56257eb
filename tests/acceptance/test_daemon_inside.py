"""The daemon's socket for our code inside an agent: HTTP, the usual rules, and no answer beside a command hook's."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from memlane.domain import Outcome
from tests.acceptance.hooks import NOTE, PROMPT, HookHome, installed, until
from tests.conftest import LaneHome

SESSION = "5be28791-9226-4386-b955-d85c7cb1acfd"


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    said: Any


@dataclass(frozen=True, slots=True)
class Inside:
    """Our code inside an agent, as the daemon sees it."""

    hooked: HookHome

    def post(self, path: str, body: object, **headers: str) -> Reply:
        data = json.dumps(body).encode()
        usual = {"Host": "lane", "Authorization": f"Bearer {self.hooked.token}", "Content-Type": "application/json"}
        lines = [f"{name}: {value}" for name, value in {**usual, **headers, "Content-Length": len(data)}.items()]
        got = self.hooked.send("\r\n".join([f"POST {path} HTTP/1.1", *lines, "", ""]).encode() + data)
        head, _, said = got.partition(b"\r\n\r\n")
        return Reply(int(head.split()[1]), json.loads(said))

    def call(self, event: str, prompt: str = PROMPT, wait: float = 5000, **more: object) -> Reply:
        given = json.loads(self.hooked.given(event, prompt, SESSION))
        until_ms = time.time() * 1000 + wait
        by = {"version": "0.1.0", "client": "2.1.325"}
        return self.post(f"/api/hooks/claude-code/{event}", {"given": given, "until": until_ms, "by": by, **more})

    @property
    def mark(self) -> bytes:
        path = self.hooked.run / "mods" / f"s-{SESSION}"
        return path.read_bytes() if path.exists() else b""

    def recalls(self) -> list[tuple[Outcome, str]]:
        with self.hooked.lane() as lane:
            return [(one.outcome, one.id) for one in reversed(lane.recall.newest(100))]


@pytest.fixture
def inside(lane_home: LaneHome) -> Iterator[Inside]:
    made = installed(lane_home.home, lane_home.path)
    with made.lane() as lane:
        lane.memories.remember(NOTE, made.project)
    made.served()
    yield Inside(made)
    made.end()


def told(reply: Reply) -> str:
    output: Mapping[str, Any] = reply.said.get("output", {})
    return str(output.get("hookSpecificOutput", {}).get("additionalContext", ""))


def test_a_prompt_is_answered_with_a_card_that_can_be_voted_on(inside: Inside) -> None:
    reply = inside.call("UserPromptSubmit")
    assert "<lane-memory" in told(reply)
    card = reply.said["card"]
    (note,) = card["notes"]
    assert until(lambda: inside.recalls() == [(Outcome.SHOWN, card["recall"])])
    vote = {"memory": note["id"], "recall": card["recall"], "verdict": "down"}
    assert inside.post("/api/card/vote", vote).status == 201
    with inside.hooked.lane() as lane:
        assert [(one.up, one.by) for one in lane.recall.feedback.verdicts(note["id"])] == [(False, "")]


def test_the_session_is_marked_before_the_answer_and_until_its_end(inside: Inside) -> None:
    assert inside.mark == b""
    inside.call("SessionStart")
    assert inside.mark == b"mod\n"
    hello = json.loads((inside.hooked.run / "mod-claude-code.json").read_text())
    assert (hello["version"], hello["client"], hello["session"]) == ("0.1.0", "2.1.325", SESSION)
    inside.call("SessionEnd")
    assert inside.mark == b""


def test_without_a_mark_the_command_hook_serves_alone(inside: Inside) -> None:
    (inside.hooked.run / "mods").write_text("a file where the folder should be")
    assert told(inside.call("UserPromptSubmit")) == ""
    assert "<lane-memory" in inside.hooked.ask(session=SESSION).context


def test_a_tool_marks_no_session_and_is_answered_only_in_a_marked_one(inside: Inside) -> None:
    """Under a policy the client tells our code of tools and not of prompts: the command hooks serve all of it."""
    assert inside.call("PostToolUse").said == {}
    assert inside.mark == b""
    assert "off for this run" in inside.call("UserPromptSubmit", "/lane:off").said["output"]["systemMessage"]
    assert inside.mark == b""


def test_a_mark_outlives_no_daemon(inside: Inside) -> None:
    inside.call("SessionStart")
    os.kill(inside.hooked.holder(), 9)
    assert inside.mark == b"mod\n"
    assert until(lambda: not inside.hooked.holder())  # a lock goes a moment after its owner
    inside.hooked.served()
    assert inside.mark == b""
    inside.call("SessionStart")
    assert inside.hooked.command("daemon", "stop").returncode == 0
    assert inside.mark == b""


def test_a_late_answer_is_written_down_as_too_slow(inside: Inside) -> None:
    assert inside.call("UserPromptSubmit", wait=-10).said == {}  # no mark: a command hook asks, too
    inside.call("SessionStart")
    assert inside.call("UserPromptSubmit", wait=-10).said == {}
    assert until(lambda: [outcome for outcome, _id in inside.recalls()][1:] == [Outcome.TOO_SLOW])


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Host": "evil.example"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Content-Type": "text/plain"}, 415),
    ],
)
def test_the_rules_of_the_port_hold_on_the_socket(inside: Inside, headers: Mapping[str, str], status: int) -> None:
    reply = inside.post("/api/card/vote", {}, **headers)
    assert reply.status == status
    assert "hint" in reply.said["error"]


def test_what_is_not_understood_is_refused_and_the_next_is_answered(inside: Inside) -> None:
    assert inside.hooked.send(b"GET / HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 421")
    assert inside.hooked.send(b"NONSENSE\r\n\r\n").startswith(b"HTTP/1.1 400")
    assert inside.post("/api/hooks/claude-code/UserPromptSubmit", {"no": "hook"}).status == 400
    assert inside.post("/api/card/undo", {"memory": "m_abcdefgh23456"}).status == 404
    assert "<lane-memory" in told(inside.call("UserPromptSubmit"))
