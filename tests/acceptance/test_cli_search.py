"""Finding by words and by meaning: every filter, every odd question, and what is said about the looking."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.acceptance.command_line import ESCAPE, Person, records

ODD = (
    '"unbalanced',
    "'",
    "a AND OR NOT (",
    "author:person^3 *:* ~2",
    "((((",
    "\\",
    "* ? [ ] { }",
    "SELECT * FROM chunks; --",
    "\x01\x1b[31m\x7f\u202e",
    "🚀" * 50,
    "word " * 10_000,
    "x" * 60_000,
    "deploy\ndeploy\tdeploy",
)


def calls(session: str, *made: tuple[str, dict[str, str], str], project: str = "shop") -> list[dict[str, Any]]:
    """A run of one prompt in which the agent used these tools, as Claude Code writes it."""
    prompt, reply = records(session, ["please do it"], "I will.", project)
    found: list[dict[str, Any]] = [dict(prompt), dict(reply)]
    for number, (tool, given, result) in enumerate(made, 1):
        common = {key: reply[key] for key in ("sessionId", "cwd", "gitBranch", "version", "isSidechain")}
        use = {"type": "tool_use", "id": f"toolu_{session}_{number}", "name": tool, "input": given}
        gave = {"type": "tool_result", "tool_use_id": use["id"], "content": result}
        at = f"2026-11-10T11:{number:02}"
        message = {
            "role": "assistant",
            "id": f"msg_{session}_t{number}",
            "model": "claude-sonnet-4-5",
            "content": [use],
        }
        found.append({**common, "type": "assistant", "uuid": f"{session}-c{number}", "timestamp": f"{at}:00.000Z"})
        found[-1] |= {"parentUuid": found[-2]["uuid"], "message": message}
        found.append({**common, "type": "user", "uuid": f"{session}-r{number}", "timestamp": f"{at}:30.000Z"})
        found[-1] |= {"parentUuid": found[-2]["uuid"], "message": {"role": "user", "content": [gave]}}
    return found


@pytest.fixture(scope="module")
def person(tmp_path_factory: pytest.TempPathFactory) -> Person:
    someone = Person(tmp_path_factory.mktemp("h"), {"LANE_USER": "sam", "LANE_MACHINE": "overlook"}, quick=True)
    someone.claude_run("one", "the worker says connection refused after a deploy", "now write a test", project="shop")
    someone.claude_run("two", "rename the parser's variable", project="parser")
    someone.claude_run("soup", "how long does the onion soup have to simmer on the stove", project="kitchen")
    someone.claude_run("stew", "the vegetable broth is boiling over in the pot again", project="kitchen")
    server, notes = "/home/dev/shop/src/server.py", "/home/dev/shop/docs/notes.md"
    made = [
        ("Read", {"file_path": server}, "import socket"),
        ("Edit", {"file_path": server, "old_string": "a", "new_string": "deploy marker"}, "done"),
        ("Edit", {"file_path": notes, "old_string": "b", "new_string": "marker of the notes"}, "done"),
        ("Bash", {"command": "make deploy"}, "deployed with marker 41"),
        ("Read", {"file_path": "/home/dev/shop/LICENSE"}, "Apache"),
    ]
    path = someone.claude_run("tools", "x")
    path.write_text("".join(f"{json.dumps(record)}\n" for record in calls("tools", *made)))
    assert someone.lane("capture").code == 0
    assert someone.lane("tick", "--meaning").code == 0
    return someone


def run_of(person: Person, name: str) -> str:
    (run,) = [run["id"] for run in person.lane("runs", "--json").data if run["session_id"] == name]
    return str(run)


# -- search ------------------------------------------------------------------------------------------------------------


def test_both_scores_are_told_and_so_is_how_it_was_looked(person: Person) -> None:
    found = person.lane("search", "connection refused", "--json")
    assert found.data[0]["lexical"] > 0
    assert 0 < found.data[0]["semantic"] <= 1
    meta = found.document["meta"]
    assert (meta["mode"], meta["meaning"]["share"], meta["meaning"]["why"]) == ("hybrid", 1.0, None)
    assert meta["meaning"]["model"]
    words = person.lane("search", "connection refused", "--mode", "words", "--json")
    assert (words.document["meta"]["mode"], words.data[0]["semantic"]) == ("words", None)
    assert person.lane("search", "connection", "--mode", "meaning", "--json").document["meta"]["mode"] == "meaning"


def test_what_was_meant_is_found_without_a_word_of_it(person: Person) -> None:
    asked = "cooking stock kettle"
    assert person.lane("search", asked, "--mode", "words", "--json").data == []
    best = person.lane("search", asked, "--mode", "meaning", "--json").data[0]
    assert best["run"] in (run_of(person, "stew"), run_of(person, "soup"))


def test_a_screen_shows_both_scores_and_marks_the_words(person: Person) -> None:
    seen = person.on_screen("search", "connection refused", columns=80).out
    assert "by words and meaning" in seen
    assert "connection refused" in ESCAPE.sub("", seen)
    assert "[connection]" not in ESCAPE.sub("", seen)
    assert "words " in seen
    assert " %  meaning " in ESCAPE.sub("", seen)
    assert "\x1b[33m\x1b[1mconnection" in seen


@pytest.mark.parametrize(
    ("words", "tools"),
    [
        ([], {"Bash", "Edit"}),
        (["--tool", "Bash"], {"Bash"}),
        (["--file", "server.py"], {"Edit"}),
        (["--file", "shop/docs/notes.md"], {"Edit"}),
        (["--file", "ver.py"], set[str]()),
        (["--tool", "Nothing"], set[str]()),
        (["--author", "person"], set[str]()),
        (["--project", "parser"], set[str]()),
        (["--until", "2026-11-01"], set[str]()),
    ],
)
def test_filters_hold_for_the_step_that_is_found(person: Person, words: list[str], tools: set[str]) -> None:
    found = person.lane("search", "marker", "--mode", "words", *words, "--json").data
    read = [person.lane("show", hit["address"], "--json").data["turns"][0]["steps"][0] for hit in found]
    assert {step["tool_call"]["name"] for step in read} <= tools
    assert bool(found) == bool(tools)


def test_the_newest_can_stand_first(person: Person) -> None:
    times = [hit["at"] for hit in person.lane("search", "the a deploy test", "--sort", "new", "--json").data]
    assert len(times) > 2
    assert times == sorted(times, reverse=True)


@pytest.mark.parametrize("query", ODD, ids=range(len(ODD)))
def test_whatever_is_asked_there_is_an_answer(person: Person, query: str) -> None:
    found = person.lane("search", "--json", "--", query)
    assert (found.code, found.err) == (0, "")
    assert isinstance(found.data, list)
    shown = person.on_screen("search", "--no-color", "--", query)
    assert shown.code == 0
    assert "\x1b" not in shown.out


@pytest.mark.parametrize("nothing", ["", " "])
def test_to_look_for_nothing_is_a_mistake(person: Person, nothing: str) -> None:
    asked = person.lane("search", "--", nothing)
    assert (asked.code, asked.out) == (2, "")
    assert "the search is empty" in asked.err


def test_bytes_that_are_no_text_are_a_question_too(person: Person) -> None:
    assert person.lane("search", b"deploy \xff\xfe".decode("utf-8", "surrogateescape"), "--json").code == 0


def test_nothing_typed_at_all_is_asked_about(person: Person) -> None:
    assert person.lane("search").code == 2


def test_words_that_stand_nowhere_are_no_match_however_near_something_is(person: Person) -> None:
    nothing = person.lane("search", "conection refussed")
    assert (nothing.code, nothing.out) == (0, "")
    assert "Did you mean: connection refused?" in nothing.err
    assert person.lane("search", "zzzqqqzzz", "--fail-empty").code == 1
    assert person.lane("search", "0x80070005", "--json").data == []


def test_without_a_model_words_answer_and_say_why(person: Person) -> None:
    found = person.lane("search", "connection refused", LANE_EMBED_MODEL="none")
    assert found.lines
    assert "words only: meaning search is off" in found.err
    document = person.lane("search", "connection refused", "--json", LANE_EMBED_MODEL="none").document
    assert (document["meta"]["mode"], document["data"][0]["semantic"]) == ("words", None)
    assert "off" in document["meta"]["meaning"]["why"]
    assert "words only" in person.on_screen("search", "connection", LANE_EMBED_MODEL="none").out
    assert "words only" not in person.on_screen("search", "connection", "--mode", "words", LANE_EMBED_MODEL="none").out


# -- similar, edits ----------------------------------------------------------------------------------------------------


def test_runs_about_the_same_stand_first_and_a_run_is_not_like_itself(person: Person) -> None:
    found = person.lane("similar", run_of(person, "soup"), "--json").data
    assert found[0]["id"] == run_of(person, "stew")
    assert run_of(person, "soup") not in [run["id"] for run in found]
    scores = [run["score"] for run in found]
    assert scores == sorted(scores, reverse=True)
    assert len(person.lane("similar", run_of(person, "soup"), "--limit", "1", "--json").data) == 1
    assert person.lane("similar", "r_zzzz").code == 2


def test_a_file_has_the_steps_that_changed_it(person: Person) -> None:
    (run,) = person.lane("edits", "/home/dev/shop/src/server.py", "--json").data
    assert run["session_id"] == "tools"
    assert [(step["tool"], step["changed"]) for step in run["steps"]] == [("Edit", True)]
    step = run["steps"][0]
    assert person.lane("show", step["address"], "--json").data["turns"][0]["steps"][0]["tool_call"]["name"] == "Edit"
    every = person.lane("edits", "server.py", "--all", "--json").data[0]["steps"]
    assert [(step["tool"], step["changed"]) for step in every] == [("Edit", True), ("Read", False)]


@pytest.mark.parametrize(
    ("words", "count"),
    [
        (["src/server.py"], 1),
        (["./src/server.py"], 0),
        (["er.py"], 0),
        (["server.py", "--since", "2026-11-10"], 1),
        (["server.py", "--project", "parser"], 0),
    ],
)
def test_the_last_parts_of_a_path_are_enough_but_not_half_a_name(person: Person, words: list[str], count: int) -> None:
    assert len(person.lane("edits", *words, "--json").data) == count


def test_a_path_is_also_meant_from_where_one_stands(person: Person) -> None:
    here = str(person.home / "here.py")
    path = person.claude_run("local", "x")
    made = calls("local", ("Edit", {"file_path": here, "old_string": "a", "new_string": "b"}, "done"))
    path.write_text("".join(f"{json.dumps(record)}\n" for record in made))
    person.lane("capture")
    assert [run["session_id"] for run in person.lane("edits", "./here.py", "--json").data] == ["local"]


def test_a_file_nobody_touched_is_answered_with_near_names(person: Person) -> None:
    missed = person.lane("edits", "servr.py")
    assert (missed.code, missed.out) == (0, "")
    assert "/home/dev/shop/src/server.py" in missed.err
    assert person.lane("edits", "servr.py", "--json").document["meta"]["near"][0] == "/home/dev/shop/src/server.py"
    assert "lane search" in person.lane("edits", "zz.zz").err
    assert "1 run read it: add --all" in person.lane("edits", "LICENSE").err


def test_a_pipe_gets_a_step_a_line(person: Person) -> None:
    (record,) = person.lane("edits", "notes.md").records
    assert record[2:5] == ["changed", "Edit", "/home/dev/shop/docs/notes.md"]
    assert record[0].startswith(run_of(person, "tools"))


# -- tags and pins -----------------------------------------------------------------------------------------------------


def test_a_tag_is_put_on_found_by_and_taken_off_as_the_undo_says(person: Person) -> None:
    run = run_of(person, "two")
    put = person.lane("tag", run, "+Release", "+area/parser", "--json").document
    assert put["meta"]["tags"] == ["release", "area/parser"]
    assert [one["id"] for one in person.lane("runs", "--tag", "release", "--json").data] == [run]
    assert {hit["run"] for hit in person.lane("search", "the", "--tag", "release", "--json").data} == {run}
    assert [one["id"] for one in person.lane("tree", "--tag", "release", "--json").data] == [run]
    assert "+release" in person.on_screen("runs").out
    assert "release" in person.lane("tag", run).out
    undo = put["meta"]["undo"].split()[1:]
    assert person.lane(*undo).code == 0
    assert person.lane("tag", run, "--json").document["meta"]["tags"] == []
    assert person.lane("runs", "--tag", "release", "--json").data == []


@pytest.mark.parametrize("words", [["+not a tag"], ["+a", "-a"], ["+"], ["-!"]])
def test_what_is_no_tag_is_said(person: Person, words: list[str]) -> None:
    assert person.lane("tag", run_of(person, "two"), *words).code == 2


def test_a_word_behind_a_dash_is_a_tag_to_take_off_not_an_option(person: Person) -> None:
    run = run_of(person, "two")
    person.lane("tag", run, "+hash", "+jh")
    assert person.lane("tag", run, "-hash", "--json").document["meta"]["tags"] == ["jh"]
    assert person.lane("tag", run, "-jh", "--json").document["meta"]["tags"] == []
    assert "Usage:" in person.lane("tag", "-h").out


def test_a_pin_stays_until_it_is_taken_off_also_through_a_rebuild(person: Person) -> None:
    run = run_of(person, "one")
    undo = person.lane("pin", run, "--json").document["meta"]["undo"]
    person.lane("tag", run, "+kept")
    assert person.lane("rebuild").code == 0
    (kept,) = [one for one in person.lane("runs", "--json").data if one["id"] == run]
    assert (kept["pinned"], kept["tags"]) == (True, ["kept"])
    assert "pinned" in person.on_screen("runs").out
    person.lane(*undo.split()[1:])
    assert not any(one["pinned"] for one in person.lane("runs", "--json").data)
