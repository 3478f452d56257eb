"""Who reads, asked once by `lane init` in a terminal; then reading in the background, within its limits."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.command_line import COMMAND, Person
from tests.acceptance.hooks import until
from tests.acceptance.terminal import seated
from tests.acceptance.test_headless_readers import LESSON, LIMIT, SCRIPT, WORDS
from tests.clients.drive import ClaudeCode, Codex, installed
from tests.clients.fake_model import FakeModel, fake_model
from tests.conftest import LaneHome
from tests.flow.homes import answer, prompt, said, write

RUNS = 3
PLAIN = {"LANE_EMBED_MODEL": "none", "LANE_RECALL_MODEL": "none", "LANE_CATCH_TIMEOUT": "60"}


def run_of(home: Path, n: int) -> None:
    session = f"0b4f8f0e-0000-4000-8000-00000000000{n}"
    path = home / ".claude" / "projects" / "-home-dev-app" / f"{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        prompt(f"Send email number {n} to Amy", 1),
        answer([said("Dear Ms Hoy,")], 1),
        prompt(f"No, {WORDS} {SCRIPT}", 2),
        answer([said("Hi Amy!")], 2),
    ]
    write(path, [{**line, "sessionId": session} for line in lines])


def somebody(lane_home: LaneHome, variables: Mapping[str, str], *programs: Path, runs: int = 1) -> Person:
    """With runs, these programs on the PATH, and nothing else that could read."""
    for n in range(runs):
        run_of(lane_home.home, n)
    folder = lane_home.home / "bin"
    folder.mkdir(exist_ok=True)
    for program in programs:
        (folder / program.name).symlink_to(program)
    nowhere = {"OLLAMA_HOST": "127.0.0.1:9", "PATH": f"{folder}:/usr/bin:/bin"}
    return Person(lane_home.home, {**PLAIN, **nowhere, **{**variables, "PATH": f"{folder}:/usr/bin:/bin"}})


def reading(person: Person) -> dict[str, Any]:
    return person.lane("status", "--json").document["meta"]["reading"]


def titles(person: Person) -> set[str]:
    return {memory["title"] for memory in person.lane("mem", "list", "--json").data}


def init(person: Person, key: str, *seen: str) -> str:
    with seated(person, "init", "--no-hooks", "--no-timer", columns=140, rows=70) as seat:
        seat.sees("Go ahead?")
        seat.press("y\n")
        screen = seat.sees("Who reads your runs for memories?", "Press ", *seen)
        seat.press(key)
        assert seat.ends() == 0
    return screen


# -- the question ------------------------------------------------------------------------------------------------------


def test_with_claude_code_alone_its_yes_is_one_key_and_it_reads_in_the_background(
    lane_home: LaneHome, claude: Callable[..., ClaudeCode], model: FakeModel
) -> None:
    known = {name: value for name, value in claude().environment().items() if name != "ANTHROPIC_API_KEY"}
    person = somebody(lane_home, {**known, "ANTHROPIC_AUTH_TOKEN": "fake"}, installed("claude"))
    screen = init(person, "1", "1  Claude Code (your Claude plan)   recommended", "2  Built-in classifier only")
    for part in ("about 1 passage now", "from your plan", "go to Anthropic", "Daily limit: 200 questions and $1.00"):
        assert part in screen, part
    assert until(lambda: LESSON["title"] in titles(person), looks=200)
    state = reading(person)
    assert (state["reader"], state["windows"], state["open"], state["paused"]) == ("claude -p haiku", 1, 0, None)
    assert len(model.questions) == 1


def test_with_codex_alone_it_is_offered_and_reads(
    lane_home: LaneHome, codex: Callable[..., Codex], model: FakeModel
) -> None:
    person = somebody(lane_home, codex().environment(), installed("codex"))
    init(person, "\r", "1  Codex (your ChatGPT plan)   recommended", "go to OpenAI", "Enter: 1, Codex")
    assert until(lambda: LESSON["title"] in titles(person), looks=200)
    assert reading(person)["reader"] == "codex exec"


def test_a_local_endpoint_that_answers_is_offered_and_reads(lane_home: LaneHome, model: FakeModel) -> None:
    person = somebody(lane_home, {"OLLAMA_HOST": model.url.removeprefix("http://")})
    screen = init(person, "1", "1  fake-model on this computer   recommended")
    assert "nothing leaves this machine" in screen
    assert until(lambda: reading(person)["windows"] == 1, looks=200)
    assert reading(person)["dollars"] == 0


def test_a_key_in_the_environment_is_offered_and_never_shown(lane_home: LaneHome, model: FakeModel) -> None:
    key = "sk-ant-not-a-real-key"
    person = somebody(lane_home, {"ANTHROPIC_API_KEY": key, "LANE_CATCH_URL": model.url})
    screen = init(person, "1", "1  Anthropic API (claude-haiku-5-5) (the key in ANTHROPIC_API_KEY)")
    assert key not in screen
    assert until(lambda: LESSON["title"] in titles(person), looks=200)
    assert key not in (person.lane_home / "config.toml").read_text()


def test_with_nothing_here_nobody_is_asked(lane_home: LaneHome) -> None:
    person = somebody(lane_home, {})
    with seated(person, "init", "--no-hooks", "--no-timer", columns=140, rows=70) as seat:
        seat.sees("Go ahead?")
        seat.press("y\n")
        assert seat.ends() == 0
        assert "Found no agent, local model or API key" in seat.glass.text
    assert reading(person)["reader"] == "embedded"


def test_an_agent_that_lacks_something_is_shown_last_and_cannot_be_chosen(
    lane_home: LaneHome, model: FakeModel
) -> None:
    person = somebody(lane_home, {"OLLAMA_HOST": model.url.removeprefix("http://")})
    copilot = lane_home.home / "bin" / "copilot"
    copilot.write_text("#!/bin/sh\nexit 1\n")
    copilot.chmod(0o755)
    screen = init(person, "3\x1b", "1  fake-model", "2  Built-in classifier only", "3  Copilot CLI")
    assert "it needs its login in a variable: COPILOT_GITHUB_TOKEN" in screen
    assert reading(person)["reader"] == "embedded"
    refused = person.lane("catch", "setup", "--with", "copilot")
    assert (refused.code, "COPILOT_GITHUB_TOKEN" in refused.err) == (2, True)


def test_who_declines_is_not_asked_again_and_nothing_leaves(lane_home: LaneHome, model: FakeModel) -> None:
    person = somebody(lane_home, {"OLLAMA_HOST": model.url.removeprefix("http://")})
    init(person, "2", "2  Built-in classifier only")
    assert (reading(person)["reader"], list(model.questions)) == ("embedded", [])
    with seated(person, "init", "--no-hooks", "--no-timer", columns=140, rows=70) as seat:
        assert seat.ends() == 0
        assert "Who reads" not in seat.glass.text
    person.lane("tick")
    assert list(model.questions) == []


def test_who_turns_away_is_asked_another_time(lane_home: LaneHome, model: FakeModel) -> None:
    person = somebody(lane_home, {"OLLAMA_HOST": model.url.removeprefix("http://")})
    init(person, "\x1b")
    assert person.lane("config", "get", "catch.with", "--json").data["origin"] == "default"
    assert list(model.questions) == []


def test_without_a_terminal_it_stays_built_in_unless_a_reader_is_named(lane_home: LaneHome, model: FakeModel) -> None:
    person = somebody(lane_home, {"OLLAMA_HOST": model.url.removeprefix("http://")})
    words = ("init", "--yes", "--no-hooks", "--no-timer")
    assert person.lane(*words).code == 0
    assert (reading(person)["reader"], list(model.questions)) == ("embedded", [])
    assert person.lane(*words, "--reader", "lm-studio").code == 2  # it does not answer
    assert person.lane(*words, "--reader", "ollama").code == 0
    assert until(lambda: reading(person)["windows"] == 1, looks=200)


# -- reading, within its limits ----------------------------------------------------------------------------------------


@pytest.fixture
def person(lane_home: LaneHome, model: FakeModel) -> Person:
    """Three runs with a passage each, and a model on this computer that reads them."""
    made = somebody(lane_home, {"OLLAMA_HOST": model.url.removeprefix("http://")}, runs=0)
    for n in range(RUNS):
        made.claude_run(f"tide-{n}", f"tide table {n} is off by an hour", "still off", "thanks", "bye")
    assert made.lane("config", "set", "catch.teachings", "false").code == 0  # what the model finds, alone
    assert made.lane("capture").code == 0
    assert made.lane("catch", "setup", "--with", "ollama").code == 0
    return made


def test_at_the_daily_limit_it_stops_and_says_so(person: Person, model: FakeModel) -> None:
    for _again in range(3):
        person.lane("tick", LANE_CATCH_DAILY_WINDOWS="2")
    assert len(model.questions) == 2
    state = person.lane("status", "--json", LANE_CATCH_DAILY_WINDOWS="2").document["meta"]["reading"]
    assert (state["windows"], state["open"]) == (2, 1)
    assert "the daily limit of 2 questions is reached" in state["paused"]


def test_the_newest_run_is_read_first(person: Person, model: FakeModel) -> None:
    person.lane("tick", LANE_CATCH_DAILY_WINDOWS="1")
    newest, *_older = person.lane("runs", "--json").data
    (asked,) = model.questions
    assert asked.holds(f"tide table {newest['session_id'].removeprefix('tide-')} is off")


def test_at_the_limit_of_the_plan_it_waits_until_a_person_says_otherwise(person: Person, model: FakeModel) -> None:
    model.failure = LIMIT
    person.lane("tick")
    asked = len(model.questions)
    assert asked == 1  # it is not asked again at once
    person.lane("tick")
    assert len(model.questions) == asked
    assert "quota" in reading(person)["paused"]
    assert reading(person)["dollars"] == 0
    model.failure = None
    assert person.lane("catch", "resume").code == 0
    person.lane("tick")
    assert (reading(person)["windows"], reading(person)["open"]) == (RUNS, 0)


def test_a_cut_network_loses_nothing_and_nothing_is_read_twice(person: Person) -> None:
    with fake_model() as other:
        there = {"LANE_CATCH_URL": f"{other.url}/v1"}
        person.lane("tick", LANE_CATCH_DAILY_WINDOWS="1", **there)
        assert len(other.questions) == 1
        port = int(other.url.rpartition(":")[2])
    person.lane("tick", **there)  # nobody is there any more
    assert reading(person)["windows"] == 1
    with fake_model(port) as back:
        assert person.lane("catch", **there).code == 0  # a person's own command tries at once
        assert len(back.questions) == RUNS - 1
    assert (reading(person)["windows"], reading(person)["open"]) == (RUNS, 0)


def test_killed_in_the_middle_nothing_is_lost_and_nothing_spent_beyond_the_cap(
    person: Person, model: FakeModel
) -> None:
    model.released.clear()
    environment = person.surroundings({"LANE_CATCH_DAILY_WINDOWS": "3"})
    process = subprocess.Popen([*COMMAND, "tick", "--json"], env=environment, cwd=person.home, start_new_session=True)
    assert until(lambda: len(model.questions) == 1, looks=400)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    model.released.set()
    for _again in range(3):
        person.lane("tick", LANE_CATCH_DAILY_WINDOWS="3")
    assert len(model.questions) == 3  # the one that nobody heard counts: it may have been billed
    assert (reading(person)["windows"], reading(person)["open"]) == (2, 1)
    assert person.lane("catch", LANE_CATCH_DAILY_WINDOWS="9").code == 0
    assert (len(model.questions), reading(person)["open"]) == (4, 0)


def test_reading_pauses_with_one_word_and_goes_on_with_one(person: Person, model: FakeModel) -> None:
    assert person.lane("catch", "pause", "2h").code == 0
    person.lane("tick")
    assert list(model.questions) == []
    assert reading(person)["paused"] == "you paused it"
    assert reading(person)["until"]
    assert person.lane("catch", "resume").code == 0
    person.lane("tick")
    assert len(model.questions) == RUNS


def test_a_project_can_be_left_out(person: Person, model: FakeModel) -> None:
    project = person.lane("runs", "--json").data[0]["project"]
    assert person.lane("catch", "skip", "no-such-project").code == 2
    assert person.lane("catch", "skip", project).code == 0
    person.lane("tick")
    assert (list(model.questions), reading(person)["open"]) == ([], 0)
    assert person.lane("catch", "next", "--json").data is None
    assert person.lane("catch", "skip", project, "--off").code == 0
    person.lane("tick")
    assert len(model.questions) == RUNS
