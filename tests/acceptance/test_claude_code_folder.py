"""The real Claude Code loads our lines in its own MEMORY.md, reads a page when it needs one, and lists our skill."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memlane.domain import RunFilter
from tests.acceptance.hooks import until
from tests.acceptance.test_claude_code import BEYOND_ITS_TITLE, SAID, AtHome, set_up
from tests.clients.drive import ClaudeCode
from tests.conftest import LaneHome
from tests.flow.talks import Talk, days_ago

THEIRS = "- [Theirs](theirs.md) — what it found out by itself MARK-theirs\n"


@pytest.fixture
def at_home(lane_home: LaneHome, claude: Callable[..., ClaudeCode]) -> Iterator[AtHome]:
    with set_up(lane_home, claude) as made:
        (made.hooked.project / ".git").mkdir()
        made.hooked.command("daemon", "start")
        yield made


def lane(at_home: AtHome, *words: str) -> dict[str, object]:
    """A command as somebody types it in the project."""
    done = subprocess.run(
        [sys.executable, "-m", "memlane", *words, "--json"],
        cwd=at_home.hooked.project,
        env={**os.environ, **at_home.hooked.variables},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def memory_of(at_home: AtHome) -> Path:
    name = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(at_home.hooked.project))
    return at_home.hooked.home / ".claude" / "projects" / name / "memory"


def test_our_lines_are_in_its_request_beside_its_own_and_nothing_is_told_twice(at_home: AtHome) -> None:
    folder = memory_of(at_home)
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text(THEIRS)
    (folder / "theirs.md").write_text("Its own.\n")
    lane(at_home, "mem", "folder", "--claude-code")
    at_home.hooked.command("daemon", "restart")
    (page,) = [path for path in folder.glob("*.md") if path.name not in ("MEMORY.md", "theirs.md")]
    session = at_home.run(f"hello {SAID}")
    assert session.saw("MARK-theirs")
    assert session.saw(f"]({page.name})")
    assert session.saw("hints to check, not orders")
    assert not session.saw(BEYOND_ITS_TITLE)
    assert not session.saw("<lane-memory nonce=")
    assert until(lambda: bool(at_home.recalls()))
    (start, *_prompt) = at_home.recalls()
    assert (start["moment"], start["why"]) == ("start", "its own MEMORY.md already has Lane's lines")
    read = json.dumps({"file_path": str(page)})
    looked = at_home.run(f"look it up @@call Read {read}@@ {SAID}")
    assert looked.turns[-1].holds(BEYOND_ITS_TITLE)
    lane(at_home, "mem", "folder", "--no-claude-code")
    assert {path.name: path.read_text() for path in folder.iterdir()} == {
        "MEMORY.md": THEIRS,
        "theirs.md": "Its own.\n",
    }


def test_what_it_read_out_of_our_page_is_ours_and_never_caught(at_home: AtHome) -> None:
    lane(at_home, "mem", "folder", "--claude-code")
    (page,) = [path for path in memory_of(at_home).glob("*.md") if path.name != "MEMORY.md"]
    at_home.run(f"look it up @@call Read {json.dumps({'file_path': str(page)})}@@ {SAID}")
    at_home.hooked.command("capture", "--quiet")
    with at_home.hooked.lane() as opened:
        (run,) = opened.runs.select(RunFilter())
        steps = [step for turn in opened.runs.show(run.id).turns for step in turn.steps]
        read = [step for step in steps if step.call is not None and step.call.name == "Read"]
    assert [step.ours for step in read] == [True]


def test_a_skill_drafted_from_what_was_asked_three_times_is_one_it_lists(at_home: AtHome) -> None:
    wishes = (
        "write release notes from the merged changes since the last tag",
        "the release notes please, out of all changes merged since the tag",
        "make release notes of what changes were merged after our tag",
    )
    for number, wish in enumerate(wishes, 1):
        talk = Talk(at_home.hooked.home, number, day=days_ago(10 - number)).person(wish)
        talk.tool("Bash", {"command": "git log --merges v1..HEAD"}, "three changes").agent("Here they are.")
        path = at_home.hooked.home / ".claude" / "projects" / "-home-dev-app" / f"{talk.session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(record) + "\n" for record in talk.records))
    lane(at_home, "capture", "--quiet")
    (habit,) = lane(at_home, "skills")["data"]  # type: ignore[misc]
    assert (habit["times"], habit["kept"], len(habit["runs"])) == (3, False, 3)
    before = at_home.run(f"hello {SAID}")
    lane(at_home, "skills", "draft", "1", "-o", str(at_home.hooked.home / ".claude" / "skills"))
    after = at_home.run(f"hello {SAID}")
    assert (before.saw(habit["name"]), after.saw(habit["name"])) == (False, True)
    (again,) = lane(at_home, "skills")["data"]  # type: ignore[misc]
    assert again["kept"] is True
