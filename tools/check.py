"""`python -m tools.check`: everything a change must pass before its tests are worth running, one line each.

There is no second definition of clean: CI, an editor or a commit hook calls this.
"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COG_MARK = "[[[" + "cog"
WORKERS = 2  # pyright takes one core; the rest fits beside it


@dataclass(frozen=True, slots=True)
class Check:
    """One tool that must end with 0."""

    name: str
    command: Sequence[str]


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one check."""

    check: Check
    passed: bool
    output: str
    seconds: float


def generated_pages() -> list[str]:
    """Pages with a part written by cog."""
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    return sorted(str(page.relative_to(ROOT)) for page in pages if COG_MARK in page.read_text())


def checks() -> Sequence[Check]:
    python = [sys.executable, "-m"]
    scripts = Path(sysconfig.get_path("scripts"))
    return (
        Check(
            "pyright", [*python, "pyright", "--pythonpath", sys.executable]
        ),  # the slowest first, the others run beside it
        Check("ruff format", [*python, "ruff", "format", "--check", "."]),
        Check("ruff check", [*python, "ruff", "check", "."]),
        Check("lint-imports", [str(scripts / "lint-imports")]),
        Check("cog", [*python, "cogapp", "--check", "-P", "-I", ".", *generated_pages()]),
        Check("tests/house", [*python, "pytest", "-q", "tests/house"]),
    )


def run(check: Check) -> Finding:
    started = time.perf_counter()
    done = subprocess.run(
        check.command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    return Finding(check, done.returncode == 0, done.stdout.rstrip(), time.perf_counter() - started)


def main() -> int:
    passed = True
    with ThreadPoolExecutor(WORKERS) as pool:
        for finding in pool.map(run, checks()):
            passed = passed and finding.passed
            print(
                f"{'ok  ' if finding.passed else 'FAIL'} {finding.check.name:<14} {finding.seconds:5.1f} s", flush=True
            )
            if not finding.passed:
                print(finding.output, flush=True)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
