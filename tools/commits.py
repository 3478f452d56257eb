"""`python -m tools.commits`: whether each commit since a named one has a short subject and says why.

pyproject.toml names the commit to start from. A clone without that history (a shallow one, an archive without git) has
nothing to check: the tool says so and passes.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tools.check import ROOT

LONGEST = 72  # characters of a subject
FIELDS = "%H%x00%s%x00%b%x01"


def first(root: Path) -> str:
    """The commit behind which they are looked at."""
    return tomllib.loads((root / "pyproject.toml").read_text())["tool"]["memlane"]["commits_after"]


def wrong(root: Path, after: str) -> list[str] | None:
    """A line for each commit that breaks a rule; None: the history is not here."""
    if _git(root, "merge-base", "--is-ancestor", after, "HEAD") is None:
        return None
    told = _git(root, "log", "--no-merges", f"--format={FIELDS}", f"{after}..HEAD") or ""
    commits = (entry.strip().split("\0") for entry in told.split("\1") if entry.strip())
    return [line for id, subject, body in commits for line in _wrong_with(id, subject, body)]


def _wrong_with(id: str, subject: str, body: str) -> Iterator[str]:
    if len(subject) > LONGEST:
        yield f"{id[:9]} subject has {len(subject)} characters, at most {LONGEST} allowed: {subject}"
    if not body.strip():
        yield f"{id[:9]} has no body that says why: {subject}"


def _git(root: Path, *words: str) -> str | None:
    """What it printed; None if it failed or is not there."""
    try:
        done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return done.stdout if done.returncode == 0 else None


def main() -> int:
    found = wrong(ROOT, first(ROOT))
    if found is None:
        print("the history is not here: no commit was looked at")
    for line in found or ():
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
