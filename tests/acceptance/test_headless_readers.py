"""Every agent that can read for us, the real one: one question, no tools, no hooks, and nothing left of it."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from memlane.agents import Registry
from memlane.catch.model.prompt import prompt as instructions
from tests.clients.drive import Codex, Copilot, Gemini, OpenCode, Pi, Session, drive, installed
from tests.clients.fake_model import Failure, FakeModel, Request
from tests.conftest import LaneHome
from tests.flow.homes import SESSION, answer, prompt, said, write
from tools.clients import node

WORDS = "Amy and I are casual, use a friendly tone"
LESSON = {
    "type": "correction",
    "title": "Amy Hoy prefers a casual, friendly tone in mail",
    "content": "Mail to Amy Hoy is casual and friendly, never formal.",
    "quotes": [{"step": "t2.1", "words": WORDS}],
    "reasoning": "The person corrected a formal draft.",
    "confidence": 92,
    "scope": "person",
}
SCRIPT = f"@@say Here it is: {json.dumps({'memories': [LESSON]})}@@"
QUOTA = "You have exhausted your daily quota on this model. Please retry in 7200s."
LIMIT = Failure(
    429,
    {"error": {"type": "usage_limit_reached", "code": 429, "status": "RESOURCE_EXHAUSTED", "message": QUOTA}},
    {"retry-after": "7200"},
)
BYTES_PER_TOKEN = 4
SPY_SCRIPT = "echo fired >> {mark}"
pytestmark = pytest.mark.client  # its clients are asked for by name, which pytest does not see


@dataclass(frozen=True, slots=True)
class HeadlessAgent:
    """One client as `lane catch` would run it, and a hook of somebody that must stay silent."""

    name: str
    line: str
    model: str
    environment: Mapping[str, str]
    home: Path

    @property
    def mark(self) -> Path:
        return self.home / "fired"


@pytest.fixture
def windows(lane_home: LaneHome) -> Path:
    """One run of Claude Code with a correction, and the answer to it written into it."""
    path = lane_home.home / ".claude" / "projects" / "-home-dev-app" / f"{SESSION}.jsonl"
    path.parent.mkdir(parents=True)
    lines = [
        prompt("Send an email to Amy", 1),
        answer([said("Dear Ms Hoy,")], 1),
        prompt(f"No, {WORDS} {SCRIPT}", 2),
        answer([said("Hi Amy!")], 2),
    ]
    write(path, lines)
    return path


def wrapped(home: Path, name: str) -> str:
    """A client that needs Node, under the name a person types."""
    script = home / "bin" / name
    script.parent.mkdir(exist_ok=True)
    script.write_text(f'#!/bin/sh\nexec {node()} {installed(name)} "$@"\n')
    script.chmod(0o755)
    return str(script)


@pytest.fixture(params=["codex", "copilot", "gemini", "opencode", "pi"])
def agent(request: pytest.FixtureRequest, lane_home: LaneHome, windows: Path) -> HeadlessAgent:
    make: Callable[..., Codex | Copilot | Gemini | OpenCode | Pi] = request.getfixturevalue(request.param)
    name, home = str(request.param), lane_home.home
    environment = make().environment()
    _spy(name, home)
    node_too = {"gemini": "gemini", "pi": "pi -p --provider fake --model fake-model"}
    lines = {"codex": f"{installed('codex')} exec", "opencode": f"{installed('opencode')} run"}
    plain, _, more = node_too.get(name, "").partition(" ")
    line = f"{wrapped(home, plain)} {more}" if plain else lines.get(name, "") or str(installed("copilot"))
    return HeadlessAgent(name, line.strip(), "", environment, home)


def _spy(name: str, home: Path) -> None:
    """A hook of the person for every prompt, where this agent looks for hooks."""
    run = SPY_SCRIPT.format(mark=home / "fired")
    hook = {"hooks": [{"type": "command", "command": run}]}
    if name == "codex":
        (home / ".codex" / "hooks.json").write_text(json.dumps({"hooks": {"UserPromptSubmit": [hook]}}))
    elif name == "copilot":
        path = home / ".copilot" / "hooks" / "spy.json"
        path.parent.mkdir(parents=True)
        path.write_text(
            json.dumps({"version": 1, "hooks": {"userPromptSubmitted": [{"type": "command", "bash": run}]}})
        )
    elif name == "gemini":
        path = home / ".gemini" / "settings.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), "hooks": {"BeforeAgent": [hook]}}))
    elif name == "opencode":
        path = home / ".config" / "opencode" / "plugins" / "spy.js"
        path.parent.mkdir(parents=True)
        path.write_text(f"export const Spy = async ({{ $ }}) => {{ await $`{run}`.quiet(); return {{}} }}\n")
    else:
        path = home / ".pi" / "agent" / "extensions" / "spy.ts"
        path.parent.mkdir(parents=True)
        path.write_text(
            f'import {{ execSync }} from "node:child_process";\nexport default () => {{ execSync("{run}"); }};\n'
        )


def lane(agent: HeadlessAgent, model: FakeModel, *words: str, **more: str) -> Session:
    settings = {
        "LANE_CATCH_MODEL": "command",
        "LANE_CATCH_COMMAND": agent.line,
        "LANE_CATCH_TIMEOUT": "60",
        "LANE_CATCH_TEACHINGS": "false",  # what the agent makes of it, alone
        "LANE_EMBED_MODEL": "none",
    }
    environment = {**agent.environment, **settings, **more}
    return drive([sys.executable, "-m", "memlane", *words], agent.home / "project", environment, model)


def caught(agent: HeadlessAgent, model: FakeModel) -> dict[str, Any]:
    lane(agent, model, "capture", "--quiet")
    done = lane(agent, model, "catch", "--with", "model", "--json")
    assert done.exit_code == 0, done.stderr + done.stdout
    return json.loads(done.stdout)


def question(model: FakeModel) -> Request:
    (asked,) = [request for request in model.requests if "lane-window nonce=" in request.text]
    return asked


def tools(asked: Request) -> list[str]:
    """Those that a model could do anything with."""
    listed: Any = asked.body.get("tools") or []
    declared = [inner for tool in listed for inner in tool.get("functionDeclarations", [tool])]
    return [tool.get("name") or tool["function"]["name"] for tool in declared]


def holding(folder: Path, words: str, *, but: Path) -> list[str]:
    """Files that have these words in them: a transcript, a database, a log."""
    files = (path for path in folder.rglob("*") if path.is_file() and path != but)
    return [str(path.relative_to(folder)) for path in files if words.encode() in path.read_bytes()]


def _all_kept(data: dict[str, Any]) -> list[dict[str, Any]]:
    """Also what is held: a model we do not know is on probation."""
    return [*data["made"], *data["held"]]


def test_it_reads_a_window_and_leaves_no_trace(agent: HeadlessAgent, model: FakeModel, windows: Path) -> None:
    lane(agent, model, "capture", "--quiet")
    before = holding(agent.home, WORDS, but=windows)
    found = caught(agent, model)
    assert [memory["title"] for memory in _all_kept(found["data"])] == [LESSON["title"]]
    asked = question(model)
    assert set(tools(asked)) <= {"request_user_input", "view_image"}  # Codex cannot be told to leave out these two
    after = holding(agent.home, WORDS, but=windows)
    assert [name for name in after if not name.startswith(".memlane/")] == [
        name for name in before if not name.startswith(".memlane/")
    ]
    asking = agent.home / ".memlane" / "catch" / "asking"
    assert holding(asking, WORDS, but=windows) == []
    assert not list(asking.glob("question-*"))
    assert not agent.mark.exists()
    lane(agent, model, "capture", "--quiet")
    (run,) = json.loads(lane(agent, model, "runs", "--json").stdout)["data"]
    assert run["agent"] == "claude-code"


def test_what_it_adds_to_a_question_is_no_more_than_it_says(agent: HeadlessAgent, model: FakeModel) -> None:
    caught(agent, model)
    asked = question(model)
    system = json.dumps(instructions().text)
    assert asked.holds(instructions().text[:200])
    window = json.dumps(asked.text[asked.text.index("lane-window nonce=") :])
    (headless,) = [one for one in Registry().headless if one.command.split()[0] == agent.name]
    added = len(asked.raw) - len(system)
    assert added <= len(window) + BYTES_PER_TOKEN * headless.overhead(quiet=True)


# OpenCode waits by itself until the limit is over: it ends as one that is too slow.
@pytest.mark.parametrize("agent", ["codex", "copilot", "gemini", "pi"], indirect=True)
def test_a_limit_of_the_plan_stops_the_reading_and_loses_nothing(agent: HeadlessAgent, model: FakeModel) -> None:
    lane(agent, model, "capture", "--quiet")
    # Copilot looks at the header alone; Codex would wait for it.
    model.failure = LIMIT if agent.name == "copilot" else replace(LIMIT, headers={})
    done = lane(agent, model, "catch", "--with", "model", "--json")
    assert re.search("limit|quota", " ".join(json.loads(done.stdout)["meta"]["unread"]))
    asked = len(model.requests)
    lane(agent, model, "tick", "--json", LANE_CATCH_WITH="model")
    assert len(model.requests) == asked  # nobody is asked while it is over
    model.failure = None
    assert [memory["title"] for memory in _all_kept(caught(agent, model)["data"])] == [LESSON["title"]]
