"""`python -m tools.check`: everything a change must pass before its tests are worth running, one line each.

There is no second definition of clean: CI, an editor or a commit hook calls this. While you work, `--changed` asks the
same of what differs from the last commit, and runs the tests of its rooms.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
COG_MARK = "[[[" + "cog"
WORKERS = 2  # pyright takes one core; the rest fits beside it
TYPED = ("src/", "tools/")  # what pyright looks at, as pyproject.toml says


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


def changed_files() -> list[str]:
    """What differs from the last commit and is still there, new files too."""
    differ = ["git", "diff", "--name-only", "-z", "--diff-filter=d", "--relative", "HEAD"]
    new = ["git", "ls-files", "-z", "--others", "--exclude-standard"]
    told = [subprocess.run(one, cwd=ROOT, capture_output=True, text=True, check=True).stdout for one in (differ, new)]
    return sorted({name for names in told for name in names.split("\0") if name})


def concerned(changed: Iterable[str]) -> list[str]:
    """The rooms that changed, by the folder of their tests, and the tests that changed themselves."""
    found = set[str]()
    for name in changed:
        parts = PurePosixPath(name).with_suffix("").parts
        match parts:
            case ("src", "memlane", "surfaces", room, *_) | ("src", "memlane", room, *_) | ("tests", "rooms", room, *_):
                found.add(f"tests/rooms/{room}")
            case ("tests", folder, *_, last) if last.startswith("test_") and folder != "house":  # which is run anyway
                found.add(name)
            case _:
                pass
    there = {name for name in found if (ROOT / name).exists()}
    return sorted(there | {f"{name}.py" for name in found if (ROOT / f"{name}.py").is_file()})


def checks(changed: Sequence[str] | None = None) -> Sequence[Check]:
    """Of everything, or of these files."""
    python = [sys.executable, "-m"]
    scripts = Path(sysconfig.get_path("scripts"))
    typed = [name for name in changed or () if name.startswith(TYPED) and name.endswith(".py")]
    tests = concerned(changed or ())
    pyright = Check("pyright", [*python, "pyright", "--pythonpath", sys.executable, *typed])
    return (
        *([pyright] if changed is None or typed else []),  # the slowest first, the others run beside it
        Check("ruff format", [*python, "ruff", "format", "--check", "."]),
        Check("ruff check", [*python, "ruff", "check", "."]),
        Check("lint-imports", [str(scripts / "lint-imports")]),
        Check("knots", [*python, "tools.knots"]),
        Check("commits", [*python, "tools.commits"]),
        Check("cog", [*python, "cogapp", "--check", "-P", "-I", ".", *generated_pages()]),
        Check("tests/house", [*python, "pytest", "-q", "tests/house"]),
        *([Check("tests", [*python, "pytest", "-q", *tests])] if tests else []),
    )


def run(check: Check) -> Finding:
    started = time.perf_counter()
    done = subprocess.run(
        check.command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    return Finding(check, done.returncode == 0, done.stdout.rstrip(), time.perf_counter() - started)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.check", description=__doc__)
    parser.add_argument("--changed", action="store_true", help="only what differs from the last commit, and its tests")
    chosen = parser.parse_args(arguments)
    passed = True
    with ThreadPoolExecutor(WORKERS) as pool:
        for finding in pool.map(run, checks(changed_files() if chosen.changed else None)):
            passed = passed and finding.passed
            print(
                f"{'ok  ' if finding.passed else 'FAIL'} {finding.check.name:<14} {finding.seconds:5.1f} s", flush=True
            )
            if not finding.passed:
                print(finding.output, flush=True)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
