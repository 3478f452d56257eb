"""Notes made by hand, what would be recalled, and what was: told with its reasons, or why nothing was."""

from __future__ import annotations

import signal
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlane.app import Lane
from memlane.config import load
from memlane.domain import Outcome
from memlane.surfaces.cli.recall_report import rounded
from tests.acceptance.command_line import Person, misfits, schema_of
from tests.conftest import LaneHome

NOTE = "Deploys of the shop go through make ship, never through kubectl apply"
PROMPT = "how do deploys of the shop go, through make ship or kubectl apply?"


@pytest.fixture
def person(lane_home: LaneHome) -> Person:
    someone = Person(lane_home.home, quick=True)
    assert someone.lane("remember", NOTE, "--scope", "global").code == 0
    return someone


def asked(
    person: Person, prompt: str, session: str = "s1", outcome: Outcome | None = None, *, early: bool = False
) -> None:
    """As the hook asks and writes down. `early`: before the daemon has opened its model."""
    with Lane(load(person.surroundings({}))) as lane:
        if early:
            lane.home.recall_model.prepare(lambda _tag: None, now=False)
        given = {"session_id": session, "cwd": str(person.home), "prompt": prompt, "transcript_path": ""}
        recall = lane.recall.hooked("claude-code", "UserPromptSubmit", given).recall
        assert recall is not None
        lane.recall.keep(replace(recall, outcome=outcome) if outcome else recall)


def test_a_note_is_active_at_once_and_what_looks_like_a_secret_in_it_is_masked(person: Person) -> None:
    note = person.lane("mem", "list", "--json").data[0]
    assert (note["content"], note["state"], note["trust"], note["scope"]) == (NOTE, "active", "person", "global")
    key = "AKIA" + "QPW7ZVX2MNB4LKJH"
    masked = person.lane("remember", f"the old key was {key}, revoked", "--type", "learning")
    assert "masked" in masked.err
    assert key not in person.lane("mem", "list", "--json").out
    assert not [p for p in person.lane_home.rglob("*") if p.is_file() and key.encode() in p.read_bytes()]


def test_a_memory_was_told_in_as_many_runs_as_are_named_and_a_start_is_none(person: Person) -> None:
    note = person.lane("mem", "list", "--json").data[0]["id"]
    person.lane("mem", "standing", note)
    with Lane(load(person.surroundings({}))) as lane:
        given = {"session_id": "s0", "cwd": str(person.home), "source": "startup", "transcript_path": ""}
        begun = lane.recall.hooked("claude-code", "SessionStart", given).recall
        assert begun is not None
        assert [match.memory.id for match in begun.shown] == [note]
        lane.recall.keep(begun)
    assert "Used        not yet" in person.lane("mem", "show", note).out
    person.lane("mem", "standing", note, "--off")
    asked(person, PROMPT, "s1")
    asked(person, PROMPT, "s2")
    shown = person.lane("mem", "show", note)
    assert "Used        recalled in 2 runs" in shown.out
    assert len(person.lane("mem", "show", note, "--json").document["meta"]["told"]) == 2


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
    piped = person.lane("recall", "rename the variable in the parser")
    assert (piped.out, piped.err.startswith("Would recall nothing: ")) == ("", True)
    assert person.lane("recalls", "--json").data == []
    assert "LANE_OFF" in person.lane("recall", PROMPT, LANE_OFF="1").err


def test_why_tells_the_last_recall_with_parts_that_add_up(person: Person) -> None:
    assert "No recalls yet" in person.lane("why").err
    asked(person, PROMPT)
    ran = person.lane("why", "--json")
    assert ran.data["query"] == PROMPT
    (match,) = ran.data["shown"]
    assert sum(match["parts"].values()) == pytest.approx(match["score"], abs=1e-3)
    text = person.lane("why").out
    assert f'Prompt: "{PROMPT}"' in text
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


def test_thumbs_change_the_rank_there_are_undone_and_shown_where_one_looks(person: Person) -> None:
    asked(person, PROMPT)
    why = person.lane("why", "--json")
    (match,) = why.data["shown"]
    up = person.lane("up", "1", "--json")
    assert up.document["meta"]["factor"] == {"before": 1.0, "after": 1.1}
    down = person.lane("feedback", match["id"], "down", "--because", "kubectl is right now", "--json")
    assert down.document["meta"]["factor"] == {"before": 1.1, "after": 1.0}
    assert [m for ran in (why, up, down) for m in misfits(ran.document, schema_of(ran.document))] == []
    shown = person.lane("mem", "show", match["id"], "--json").document["meta"]
    assert shown["votes"] == {"up": 1, "down": 1, "by_agents": 0}
    assert [told["query"] for told in shown["told"]] == [PROMPT]
    card = person.lane("mem", "show", match["id"]).out
    assert all(words in card for words in ("useful 1, not useful 1", "kubectl is right now", PROMPT[:30]))
    history = person.lane("mem", "history", match["id"]).out
    assert "thumb up on" in history
    assert "kubectl is right now" in history
    listed = person.lane("undo", "--list").out
    assert f"thumb down: {match['id']}" in listed
    assert person.lane("undo").code == 0
    assert person.lane("mem", "show", match["id"], "--json").document["meta"]["votes"] == {
        "up": 1,
        "down": 0,
        "by_agents": 0,
    }
    again = person.lane("down", match["id"], "--json").document["meta"]["factor"]
    assert again == {"before": 1.1, "after": 1.0}, "as before the undo"


