"""`python3 -m tools.ready`: from a fresh clone to green, the one line of the README and of CI. Standard library only.

Makes .venv with everything pinned by hash, installs the real agent clients and a browser, checks the code, runs every
test and says what was skipped. Then most tests once more, in .venv-newest, with the newest Python of this machine.
Each step is done again only when something it depends on has changed.
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
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
VENV_NEWEST = ROOT / ".venv-newest"
PYTHON = VENV / "bin" / "python"
PINS = ROOT / "requirements" / "dev.txt"
OLDEST = (3, 11)
WITH_NEWEST = ("tests/rooms", "tests/flow", "tests/conformance")
BROWSER = "tests/browser"  # run apart: what other tests fork shares the pipes that drive a browser, and can hang it
SETUP = {"environment", "clients"}  # nothing can follow without them; without a browser, its tests are skipped
SOME_FAILED = 1  # pytest's exit status
FEW = 5  # failures; more are no accident
AT_ONCE = str(min(max(os.cpu_count() or 2, 2) + 1, 4))  # tests: one more than cores, since many wait for something
NOT_KEPT = "PYTHONDONTWRITEBYTECODE"  # thousands of processes would each compile everything again
MEMORY = Path("/dev/shm")
ENOUGH = 2 << 30  # bytes: several times what all the homes of the tests take


@dataclass(slots=True)
class Tally:
    """What pytest's report says, added up."""

    python: str = sys.version.split()[0]
    run: int = 0
    failed: list[str] = field(default_factory=list[str])
    skipped: list[str] = field(default_factory=list[str])
    unsteady: list[str] = field(default_factory=list[str])  # failed among others, passed alone: to be looked into
    told: list[str] = field(default_factory=list[str])  # what else the summary says

    @property
    def passed(self) -> int:
        return self.run - len(self.failed) - len(self.skipped)

    def passed_alone(self) -> None:
        self.unsteady += self.failed
        self.failed.clear()

    def join(self, other: Tally) -> None:
        self.run += other.run
        self.failed += other.failed
        self.skipped += other.skipped
        self.unsteady += other.unsteady

    def lines(self) -> list[str]:
        found = [f"skipped: {line}" for line in self.skipped] + [f"unsteady: {line}" for line in self.unsteady]
        if self.run:
            counts = f"{self.passed} passed, {len(self.failed)} failed, {len(self.skipped)} skipped"
            found.append(f"tests with Python {self.python}: {counts}")
        return found + self.told

    def add(self, report: Path) -> None:
        for case in ElementTree.parse(report).iter("testcase"):
            self.run += 1
            if case.find("failure") is not None or case.find("error") is not None:
                self.failed.append(f"{case.get('classname')}.{case.get('name')}")
            elif (skip := case.find("skipped")) is not None:
                self.skipped.append(f"{case.get('classname')}.{case.get('name')}: {skip.get('message')}")


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python of this machine."""

    version: tuple[int, ...]
    path: str

    def __str__(self) -> str:
        return ".".join(map(str, self.version))


THIS = Interpreter(tuple(sys.version_info[:3]), sys.executable)


# -- the steps -----------------------------------------------------------------------------------------------------


def make_environment(folder: Path = VENV, interpreter: Interpreter = THIS) -> bool:
    """The pinned packages and memlane itself, put there by the pip at hand: ensurepip may be missing."""
    wanted, stamp, python = _fingerprint(interpreter), folder / "ready.stamp", folder / "bin" / "python"
    is_there = python.exists() and _made_by(interpreter, folder)
    if is_there and stamp.is_file() and stamp.read_text() == wanted:
        return True
    with_pip = (
        sys.executable if folder == VENV else PYTHON
    )  # the pinned pip runs under every Python, a system's may not
    pip = [with_pip, "-m", "pip", "--python", python, "--disable-pip-version-check", "install", "--quiet"]
    done = (
        (is_there or _call([interpreter.path, "-m", "venv", "--symlinks", "--without-pip", "--clear", str(folder)]))
        and _call([*pip, "--require-hashes", "--only-binary=:all:", "-r", str(PINS)])
        and _call([*pip, "--no-deps", "--no-build-isolation", "-e", str(ROOT)])
    )
    if done:
        stamp.write_text(wanted)
    return done


def _fingerprint(interpreter: Interpreter) -> str:
    words = (PINS.read_bytes(), (ROOT / "pyproject.toml").read_bytes(), str(ROOT).encode(), str(interpreter).encode())
    return hashlib.sha256(b"\0".join(words)).hexdigest()


def _made_by(interpreter: Interpreter, folder: Path) -> bool:
    """Down to the last number: some faults are those of one repair release."""
    settings = folder / "pyvenv.cfg"
    return settings.is_file() and f"version = {interpreter}\n" in settings.read_text()


def newer_interpreters() -> list[Interpreter]:
    """Every released Python of this machine that is newer than this one by more than repairs, the newest first."""
    folders = [*os.environ.get("PATH", "").split(os.pathsep), "/usr/bin"]
    named = (path for folder in folders if folder for path in Path(folder).glob("python3.*"))
    kept = (Path.home() / ".pyenv" / "versions").glob("*/bin/python3")
    found = {each.version: each for path in (*named, *kept) if (each := _asked(path)) is not None}
    return [found[version] for version in sorted(found, reverse=True) if version[:2] > THIS.version[:2]]


def _asked(path: Path) -> Interpreter | None:
    """None for what is no Python, no release, or a shim that leads nowhere."""
    if path.name != "python3" and not path.name.removeprefix("python3.").isdigit():
        return None
    question = "import sys; print(sys.executable, *sys.version_info[:4])"
    asked = subprocess.run([path, "-c", question], capture_output=True, text=True, check=False)
    if asked.returncode != 0 or not asked.stdout.strip().endswith(" final"):
        return None
    executable, *version, _level = asked.stdout.rsplit(maxsplit=4)
    return Interpreter(tuple(map(int, version)), executable)


def run_with_newest(tally: Tally) -> bool:
    """The newest Python that every pinned package has a wheel for."""
    found = newer_interpreters()
    for interpreter in found:
        if make_environment(VENV_NEWEST, interpreter):
            tally.python = str(interpreter)
            return run_tests(tally, *WITH_NEWEST, environment=VENV_NEWEST)
        tally.told.append(f"newest: the pinned packages cannot be installed for Python {interpreter}")
    if not found:
        tally.told.append(f"newest: there is no Python newer than {THIS} here, so no test was run with one")
    return not found


def install_clients() -> bool:
    return _call([PYTHON, "-m", "tools.clients"])


def install_browser() -> bool:
    return _call([PYTHON, "-m", "tools.browser"])


def check_code() -> bool:
    return _call([PYTHON, "-m", "tools.check"])


def run_tests(tally: Tally, *more: str, environment: Path = VENV) -> bool:
    """In CI a skipped test is a failure.

    The few that fail beside thousands of others are run once more, alone; those that pass then are named.
    """
    with tempfile.TemporaryDirectory(prefix="l", dir=_fast(), ignore_cleanup_errors=True) as scratch:
        remembers = ("-o", f"cache_dir={environment / 'pytest'}")  # which ones failed
        pytest = [environment / "bin" / "python", "-m", "pytest", "-q", *remembers, *more]
        report, found = Path(scratch) / "report.xml", Tally()
        code = _exit_code([*pytest, "-n", AT_ONCE, "--dist", "worksteal", f"--junitxml={report}"], TMPDIR=scratch)
        if report.exists():
            found.add(report)
        if code == SOME_FAILED and len(found.failed) <= FEW and _call([*pytest, "--last-failed"], TMPDIR=scratch):
            found.passed_alone()
            code = 0
    tally.join(found)
    in_ci = os.environ.get("CI") == "true"
    return code == 0 and found.passed > 0 and not (in_ci and found.skipped)


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
    parser.add_argument("--only", choices=("check", "tests", "newest"), help="set up, then only this")
    options = parser.parse_args(arguments)
    if sys.version_info < OLDEST:
        parser.error(f"Python {'.'.join(map(str, OLDEST))} or newer is needed, this is {sys.version.split()[0]}")
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that starts us behind itself switches it off
    tally, newest, tests = Tally(), Tally(), options.only != "check"
    stages: list[dict[str, Callable[[], bool]]] = [{"environment": make_environment}]
    setup = {"clients": install_clients, "chromium": install_browser} if tests else {}
    stages.append({**setup, **({"check": check_code} if options.only in (None, "check") else {})})
    if options.only in (None, "tests") and not options.no_tests:
        checked = () if options.only else ("--ignore=tests/house",)
        stages.append({"tests": lambda: run_tests(tally, *checked, f"--ignore={BROWSER}")})
        stages.append({"browser": lambda: run_tests(tally, BROWSER)})
    if options.only in (None, "newest") and not options.no_tests:
        stages.append({"newest": lambda: run_with_newest(newest)})
    return _take(stages, (tally, newest))


def _take(stages: Sequence[Mapping[str, Callable[[], bool]]], tallies: Sequence[Tally]) -> int:
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
    print("\n== summary", *lines, *(line for tally in tallies for line in tally.lines()), sep="\n")
    return 1 if failed else 0


def _timed(step: Callable[[], bool]) -> tuple[bool, float]:
    began = time.perf_counter()
    return step(), time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(main())
