"""`python3 -m tools.ready`: from a fresh clone to green, the one line of the README and of CI. Standard library only.

Makes .venv with everything pinned by hash, installs the real agent clients and a browser, checks the code, runs every
test and says what was skipped. Each step is done again only when something it depends on has changed.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
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
SETUP = {"environment", "clients"}  # nothing can follow without them; without a browser, its tests are skipped
SOME_FAILED = 1  # pytest's exit status
FEW = 5  # failures; more are no accident
AT_ONCE = str(min(max(os.cpu_count() or 2, 2), 4))  # tests; many of them wait for a process of their own
NOT_KEPT = "PYTHONDONTWRITEBYTECODE"  # thousands of processes would each compile everything again
MEMORY = Path("/dev/shm")
ENOUGH = 2 << 30  # bytes: several times what all the homes of the tests take


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


def run_tests(tally: Tally, *more: str) -> bool:
    """In CI a skipped test is a failure.

    The few that fail beside thousands of others are run once more, alone; those that pass then are named.
    """
    with tempfile.TemporaryDirectory(prefix="l", dir=_fast(), ignore_cleanup_errors=True) as scratch:
        pytest, report = [PYTHON, "-m", "pytest", "-q", *more], Path(scratch) / "report.xml"
        code = _exit_code([*pytest, "-n", AT_ONCE, "--dist", "worksteal", f"--junitxml={report}"], TMPDIR=scratch)
        if report.exists():
            tally.add(report)
        if code == SOME_FAILED and len(tally.failed) <= FEW and _call([*pytest, "--last-failed"], TMPDIR=scratch):
            tally.passed_alone()
            code = 0
    in_ci = os.environ.get("CI") == "true"
    return code == 0 and tally.passed > 0 and not (in_ci and tally.skipped)


def _fast() -> Path | None:
    """Memory, where it has room and lets programs run: the homes of the tests are synced thousands of times."""
    if not (MEMORY.is_dir() and os.access(MEMORY, os.W_OK)):
        return None
    may_run = not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
    return MEMORY if may_run and shutil.disk_usage(MEMORY).free > ENOUGH else None


def _call(command: Sequence[str | Path], **variables: str) -> bool:
    return _exit_code(command, **variables) == 0


def _exit_code(command: Sequence[str | Path], **variables: str) -> int:
    known = {name: value for name, value in os.environ.items() if name != NOT_KEPT}
    return subprocess.run(command, cwd=ROOT, check=False, env={**known, **variables}).returncode


# -- the whole -----------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m tools.ready", description=__doc__)
    parser.add_argument("--no-tests", action="store_true", help="set up and check, run no test")
    parser.add_argument("--only", choices=("check", "tests"), help="set up, then only this")
    options = parser.parse_args(arguments)
    if sys.version_info < OLDEST:
        parser.error(f"Python {'.'.join(map(str, OLDEST))} or newer is needed, this is {sys.version.split()[0]}")
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that starts us behind itself switches it off
    tally, tests = Tally(), options.only != "check"
    stages: list[dict[str, Callable[[], bool]]] = [{"environment": make_environment}]
    setup = {"clients": install_clients, "browser": install_browser} if tests else {}
    stages.append({**setup, **({"check": check_code} if options.only != "tests" else {})})
    if tests and not options.no_tests:
        checked = () if options.only else ("--ignore=tests/house",)
        stages.append({"tests": lambda: run_tests(tally, *checked)})
    return _take(stages, tally)


def _take(stages: Sequence[Mapping[str, Callable[[], bool]]], tally: Tally) -> int:
    """One stage after the other, its steps side by side: some wait for the network while others count.

    Nothing can follow a failed setup, but tests are told even if the check found something.
    """
    lines: list[str] = []
    failed: set[str] = set()
    for stage in stages:
        print(f"== {', '.join(stage)}", flush=True)
        with ThreadPoolExecutor(len(stage)) as pool:
            done = {name: pool.submit(_timed, step) for name, step in stage.items()}
        for name, future in done.items():
            passed, seconds = future.result()
            failed |= set() if passed else {name}
            lines.append(f"{'ok  ' if passed else 'FAIL'} {name:<12} {seconds:6.1f} s")
        if failed & SETUP:
            break
    told = [f"skipped: {line}" for line in tally.skipped] + [f"unsteady: {line}" for line in tally.unsteady]
    print("\n== summary", *lines, *told, sep="\n")
    if tally.run:
        print(f"tests: {tally.passed} passed, {len(tally.failed)} failed, {len(tally.skipped)} skipped")
    return 1 if failed else 0


def _timed(step: Callable[[], bool]) -> tuple[bool, float]:
    began = time.perf_counter()
    return step(), time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(main())
