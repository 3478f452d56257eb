"""Runs, turns and words in them: found, read, and addressed the same everywhere."""

from __future__ import annotations

import subprocess
from itertools import pairwise

import pytest

from memlane.domain import Machine, run_id
from tests.acceptance.command_line import COMMAND, Person, misfits, schema_of
from tests.conftest import LaneHome


@pytest.fixture
def person(lane_home: LaneHome) -> Person:
    someone = Person(lane_home.home, {"LANE_USER": "sam", "LANE_MACHINE": "overlook"}, quick=True)
    someone.claude_run("one", "the worker says connection refused after a deploy", "now write a test", project="shop")
    someone.claude_run("two", "rename the parser's variable", project="parser")
    someone.claude_run("three", "ポッドが再起動し続けます。直してください", project="shop")
    assert someone.lane("capture").code == 0
    return someone


def run_of(person: Person, name: str) -> str:
    (run,) = [run["id"] for run in person.lane("runs", "--json").data if run["session_id"] == name]
    return str(run)


def test_a_captured_run_is_listed_with_what_the_person_said_first_and_last(person: Person) -> None:
    runs = {run["session_id"]: run for run in person.lane("runs", "--json").data}
    one = runs["one"]
    assert set(runs) == {"one", "two", "three"}
    assert (one["agent"], one["cwd"], one["branch"], one["turns"]) == ("claude-code", "/home/dev/shop", "main", 2)
    assert one["first"]["text"] == "the worker says connection refused after a deploy"
    assert one["last"]["text"] == "now write a test"
    assert one["parent"] is None


def test_a_pipe_gets_one_whole_record_a_line(person: Person) -> None:
    records = person.lane("runs").records
    assert {len(record) for record in records} == {8}
    assert all(record[0].startswith("r_") and len(record[0]) == 15 for record in records)
    assert all("T" in record[1] and "+" in record[1] for record in records)


def test_lists_take_forms_of_ones_own(person: Person) -> None:
    assert "one\tshop" in person.lane("runs", "--format", r"{session_id}\t{project}").lines
    assert len(person.lane("runs", "--jsonl").lines) == 3
    assert person.lane("runs", "--json", "--fields", "id,turns").data[0].keys() == {"id", "turns"}
    assert person.lane("runs", "--format", "{nothing}").code == 2


@pytest.mark.parametrize(
    ("words", "sessions"),
    [
        (["--project", "shop"], {"one", "three"}),
        (["--agent", "codex"], set[str]()),
        (["--machine", "elsewhere"], set[str]()),
        (["--since", "2026-11-10"], {"one", "two", "three"}),
        (["--until", "2026-11-09"], set[str]()),
        (["--limit", "1"], {"one"}),
    ],
)
def test_filters_leave_only_what_was_asked_for(person: Person, words: list[str], sessions: set[str]) -> None:
    assert {run["session_id"] for run in person.lane("runs", *words, "--json").data} == sessions


def test_an_empty_list_names_the_filters_that_made_it_so(person: Person) -> None:
    empty = person.lane("runs", "--machine", "elsewhere")
    assert (empty.code, empty.out) == (0, "")
    assert "--machine elsewhere" in empty.err


def test_words_are_found_in_any_language_with_the_place_they_stand_in(person: Person) -> None:
    found = person.lane("search", "connection", "refused", "--json")
    best = found.data[0]
    assert best["run"] == run_of(person, "one")
    assert (best["turn"], best["author"]) == (1, "person")
    assert "connection refused" in best["snippet"]
    assert [best["snippet"][start:end] for start, end in best["hits"]] == ["connection", "refused"]
    assert found.document["meta"]["indexed"] == found.document["meta"]["archived"] == 3
    assert person.lane("search", "再起動", "--json").data[0]["run"] == run_of(person, "three")


def test_a_misspelt_word_is_answered_with_the_nearest_that_is_there(person: Person) -> None:
    nothing = person.lane("search", "conection refussed")
    assert nothing.code == 0
    assert "Did you mean: connection refused?" in nothing.err
    assert "3 of 3 runs" in nothing.err
    assert person.lane("search", "conection", "--json").document["meta"]["meant"] == {"conection": "connection"}
    assert person.lane("search", "zzzzzz", "--fail-empty").code == 1


def test_a_run_reads_as_a_conversation_and_a_step_by_its_address(person: Person) -> None:
    run = run_of(person, "one")
    whole = person.lane("show", run).out
    assert whole.index("connection refused") < whole.index("Done.") < whole.index("now write a test")
    turn = person.lane("show", f"{run}#t2", "--json").data["turns"]
    assert [one["person"] for one in turn] == ["now write a test"]
    (step,) = person.lane("show", f"{run}#t1.1", "--json").data["turns"][0]["steps"]
    assert (step["n"], step["author"], step["line"]) == (1, "person", 1)
    around = person.lane("show", f"{run}#t2.1", "-C", "1", "--json").data["turns"]
    assert [(t["n"], s["n"]) for t in around for s in t["steps"]] == [(1, 2), (2, 1), (2, 2)]


def test_an_address_that_names_nothing_says_so(person: Person) -> None:
    run = run_of(person, "one")
    assert person.lane("show", f"{run}#t9").code == 2
    assert person.lane("show", f"{run}#t1.9", "--json").error["kind"] == "not-found"
    assert person.lane("show", "r_zzzz").code == 2
    assert person.lane("show", "not an address").code == 2


