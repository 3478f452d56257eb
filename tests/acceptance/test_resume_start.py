"""`lane resume` hands the terminal to the agent: in the right folder, with its own words, as no part of another run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.acceptance.command_line import Person

AGENT = """#!/bin/sh
pwd
printf '%s\\n' "$@"
echo "inside ${CLAUDECODE:-nobody}"
"""


@pytest.fixture
def person(tmp_path: Path) -> Person:
    """Somebody with one run, and a program that stands where Claude Code would."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "claude").write_text(AGENT)
    (programs / "claude").chmod(0o700)
    (tmp_path / "shop").mkdir()
    someone = Person(tmp_path, {"PATH": f"{programs}:/usr/bin:/bin", "CLAUDECODE": "1"})
    someone.claude_run("one", "deploy the shop")
    assert someone.lane("capture", "--json").code == 0
    return someone


def run_of(person: Person) -> str:
    return person.lane("runs", "--json").data[0]["id"]


def test_the_agent_is_started_with_its_own_resume_in_the_checkout(person: Person) -> None:
    started = person.lane("resume", run_of(person), "and the docs", "--cwd", "shop")
    assert started.code == 0, started.err
    folder, option, handle, prompt, inside = started.lines
    assert (folder, option, prompt) == (str(person.home / "shop"), "--resume", "and the docs")
    assert inside == "inside nobody", "it is no part of the run that called lane"
    (copy,) = (person.home / ".claude" / "projects").rglob(f"{handle}.jsonl")
    assert str(person.home / "shop") in copy.read_text()


def test_another_agent_gets_a_hand_over_as_its_first_prompt(person: Person) -> None:
    started = person.lane("resume", run_of(person), "--in", "claude-code", "--cwd", "shop")
    assert started.code == 0, started.err
    assert started.lines[0] == str(person.home / "shop")
    assert "deploy the shop" in started.out
    assert f"{run_of(person)}#t1.1" in started.out


def test_a_person_at_a_terminal_is_asked_for_a_checkout_that_is_not_known(person: Person) -> None:
    asked = person.on_screen("resume", run_of(person), "and the docs", typed="nowhere\nshop\n")
    assert asked.code == 0, asked.out
    assert "No checkout of shop is known here." in asked.out
    assert "nowhere is not a folder" in asked.out
    assert asked.out.endswith("and the docs\ninside nobody\n"), "the agent has the terminal"
    assert f"\n{person.home / 'shop'}\n--resume\n" in asked.out


def test_without_a_terminal_the_error_names_the_option(person: Person) -> None:
    refused = person.lane("resume", run_of(person))
    assert refused.code == 2
    assert "no checkout of shop" in refused.err
    assert "--cwd FOLDER" in refused.err


def test_print_shows_what_would_be_typed_and_starts_nothing(person: Person) -> None:
    shown = person.lane("resume", run_of(person), "--cwd", "shop", "--print")
    assert shown.out.startswith(f"cd {person.home / 'shop'} && claude --resume ")
    assert "inside" not in shown.out


def test_an_agent_that_is_not_installed_is_named_before_anything_is_written(person: Person) -> None:
    (person.home / "programs" / "claude").unlink()
    before = sorted((person.home / ".claude").rglob("*"))
    refused = person.lane("resume", run_of(person), "--cwd", "shop")
    assert refused.code == 2
    assert "claude is not on this machine's PATH" in refused.err
    assert sorted((person.home / ".claude").rglob("*")) == before
