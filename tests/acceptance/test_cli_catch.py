"""`lane catch next`, `submit`, `setup` and `--estimate`, as an agent, a program and a person use them."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from memlane.llm import served
from tests.acceptance.command_line import CommandOutcome, Person, misfits, schema_of
from tests.acceptance.terminal import seated
from tests.conftest import LaneHome
from tests.rooms.llm.server import Model, says, status

LESSON = {
    "type": "correction",
    "title": "Amy Hoy prefers a casual, friendly tone in mail",
    "content": "Mail to Amy Hoy is casual and friendly, never formal.",
    "quotes": [{"step": "t2.1", "words": "Amy and I are casual, use a friendly tone"}],
    "reasoning": "The person corrected a formal draft.",
    "confidence": 92,
    "scope": "person",
}
ANSWER = json.dumps({"memories": [LESSON]})
PLAIN = {"LANE_EMBED_MODEL": "none", "LANE_CATCH_TEACHINGS": "false"}  # readers alone are asked here


@pytest.fixture
def person(lane_home: LaneHome) -> Person:
    someone = Person(lane_home.home, quick=True, variables=PLAIN)
    someone.claude_run(
        "one", "Send an email to Amy", "No, Amy and I are casual, use a friendly tone", "thanks", "bye", project="mail"
    )
    assert someone.lane("capture").code == 0
    return someone


def fits(ran: CommandOutcome) -> CommandOutcome:
    assert misfits(ran.document, schema_of(ran.document)) == []
    return ran


def test_an_agent_reads_answers_mends_and_is_told_when_it_is_done(person: Person) -> None:
    """Only with what it was printed."""
    printed = person.lane("catch", "next").out
    (command,) = re.findall(r"^(lane catch submit w_\w+) <<'LANE'$", printed, re.MULTILINE)
    words = command.split()[1:]
    assert "t2.1 person" in printed
    assert "correction at" in printed
    wrong = person.lane(*words, given=ANSWER.replace('"correction"', '"preference"'))
    assert wrong.code == 2
    assert "memories[0].type: 'preference' will not do; one of: correction" in wrong.out
    assert f"lane {' '.join(words)}" in wrong.out
    right = person.lane(*words, given=f"```json\n{ANSWER}\n```")
    assert (right.code, right.out.startswith("kept: m_")) == (0, True)
    assert "1 memory can be improved" in right.out
    (command,) = re.findall(r"^(lane catch submit w_\w+) <<'LANE'$", right.out, re.MULTILINE)
    (memory,) = set(re.findall(r"\bm_\w{13}\b", right.out))
    improved = person.lane(*command.split()[1:], given=json.dumps({"memories": [{"id": memory, "cues": ["mail Amy"]}]}))
    assert improved.lines == [
        f"improved: {memory} correction: {LESSON['title']}",
        "That was the last one. You are done.",
    ]
    assert "answered before" in person.lane(*words, "--nothing").out
    assert "You are done" in person.lane("catch", "next").out
    assert LESSON["title"] in person.lane("mem", "list").out


def test_a_program_gets_one_document_for_each(person: Person) -> None:
    estimate = fits(person.lane("catch", "--estimate", "--json"))
    assert (estimate.data["windows"], estimate.data["model"]) == (1, None)
    handed = fits(person.lane("catch", "next", "--as", "me", "--json"))
    again = fits(person.lane("catch", "next", "--as", "me", "--short", "--json"))
    assert again.data["token"] == handed.data["token"]
    assert (again.data["instructions"], bool(handed.data["instructions"])) == ("", True)
    token = handed.data["token"]
    refused = fits(person.lane("catch", "submit", token, "--json", given='{"memories": [{}]}'))
    assert (refused.code, refused.data["taken"]) == (2, False)
    assert {problem["field"] for problem in refused.data["problems"]} >= {"memories[0].type", "memories[0].quotes"}
    taken = fits(person.lane("catch", "submit", token, "--json", given=ANSWER))
    assert [memory["title"] for memory in taken.data["made"]] == [LESSON["title"]]
    assert taken.document["meta"] == {"more": False, "left": 0}
    question = taken.data["next"]
    assert (question["kind"], [one["title"] for one in question["nearby"]]) == ("memories", [LESSON["title"]])
    assert fits(person.lane("catch", "submit", question["token"], "--nothing", "--json")).data["next"] is None
    assert fits(person.lane("catch", "next", "--json")).data is None


def test_windows_are_read_one_after_the_other_by_submit_alone(person: Person) -> None:
    for name in ("two", "three"):
        person.claude_run(name, f"Look at the {name} tables", "and at the sun", "thanks", "bye", project="tides")
    person.lane("capture")
    printed = person.lane("catch", "next").out
    assert "Window 1 of 3, token w_" in printed
    for number in (2, 3):
        (token,) = set(re.findall(r"token (w_\w+)", printed))
        printed = person.lane("catch", "submit", token, "--nothing").out
        assert f"Window {number} of 3, token w_" in printed
        assert "What to look for" not in printed
    (token,) = set(re.findall(r"token (w_\w+)", printed))
    assert person.lane("catch", "submit", token, "--nothing").lines[-1] == "That was the last one. You are done."


def test_several_windows_are_handed_out_at_once_and_the_last_answer_brings_no_other(person: Person) -> None:
    for name in ("two", "three"):
        person.claude_run(name, f"Look at the {name} tables", "and at the sun", "thanks", "bye", project="tides")
    person.lane("capture")
    handed = fits(person.lane("catch", "next", "--as", "me", "--count", "2", "--json"))
    first, second = handed.data["token"], handed.document["meta"]["others"][0]["token"]
    assert (handed.document["meta"]["left"], len(handed.document["meta"]["others"])) == (3, 1)
    assert f"Still yours to answer: {second}" in person.lane("catch", "submit", first, "--nothing").out
    last = person.lane("catch", "submit", second, "--nothing", "--last")
    assert last.lines[-1] == "1 window left: lane catch next --short"


def test_an_answer_may_stand_in_a_file_and_a_wrong_token_says_what_to_do(person: Person, tmp_path: Path) -> None:
    (tmp_path / "answer.json").write_text(ANSWER)
    token = person.lane("catch", "next", "--json").data["token"]
    assert "kept: m_" in person.lane("catch", "submit", token, "--file", str(tmp_path / "answer.json")).out
    lost = person.lane("catch", "submit", "w_nobody", "--nothing", "--json")
    assert (lost.code, lost.error["kind"]) == (2, "not-found")
    assert "lane catch next" in lost.error["hint"]


def test_a_terminal_is_not_waited_for(person: Person) -> None:
    token = person.lane("catch", "next", "--json").data["token"]
    assert "standard input" in person.on_screen("catch", "submit", token).out


def test_a_model_is_set_up_by_one_command_and_reads(person: Person) -> None:
    model = Model()
    model.usual = says({"memories": [LESSON]})
    try:
        words = ("--with", "openai", "--url", f"{model.url}/v1", "--name", "tiny", "--budget", "0.5")
        done = fits(person.lane("catch", "setup", *words, "--json"))
        assert done.data["settings"]["catch.model"] == "openai"
        told = person.lane("catch", "--estimate").out
        assert "openai/tiny: 0 paid tokens" in told
        assert "of $0.50" in told
        read = fits(person.lane("catch", "--json"))
        assert [memory["title"] for memory in read.data["held"]] == [LESSON["title"]]
        said = "tiny is on probation: 1 of 20 read; its memories wait for your review"
        assert (read.data["made"], read.document["meta"]["probation"]) == ([], said)
        assert len(model.asked) == 1
        shown = person.lane("mem", "show", read.data["held"][0]["id"]).out
        assert "its reader tiny is on probation" in shown
        assert said in person.lane("status").out
    finally:
        model.stop()


def test_an_estimate_says_how_long_the_caps_make_it_last(person: Person) -> None:
    for n in range(4):
        person.claude_run(f"more-{n}", "the tide tables are off by an hour", "still off", "thanks", "bye")
    assert person.lane("capture").code == 0
    person.lane("catch", "setup", "--with", "openai", "--url", "http://127.0.0.1:9/v1", "--name", "tiny")
    assert person.lane("catch", "--estimate").lines[0].startswith("5 windows no model or agent has read: about ")
    told = person.lane("catch", "--estimate", LANE_CATCH_DAILY_WINDOWS="2").lines[-1]
    assert told == "today: $0.00 of $1.00, 0 of 2 questions; at these caps about 4 days"


def test_what_keeps_many_windows_open_is_said_once(person: Person) -> None:
    for n in range(3):
        person.claude_run(f"more-{n}", "the tide tables are off by an hour", "still off", "thanks", "bye")
    assert person.lane("capture").code == 0
    model = Model()
    model.usual = status(401)
    try:
        person.lane("catch", "setup", "--with", "openai", "--url", f"{model.url}/v1", "--name", "tiny")
        ran = person.lane("catch")
    finally:
        model.stop()
    (note,) = [line for line in (ran.out + ran.err).splitlines() if "still open" in line]
    assert note == f"note: still open: 4 windows: tiny at {model.url} rejected the key (401)"


def test_where_nothing_is_set_up_nothing_is_made(tmp_path: Path) -> None:
    ran = Person(tmp_path, quick=True, variables=PLAIN).lane("catch")
    assert (ran.code, "is not set up here yet" in ran.err) == (3, True)
    assert list(tmp_path.iterdir()) == []


def test_a_person_reads_why_something_was_refused(person: Person) -> None:
    key = "AKIA" + "QLZ7M3XW5TRD2VNB"  # the shape of a cloud access key, made up
    person.claude_run("key", f"always use {key} for staging, because the other one is rotated", "thanks", "bye", "ok")
    assert person.lane("capture").code == 0
    said = person.lane("catch").err
    assert "1 refused (aws-access-key)" in said
    assert key not in said


def test_when_everything_is_read_that_is_said(person: Person) -> None:
    assert "1 window in" in person.lane("catch").err
    assert person.lane("catch").err == "Nothing new to read.\n"


def test_a_tick_that_cannot_reach_its_reader_still_says_what_it_captured(person: Person) -> None:
    """The timer may not see the variable a shell has."""
    words = ("catch", "setup", "--with", "openai", "--url", "http://127.0.0.1:9/v1", "--name", "tiny")
    assert person.lane(*words, "--key-variable", "TINY_KEY", TINY_KEY="k").code == 0
    person.claude_run("two", "the tide tables are off by an hour")
    ran = person.lane("tick")
    assert ran.code == 0
    told = {record[1]: record for record in ran.records}
    assert (told["unread"][0], told["captured"][0]) == ("warn", "ok")
    assert "TINY_KEY" in told["unread"][2]


def test_what_would_not_work_is_said_when_it_is_set_up(person: Person) -> None:
    before = person.lane("config", "get", "catch.with").out
    for words, said in [
        (["--with", "anthropic"], "ANTHROPIC_API_KEY"),
        (["--with", "openai", "--url", "ftp://x"], "http://"),
        (["--with", "command"], "which command"),
    ]:
        ran = person.lane("catch", "setup", *words)
        assert ran.code != 0
        assert said in ran.err
    assert person.lane("config", "get", "catch.with").out == before
    assert person.lane("catch", "setup").code == 2  # nobody there to answer
    assert person.lane("catch", "setup", "--with", "none").code == 0
    assert "none" in person.lane("config", "get", "catch.with").out


def test_a_person_is_shown_what_is_here_and_chooses(person: Person) -> None:
    with seated(person, "catch", "setup", rows=50, ANTHROPIC_API_KEY="not-a-key", PATH="") as seat:
        seen = seat.sees("1  Anthropic API", "2  Built-in classifier only", "Enter: 1, Anthropic API")
        assert "the key in ANTHROPIC_API_KEY" in seen
        assert "masked passages go to Anthropic" in seen
        assert "not-a-key" not in seen
        seat.press("1")
        assert seat.ends() == 0
    assert "anthropic" in person.lane("config", "get", "catch.model").out
    assert "not-a-key" not in (person.lane_home / "config.toml").read_text()


class Ollama(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        models = [{"name": "nomic-embed-text", "size": 9}, {"name": "small", "size": 1}, {"name": "large", "size": 5}]
        body = json.dumps({"models": models}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed."""


@pytest.fixture
def ollama() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Ollama)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_models_that_run_here_are_found_the_largest_first(ollama: str) -> None:
    assert served(ollama) == ["large", "small"]
    assert served("http://127.0.0.1:9") == []
