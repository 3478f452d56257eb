"""A lesson kept by the agent itself, in the turn in which it is taught: in the real Claude Code and the real Codex."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from memlane.domain import Memory, State, Trust
from tests.acceptance.hooks import HookHome
from tests.acceptance.test_claude_code import NOTE, AtHome, set_up
from tests.clients.drive import ClaudeCode, Codex
from tests.conftest import LaneHome

TAUGHT = "letters to the harbour office are always signed by Ines"
LESSON = "Letters to the harbour office are always signed by Ines."
UNSAID = "Letters to the museum are printed on blue paper."
CUES = ["write to the harbour office", "wer unterschreibt den Brief?"]


def remember(tool: str, text: str, said: str = TAUGHT) -> str:
    given = {"text": text, "said": said, "type": "commitment", "when": "writing letters", "cues": CUES}
    return f"@@call {tool} {json.dumps(given)}@@ @@say noted@@"


def hidden(words: str) -> str:
    """So written that nobody who reads the prompt finds them in it; the model's call has them."""
    return "".join(f"\\u{ord(letter):04x}" for letter in words)


def noted(hooked: HookHome) -> list[Memory]:
    with hooked.lane() as lane:
        return [memory for memory in lane.memories.all() if memory.content != NOTE]


@pytest.fixture
def hooked(lane_home: LaneHome, codex: Callable[..., Codex]) -> Iterator[HookHome]:
    """A note, and Codex set up; the daemon answers already."""
    codex().environment()  # its settings come before ours
    made = HookHome(lane_home.home, lane_home.path, lane_home.path / "hooks" / "client.py")
    made.project.mkdir()
    with made.lane() as lane:
        lane.memories.remember(NOTE, made.project)
    assert made.command("hook", "install", "codex").returncode == 0
    made.command("daemon", "start")
    yield made
    made.command("daemon", "stop")


@pytest.fixture
def at_home(lane_home: LaneHome, claude: Callable[..., ClaudeCode]) -> Iterator[AtHome]:
    with set_up(lane_home, claude) as made:
        made.hooked.command("daemon", "start")
        yield made


def test_claude_code_keeps_what_it_was_taught_with_the_person_s_words(at_home: AtHome) -> None:
    tool = "mcp__plugin_lane_lane__remember"
    session = at_home.run(f"By the way, {TAUGHT}. {remember(tool, LESSON)}", "--allowedTools", tool)
    assert session.stdout.strip() == "noted"
    (memory,) = noted(at_home.hooked)
    assert (memory.state, memory.trust) == (State.ACTIVE, Trust.PERSON)  # taught at the prompt: the agent adds when
    assert (memory.when, memory.cues) == ("writing letters", tuple(CUES))
    (evidence,) = memory.evidence
    with at_home.hooked.lane() as lane:
        lane.capture.sweep()
        (spoken,) = lane.memories.spoken(lane.memories.get(memory.id))
    assert spoken.run is not None, "its evidence stands in the run that is kept"
    assert TAUGHT in evidence.quote


def test_what_the_person_did_not_say_waits_for_them(at_home: AtHome) -> None:
    tool = "mcp__plugin_lane_lane__remember"
    script = remember(tool, "TEXT", "SAID").replace("TEXT", hidden(UNSAID)).replace("SAID", hidden(UNSAID))
    at_home.run(f"Look at the letters. {script}", "--allowedTools", tool)
    (memory,) = noted(at_home.hooked)
    assert (memory.state, memory.trust, memory.evidence) == (State.HELD, Trust.AGENT, ())


def test_the_skill_tells_claude_code_when_to_keep_a_lesson(at_home: AtHome) -> None:
    session = at_home.run("hello @@say hello@@")
    assert session.saw("lane:keep")
    assert session.saw("at the moment the person teaches it")


def test_codex_keeps_what_it_was_taught_with_the_person_s_words(hooked: HookHome, codex: Callable[..., Codex]) -> None:
    agent = codex()
    told = agent.run(f"By the way, {TAUGHT}. {remember('mcp__lane.remember', LESSON)}")
    assert "noted" in told.stdout
    (memory,) = noted(hooked)
    assert (memory.state, memory.trust) == (State.ACTIVE, Trust.PERSON)

    (evidence,) = memory.evidence
    assert TAUGHT in evidence.quote
