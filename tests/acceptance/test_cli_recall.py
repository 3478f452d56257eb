"""Notes made by hand, what would be recalled, and what was: told with its reasons, or why nothing was."""

from __future__ import annotations

import signal
from dataclasses import replace

import pytest

from memlane.config import load
from memlane.domain import Outcome
from memlane.lane import Lane
from tests.acceptance.command_line import Person
from tests.conftest import LaneHome

NOTE = "Deploys of the shop go through make ship, never through kubectl apply"
PROMPT = "how do deploys of the shop go, through make ship or kubectl apply?"


@pytest.fixture
def person(lane_home: LaneHome) -> Person:
    someone = Person(lane_home.home, quick=True)
    assert someone.lane("remember", NOTE, "--scope", "global").code == 0
    return someone


def asked(person: Person, prompt: str, session: str = "s1", outcome: Outcome | None = None) -> None:
    """As the hook asks and writes down."""
    with Lane(load(person.surroundings({}))) as lane:
        given = {"session_id": session, "cwd": str(person.home), "prompt": prompt, "transcript_path": ""}
        recall = lane.recalling.hooked("claude-code", "UserPromptSubmit", given).recall
        assert recall is not None
        lane.recalling.keep(replace(recall, outcome=outcome) if outcome else recall)


def test_a_note_is_active_at_once_and_what_looks_like_a_secret_in_it_is_masked(person: Person) -> None:
    note = person.lane("mem", "list", "--json").data[0]
    assert (note["content"], note["state"], note["trust"], note["scope"]) == (NOTE, "active", "person", "global")
    key = "AKIA" + "QPW7ZVX2MNB4LKJH"
    masked = person.lane("remember", f"the old key was {key}, revoked", "--type", "learning")
    assert "masked" in masked.err
    assert key not in person.lane("mem", "list", "--json").out
    assert not [p for p in person.lane_home.rglob("*") if p.is_file() and key.encode() in p.read_bytes()]


def test_a_note_can_come_from_a_pipe(person: Person) -> None:
    made = person.lane("remember", "-", "--json", given="tests run with pytest -q\n").data
    assert made["content"] == "tests run with pytest -q"
    assert made["project"] == person.home.name


def test_memories_are_listed_by_what_they_are(person: Person) -> None:
    person.lane("remember", "a decision for this folder", "--type", "decision")
    assert len(person.lane("mem", "list").records) == 2
    assert [m["type"] for m in person.lane("mem", "list", "--type", "decision", "--json").data] == ["decision"]
    assert [m["scope"] for m in person.lane("mem", "list", "--scope", "global", "--json").data] == ["global"]
    assert len(person.lane("mem", "list", "--project", ".", "--json").data) == 2
    assert person.lane("mem", "list", "--state", "forgotten", "--json").data == []


def test_a_forgotten_memory_is_recalled_no_more_until_it_is_restored(person: Person) -> None:
    (memory,) = [m["id"] for m in person.lane("mem", "list", "--json").data]
    assert person.lane("mem", "forget", memory[:8]).code == 0
    assert person.lane("recall", PROMPT, "--json").data == []
    assert person.lane("mem", "list", "--json").data == []
    assert [m["id"] for m in person.lane("mem", "list", "--state", "all", "--json").data] == [memory]
    assert person.lane("mem", "restore", memory).code == 0
    assert [m["memory"] for m in person.lane("recall", PROMPT, "--json").data] == [memory]


def test_several_are_forgotten_all_or_none(person: Person) -> None:
    (memory,) = [m["id"] for m in person.lane("mem", "list", "--json").data]
    assert person.lane("mem", "forget", memory, "m_zzzzzz").code == 2
    assert len(person.lane("mem", "list", "--json").data) == 1


def test_what_would_be_recalled_says_why_and_writes_nothing_down(person: Person) -> None:
    ran = person.lane("recall", PROMPT, "--cwd", str(person.home), "--json")
    (match,) = ran.data
    assert match["title"].startswith("Deploys of the shop")
    assert sum(match["parts"].values()) == pytest.approx(match["score"], abs=1e-3)
    assert ran.document["meta"]["silent"] is False
    silent = person.lane("recall", "rename the variable in the parser", "--json")
    assert (silent.data, silent.document["meta"]["silent"]) == ([], True)
    assert silent.document["meta"]["why"]
    assert person.lane("recalls", "--json").data == []
    assert "LANE_OFF" in person.lane("recall", PROMPT, LANE_OFF="1").err


def test_why_tells_the_last_recall_with_parts_that_add_up(person: Person) -> None:
    assert "Nothing has been recalled yet" in person.lane("why").err
    asked(person, PROMPT)
    ran = person.lane("why", "--json")
    assert ran.data["query"] == PROMPT
    (match,) = ran.data["shown"]
    assert sum(match["parts"].values()) == pytest.approx(match["score"], abs=1e-3)
    text = person.lane("why").out
    assert f'Looked for: "{PROMPT}"' in text
    assert "meaning ." in text
    assert person.lane("why", ran.data["id"], "--json").data["id"] == ran.data["id"]


def test_told_silent_not_looked_and_too_slow_are_four_different_texts(person: Person) -> None:
    texts: list[str] = []
    for prompt, outcome in (
        (PROMPT, None),
        ("rename the variable in the parser", None),
        (PROMPT, Outcome.NOT_LOOKED),
        (PROMPT, Outcome.TOO_SLOW),
    ):
        asked(person, prompt, session=f"s{len(texts)}", outcome=outcome)
        texts.append(person.lane("why").out.split("\n\n")[1].split(":")[0].split(",")[0].strip())
    assert len(set(texts)) == 4
    assert [r["outcome"] for r in person.lane("recalls", "--json").data] == [
        "too-slow",
        "not-looked",
        "silent",
        "shown",
    ]


def test_recalls_are_listed_and_followed_live(person: Person) -> None:
    asked(person, PROMPT)
    following = person.start("recalls", "--follow", "--jsonl")
    assert following.stderr is not None
    assert following.stdout is not None
    assert b"waiting" in following.stderr.readline()
    asked(person, "and how do deploys of the worker go, through make ship?", session="s2")
    assert b"worker" in following.stdout.readline()
    following.send_signal(signal.SIGINT)
    following.communicate()
    assert len(person.lane("recalls").records) == 2
    assert len(person.lane("recalls", "--limit", "1", "--json").data) == 1
