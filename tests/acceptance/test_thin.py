"""A thin machine: it captures and sends, Central reads for it, and its hooks ask Central or stay silent."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from campaigns.agents import until
from tests.acceptance.central import Central, archived, machine, serving
from tests.acceptance.command_line import Person
from tests.acceptance.hooks import NOTE, PROMPT, UNRELATED, HookHome, installed


@dataclass(frozen=True)
class Thin:
    central: Central
    person: Person
    hooks: HookHome

    def work(self) -> None:
        assert self.central.person.lane("work", "--once").code == 0

    def send(self) -> None:
        """All it has, the note included; Central has read it then."""
        assert self.person.lane("ship", "--now").code == 0
        self.work()


@pytest.fixture(scope="module")
def thin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Thin]:
    home = tmp_path_factory.mktemp("tablet")
    with serving(tmp_path_factory.mktemp("central")) as central:
        person = machine(home, "tablet")
        joined = person.lane("join", central.url, "--code", central.invite("noor"), "--thin", "--json")
        assert joined.code == 0, joined
        learned = person.lane("remember", NOTE, "--scope", "person", "--json")
        assert learned.code == 0, learned
        hooks = installed(home, person.lane_home)
        yield Thin(central, person, hooks)
        hooks.end()


def test_it_has_no_index_and_central_answers_for_it(thin: Thin) -> None:
    thin.person.claude_run("one", "the lighthouse keeper counts the ships", "and writes them down")
    ran = thin.person.lane("capture", "--json")
    assert ran.code == 0, ran
    (captured,) = ran.data
    assert thin.person.lane("search", "lighthouse", "--here", "--json").data == []
    assert not any((thin.person.lane_home / "index").rglob("*.idx")), "terms were indexed"
    assert thin.person.lane("ship", "--now").code == 0
    assert archived(thin.person, "noor") == thin.central.archive("noor")
    thin.work()

    (hit,) = thin.person.lane("search", "lighthouse", "--json").data
    assert (hit["run"], hit["machine"]) == (captured["run"], "tablet")
    (run,) = thin.person.lane("runs", "--json").data
    assert run["first"]["text"] == "the lighthouse keeper counts the ships"
    shown = thin.person.lane("show", captured["run"], "--json").data
    assert shown["turns"][1]["person"] == "and writes them down"
    assert thin.person.lane("tick", "--json").code == 0


def test_its_hooks_are_told_what_central_knows(thin: Thin) -> None:
    thin.send()
    assert NOTE in thin.hooks.told(PROMPT)
    assert thin.hooks.ask(UNRELATED, session="other").silent

    # Central has written it down, in the id of the tablet's own run
    (recall, *_) = [one for one in recalls(thin) if one["outcome"] == "shown"]
    thin.person.lane("ship", "--now")
    assert any(one["id"] == recall["id"] for one in thin.person.lane("recalls", "--json").data)

    asked = thin.person.lane("recall", PROMPT, "--json")
    assert [one["title"] for one in asked.data] == [NOTE]


def recalls(thin: Thin) -> list[dict[str, object]]:
    thin.person.lane("ship", "--now")
    return thin.person.lane("recalls", "--json").data


def test_what_is_taught_on_it_is_kept_by_central(thin: Thin) -> None:
    taught = "from now on always deploy the shop with make ship"
    assert until(lambda: "make ship" in json.dumps(thin.hooks.ask(taught, session="teach").stdout.decode()))
    assert until(lambda: any("make ship" in one["title"] for one in memories(thin)))


def memories(thin: Thin) -> list[dict[str, str]]:
    thin.person.lane("ship", "--now")
    return thin.person.lane("mem", "list", "--json").data


def test_central_reads_its_runs_for_memories(thin: Thin) -> None:
    """In a transcript that no hook has seen; a full machine would have read it itself."""
    thin.person.claude_run(
        "orders", "From now on always keep the orders in Postgres, never in MySQL.", "go on", "thanks"
    )
    thin.person.lane("capture")
    assert not any("Postgres" in one["title"] for one in memories(thin))
    thin.work()
    assert any("Postgres" in one["title"] for one in memories(thin))


def test_a_turn_that_ends_is_captured_and_sent(thin: Thin) -> None:
    grown = thin.person.claude_run("two", "the harbour master naps at noon")
    thin.hooks.call("Stop", thin.hooks.given("Stop", session="two", transcript_path=str(grown)))

    def arrived() -> bool:
        return any(grown.read_bytes() == data for data in thin.central.archive("noor").values())

    assert until(arrived)


def test_its_hooks_are_silent_when_central_is_away_and_nothing_is_lost(thin: Thin) -> None:
    thin.send()
    assert NOTE in thin.hooks.told(PROMPT)
    thin.central.server.send_signal(signal.SIGSTOP)
    try:
        assert thin.hooks.ask(PROMPT, session="away").silent
        assert thin.hooks.ask(PROMPT, session="away again").silent
        thin.person.claude_run("three", "said while central was away")
        assert len(thin.person.lane("capture", "--json").data) == 1
    finally:
        thin.central.server.send_signal(signal.SIGCONT)
    assert until(lambda: NOTE.encode() in thin.hooks.ask(PROMPT, session=f"back {time.monotonic_ns()}").stdout)
    assert thin.person.lane("ship", "--now").code == 0
    assert archived(thin.person, "noor").items() <= thin.central.archive("noor").items()


def test_one_that_recall_is_off_for_asks_nobody(thin: Thin) -> None:
    before = len(recalls(thin))
    off = {"LANE_OFF": "1"}
    assert thin.hooks.ask(PROMPT, session="off", **off).silent
    assert len(recalls(thin)) == before


def test_init_on_it_says_where_everything_goes(thin: Thin) -> None:
    thin.person.claude_run("zero", "the first thing that was said here")
    ran = thin.person.lane("init", "--yes")
    said = ran.out + ran.err
    assert f"and to {thin.central.url}" in said
    assert "nothing is sent anywhere" not in said
    assert "lane catch setup" not in said


def test_joining_thin_empties_an_index_and_joining_anew_builds_it_again(thin: Thin, tmp_path: Path) -> None:
    person = machine(tmp_path / "desk", "desk", "ida")
    person.claude_run("one", "the baker counts the loaves")
    person.lane("capture")
    assert len(person.lane("search", "loaves", "--json").data) == 1
    for words, found in (((), 1), (("--thin",), 0), ((), 1)):
        joined = person.lane("join", thin.central.url, "--code", thin.central.invite("ida"), *words, "--json")
        assert joined.code == 0, joined
        person.lane("capture")
        assert len(person.lane("search", "loaves", "--here", "--json").data) == found, words
