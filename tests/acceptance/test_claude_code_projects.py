"""One project in the real Claude Code: a folder that gets its remote later, a worktree and a new clone get one note."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.acceptance.test_claude_code import BEYOND_ITS_TITLE, PROMPT, SAID, AtHome, answered, set_up
from tests.clients.drive import ClaudeCode
from tests.conftest import LaneHome
from tests.flow.git_projects import ALONE, WHO

ORIGIN = "git@host:acme/shop.git"


@pytest.fixture
def at_home(lane_home: LaneHome, claude: Callable[..., ClaudeCode]) -> Iterator[AtHome]:
    with set_up(lane_home, claude) as made:
        made.hooked.command("daemon", "start")
        yield made


def git(folder: Path, *words: str) -> None:
    variables = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | ALONE
    subprocess.run(["git", *WHO, *words], cwd=folder, env=variables, capture_output=True, check=True)


def checkout(folder: Path, origin: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "remote", "add", "origin", origin)
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "begin")


def told(at_home: AtHome, cwd: str) -> bool:
    return answered(at_home, f"{PROMPT} {SAID}", cwd).saw(BEYOND_ITS_TITLE)


def test_a_folder_with_a_later_remote_a_worktree_and_a_new_clone_get_the_same_note(at_home: AtHome) -> None:
    project = at_home.hooked.project  # a plain folder when the note was made
    checkout(project, ORIGIN)
    git(project, "worktree", "add", "--quiet", str(project.parent / "elsewhere" / "fix"))
    checkout(project.parent / "again", "https://host/acme/shop")
    checkout(project.parent / "other", "git@host:mira/shop.git")
    for folder in (project.name, "elsewhere/fix", "again"):  # the first session there after it got its remote
        assert told(at_home, folder), (folder, at_home.recalls()[-1])
    assert not told(at_home, "other"), "another project"
    with at_home.hooked.lane() as lane:
        (row,) = [row for row in lane.projects.all() if row.memories]
    assert (row.project.key, row.paths) == ("host/acme/shop", [str(project)])
