"""The real Claude Code as the model that reads: what it does for us is no run of the person and fires no hook."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memlane.domain import RunFilter
from tests.acceptance.hooks import until
from tests.acceptance.test_claude_code import AtHome, set_up
from tests.clients.drive import ClaudeCode, drive, installed
from tests.clients.fake_model import FakeModel
from tests.conftest import LaneHome
from tests.flow.homes import SESSION, answer, prompt, said, write

LESSON = {
    "type": "correction",
    "title": "Amy Hoy prefers a casual, friendly tone in mail",
    "content": "Mail to Amy Hoy is casual and friendly, never formal.",
    "quotes": [{"step": "t2.1", "words": "Amy and I are casual, use a friendly tone"}],
    "reasoning": "The person corrected a formal draft.",
    "confidence": 92,
    "scope": "person",
}
# The fake model says what stands in the window it is shown.
SCRIPT = f"@@say Here it is: {json.dumps({'memories': [LESSON]})}@@"


@pytest.fixture
def at_home(lane_home: LaneHome, claude: Callable[..., ClaudeCode]) -> Iterator[AtHome]:
    path = lane_home.home / ".claude" / "projects" / "-home-dev-app" / f"{SESSION}.jsonl"
    path.parent.mkdir(parents=True)
    write(
        path,
        [
            prompt("Send an email to Amy", 1),
            answer([said("Dear Ms Hoy,")], 1),
            prompt(f"No, Amy and I are casual, use a friendly tone {SCRIPT}", 2),
            answer([said("Hi Amy!")], 2),
        ],
    )
    with set_up(lane_home, claude) as made:
        made.hooked.command("daemon", "start")
        made.hooked.command("capture", "--quiet")
        yield made


def caught(at_home: AtHome, model: FakeModel, line: str) -> dict[str, Any]:
    """`lane catch` as somebody types it, whose model is this command."""
    client = at_home.claude(
        CLAUDECODE="1",
        CLAUDE_CODE_ENTRYPOINT="cli",
        LANE_CATCH_MODEL="command",
        LANE_CATCH_COMMAND=line,
        LANE_CATCH_TIMEOUT="60",
        LANE_EMBED_MODEL="none",
    )
    command = [sys.executable, "-m", "memlane", "catch", "--with", "model", "--json"]
    done = drive(command, at_home.hooked.project, client.environment(), model)
    assert done.exit_code == 0, done.stderr + done.stdout
    return json.loads(done.stdout)


def runs(at_home: AtHome) -> int:
    at_home.hooked.command("capture", "--quiet")
    with at_home.hooked.lane() as lane:
        return len(lane.runs.select(RunFilter()))


@pytest.mark.fault("A27")
def test_claude_code_reads_a_window_and_leaves_no_trace(at_home: AtHome, model: FakeModel) -> None:
    before, wrote, recalls = runs(at_home), at_home.wrote(), len(at_home.recalls())
    found = caught(at_home, model, f"{installed('claude')} -p")
    assert [memory["title"] for memory in found["data"]["made"]] == [LESSON["title"]]
    (asked,) = [request for request in model.requests if "lane-window nonce=" in request.text]
    assert not asked.body.get("tools")
    assert at_home.wrote() == wrote  # it kept no transcript
    assert (runs(at_home), len(at_home.recalls())) == (before, recalls)
    spent = json.loads((at_home.hooked.path / "catch" / "spend.json").read_text())
    (day,) = spent["days"].values()
    assert (day["asks"], day["tokens_in"] > 500, day["micro"] > 0) == (1, True, True)


@pytest.mark.fault("A27")
def test_one_that_keeps_transcripts_and_fires_hooks_is_not_captured_either(
    at_home: AtHome, model: FakeModel, tmp_path: Path
) -> None:
    """As an older client would: it knows none of the words that make it quiet."""
    older = tmp_path / "claude"
    older.write_text(
        f'#!/bin/sh\ncase "$*" in *--safe-mode*) echo "error: unknown option \'--safe-mode\'" >&2; exit 1;; esac\n'
        f'exec {installed("claude")} "$@"\n'
    )
    older.chmod(0o755)
    before, wrote, recalls = runs(at_home), at_home.wrote(), len(at_home.recalls())
    found = caught(at_home, model, f"{older} -p")
    assert [memory["title"] for memory in found["data"]["made"]] == [LESSON["title"]]
    assert len(at_home.wrote()) == len(wrote) + 1
    (transcript,) = [path for path in at_home.transcripts() if "catch-asking" in str(path.parent)]
    assert '"hook' in transcript.read_text()  # ours among them
    assert not until(lambda: runs(at_home) != before, looks=5)
    assert len(at_home.recalls()) == recalls
