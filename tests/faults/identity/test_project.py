"""Which project a folder belongs to, where there is no remote to say so."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from memlane.identity.project import project_of, without_worktree


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=Noor", "-c", "user.email=noor@tides.example")
    subprocess.run(["git", "-C", str(folder), *who, *words], check=True, capture_output=True)


def test_a_worktree_is_the_project_it_was_made_from(tmp_path: Path) -> None:
    main, beside = tmp_path.resolve() / "tides", tmp_path.resolve() / "elsewhere" / "fix"
    main.mkdir()
    git(main, "init", "-q")
    git(main, "commit", "-q", "--allow-empty", "-m", "first")
    git(main, "worktree", "add", "-q", str(beside))
    (beside / "src").mkdir()
    here = project_of(str(main))
    assert (here.name, here.key) == ("tides", str(main))
    assert project_of(str(beside)) == project_of(str(beside / "src")) == here


@pytest.mark.parametrize(
    ("path", "of_the_project"),
    [
        (".worktrees/2/cmd/x.go", "cmd/x.go"),
        ("/nowhere/noor/tides/.claude/worktrees/brave-otter/cmd/x.go", "cmd/x.go"),
        ("cmd/x.go", "cmd/x.go"),
        ("docs/worktrees/2/cmd/x.go", "docs/worktrees/2/cmd/x.go"),
        (".worktrees/2/", ".worktrees/2/"),
    ],
)
def test_a_path_in_a_worktree_is_the_projects_path(path: str, of_the_project: str) -> None:
    assert without_worktree(path) == of_the_project


@pytest.mark.parametrize("worktree", ["/.worktrees/1", "/.worktrees/fix/src", "/.claude/worktrees/brave-otter"])
def test_a_worktree_that_is_gone_is_known_by_where_it_was(worktree: str) -> None:
    assert project_of(f"/nowhere/noor/tides{worktree}") == project_of("/nowhere/noor/tides")
    assert project_of(f"C:/noor/tides{worktree}".replace("/", "\\")).name == "tides"


def test_a_submodule_is_a_project_of_its_own(tmp_path: Path) -> None:
    part = tmp_path / "tides" / "vendor" / "charts"
    part.mkdir(parents=True)
    (tmp_path / "tides" / ".git" / "modules" / "charts").mkdir(parents=True)
    (part / ".git").write_text("gitdir: ../../.git/modules/charts\n")
    assert project_of(str(part)).key == str(part)
