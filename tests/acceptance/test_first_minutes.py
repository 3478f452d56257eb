"""The first five minutes, whole: a home with runs in it, `lane init`, one prompt in the real client, and out again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memlane.app import Lane
from memlane.config import load
from tests.acceptance.command_line import Person, misfits, records, schema_of
from tests.acceptance.hooks import until
from tests.acceptance.test_init import at_home, of_plugins
from tests.clients.drive import ClaudeCode
from tests.clients.fake_model import FakeModel
from tests.conftest import LaneHome

ANSWER = "I have done it: I ran the script and committed the files."
CAUGHT = "Never commit the generated timetable pages, they are built in CI."
RUNS = (
    (
        "Regenerate the ferry timetable pages and commit everything",
        "No, never commit the generated timetable pages, they are built in CI. Please take them out again",
        "good, now update the changelog",
        "thanks, that is all for today",
        "bye",
    ),
    (
        "add a test for bookings",
        "no, use pytest fixtures instead of setUp, we always use pytest fixtures here",
        "great",
        "next: the form for invoices",
        "thanks",
    ),
)
OWN = "# How I like it\n\n- Never push to main, open a pull request and ask me.\n- Commit messages are one line.\n"
OF_THE_PROJECT = "# Harbour\n\n- Always run `make check` before a commit.\n"


@pytest.fixture
def project(lane_home: LaneHome) -> Path:
    """Somebody who has used Claude Code before: runs, notes of their own, a project's notes."""
    folder = lane_home.home / "harbour"
    folder.mkdir()
    kept = lane_home.home / ".claude" / "projects" / re.sub(r"[/.]", "-", str(folder))
    kept.mkdir(parents=True)
    for number, said in enumerate(RUNS, 1):
        name = f"0b4f8f0e-0000-4000-8000-{number:012}"
        lines = [{**record, "cwd": str(folder)} for record in records(name, said, ANSWER, "harbour")]
        (kept / f"{name}.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    (lane_home.home / ".claude" / "CLAUDE.md").write_text(OWN)
    (folder / "CLAUDE.md").write_text(OF_THE_PROJECT)
    return folder


@pytest.fixture
def person(lane_home: LaneHome, project: Path) -> Iterator[Person]:
    assert project.is_dir()
    someone = Person(lane_home.home, {"PATH": str(lane_home.home / "bin")}, quick=True)
    yield someone
    someone.lane("daemon", "stop")


def suggested(person: Person) -> dict[str, Any]:
    document = person.lane("init", "--yes", "--json").document
    assert misfits(document, schema_of(document)) == []
    return document["meta"]


def test_from_nothing_to_a_first_recall_and_out_again(
    lane_home: LaneHome, claude: Callable[..., ClaudeCode], project: Path, model: FakeModel
) -> None:
    agent = claude(cwd=project.name)
    claude(cwd="elsewhere").run("@@say hello@@")  # it makes its own folders first
    person = at_home(lane_home, agent)
    before = of_plugins(lane_home.home)
    asked = len(model.requests)
    begun = suggested(person)
    assert len(model.requests) == asked  # no language model was needed
    assert begun["suggestion"]["folder"] == str(project)
    first = agent.run(begun["suggestion"]["prompt"])
    assert first.exit_code == 0
    told = re.compile(f"(?:SessionStart|UserPromptSubmit) hook[^<]*<lane-memory.*{re.escape(CAUGHT)}")
    assert any(told.search(request.text) for request in first.requests)
    assert until(lambda: any(each["moment"] == "prompt" for each in person.lane("recalls", "--json").data))
    (memory,) = begun["suggestion"]["memories"]
    shown = [each["id"] for each in person.lane("recalls", "--json").data if each["shown"]]
    given = [match["id"] for each in shown for match in person.lane("why", each, "--json").data["shown"]]
    assert given.count(memory) == 1
    assert person.lane("up", memory).code == 0
    with_a_vote = person.lane("mem", "show", memory, "--json").data
    assert with_a_vote["title"] == CAUGHT
    assert person.lane("uninstall", "--yes").code == 0
    assert of_plugins(lane_home.home) == before
    assert not person.lane("daemon", "status", "--json").data["running"]
    assert person.lane("uninstall", "--purge", "--yes").code == 0
    assert not lane_home.path.exists()


def test_its_last_lines_name_a_prompt_that_recall_itself_answers(person: Person, project: Path) -> None:
    said = person.on_screen("init", "--reader", "embedded", typed="\n", columns=120)
    assert said.code == 0
    assert "4 memories so far, without a model: 2 caught, 2 from ~/.claude/CLAUDE.md" in said.out
    assert "cd ~/harbour && claude" in said.out
    prompt = re.search(r"then ask: (.+)", said.out)
    assert prompt
    told = person.lane("recall", prompt[1].strip(), "--cwd", str(project), "--json").data
    assert [memory["title"] for memory in told][:1] == [CAUGHT]
    assert f'(Lane will add: "{CAUGHT}")' in said.out
    assert "lane mem import   1 note in your projects' CLAUDE.md and similar files" in said.out


@pytest.mark.parametrize("columns", [60, 120])
def test_no_line_of_it_is_wider_than_the_screen(person: Person, columns: int) -> None:
    said = person.on_screen("init", "--reader", "embedded", typed="\n", columns=columns)
    drawn = [line.rpartition("\r")[2] for line in said.out.splitlines()]
    assert [line for line in drawn if len(re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", line)) > columns] == []


def test_notes_of_their_own_count_at_once_and_a_projects_notes_wait(person: Person) -> None:
    assert suggested(person)["memories"] == 4
    titles = {memory["title"] for memory in person.lane("mem", "list", "--json").data}
    assert "Commit messages are one line." in titles
    assert not any("make check" in title for title in titles)
    again = suggested(person)
    assert (again["memories"], again["caught"]) == (4, 0)


def test_where_agents_are_told_nothing_no_prompt_is_promised(person: Person) -> None:
    assert person.lane("init", "--yes", "--no-hooks", "--json").document["meta"]["suggestion"] is None
    assert 'lane remember "something your agents should know"' in person.lane("init", "--yes", "--no-hooks").out


def test_what_was_typed_into_runs_that_are_gone_is_counted_and_findable(person: Person) -> None:
    gone = {
        "project": "/home/dev/quay",
        "sessionId": "0b4f8f0e-0000-4000-8000-00000000dead",
        "timestamp": 1762000000000,
    }
    there = {**gone, "sessionId": f"0b4f8f0e-0000-4000-8000-{1:012}", "display": "Regenerate the ferry timetable pages"}
    typed = [there, {**gone, "display": "repaint the quayside bollards"}, {**gone, "display": "and the lanterns"}]
    history = person.home / ".claude" / "history.jsonl"
    history.write_text("".join(f"{json.dumps(line)}\n" for line in typed))
    said = person.lane("init", "--yes", "--no-hooks")
    assert "1 older Claude Code run is already gone. Your own 2 prompts from it" in said.out
    assert "bollards" in json.dumps(person.lane("search", "bollards", "--json").data[0])
    assert "already gone" not in person.lane("init", "--yes", "--no-hooks").out
    assert len(person.lane("runs", "--json").data) == len(RUNS) + 1


def test_who_wants_nothing_caught_has_nothing_caught(person: Person) -> None:
    meta = person.lane("init", "--yes", "--json", LANE_CATCH_WITH="none").document["meta"]
    assert (meta["caught"], meta["memories"]) == (0, 2)


def test_the_prompt_is_for_an_agent_that_was_set_up(person: Person, project: Path) -> None:
    assert suggested(person)["suggestion"]["agent"] == "claude-code"
    with Lane(load({**person.variables, "HOME": str(person.home)})) as lane:
        first_run = lane.setup.first_run
        assert first_run.asked_from(["droid", "pi", "codex"]) == "codex"
        assert first_run.asked_from(["droid"]) == "", "it is not told at every prompt"
        found = first_run.prompt(project, "codex")
        assert found is not None
        assert (found.program, found.folder) == ("codex", project)
