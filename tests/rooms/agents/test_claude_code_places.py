"""Where Claude Code's files are and what each is, by name alone."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from memlane.agents.agent import SideFile, Surroundings, Transcript
from memlane.agents.claude_code.source import ClaudeCode
from memlane.domain import Relation
from tests.rooms.agents.claude_code_records import RECORDED

SESSION = "11111111-1111-4111-8111-111111111111"
HOME = Path("/home/dev")


def recognise(path: str) -> Transcript | SideFile | None:
    return ClaudeCode().recognise(PurePosixPath(path))


@pytest.mark.parametrize(
    ("variables", "first"),
    [
        ({}, HOME / ".claude" / "projects"),
        ({"CLAUDE_CONFIG_DIR": "/srv/claude"}, Path("/srv/claude/projects")),
        ({"CLAUDE_CONFIG_DIR": "~/agents"}, HOME / "agents" / "projects"),
    ],
)
def test_places(variables: dict[str, str], first: Path) -> None:
    found = ClaudeCode().places(Surroundings(HOME, variables))
    assert found[:2] == (first, HOME / ".config" / "claude" / "projects")
    assert set(found[2:4]) == {first.parent / "todos", first.parent / "tasks"}


def test_a_place_is_named_once() -> None:
    found = ClaudeCode().places(Surroundings(HOME, {"CLAUDE_CONFIG_DIR": "/home/dev/.config/claude"}))
    assert [place.name for place in found] == ["projects", "todos", "tasks"]


def test_lists_of_tasks_belong_to_the_session_in_their_names() -> None:
    session = "11111111-2222-4333-8444-555555555555"
    name = f"{session}-agent-{session}.json"
    assert recognise(name) == SideFile(session, f"todos--{name}")
    assert recognise(f"{session}/12.json") == SideFile(session, "tasks--12.json")
    assert recognise("notes.json") is None
    assert recognise("-home-dev-shop/12.json") is None


def test_a_main_transcript() -> None:
    assert recognise(f"-home-dev-shop/{SESSION}.jsonl") == Transcript(SESSION)


def test_an_old_subagent_beside_the_main_file() -> None:
    assert recognise("-home-dev-shop/agent-0a1b2c3d.jsonl") == Transcript("agent-0a1b2c3d", "", Relation.SUBAGENT)


@pytest.mark.parametrize("folder", ["subagents", "subagents/workflows/wf_7"])
def test_a_subagent_in_its_sessions_folder(folder: str) -> None:
    found = recognise(f"-home-dev-shop/{SESSION}/{folder}/agent-a83d.jsonl")
    assert found == Transcript(f"{SESSION}/agent-a83d", SESSION, Relation.SUBAGENT)


@pytest.mark.parametrize(
    ("path", "run", "name"),
    [
        ("tool-results/toolu_1.txt", SESSION, "tool-results--toolu_1.txt"),
        ("tool-results/hook-ab-1.txt", SESSION, "tool-results--hook-ab-1.txt"),
        ("subagents/agent-a83d.meta.json", f"{SESSION}/agent-a83d", "agent-a83d.meta.json"),
        ("subagents/workflows/wf_7/journal.jsonl", SESSION, "workflows--wf_7--journal.jsonl"),
    ],
)
def test_side_files_belong_to_their_run(path: str, run: str, name: str) -> None:
    assert recognise(f"-home-dev-shop/{SESSION}/{path}") == SideFile(run, name)


@pytest.mark.parametrize(
    "path",
    [
        f"{SESSION}.jsonl",
        "-home-dev-shop/memory/MEMORY.md",
        "-home-dev-shop/memory/notes.jsonl",
        "-home-dev-shop/sessions-index.json",
        f"-home-dev-shop/{SESSION}.jsonl.tmp",
        f"-home-dev-shop/.{SESSION}.jsonl",
        f"-home-dev-shop/{SESSION}/custom-title.json",
        f"-home-dev-shop/{SESSION}/subagents/notes.jsonl",
        f"-home-dev-shop/{SESSION}/subagents/journal.jsonl",
        f"-home-dev-shop/{SESSION}/subagents/agent-a83d.jsonl.bak",
        "-home-dev-shop/../x/tool-results/a",
        "",
    ],
)
def test_everything_else_is_left_alone(path: str) -> None:
    assert recognise(path) is None


def test_strange_names_become_safe_ones_that_stay_apart() -> None:
    names = [
        recognise(f"-home-dev-shop/{SESSION}/tool-results/{name}") for name in ("a b", "a?b", "é" * 200, "é" * 201)
    ]
    flat = [side.name for side in names if isinstance(side, SideFile)]
    assert len(set(flat)) == 4
    assert all(name.isascii() and len(name) < 140 and not set(name) & set("/\\ ?") for name in flat)


def test_every_recorded_file_is_recognised() -> None:
    files = [file for file in RECORDED.rglob("*") if file.is_file()]
    assert files
    assert [file for file in files if ClaudeCode().recognise(file.relative_to(RECORDED)) is None] == []
