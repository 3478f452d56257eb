"""What becomes active is decided by the evidence and by how its reader did, never by the number a reader gives."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from memlane.app import Lane
from memlane.domain import Level, Memory, State
from tests.flow.homes import a_lane
from tests.flow.listeners import index_gone
from tests.flow.talks import Talk, lesson
from tests.flow.test_many_memories import drawn
from tests.rooms.llm.server import Model, body_of

ANSWERS = Path(__file__).parent.parent / "fixtures" / "answers"
SMALL, CLAUDE = "qwen-1.5b", "claude-haiku-5"
NOTHING: Mapping[str, Any] = {"memories": []}


def recorded(name: str) -> list[Mapping[str, Any]]:
    return json.loads((ANSWERS / f"{name}.json").read_text())


@pytest.fixture
def model() -> Iterator[Model]:
    server = Model()
    yield server
    server.stop()


def a_home(folder: Path, model: Model, name: str) -> Lane:
    settings = {
        "LANE_CATCH_WITH": "model",
        "LANE_CATCH_MODEL": "anthropic" if name == CLAUDE else "openai",
        "LANE_CATCH_NAME": name,
        "LANE_CATCH_URL": model.url,
        "LANE_EMBED_MODEL": "none",
        "LANE_CATCH_DAILY_WINDOWS": "1000",
        "ANTHROPIC_API_KEY": "for-a-server-of-our-own",
        "LANE_CATCH_TEACHINGS": "false",  # test_teachings.py has what is taught in plain words
    }
    return a_lane(folder, **settings)


def caught(lane: Lane, model: Model, *told: tuple[Talk, Mapping[str, Any]]) -> Sequence[Memory]:
    """What was made of these runs, one after the other, as the model answers about each."""
    made = list[Memory]()
    for talk, answer in told:
        talk.kept()
        model.usual = lambda asked, answer=answer: asked.send(200, body_of(asked, answer))
        lane.capture.sweep()
        report = lane.catch.run()
        assert not report.unread, report.unread
        made += report.kept.made
    return made


def junk(folder: Path) -> list[tuple[Talk, Mapping[str, Any]]]:
    talks = (
        Talk(folder, 1, day="2026-05-01")
        .person("put the opening hours into the readme")
        .agent("Updated README.md with the opening hours.")
        .person("run it")
        .tool("Bash", {"command": "ferry show"}, "timetable: 42 rows read from ferry.csv"),
        Talk(folder, 2, day="2026-05-02")
        .person("what does the parser do?")
        .agent("The parser reads every line into a list.")
        .person("and the map?"),
        Talk(folder, 3, day="2026-05-03")
        .person("make the map work on phones")
        .agent("The harbour map should work on phones now.")
        .person("what about tablets?"),
        Talk(folder, 4, day="2026-05-04").person("look at the lighthouse page").agent("It has three pictures."),
    )
    return list(zip(talks, recorded("small-model"), strict=True))


def corrected(folder: Path, number: int, did: str, said: str) -> Talk:
    talk = Talk(folder, number, day=f"2026-06-{number:02d}").person("go on with the site").agent(did)
    return talk.person(said).agent("You're right, I changed that.")


def taught(folder: Path) -> list[tuple[Talk, Mapping[str, Any]]]:
    bundle = "No, never use moment.js here, always use date-fns because the bundle must stay small"
    mocks = "no, don't mock the database in tests, we always use a real one because mocks hid a bug"
    talks = (
        corrected(folder, 11, "I added moment.js.", bundle),
        corrected(folder, 12, "I mocked the database.", mocks),
        corrected(folder, 13, "Committed.", "from now on always run the linter before you commit"),
    )
    return list(zip(talks, recorded("careful-model"), strict=True))


def plain(folder: Path, first: int, count: int) -> list[tuple[Talk, Mapping[str, Any]]]:
    numbers = range(first, first + count)
    return [(Talk(folder, n).person(f"look at chart {n}").agent("It is fine.").person("ok"), NOTHING) for n in numbers]


@pytest.mark.parametrize("name", [SMALL, CLAUDE])
def test_k2_junk_that_a_reader_is_ninety_percent_sure_of_is_not_active(tmp_path: Path, model: Model, name: str) -> None:
    with a_home(tmp_path, model, name) as lane:
        made = caught(lane, model, *junk(tmp_path))
        assert all(memory.held_because for memory in made if memory.state is State.HELD)
        active = [memory.title for memory in lane.memories.all([State.ACTIVE])]
        if name == SMALL:
            assert active == []
        assert not [title for title in active if "README" in title or "rows" in title or "phones" in title]
        assert max((len(title) for title in active), default=0) <= 120


def test_each_held_memory_says_why(tmp_path: Path, model: Model) -> None:
    with a_home(tmp_path, model, CLAUDE) as lane:
        made = {memory.title[:20]: memory.held_because for memory in caught(lane, model, *junk(tmp_path))[:3]}
        assert made["The ferry timetable "] == "only a tool's output says so"
        assert "longer than 160 characters" in made["The parser of the fe"]
        assert made["The agent is confide"].startswith("only the agent said so")


def test_the_pages_say_why_while_it_is_held(tmp_path: Path, model: Model) -> None:
    with a_home(tmp_path, model, CLAUDE) as lane:
        memory = caught(lane, model, junk(tmp_path)[0])[0]
        for page in ("/memories/review", f"/m/{memory.id}"):
            assert "only a tool&#39;s output says so" in drawn(lane, page).decode()
        lane.memories.keep([memory.id])
        assert "output says so" not in drawn(lane, f"/m/{memory.id}").decode()


def test_a_new_model_is_on_probation_and_everybody_is_told(tmp_path: Path, model: Model) -> None:
    with a_home(tmp_path, model, SMALL) as lane:
        (talk, answer), *_rest = taught(tmp_path)
        (memory,) = caught(lane, model, (talk, answer))
        assert (memory.state, memory.held_because) == (State.HELD, "its reader qwen-1.5b is on probation")
        said = "qwen-1.5b is on probation: 1 of 20 read; its memories wait for your review"
        assert lane.catch.run(runs=[memory.evidence[0].run]).probation == said
        assert lane.health.now().probation == [said]
        (found,) = [finding for finding in lane.health.doctor.findings() if finding.what == said]
        assert (found.level, found.hint) == (Level.NOTE, "lane mem review")


def test_what_a_person_taught_is_active_at_once_where_the_reader_is_known(tmp_path: Path, model: Model) -> None:
    with a_home(tmp_path, model, CLAUDE) as lane:
        made = caught(lane, model, *taught(tmp_path))
        assert [memory.state for memory in made] == [State.ACTIVE] * 3
        assert lane.health.now().probation == []


def test_twenty_answers_that_agree_with_the_classifier_end_it_and_free_what_waited(
    tmp_path: Path, model: Model
) -> None:
    with a_home(tmp_path, model, SMALL) as lane:
        made = caught(lane, model, *taught(tmp_path), *plain(tmp_path, 20, 16))
        assert {memory.state for memory in made} == {State.HELD}
        ((last, _nothing),) = plain(tmp_path, 40, 1)
        caught(lane, model, (last, NOTHING))
        found = {memory.id: memory.state for memory in lane.memories.all()}
        assert [found[memory.id] for memory in made] == [State.ACTIVE] * 3
        assert lane.health.now().probation == []


def test_a_person_who_keeps_more_than_they_forget_ends_it_and_a_rebuild_knows(tmp_path: Path, model: Model) -> None:
    with a_home(tmp_path, model, SMALL) as lane:
        (first, answer), *rest = taught(tmp_path)
        more = [(Talk(tmp_path, n).person(f"pier {n} opens at dawn for boat {n}"), pier(n)) for n in range(50, 55)]
        held = caught(lane, model, *rest, *more)
        lane.memories.keep([memory.id for memory in held[:4]])
        lane.memories.forget([held[4].id])
    index_gone(tmp_path)
    with a_home(tmp_path, model, SMALL) as lane:
        lane.archive.rebuild()
        (memory,) = caught(lane, model, (first, answer))
        assert (memory.state, memory.held_because) == (State.ACTIVE, "")


def pier(n: int) -> Mapping[str, Any]:
    words = f"pier {n} opens at dawn for boat {n}"
    return {"memories": [lesson("learning", words.capitalize(), f"Said of pier {n} and boat {n}.", "t1.1", words)]}


def test_a_reader_whose_memories_are_forgotten_goes_on_probation(tmp_path: Path, model: Model) -> None:
    with a_home(tmp_path, model, CLAUDE) as lane:
        more = [(Talk(tmp_path, n).person(f"pier {n} opens at dawn for boat {n}"), pier(n)) for n in range(50, 60)]
        made = caught(lane, model, *more)
        assert {memory.state for memory in made} == {State.ACTIVE}
        lane.memories.forget([memory.id for memory in made])
        (talk, answer), *_rest = taught(tmp_path)
        (memory,) = caught(lane, model, (talk, answer))
        assert memory.held_because.endswith("its reader claude-haiku-5 is on probation")
        assert "you rejected 10 of 10 of its memories" in lane.health.now().probation[0]


# -- after the classifier ----------------------------------------------------------------------------------------------


def guessed(lane: Lane, talk: Talk) -> Memory:
    """What the classifier makes of it."""
    talk.kept()
    lane.capture.sweep()
    (memory,) = lane.catch.run("embedded").kept.made
    assert memory.state is State.ACTIVE
    return memory


def test_a_surer_readers_words_replace_the_classifiers(tmp_path: Path, model: Model) -> None:
    with a_home(tmp_path, model, CLAUDE) as lane:
        talk = corrected(tmp_path, 11, "I added moment.js.", "No, never use moment.js here, always use date-fns")
        guess = guessed(lane, talk)
        words = "never use moment.js here, always use date-fns"
        told = rule("Never use moment.js, always use date-fns here", "t2.1", words) | {"type": "decision"}
        (better,) = caught(lane, model, (talk, {"memories": [told]}))
        states = {memory.id: (memory.state, memory.superseded_by) for memory in lane.memories.all(tuple(State))}
        assert states == {guess.id: (State.SUPERSEDED, better.id), better.id: (State.ACTIVE, "")}


def test_a_model_on_probation_takes_nothing_away(tmp_path: Path, model: Model) -> None:
    with a_home(tmp_path, model, SMALL) as lane:
        talk = corrected(tmp_path, 11, "I added moment.js.", "No, never use moment.js here, always use date-fns")
        guess = guessed(lane, talk)
        caught(lane, model, (talk, NOTHING))
        assert {memory.id: memory.state for memory in lane.memories.all()} == {guess.id: State.ACTIVE}


# -- the same lesson twice in one run ---------------------------------------------------------------------------------

FIRST = "always run the linter before a commit"
AGAIN = "I said it before: run the linter before every commit"


def linted(folder: Path) -> Talk:
    return Talk(folder).person(FIRST).agent("Yes.").person(AGAIN).agent("Sorry, I will.")


def rule(title: str, step: str, words: str, **more: object) -> dict[str, object]:
    return lesson("commitment", title, f"{title}, as the person said.", step, words, **more)


def test_said_twice_in_one_answer_it_is_one_memory_seen_again(tmp_path: Path, model: Model) -> None:
    both = {
        "memories": [
            rule("Always run the linter before a commit", "t1.1", FIRST),
            rule("Run the linter before every commit", "t2.1", "run the linter before every commit"),
        ]
    }
    with a_home(tmp_path, model, CLAUDE) as lane:
        caught(lane, model, (linted(tmp_path), both))
        (memory,) = lane.memories.all()
        assert (memory.times_observed, len(memory.evidence)) == (2, 2)


def test_the_same_words_as_two_types_are_one_memory(tmp_path: Path, model: Model) -> None:
    first = rule("Always run the linter before a commit", "t1.1", FIRST)
    both = {"memories": [first, first | {"type": "correction", "title": "The linter runs before each commit"}]}
    with a_home(tmp_path, model, CLAUDE) as lane:
        caught(lane, model, (linted(tmp_path), both))
        assert len(lane.memories.all()) == 1


def test_said_again_in_a_later_window_of_the_run_it_is_one_memory(tmp_path: Path, model: Model) -> None:
    talk = Talk(tmp_path).person(FIRST)
    with a_home(tmp_path, model, CLAUDE) as lane:
        caught(lane, model, (talk, {"memories": [rule("Always run the linter before a commit", "t1.1", FIRST)]}))
        talk.day = "2026-05-02"
        words = "run the linter before every commit"
        talk.records.clear()
        later = talk.person(AGAIN).agent("Sorry.")
        caught(lane, model, (later, {"memories": [rule("Run the linter before every commit", "t2.1", words)]}))
        (memory,) = lane.memories.all()
        assert memory.times_observed == 2


def test_what_contradicts_is_never_the_same_lesson(tmp_path: Path, model: Model) -> None:
    talk = Talk(tmp_path).person("always squash commits on main").agent("Yes.").person("never squash commits on main")
    both = {
        "memories": [
            rule("Always squash commits on main", "t1.1", "always squash commits on main"),
            rule("Never squash commits on main", "t2.1", "never squash commits on main"),
        ]
    }
    with a_home(tmp_path, model, CLAUDE) as lane:
        caught(lane, model, (talk, both))
        assert sorted(memory.title for memory in lane.memories.all()) == [
            "Always squash commits on main",
            "Never squash commits on main",
        ]


def test_what_the_agent_said_first_becomes_active_when_the_person_says_it_too(tmp_path: Path, model: Model) -> None:
    talk = Talk(tmp_path).person("why is it red?").agent("The tide test needs the zone UTC.").person("and the wind?")
    talk.agent("Nothing there.").person("fine: the tide test needs the zone UTC, always")
    both = {
        "memories": [
            rule("The tide test needs the zone UTC", "t1.2", "The tide test needs the zone UTC."),
            rule("The tide test always needs the zone UTC", "t3.1", "the tide test needs the zone UTC, always"),
        ]
    }
    with a_home(tmp_path, model, CLAUDE) as lane:
        caught(lane, model, (talk, both))
        (memory,) = lane.memories.all()
        assert (memory.state, memory.times_observed) == (State.ACTIVE, 2)
