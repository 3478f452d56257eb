"""`lane resume` as a person types it: in a terminal, where it asks for the checkout and then is the real agent."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.acceptance.command_line import COMMAND, Person
from tests.acceptance.test_resume_clients import AGENTS, SECOND, Client, checkout
from tests.clients.drive import ClaudeCode, Pi, installed
from tests.clients.fake_model import FakeModel, Request
from tests.clients.screen import ready_for_a_person
from tests.clients.terminal import PATIENCE, ClientTerminal, in_terminal
from tests.conftest import LaneHome, must_have
from tools.clients import node

CONFIRMED = ("esc to cancel", "Do you trust", "Trust and continue")  # what an agent asks once about a folder


@pytest.mark.client
@pytest.mark.parametrize("name", AGENTS)
def test_a_run_goes_on_in_the_checkout_that_is_chosen_at_the_terminal(
    name: str, lane_home: LaneHome, model: FakeModel, tmp_path: Path
) -> None:
    agent = AGENTS[name]
    must_have(agent.program)
    away = checkout(tmp_path / "away" / "work" / "api")
    begun = agent.begin(
        agent.client(tmp_path / "away", away, model),
        f"PROMPT-ONE @@call {agent.call}@@ @@say first answer@@".replace("FILE", f"{away}/notes.txt"),
    )
    assert begun.saw("MARK-from-the-file"), begun.stderr
    copied = shutil.move(tmp_path / "away", tmp_path / "copied")
    folders = [checkout(lane_home.home / place / "api") for place in ("code", "work")]
    for folder in folders:
        agent.client(lane_home.home, folder, model).run("something of my own @@say fine@@")
    mine = agent.client(lane_home.home, folders[1], model)
    person = Person(lane_home.home, at_a_terminal(agent.program, mine))
    assert person.lane("capture", "--json").code == 0
    assert person.lane("capture", str(copied), "--machine", "laptop", "--json").code == 0
    (run,) = person.lane("runs", "--agent", name, "--machine", "laptop", "--json").data
    command = [*COMMAND, "resume", run["id"], SECOND]
    with in_terminal(command, person.home, person.surroundings({})) as screen:
        screen.sees("Go on in which, or another folder:")
        (number,) = [n for n in ("1", "2") if f"{n}{folders[1]}" in screen.words]
        screen.press(f"{number}\r")
        if name == "opencode":
            screen.sees("opencode takes no prompt when it goes on; type it there")
            screen.sees("first answer")
            screen.press(SECOND)
            screen.sees(SECOND)
            screen.press("\r")
        asked = answered(screen, model, "and the second")
    for words in ("PROMPT-ONE", "MARK-from-the-file", "first answer", f"{folders[1]}/notes.txt"):
        assert asked.holds(words), words
    assert not asked.holds(f"{away}/notes.txt")


@pytest.mark.client
@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_that_was_not_there_begins_with_a_hand_over(
    name: str, lane_home: LaneHome, model: FakeModel, tmp_path: Path
) -> None:
    agent = AGENTS[name]
    must_have(agent.program)
    here = checkout(lane_home.home / "code" / "api")
    mine = agent.client(lane_home.home, here, model)
    person = Person(lane_home.home, at_a_terminal(agent.program, mine))
    path = person.claude_run("one", "moor the ferry", project="api", answer="It is moored at the second pier.")
    path.write_text(path.read_text().replace("/home/dev/api", str(here)))
    assert person.lane("capture", "--json").code == 0
    (run,) = person.lane("runs", "--json").data
    command = [*COMMAND, "resume", run["id"], "--in", name, "and the second pier?"]
    with in_terminal(command, person.home, person.surroundings({})) as screen:
        asked = answered(screen, model, "and the second pier?")
    for words in ("You take over work", "moor the ferry", f"{run['id']}#t1.1", "It is moored at the second pier."):
        assert asked.holds(words), words


def at_a_terminal(program: str, client: Client) -> Mapping[str, str]:
    """The agent on the PATH, as an installer puts it there, and what it asks once answered before."""
    known = client.environment()
    if isinstance(client, ClaudeCode):
        ready_for_a_person(client)
    if isinstance(client, Pi):
        settings = client.home / ".pi" / "agent" / "settings.json"
        settings.write_text('{"defaultProvider": "fake", "defaultModel": "fake-model"}')
    command = client.home / "bin" / program
    command.parent.mkdir()
    start = f"'{node()}' " if installed(program).suffix == ".js" else ""
    command.write_text(f"#!/bin/sh\nexec {start}'{installed(program)}' \"$@\"\n")
    command.chmod(0o700)
    return {**known, "PATH": os.pathsep.join((str(command.parent), os.environ["PATH"]))}


def answered(screen: ClientTerminal, model: FakeModel, said: str) -> Request:
    """The turn in which the model got what was said first. An agent that has just drawn its question may miss a key."""
    end, asks = time.monotonic() + PATIENCE, False
    while time.monotonic() < end:
        for _ in range(10):
            screen.look()
        if found := [turn for turn in model.turns if turn.holds(said)]:
            return found[-1]
        asks = asks or any("".join(words.split()) in screen.words for words in CONFIRMED)
        if asks:
            screen.press("\r")
    raise AssertionError(f"the model was not asked:\n{screen.words[-3000:]}")
