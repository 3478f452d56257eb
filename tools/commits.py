"""`python -m tools.commits`: whether each commit since a named one has a short subject and says why.

Where it begins, and the few that were already shared when the rule came, stand in pyproject.toml. A clone without that
history (a shallow one, an archive without git) has nothing to look at: it says so and passes.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.check import ROOT

LONGEST = 72  # characters of a subject
FIELDS = "%H%x00%s%x00%b%x01"


@dataclass(frozen=True, slots=True)
class CommitRules:
    """Which commits are looked at."""

    after: str
    excused: Collection[str] = ()


def rules(root: Path) -> CommitRules:
    told = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["memlane"]
    return CommitRules(told["commits_after"], frozenset(told["commits_excused"]))


def wrong(root: Path, rules: CommitRules) -> list[str] | None:
    """A line for each commit that breaks a rule; None: the history is not here."""
    if _git(root, "merge-base", "--is-ancestor", rules.after, "HEAD") is None:
        return None
    told = _git(root, "log", "--no-merges", f"--format={FIELDS}", f"{rules.after}..HEAD") or ""
    commits = (entry.strip().split("\0") for entry in told.split("\1") if entry.strip())
    return [line for id, subject, body in commits if id not in rules.excused for line in _wrong_with(id, subject, body)]


def _wrong_with(id: str, subject: str, body: str) -> Iterator[str]:
    if len(subject) > LONGEST:
        yield f"{id[:9]} its subject has {len(subject)} characters, at most {LONGEST} are read everywhere: {subject}"
    if not body.strip():
        yield f"{id[:9]} has no body, so nobody can read why: {subject}"


def _git(root: Path, *words: str) -> str | None:
    """What it printed; None if it failed or is not there."""
    try:
        done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return done.stdout if done.returncode == 0 else None


def main() -> int:
    found = wrong(ROOT, rules(ROOT))
    if found is None:
        print("the history is not here: no commit was looked at")
    for line in found or ():
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
