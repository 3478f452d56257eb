"""`python3 -m tools.ready`: from a fresh clone to green, the one line of the README and of CI. Standard library only.

Makes .venv with everything pinned by hash, installs the real agent clients and a browser, checks the code, runs every
test and says what was skipped. Each step is done again only when something it depends on has changed.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import signal
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LIBRARY = VENV / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}"
PINS = ROOT / "requirements" / "dev.txt"
STAMP = VENV / "ready.stamp"
OLDEST = (3, 11)
SOME_FAILED = 1  # pytest's exit status
FEW = 5  # failures; more are no accident
NO_TESTS_COLLECTED = 5  # pytest's exit status; fine for one half, not for both
HALVES = (
    ("-n", "2", "-m", "not client"),
    ("-m", "client"),  # one at a time: they watch how a client behaves while a hook is slow
)


@dataclass(slots=True)
class Tally:
    """What pytest's report says, added up."""

    run: int = 0
    failed: list[str] = field(default_factory=list[str])
    skipped: list[str] = field(default_factory=list[str])
    unsteady: list[str] = field(default_factory=list[str])  # failed among others, passed alone: to be looked into

    @property
    def passed(self) -> int:
        return self.run - len(self.failed) - len(self.skipped)

    def passed_alone(self) -> None:
        self.unsteady += self.failed
        self.failed.clear()

    def add(self, report: Path) -> None:
        for case in ElementTree.parse(report).iter("testcase"):
            self.run += 1
            if case.find("failure") is not None or case.find("error") is not None:
                self.failed.append(f"{case.get('classname')}.{case.get('name')}")
            elif (skip := case.find("skipped")) is not None:
                self.skipped.append(f"{case.get('classname')}.{case.get('name')}: {skip.get('message')}")


# -- the steps -----------------------------------------------------------------------------------------------------


def make_environment() -> bool:
    """.venv with the pinned packages and memlane itself, put there by the pip at hand: ensurepip may be missing."""
    wanted = _fingerprint()
    if not (PYTHON.exists() and LIBRARY.is_dir()):  # none yet, or of another Python than the one running this
        venv.EnvBuilder(symlinks=True, clear=True).create(VENV)
    if STAMP.is_file() and STAMP.read_text() == wanted:
        return True
    pip = [sys.executable, "-m", "pip", "--python", str(PYTHON), "--disable-pip-version-check", "install", "--quiet"]
    done = _call([*pip, "--require-hashes", "-r", str(PINS)]) and _call(
        [*pip, "--no-deps", "--no-build-isolation", "-e", str(ROOT)]
    )
    if done:
        STAMP.write_text(wanted)
    return done


def _fingerprint() -> str:
    files = (PINS.read_bytes(), (ROOT / "pyproject.toml").read_bytes(), str(ROOT).encode())
    return hashlib.sha256(b"\0".join(files)).hexdigest()


def install_clients() -> bool:
    return _call([PYTHON, "-m", "tools.clients"])


def install_browser() -> bool:
    return _call([PYTHON, "-m", "tools.browser"])


def check_code() -> bool:
    return _call([PYTHON, "-m", "tools.check"])


def run_tests(tally: Tally) -> bool:
    """Both halves, whatever comes of the first; in CI a skipped test is a failure.

    The few that fail beside thousands of others are run once more, alone; those that pass then are named.
    """
    good = True
    with tempfile.TemporaryDirectory() as scratch:
        for number, half in enumerate(HALVES):
            report, before = Path(scratch) / f"{number}.xml", list(tally.failed)
            code = _exit_code([PYTHON, "-m", "pytest", "-q", f"--junitxml={report}", *half])
            if report.exists():
                tally.add(report)
            few = 0 < len(tally.failed) - len(before) <= FEW and not before
            if code == SOME_FAILED and few and _call([PYTHON, "-m", "pytest", "-q", "--last-failed", *half[-2:]]):
                tally.passed_alone()
                code = 0
            good = good and code in (0, NO_TESTS_COLLECTED)
    in_ci = os.environ.get("CI") == "true"
    return good and tally.passed > 0 and not (in_ci and tally.skipped)


def _call(command: Sequence[str | Path]) -> bool:
    return _exit_code(command) == 0


def _exit_code(command: Sequence[str | Path]) -> int:
    return subprocess.run(command, cwd=ROOT, check=False).returncode


# -- the whole -----------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m tools.ready", description=__doc__)
    parser.add_argument("--no-tests", action="store_true", help="set up and check, run no test")
    parser.add_argument("--only", choices=("check", "tests"), help="set up, then only this")
    options = parser.parse_args(arguments)
    if sys.version_info < OLDEST:
        parser.error(f"Python {'.'.join(map(str, OLDEST))} or newer is needed, this is {sys.version.split()[0]}")
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that starts us behind itself switches it off
    tally = Tally()
    steps: list[tuple[str, Callable[[], bool]]] = [("environment", make_environment)]
    if options.only != "check":
        steps.append(("clients", install_clients))
        steps.append(("browser", install_browser))
    if options.only != "tests":
        steps.append(("check", check_code))
    if options.only != "check" and not options.no_tests:
        steps.append(("tests", lambda: run_tests(tally)))
    return _take(steps, tally)


def _take(steps: Sequence[tuple[str, Callable[[], bool]]], tally: Tally) -> int:
    """One after the other. Nothing can follow a failed setup, but tests are told even if the check found something."""
    lines: list[str] = []
    failed: list[str] = []
    for name, step in steps:
        print(f"== {name}", flush=True)
        started = time.perf_counter()
        if not step():
            failed.append(name)
        lines.append(f"{'FAIL' if name in failed else 'ok  '} {name:<12} {time.perf_counter() - started:6.1f} s")
        if failed and name in ("environment", "clients", "browser"):
            break
    told = [f"skipped: {line}" for line in tally.skipped] + [f"unsteady: {line}" for line in tally.unsteady]
    print("\n== summary", *lines, *told, sep="\n")
    if tally.run:
        print(f"tests: {tally.passed} passed, {len(tally.failed)} failed, {len(tally.skipped)} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
