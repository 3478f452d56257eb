"""Windows handed to agents: each to one of them, answers checked while they can be mended, nothing kept twice."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.catch.assignments import agent, claimer
from memlane.app.home import Home
from memlane.catch.windows.borders import TURNS
from memlane.config import load
from memlane.domain import State
from memlane.errors import NotFoundError
from tests.flow.homes import a_lane, answer, called, prompt, returned, said, transcript, write

NOW = datetime(2026, 5, 2, 9, 0, tzinfo=UTC)
NOTHING = '{"memories": []}'
LESSON = {
    "type": "correction",
    "title": "Amy Hoy prefers a casual, friendly tone in mail",
    "content": "Mail to Amy Hoy is casual and friendly, never formal.",
    "quotes": [{"step": "t2.1", "words": "Amy and I are casual, use a friendly tone"}],
    "reasoning": "The person corrected a formal draft.",
    "confidence": 92,
    "scope": "person",
}


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def home(folder: Path, clock: Clock, **variables: str) -> Lane:
    """What readers find is asked here: what is taught plainly would be there before them."""
    (folder / "home").mkdir(exist_ok=True)
    known = {"HOME": str(folder / "home"), "LANE_HOME": str(folder / "lane"), "LANE_USER": "ann", "LANE_MACHINE": "d"}
    return Lane(load(known | {"LANE_CATCH_TEACHINGS": "false"} | variables), clock)


def records(number: int, words: Sequence[str]) -> list[dict[str, object]]:
    """A Run of its own: no id of another one's."""
    made: list[dict[str, object]] = []
    for n, text in enumerate(words, 1):
        for record in (prompt(text, n), answer([said(f"Done, {text[:20]}.")], n)):
            made.append({**record, "uuid": f"{number:08d}-0000-4000-{len(made):04d}-000000000000"})
    return made


def a_run(folder: Path, number: int, *words: str) -> None:
    name = f"{number:08d}-2222-4333-8444-555555555555"
    path = transcript(folder, name)
    write(path, [{**record, "sessionId": name} for record in records(number, words)])


AMY = ("Send an email to Amy", "No, Amy and I are casual, use a friendly tone", "thanks")
PLAIN = ("Look at the tide tables", "Look at the wind tables", "Look at the sun tables")


@pytest.fixture
def two(tmp_path: Path, clock: Clock) -> Lane:
    """A Run with a correction in it, and a newer one without."""
    a_run(tmp_path, 1, *AMY)
    a_run(tmp_path, 2, *PLAIN, "Look at the moon tables")
    lane = home(tmp_path, clock)
    lane.capture.sweep()
    return lane


def answered(**changed: object) -> str:
    return json.dumps({"memories": [LESSON | changed]})


def test_what_promises_most_is_read_first_and_no_two_agents_get_the_same(two: Lane) -> None:
    with two:
        first, second, third = (two.catch.assignments.next(by) for by in ("one", "two", "three"))
        assert first
        assert second
        assert first.window.triggers
        assert first.window.run != second.window.run
        assert third is None
        assert "t2.1 person" in first.text
        assert first.instructions


def test_windows_of_one_run_are_read_oldest_first(tmp_path: Path, clock: Clock) -> None:
    """Also where the later one promises more."""
    a_run(tmp_path, 1, *(f"Look at table {n}" for n in range(TURNS)), "No, that is wrong, always use the tide tables")
    with home(tmp_path, clock) as lane:
        lane.capture.sweep()
        first, second = (lane.catch.assignments.next(by) for by in ("one", "two"))
        assert first
        assert second
        assert str(first.window.first) == "t1.1"
        assert first.window.last < second.window.first
        assert second.window.triggers


def test_whoever_asks_twice_has_the_same_window_and_an_unknown_one_another(two: Lane) -> None:
    with two:
        first, again = two.catch.assignments.next("one"), two.catch.assignments.next("one")
        assert first
        assert again
        assert (again.token, again.again) == (first.token, True)
        nameless = two.catch.assignments.next()
        assert nameless
        assert nameless.token != first.token


