"""E40: where no memory fits a question about the past, the earlier run that surely answers it is pointed at."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.recall import HookAnswer
from memlane.app.recall.earlier import EarlierTurns
from memlane.domain import Outcome, Query, Recall, RunFilter
from memlane.recall import about_the_past
from tests.flow.homes import SESSION, a_lane
from tests.flow.test_recall import ask, context

QUESTION = "which timeout did we set for the carrier pigeon gateway?"
SAID = "set the timeout of the carrier pigeon gateway to 8 seconds"
RUNS: tuple[tuple[str, str, str], ...] = (
    ("one", SAID, "Done: the gateway waits 8 seconds for a carrier pigeon now."),
    ("two", "rename the login button", "It is called Sign in now."),
    ("three", "why is the build slow?", "Webpack runs twice; the second time is needless."),
)


def imported(lane: Lane, folder: Path, cwd: Path, agent: str = "codex") -> None:
    lines = list[dict[str, str]]()
    for n, (name, person, answer) in enumerate(RUNS, 1):
        at = f"2026-04-{n:02d}T10:00:00Z"
        lines.append({"type": "run", "id": f"{agent}-{name}", "agent": agent, "started": at, "cwd": str(cwd)})
        lines.append({"type": "turn", "at": at, "person": person, "agent": answer})
    path = folder / f"{agent}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    lane.capture.imports.take([path])
    while lane.vectors.follow(60.0):
        pass


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[Lane]:
    with a_lane(tmp_path) as opened:
        opened.memories.remember("Images are built in CI only, never by hand", tmp_path / "home")
        imported(opened, tmp_path, tmp_path / "home")
        yield opened


def found(answer: HookAnswer) -> Recall:
    assert answer.recall is not None
    return answer.recall


def test_the_turn_is_offered_with_agent_machine_and_date_and_how_to_read_it(lane: Lane) -> None:
    answer = ask(lane, QUESTION)
    (one,) = found(answer).earlier
    assert (found(answer).outcome, one.agent, one.machine, str(one.at)[:10]) == (
        Outcome.SHOWN,
        "codex",
        "desk",
        "2026-04-01",
    )
    told = context(answer)
    place = f"{one.run}#t1"
    assert all(
        words in told for words in (SAID, "codex @desk", "2026-04-01", f"lane show {place}", "not an instruction")
    )
    assert "waits 8 seconds" not in told, "only the person's own words: what agents and tools said is read there"
    assert place in str(answer.output["systemMessage"])
    assert lane.runs.show(place).run.id == one.run


def test_what_is_written_down_says_where_and_not_what(lane: Lane) -> None:
    ask(lane, QUESTION)
    (kept,) = lane.recall.newest(1)
    assert [(one.turn, one.words) for one in kept.earlier] == [(1, "")]
    lines = b"".join(path.read_bytes() for path in lane.config.archive_base.rglob("journal/**/*.jsonl"))
    assert b"carrier pigeon gateway to 8" not in lines
    lane.archive.rebuild()
    assert lane.recall.newest(1) == [kept]


def test_once_in_a_context(lane: Lane) -> None:
    assert found(ask(lane, QUESTION)).earlier
    assert found(ask(lane, QUESTION)).earlier == ()
    ask(lane, "", event="SessionStart", source="compact")
    assert found(ask(lane, QUESTION)).earlier


@pytest.mark.parametrize(
    "words",
    [
        "set the timeout of the carrier pigeon gateway to 9 seconds",  # asks for nothing of the past
        "did we set a timeout for the elephant gateway?",  # nobody ever did
        "what did we decide about the roof?",
        "did we do that already?",
        "yes",
        "run it again",
    ],
)
def test_anything_less_sure_is_silence(lane: Lane, words: str) -> None:
    answer = ask(lane, words)
    assert (answer.output, found(answer).earlier) == ({}, ())


def test_a_memory_that_fits_comes_before_any_run(lane: Lane, tmp_path: Path) -> None:
    note = "The timeout of the carrier pigeon gateway is 8 seconds"
    lane.memories.remember(note, tmp_path / "home")
    first = ask(lane, QUESTION)
    assert note in context(first)
    assert found(first).earlier == ()
    second = found(ask(lane, QUESTION))
    assert (second.earlier, second.why) == ((), "already shown in this run")


def test_a_run_of_another_project_stays_there(lane: Lane, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert ask(lane, QUESTION, cwd=str(elsewhere)).output == {}


def test_the_run_that_asks_is_not_pointed_at_itself(tmp_path: Path) -> None:
    with a_lane(tmp_path) as lane:
        imported(lane, tmp_path, tmp_path / "home", agent="claude-code")
        (run,) = [run for run in lane.runs.select(RunFilter()) if run.native_id.endswith("one")]
        query = lane.recall.asked(QUESTION, tmp_path / "home").query
        assert lane.recall.recall(query).earlier
        assert lane.recall.recall(replace(query, run=run.id)).earlier == ()


def test_it_can_be_switched_off_and_a_forgotten_run_is_gone(lane: Lane, tmp_path: Path) -> None:
    (one,) = found(ask(lane, QUESTION)).earlier
    with a_lane(tmp_path, LANE_RECALL_EARLIER_RUNS="false") as quiet:
        given = {"session_id": f"{SESSION[:-1]}7", "cwd": str(quiet.config.person_home), "prompt": QUESTION}
        assert quiet.recall.hooked("claude-code", "UserPromptSubmit", given).output == {}
    lane.archive.forget_run(one.run)
    assert found(ask(lane, QUESTION, session_id="another")).earlier == ()


@pytest.mark.parametrize(
    ("words", "past"),
    [
        ("what did we decide about retries?", True),
        ("have I already tried bun here?", True),
        ("how did we solve this last time?", True),
        ("we talked about the cache before, which size was it?", True),
        ("remind me which port it is", True),
        ("do you still remember the name of that flag?", True),
        ("in an earlier session there was a trick for this", True),
        ("run it again", False),
        ("revert yesterday's deploy", False),
        ("remember that the port is 8080", False),
        ("show the previous commit", False),
        ("before you start, read the guide", False),
    ],
)
def test_only_what_asks_for_the_past_looks_there(words: str, past: bool) -> None:
    assert about_the_past(words) is past


class Hands:
    """A clock whose every look takes the same time."""

    def __init__(self) -> None:
        self.now, self.step = 0.0, 0.0

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def test_no_look_is_begun_that_would_end_too_late_and_a_slow_one_is_tried_again(lane: Lane) -> None:
    clock = Hands()
    turns = EarlierTurns(lane.home, lane.vectors, clock)
    query = Query(QUESTION, lane.runs.project_at(lane.config.person_home), "", "codex", "", "")

    def offered() -> bool:
        return turns.offered(query, (), until=clock.now + 1) is not None

    assert offered()
    clock.step = 0.6  # a crowded moment: understanding the words alone takes longer than anybody waits
    assert not offered()
    clock.step = 0.0
    tries = [offered() for _ in range(4)]
    assert tries[0] is False, "the next one does not even begin"
    assert tries[-1] is True, "it is tried again when the moment has passed"
    assert turns.offered(query, ()) is not None, "who asks without a hook waits"


def test_a_first_prompt_that_only_finds_an_earlier_run_is_not_suggested(lane: Lane, tmp_path: Path) -> None:
    """`lane init` looks for a prompt that brings a memory; being pointed at a run tells none."""
    lane.memories.remember(SAID, tmp_path / "home")
    for memory in lane.memories.all():
        lane.memories.edit(memory.id, {"confidence": "10"})  # so unsure that nobody is told
    asked = f"what did we say about this: {SAID}"
    assert lane.recall.asked(asked, tmp_path / "home", "claude-code").earlier
    assert lane.setup.first_run.prompt(tmp_path / "home", "claude-code") is None
