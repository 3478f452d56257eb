"""A project in a real git repository, and a home that has seen a run in it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from memlane.app import Lane
from memlane.domain import Memory, Mention, Project
from memlane.identity import project_of
from tests.flow.dreams import caught
from tests.flow.homes import answer, prompt, said, transcript, write

WHO = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgSign=false")
ALONE = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


class GitProject:
    """`app` in the person's home, with `main` as its branch."""

    def __init__(self, folder: Path, lane: Lane, branch: str = "main") -> None:
        self.app = folder / "home" / "app"
        self.app.mkdir(parents=True)
        self.git("init", "--quiet", f"--initial-branch={branch}")
        self.git("remote", "add", "origin", "git@host:acme/app.git")
        write(transcript(folder), [prompt("build it", cwd=str(self.app)), answer([said("done")], cwd=str(self.app))])
        lane.capture.sweep()
        self.project: Project = project_of(str(self.app))

    def git(self, *words: str, at: Path | None = None) -> str:
        variables = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | ALONE
        done = subprocess.run(
            ["git", *WHO, *words], cwd=at or self.app, env=variables, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    def commit(self, files: Mapping[str, str | None], at: Path | None = None) -> str:
        """Each with its text; None deletes it."""
        for name, text in files.items():
            path = (at or self.app) / name
            if text is None:
                path.unlink()
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
        self.git("add", "--all", at=at)
        self.git("commit", "--quiet", "--allow-empty", "--message", "change", at=at)
        return self.git("rev-parse", "HEAD", at=at)

    def note(self, title: str, *files: str, **more: object) -> Memory:
        about = tuple(Mention("file", path, path, resolved=True) for path in files)
        here = {"project": self.project.name, "project_key": self.project.key, "related_entities": about}
        return replace(caught(title), **{**here, **more})  # type: ignore[arg-type] - by name, as a test says