@pytest.mark.fault("G6")
def test_a_window_nobody_answers_goes_to_the_next_agent_and_the_first_is_told(two: Lane, clock: Clock) -> None:
    with two:
        first = two.catch.assignments.next("one")
        two.catch.assignments.next("two")
        assert first
        clock.now += timedelta(minutes=31)
        taken = two.catch.assignments.next("three")
        assert taken
        assert taken.window.key == first.window.key
        with pytest.raises(NotFoundError, match="another agent") as caught:
            two.catch.assignments.submit(first.token, NOTHING)
        assert caught.value.hint == "lane catch next"
        assert not two.catch.assignments.submit(taken.token, NOTHING).problems
        assert two.catch.assignments.submit(first.token, NOTHING).already == "this window has been read since"


@pytest.mark.fault("G6")
def test_a_window_that_somebody_else_has_read_keeps_nobody_from_the_next(two: Lane, clock: Clock) -> None:
    with two:
        late, other = two.catch.assignments.several("one", count=2)
        clock.now += timedelta(minutes=31)
        taken = two.catch.assignments.next("two")
        assert taken
        assert taken.window.key == late.window.key
        two.catch.assignments.submit(taken.token, NOTHING)
        two.catch.assignments.submit(other.token, NOTHING)
        assert two.catch.assignments.unanswered(other.token) == []


def test_an_answer_that_comes_late_counts_if_nobody_else_has_the_window(two: Lane, clock: Clock) -> None:
    with two:
        first = two.catch.assignments.next("one")
        assert first
        clock.now += timedelta(hours=3)
        again = two.catch.assignments.next("one")
        assert again
        assert again.token == first.token
        clock.now += timedelta(hours=3)
        assert len(two.catch.assignments.submit(first.token, answered()).caught.made) == 1


def test_an_answer_becomes_a_memory_once_however_often_it_is_sent(two: Lane) -> None:
    with two:
        handed = two.catch.assignments.next("one")
        assert handed
        taken = two.catch.assignments.submit(handed.token, f"Here it is:\n```json\n{answered()}\n```")
        (memory,) = taken.caught.made
        assert (memory.title, memory.state) == (LESSON["title"], State.ACTIVE)
        assert memory.maker.startswith("agent@")
        assert memory.evidence[0].step.endswith("#t2.1")
        assert two.catch.assignments.progress().left == 1
        for token in (handed.token, handed.token[:8]):
            again = two.catch.assignments.submit(token, answered(title="Something else", type="decision"))
            assert (again.caught.made, memory.id in again.already) == ((), True)
        other = two.catch.assignments.next("one")
        assert other
        assert other.window.run != handed.window.run
        assert not two.catch.assignments.submit(other.token, NOTHING).problems
        assert two.catch.assignments.progress().left == 0
        assert two.catch.assignments.next("one") is None
        assert [found.id for found in two.memories.all()] == [memory.id]


def test_what_is_wrong_is_told_and_nothing_is_kept_until_it_is_mended(two: Lane) -> None:
    with two:
        handed = two.catch.assignments.next("one")
        assert handed
        for wrong, named in [
            ("nothing here", "no JSON object"),
            (answered(type="preference"), "memories[0].type"),
            (answered(quotes=[{"step": "t2.1", "words": "Amy is casual"}]), "word for word"),
            (
                answered(title="The function parse is in reader.py", content="The function parse is in reader.py."),
                "fix it",
            ),
        ]:
            taken = two.catch.assignments.submit(handed.token, wrong)
            assert any(named in str(problem) for problem in taken.problems), taken.problems
        assert two.memories.all() == []
        assert len(two.catch.assignments.submit(handed.token, answered()).caught.made) == 1