def test_a_verdict_in_an_agents_shell_is_the_agents_and_lifts_nothing(person: Person) -> None:
    asked(person, PROMPT)
    (match,) = person.lane("why", "--json").data["shown"]
    up = person.lane("up", match["id"], "--json", CLAUDECODE="1")
    assert (up.document["meta"]["by"], up.document["meta"]["factor"]) == ("claude-code", {"before": 1.0, "after": 1.0})
    assert misfits(up.document, schema_of(up.document)) == []
    assert person.lane("mem", "show", match["id"], "--json").document["meta"]["votes"]["by_agents"] == 1
    assert "from codex, so it counts half" in person.lane("down", match["id"], CODEX_THREAD_ID="t-1").out


def test_an_agent_in_its_shell_asks_for_a_memory_to_be_forgotten_and_its_person_answers(person: Person) -> None:
    memory = person.lane("remember", "deploys of the shop go through make ship", "--json").data["id"]
    wish = person.lane("mem", "forget", memory, "--json", CLAUDECODE="1")
    assert (wish.code, wish.data[0]["state"], wish.document["meta"]["done"]) == (0, "active", False)
    assert misfits(wish.document, schema_of(wish.document)) == []
    assert [held["id"] for held in person.lane("mem", "review", "--json").data] == [memory]
    for verb in (["keep"], ["restore"], ["forget", "--now", "--yes"]):
        refused = person.lane("mem", verb[0], memory, *verb[1:], GEMINI_CLI="1")
        assert refused.code == 2
        assert "in a terminal of your own" in refused.err
    assert person.lane("mem", "forget", memory, "--json").data[0]["state"] == "forgotten", "its person's word holds"


def looks(person: Person) -> list[str]:
    found = person.lane("doctor", "--json").data
    return [f"{one['level']}: {one['what']}" for one in found if one["kind"] == "looks"]


def test_doctor_counts_how_often_the_model_was_not_there_in_time_and_why_says_it(person: Person) -> None:
    assert looks(person) == [], "nobody looked yet"
    asked(person, PROMPT, session="s1", early=True)
    assert looks(person) == ["note: 1 recall in the last day; 100% by words only, 0% too slow"]
    assert "Matched by words and names only: " in person.lane("why").out
    for n in range(8):
        asked(person, f"{PROMPT} {n}", session=f"a{n}")
    asked(person, PROMPT, session="s2", outcome=Outcome.TOO_SLOW)
    assert looks(person) == ["ok: 10 recalls in the last day; 10% by words only, 10% too slow"]
    assert "Matched by words" not in person.lane("why").out


def test_one_recall_after_the_other_is_asked_about_by_its_number(person: Person) -> None:
    asked(person, PROMPT, session="s1")
    asked(person, "rename the variable in the parser", session="s2")
    listed = [recall["id"] for recall in person.lane("recalls", "--json").data]
    assert [person.lane("why", n, "--json").data["id"] for n in ("2", "1", "2")] == [listed[1], listed[0], listed[1]]
    assert person.lane("up", "1", "--json").document["meta"]["recall"] == listed[1], "the one on the screen"


def test_a_run_is_asked_about_before_it_is_captured(person: Person) -> None:
    asked(person, PROMPT, session="s1")
    asked(person, "rename the variable in the parser", session="s2")
    first = person.lane("recalls", "--json").data[1]
    assert [recall["id"] for recall in person.lane("recalls", "--run", first["run"][:8], "--json").data] == [
        first["id"]
    ]
    assert person.lane("why", "--run", first["run"], "--json").data["id"] == first["id"]
    assert person.lane("recalls", "--run", "r_zzzzzz").code != 0


def test_what_would_be_told_when_a_file_is_touched(person: Person) -> None:
    (person.home / "send.py").write_text("pass\n")
    person.lane("remember", "In send.py never retry on a 4xx")
    (match,) = person.lane("recall", "make it more robust", "--file", "send.py", "--json").data
    assert (match["source"], match["title"]) == ("file", "In send.py never retry on a 4xx")
    silent = person.lane("recall", "make it more robust", "--file", "other.py", "--json").document["meta"]
    assert (silent["silent"], silent["why"]) == (True, "no memories about this file")


@given(st.dictionaries(st.text(min_size=1, max_size=5), st.floats(-1, 1).map(lambda part: round(part, 4)), max_size=9))
def test_also_as_they_are_printed_parts_add_up(parts: dict[str, float]) -> None:
    shown = rounded(parts)
    assert sum(round(100 * part) for part in shown.values()) == round(100 * round(sum(parts.values()), 4))
    assert all(abs(shown[name] - part) <= 0.0101 for name, part in parts.items())


def test_a_number_of_an_empty_list_means_nothing(person: Person) -> None:
    """It is not taken for a memory without a name."""
    assert not person.lane("recall", "translate the harbour names into German").records
    refused = person.lane("up", "1")
    assert refused.code == 2
    assert "the last list had no lines" in refused.err