def test_an_ambiguous_id_lists_the_possible_ones(person: Person) -> None:
    whose = Machine(person.variables["LANE_USER"], person.variables["LANE_MACHINE"])
    names = [f"more-{number}" for number in range(200)]
    ids = sorted((run_id(whose, "claude-code", name), name) for name in names)
    (first, one), (second, other) = next((a, b) for a, b in pairwise(ids) if a[0][:4] == b[0][:4])
    for name in (one, other):
        person.claude_run(name, "hello there")
    person.lane("capture")
    said = person.lane("show", first[:4])
    assert said.code == 2
    assert first in said.err
    assert second in said.err
    assert person.lane("show", first[:3]).code == 2
    assert person.lane("show", first[:12]).code == 0


def test_raw_is_the_bytes_of_the_agents_file_and_nothing_else(person: Person) -> None:
    for name in ("one", "three"):
        (file,) = person.home.glob(f".claude/projects/*/{name}.jsonl")
        assert person.raw(run_of(person, name)) == file.read_bytes()


def test_a_number_means_a_line_of_the_list_just_printed(person: Person) -> None:
    """In a terminal of one's own; a script's is whoever started it."""
    listed = person.lane("search", "parser", "--json").data
    shown = person.lane("show", "1", "--json").data
    assert shown["address"] == listed[0]["address"]
    assert person.lane("show", "99").code == 2


def test_a_number_of_a_search_shows_the_turn_it_was_found_in(person: Person) -> None:
    person.claude_run("four", "does the kiln pass?", project="shop", answer="It does; the glaze held.")
    person.lane("capture")
    (found, *_rest) = person.lane("search", "glaze", "--json").data
    assert found["address"].endswith("#t1.2")
    shown = person.lane("show", "1").out
    assert "does the kiln pass?" in shown  # what was asked stands before the answer that was found
    assert "agent  .2" in shown  # which of the steps it was
    (turn,) = person.lane("show", "1", "--json").data["turns"]
    assert len(turn["steps"]) == 2
    assert "kiln" not in person.lane("show", found["address"]).out  # an address of a step is that step


def test_a_run_whose_file_is_gone_is_still_there_and_says_so(person: Person) -> None:
    (file,) = person.home.glob(".claude/projects/*/two.jsonl")
    file.unlink()
    person.lane("capture")
    assert "the agent deleted its file" in person.lane("show", run_of(person, "two")).out
    assert person.lane("search", "rename", "--json").data[0]["run"] == run_of(person, "two")


def test_a_reader_that_has_enough_gets_no_traceback(person: Person) -> None:
    pipe = f"{' '.join(COMMAND)} runs | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", pipe], env=person.surroundings({}), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1


def test_children_stand_under_the_run_they_came_from(lane_home: LaneHome) -> None:
    someone = Person(lane_home.home, quick=True).with_samples()
    assert someone.lane("capture").code == 0
    rows = someone.lane("tree", "--json").data
    below = [row for row in rows if row["depth"] == 1]
    assert below
    assert all(row["parent"] for row in below)
    order = [row["id"] for row in rows]
    assert all(order.index(row["parent"]) < order.index(row["id"]) for row in below)
    assert sorted(order) == sorted(run["id"] for run in someone.lane("runs", "--json").data)
    (under,) = [someone.lane("tree", below[0]["parent"], "--json").data]
    assert under[0]["id"] == below[0]["parent"]


def test_a_run_from_another_kind_of_computer_has_its_own_project_wherever_we_stand(lane_home: LaneHome) -> None:
    someone = Person(lane_home.home)
    (someone.home / ".git").mkdir()  # of the folder we stand in: none of that run's business
    path = someone.claude_run("one", "deploy the shop")
    path.write_text(path.read_text().replace("/home/dev/shop", r"D:\\work\\shop"))
    someone.lane("capture")
    (run,) = someone.lane("runs", "--project", "shop", "--json").data
    assert (run["project"], run["project_key"]) == ("shop", r"D:\work\shop")


def test_a_noun_alone_lists_and_takes_the_options_of_its_list(person: Person) -> None:
    for noun, verb in {"mem": "list", "entity": "list", "config": "list", "exclude": "list", "hook": "status"}.items():
        assert person.lane(noun).out == person.lane(noun, verb).out
    assert person.lane("config", "--json").document["schema"] == "lane.config.list/1"
    assert person.lane("mem", "--help").out.startswith("Usage: lane mem ")


def test_runs_are_asked_for_by_their_columns(person: Person) -> None:
    assert len(person.lane("runs", "--kind", "talk", "--outcome", "none", "--json").data) == 3
    assert person.lane("entity", "add", "Connection Pool", "--type", "feature").code == 0
    shop = {run["session_id"] for run in person.lane("runs", "--entity", "project:shop", "--json").data}
    assert shop == {"one", "three"}
    assert "no entity is called" in person.lane("runs", "--entity", "Zed Quux").err
    assert person.lane("outcome", run_of(person, "one"), "success").code == 0
    assert [run["session_id"] for run in person.lane("runs", "--outcome", "success", "--json").data] == ["one"]
    found = person.lane("search", "refused", "--skill", "nobody-has-it")
    assert "--skill nobody-has-it" in found.err


def test_the_log_says_what_was_captured_when_and_by_whom(person: Person) -> None:
    ran = person.lane("logs", "--capture", "--json")
    assert misfits(ran.document, schema_of(ran.document)) == []
    assert {(line["by"], line["turns"]) for line in ran.data} == {("command", 2), ("command", 1)}
    assert f"lane show {run_of(person, 'one')}" in {line["hint"] for line in ran.data}
    assert "by command" in person.lane("logs", "--capture").out
    assert person.lane("logs", "--capture", "--last-error").code == 2


def test_no_procedure_is_changed_where_no_correction_touches_one(person: Person) -> None:
    ran = person.lane("skills", "improve", "--json")
    assert misfits(ran.document, schema_of(ran.document)) == []
    assert ran.data == []
    assert person.lane("skills", "improve", "--apply").code == 2
    assert "there is no change 1" in person.lane("skills", "improve", "1").err