def test_a_token_nobody_was_given_says_what_to_do(two: Lane) -> None:
    with two, pytest.raises(NotFoundError, match="unknown token") as caught:
        two.catch.assignments.submit("w_nobody", NOTHING)
    assert "lane catch next" in caught.value.hint


def test_a_kill_between_the_journal_and_the_claim_is_harmless(two: Lane, clock: Clock, tmp_path: Path) -> None:
    with two:
        handed = two.catch.assignments.next("one")
        assert handed
        before = (tmp_path / "lane" / "catch" / "claims.json").read_bytes()
        two.catch.assignments.submit(handed.token, answered())
    (tmp_path / "lane" / "catch" / "claims.json").write_bytes(before)
    with home(tmp_path, clock) as lane:
        assert lane.catch.assignments.submit(handed.token, answered()).already == "this window has been read since"
        assert len(lane.memories.all()) == 1


def test_what_another_reader_read_in_the_meantime_is_no_work_any_more(two: Lane) -> None:
    with two:
        handed = two.catch.assignments.next("one")
        assert handed
        two.catch.keep(handed.window, two_read(), Other())
        assert two.catch.assignments.submit(handed.token, answered()).already
        again = two.catch.assignments.next("one")
        assert again
        assert again.token != handed.token


def two_read() -> object:
    from memlane.domain import WindowDrafts

    return WindowDrafts(())


class Other:
    name, version = "model", "x"


def test_who_reads_is_known_by_what_agents_tell_their_commands(tmp_path: Path) -> None:
    def told(**variables: str) -> Home:
        return a_lane(tmp_path, **variables).home

    assert claimer(told(CLAUDE_CODE_SESSION_ID="abc")) == claimer(told(CLAUDE_CODE_SESSION_ID="abc", PATH="x")) != ""
    assert claimer(told()) == ""
    assert (agent(told(CLAUDECODE="1")), agent(told())) == ("claude-code", "agent")
    assert agent(told(AI_AGENT="x y/z")) == "xyz"
    assert agent(told(GEMINI_CLI="1")) == "gemini-cli"


def test_windows_in_transcripts_are_never_caught_again(tmp_path: Path, clock: Clock) -> None:
    """The agent that reads leaves all of it in its own transcript, round after round."""
    a_run(tmp_path, 1, *AMY)
    lane = home(tmp_path, clock)
    lane.capture.sweep()
    for number in range(2, 12):
        handed = lane.catch.assignments.next("one")
        printed = f"{handed.instructions}\n{handed.text}" if handed else "Nothing to read"
        token = handed.token if handed else "w_none"
        name = f"{number:08d}-2222-4333-8444-555555555555"
        rounds = [
            prompt("catch what is there", 1),
            answer([called("Bash", {"command": "lane catch next"}, "toolu_1")], 1),
            returned(printed, "toolu_1", 2),
            answer(
                [called("Bash", {"command": f"lane catch submit {token} <<'LANE'\n{answered()}\nLANE"}, "toolu_2")], 2
            ),
            returned("kept: m_x", "toolu_2", 3),
            answer([called("Read", {"file_path": "window.txt"}, "toolu_3")], 3),
            returned(printed, "toolu_3", 4),
            answer([said("Done.")], 5),
            prompt("thanks", 6),
        ]
        made = [
            {**r, "sessionId": name, "uuid": f"{number:08d}-0000-4000-{n:04d}-0000000"} for n, r in enumerate(rounds)
        ]
        write(transcript(tmp_path, name), made)
        if handed:
            lane.catch.assignments.submit(handed.token, answered() if number == 2 else NOTHING)
            assert "use a friendly tone" not in handed.text or handed.window.run == first_run(lane)
        lane.capture.sweep()
    assert len(lane.memories.all()) == 1
    lane.close()


def first_run(lane: Lane) -> str:
    from memlane.domain import RunFilter

    return min(lane.runs.select(RunFilter()), key=lambda run: run.native_id).id
