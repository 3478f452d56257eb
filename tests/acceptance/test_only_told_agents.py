"""Agents that were not to be had: what `lane init` writes for them is run as their documentation says, and answers.

Nothing of this shows that the agent itself calls it so; README and `lane hook status` say that they were not run.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from memlane.domain import Occasion
from tests.acceptance.hooks import HookHome, patient, recalls, until
from tests.conftest import LaneHome
from tools.clients import node

STANDING = "Answer in whole sentences MARK-standing"
ABOUT_FILE = "Amounts in ledger.py are cents, never floats MARK-file"
SHIP = "Deploys of the shop go through make ship, never through kubectl apply MARK-ship"
PROMPT = "how do deploys of the shop go, through make ship or kubectl apply?"
AMP = """
import plugin from "./lane.mjs";
const on = {};
plugin({ system: { workspaceRoot: PROJECT }, on: (event, does) => (on[event] = does) });
const said = [];
for (const message of MESSAGES) said.push(await on["agent.start"]({ message, thread: { id: "T-1" } }));
console.log(JSON.stringify(said));
"""


@pytest.fixture(scope="module")
def hooked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HookHome]:
    """All of them set up in one home, with a note about a prompt, one about a file and one for every context."""
    home = LaneHome(tmp_path_factory.mktemp("h"), Path())
    made = HookHome(home.home, home.home / ".memlane", home.home / ".memlane" / "hooks" / "client.py")
    for folder in (".config/Code", ".config/devin", ".config/amp", "project"):
        (made.home / folder).mkdir(parents=True)
    (made.project / "ledger.py").write_text("amount = 100\n")
    with made.lane() as lane:
        for text in (ABOUT_FILE, SHIP):
            lane.memories.remember(text, made.project)
        lane.memories.remember(STANDING, made.project, occasion=Occasion(always=True))
    done = made.command("hook", "install")
    assert done.returncode == 0, done.stderr
    patient(made.script)
    made.command("daemon", "start")
    yield made
    made.end()


def called(hooked: HookHome, command: str, given: Mapping[str, object], **variables: str) -> dict[str, Any]:
    """As the agent does: a shell, JSON in, JSON or nothing out."""
    environment = {"HOME": str(hooked.home), "PATH": "/usr/bin:/bin", **variables}
    done = subprocess.run(
        ["/bin/sh", "-c", command], input=json.dumps(given).encode(), env=environment, capture_output=True, check=True
    )
    return json.loads(done.stdout) if done.stdout else {}


def told(hooked: HookHome, command: str, given: Mapping[str, object], mark: str, **variables: str) -> bool:
    """In the end: on a crowded machine a hook may be too slow."""

    def once() -> bool:
        answer = called(hooked, command, given, **variables).get("hookSpecificOutput", {})
        return mark in answer.get("additionalContext", "")

    return until(once, looks=5)


def vscode(hooked: HookHome, event: str) -> str:
    document = json.loads((hooked.home / ".copilot" / "hooks" / "lane-vscode.json").read_text())
    (hook,) = document["hooks"][event]
    return hook["command"]


def said_by_vscode(hooked: HookHome, event: str, **more: object) -> dict[str, object]:
    usual = {"timestamp": "2026-11-16T10:00:00.000Z", "cwd": str(hooked.project), "sessionId": "v-1"}
    return {**usual, "hookEventName": event, "transcript_path": None, **more}


def test_vs_code_is_told_at_the_start_and_at_a_file(hooked: HookHome) -> None:
    start = said_by_vscode(hooked, "SessionStart", source="new")
    assert told(hooked, vscode(hooked, "SessionStart"), start, "MARK-standing")
    read = {"tool_name": "read_file", "tool_input": {"filePath": str(hooked.project / "ledger.py")}}
    assert told(hooked, vscode(hooked, "PostToolUse"), said_by_vscode(hooked, "PostToolUse", **read), "MARK-file")


@pytest.mark.parametrize("agent", ["claude-code", "copilot-cli"])
@pytest.mark.parametrize("event", ["SessionStart", "PostToolUse"])
def test_hooks_of_others_that_vs_code_runs_too_say_nothing(hooked: HookHome, agent: str, event: str) -> None:
    read = {"tool_name": "read_file", "tool_input": {"filePath": str(hooked.project / "ledger.py")}}
    said = said_by_vscode(hooked, event, source="new", session_id="v-3", **read)
    assert called(hooked, f'"{hooked.path}/hooks/run" {agent} {event}', said) == {}
    assert agent not in {one.query.agent for one in recalls(hooked)}


def test_copilot_cli_which_reads_the_same_folder_does_not_run_the_hooks_of_vs_code(hooked: HookHome) -> None:
    start = said_by_vscode(hooked, "SessionStart", source="new", sessionId="v-2")
    assert called(hooked, vscode(hooked, "SessionStart"), start, COPILOT_CLI="1") == {}


def test_devin_is_told_at_the_start_a_prompt_a_file_and_again_after_a_compaction(hooked: HookHome) -> None:
    events = json.loads((hooked.home / ".config" / "devin" / "config.json").read_text())["hooks"]
    place = {"DEVIN_PROJECT_DIR": str(hooked.project)}

    def run(event: str, mark: str, **given: object) -> bool:
        (group,) = events[event]
        said = {"hook_event_name": event, "session_id": "d-1", **given}
        return told(hooked, group["hooks"][0]["command"], said, mark, **place)

    assert run("SessionStart", "MARK-standing", source="startup")
    assert run("UserPromptSubmit", "MARK-ship", prompt=PROMPT)
    ledger = {"file_path": str(hooked.project / "ledger.py")}
    assert run("PostToolUse", "MARK-file", tool_name="read", tool_input=ledger)
    (group,) = events["PostCompaction"]
    compacted = {"hook_event_name": "PostCompaction", "session_id": "d-1"}
    assert called(hooked, group["hooks"][0]["command"], compacted, **place) == {}
    assert run("UserPromptSubmit", "MARK-standing", prompt="and the harbour?")


def test_amp_is_told_with_its_prompts_and_the_standing_rule_once(hooked: HookHome, tmp_path: Path) -> None:
    (tmp_path / "lane.mjs").write_text((hooked.home / ".config" / "amp" / "plugins" / "lane.ts").read_text())
    messages = json.dumps([PROMPT, "and the harbour?"])
    script = AMP.replace("PROJECT", json.dumps(str(hooked.project))).replace("MESSAGES", messages)
    (tmp_path / "run.mjs").write_text(script)

    def once() -> bool:
        command = [str(node()), tmp_path / "run.mjs"]
        done = subprocess.run(command, env=hooked.variables, capture_output=True, check=True)
        first, second = json.loads(done.stdout)
        content = first.get("message", {}).get("content", "")
        return all(mark in content for mark in ("MARK-ship", "MARK-standing")) and second == {}

    assert until(once, looks=3)


def test_each_says_that_it_was_not_run(hooked: HookHome) -> None:
    status = hooked.command("hook", "status").stdout.decode()
    for title in ("VS Code", "Devin CLI", "Amp"):
        assert re.search(rf"{title}: its (?:hooks were|plugin was) written .* not run", " ".join(status.split()))
        assert f"{title}: its hook was asked and answered" in status
