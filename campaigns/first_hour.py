"""A fresh user's first hour, by script: every screen is compared with the disk, before and after each fault.

`python -m campaigns.first_hour`. A person with some transcripts installs, looks around, searches, is told a note and
takes things back. Then one thing after the other is broken. While it is broken no screen may call it green, and some
screen must name it with a command; that command, typed as it is printed, must mend it. What was true before is true
again afterwards.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from campaigns import report
from campaigns.world import scratch
from memlane.demo.home import write_home

FAULTS = ("untrue", "silent", "not mended", "unclean")
NOTE = "Every new workspace package needs its own COPY line in the Dockerfile"
PROMPT = "the worker image does not start since I added a workspace package to the Dockerfile"
EVENT = "UserPromptSubmit"
OTHER = "what a nice day it is"
WORDS = "readiness probe"
BAD = ("warn", "fail")
WAIT = 20.0  # seconds for a daemon to start; then it is said
COMMAND = re.compile(r"\blane [a-z][^`,;:()]*")  # up to where prose goes on
ACCEPT = "--accept-loss"

Fault = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a command ended."""

    words: Sequence[str]
    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        return json.loads(self.out or self.err)

    @property
    def findings(self) -> list[dict[str, str]]:
        found: list[dict[str, str]] = self.document["data"] if self.out else []
        return [{**one, "level": one["level"].lower()} for one in found]


@dataclass(slots=True)
class Hour:
    """One person's machine."""

    folder: Path
    transcripts: int = 0
    found: list[Fault] = field(default_factory=list[Fault])
    screens: int = 0

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def lane_home(self) -> Path:
        return self.home / ".memlane"

    @property
    def project(self) -> Path:
        return self.home / "code" / "ferry-api"

    @property
    def variables(self) -> dict[str, str]:
        return {"HOME": str(self.home), "PATH": "/usr/bin:/bin", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}

    def lane(self, *words: str) -> Outcome:
        self.screens += 1
        command = [sys.executable, "-m", "memlane", *words]
        done = subprocess.run(
            command, cwd=self.project, env=self.variables, capture_output=True, text=True, check=False, timeout=300
        )
        if "Traceback" in done.stderr:
            self.found.append(("unclean", f"lane {' '.join(words)}: {done.stderr.splitlines()[-1]}"))
        return Outcome(words, done.returncode, done.stdout, done.stderr)

    def untrue(self, what: str) -> None:
        self.found.append(("untrue", what))

    # -- as an agent -------------------------------------------------------------------------------------------------

    def hook(self, prompt: str, session: str) -> str:
        """What Claude Code would be told: by the very command in its settings."""
        settings = json.loads((self.home / ".claude" / "settings.json").read_text())
        groups = settings.get("hooks", {}).get(EVENT, [])
        commands = [hook["command"] for group in groups for hook in group["hooks"]]
        given = {
            "session_id": session,
            "cwd": str(self.project),
            "prompt": prompt,
            "hook_event_name": "UserPromptSubmit",
        }
        told = ""
        for command in commands:
            done = subprocess.run(
                ["sh", "-c", command],
                input=json.dumps(given).encode(),
                cwd=self.project,
                env=self.variables,
                capture_output=True,
                check=False,
                timeout=30,
            )
            told += done.stdout.decode()
        return told

    def told(self, prompt: str = PROMPT) -> bool:
        """Within a while: the first prompt after a start may come too early."""
        deadline = time.monotonic() + WAIT
        while time.monotonic() < deadline:
            if NOTE in self.hook(prompt, f"s{time.monotonic_ns()}"):
                return True
            time.sleep(0.2)
        return False

    # -- as it was ---------------------------------------------------------------------------------------------------

    def keep(self) -> None:
        self.lane("daemon", "stop")
        shutil.copytree(self.home, self.folder / "before", symlinks=True)

    def restore(self) -> None:
        self.lane("daemon", "stop")
        shutil.rmtree(self.home)
        shutil.copytree(self.folder / "before", self.home, symlinks=True)

    def end(self) -> None:
        self.lane("daemon", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)


# -- what the disk says, and what the screens say ----------------------------------------------------------------------


def begin(folder: Path) -> Hour:
    hour = Hour(folder)
    hour.transcripts = len(write_home(hour.home, datetime.now(UTC)))
    (hour.lane_home / "config.toml").unlink()  # nobody has one before `lane init`
    return hour


def levels(outcome: Outcome) -> set[str]:
    return {one["level"] for one in outcome.findings}


def first_screens(hour: Hour) -> None:
    before = hour.lane("status", "--json")
    if before.code != 3:
        hour.untrue(f"status before init ends with {before.code}, not 3")
    done = hour.lane("init", "--yes")
    if done.code != 0 or f"{hour.transcripts} runs" not in done.out:
        hour.untrue(f"init: {hour.transcripts} transcripts are there, it says {done.out[-300:]!r} {done.err[-300:]!r}")
    hour.lane("remember", NOTE)
    hour.lane("tick")
    everything_is_true(hour, "after init")


def everything_is_true(hour: Hour, when: str) -> None:
    """What holds on a machine where nothing is wrong."""
    for complaint in _screens(hour):
        hour.untrue(f"{when}: {complaint}")


def _screens(hour: Hour) -> Iterator[str]:
    yield from _counts(hour)
    yield from _answers(hour)
    verified = hour.lane("archive", "verify", "--json")
    if verified.code != 0:
        yield f"archive verify ends with {verified.code}: {verified.out[-400:]}"


def _counts(hour: Hour) -> Iterator[str]:
    status = hour.lane("status", "--json")
    if status.code != 0:
        yield f"status ends with {status.code}: {status.out[-400:]} {status.err[-400:]}"
        return
    if (runs := status.document["meta"]["runs"]) != hour.transcripts:
        yield f"status counts {runs} runs, there are {hour.transcripts}"
    if BAD[1] in levels(status):
        yield f"status is red: {[one for one in status.findings if one['level'] in BAD]}"
    doctor = hour.lane("doctor", "--json")
    if doctor.code != 0 or BAD[1] in levels(doctor):
        yield f"doctor is red: {[one for one in doctor.findings if one['level'] in BAD]} {doctor.err[-300:]}"
    listed = hour.lane("runs", "--json")
    if len(listed.document["data"]) != hour.transcripts:
        yield f"runs lists {len(listed.document['data'])} of {hour.transcripts}"


def _answers(hour: Hour) -> Iterator[str]:
    searched = hour.lane("search", WORDS, "--json")
    if WORDS not in searched.out:
        yield f"search does not find {WORDS!r}"
    if WORDS not in hour.lane("show", "1").out:
        yield "show 1 does not show what was found"
    if NOTE not in hour.lane("mem", "list", "--json").out:
        yield "mem list lacks the note"
    if not hour.told():
        yield "the agent is not told the note"
    if NOTE in hour.hook(OTHER, "other"):
        yield "the agent is told the note for another prompt"
    if NOTE not in hour.lane("recalls", "--json").out:
        yield "recalls lacks what was told"


# -- what is broken ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Damage:
    """`named`: words one of which a finding must have."""

    name: str
    done: Callable[[Hour], None]
    named: tuple[str, ...]
    healed: Callable[[Hour], bool] = lambda _hour: False  # by the first screen that met it


def _journal(hour: Hour) -> Path:
    return next(hour.lane_home.glob("archive/*/journal/*/*.jsonl"))


def _run_folders(hour: Hour) -> list[Path]:
    return sorted(hour.lane_home.glob("archive/*/runs/*/r_*"))


def hooks_removed(hour: Hour) -> None:
    path = hour.home / ".claude" / "settings.json"
    settings = json.loads(path.read_text())
    settings.pop("hooks", None)
    path.write_text(json.dumps(settings))


def hook_program_removed(hour: Hour) -> None:
    shutil.rmtree(hour.lane_home / "plugin")


def journal_removed(hour: Hour) -> None:
    _journal(hour).unlink()


def journal_line_removed(hour: Hour) -> None:
    path = _journal(hour)
    lines = path.read_bytes().splitlines(keepends=True)
    gone = next(n for n, line in enumerate(lines) if NOTE.encode() in line and b'"kind":"memory"' in line)
    path.write_bytes(b"".join(lines[:gone] + lines[gone + 1 :]))


def run_removed(hour: Hour) -> None:
    shutil.rmtree(_run_folders(hour)[0])


def metadata_removed(hour: Hour) -> None:
    (_run_folders(hour)[0] / "metadata.json").unlink()


def raw_flipped(hour: Hour) -> None:
    path = _run_folders(hour)[0] / "g1.raw"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def index_removed(hour: Hour) -> None:
    shutil.rmtree(hour.lane_home / "index")


def terms_garbled(hour: Hour) -> None:
    for path in (hour.lane_home / "index").rglob("meta.json"):
        path.write_text("{")


def terms_removed(hour: Hour) -> None:
    for path in [*(hour.lane_home / "index").rglob("*.idx"), *(hour.lane_home / "index").rglob("*.store")]:
        path.unlink()


def vectors_garbled(hour: Hour) -> None:
    for path in (hour.lane_home / "vectors").rglob("*.json"):
        path.write_text("{")


def vectors_removed(hour: Hour) -> None:
    shutil.rmtree(hour.lane_home / "vectors")


def daemon_killed(hour: Hour) -> None:
    for cmdline in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            environment = (cmdline.parent / "environ").read_bytes()
            if b"memlane.surfaces.daemon" in cmdline.read_bytes() and str(hour.home).encode() in environment:
                os.kill(int(cmdline.parent.name), signal.SIGKILL)


def metadata_is_back(hour: Hour) -> bool:
    """The daemon that a screen asked has looked at the agent's files, and the bytes were all there."""
    return all((folder / "metadata.json").exists() for folder in _run_folders(hour))


def index_is_back(hour: Hour) -> bool:
    """The first command builds it anew, and says so."""
    return any((hour.lane_home / "index").iterdir())


DAMAGES = (
    Damage("hooks removed from the settings", hooks_removed, ("hook",)),
    Damage("the hook's program removed", hook_program_removed, ("hook", "plugin")),
    Damage("a journal file removed", journal_removed, ("journal",)),
    Damage("a journal line removed", journal_line_removed, ("journal", "line")),
    Damage("a run's folder removed", run_removed, ("run", "missing")),
    Damage("a run's metadata removed", metadata_removed, ("metadata",), metadata_is_back),
    Damage("a bit of a run flipped", raw_flipped, ("damaged", "checksum", "does not match")),
    Damage("the index removed", index_removed, ("index",), index_is_back),
    Damage("the word index garbled", terms_garbled, ("index", "search", "words")),
    Damage("files of the word index removed", terms_removed, ("index", "search", "words")),
    Damage("descriptions of vectors garbled", vectors_garbled, ("vector", "meaning")),
    Damage("the vectors removed", vectors_removed, ("vector", "meaning")),
    Damage("the daemon killed", daemon_killed, ()),
)


def suffer(hour: Hour, damage: Damage) -> None:
    """Broken, named, mended as it says, and all as before."""
    hour.restore()
    damage.done(hour)
    looks = [hour.lane(*words, "--json") for words in (("status",), ("doctor",), ("archive", "verify"))]
    findings = [one for look in looks if look.out for one in look.findings if one["level"] in BAD]
    errors = [look.document["error"] for look in looks if not look.out and look.err.startswith("{")]
    said = json.dumps([findings, errors]).lower()
    if damage.named and not any(word in said for word in damage.named) and not damage.healed(hour):
        hour.found.append(("silent", f"{damage.name}: {said}"))
    hints = [one["hint"] for one in findings] + [str(error.get("hint", "")) for error in errors]
    commands = dict.fromkeys(command for hint in hints for command in fixes(hint))
    for command in sorted(commands, key=lambda command: ACCEPT in command):  # what is lost, after what can be mended
        hour.lane(*command, *(["--yes"] if command[0] in ("init", "uninstall") else []))
    before = len(hour.found)
    everything_is_true(hour, f"{damage.name}, mended")
    hour.found[before:] = [("not mended" if fault == "untrue" else fault, what) for fault, what in hour.found[before:]]


def fixes(hint: str) -> list[tuple[str, ...]]:
    """The commands a hint names, as a person would type them."""
    return [tuple(found[0].split()[1:]) for found in COMMAND.finditer(hint)]


def campaign(damages: Sequence[Damage] = DAMAGES) -> Hour:
    hour = begin(scratch())
    try:
        first_screens(hour)
        hour.keep()
        for damage in damages:
            suffer(hour, damage)
    finally:
        hour.end()
    return hour


def main() -> None:
    parser = report.arguments(__doc__)
    parser.add_argument("--only", default="", help="damages whose name has these words")
    chosen = parser.parse_args()
    began = time.monotonic()
    damages = [damage for damage in DAMAGES if chosen.only in damage.name]
    hour = campaign(damages)
    faults = {fault: [what for kind, what in hour.found if kind == fault] for fault in FAULTS}
    figures: dict[str, object] = {"screens": hour.screens, "damages": len(damages)}
    figures |= {fault: len(found) for fault, found in faults.items()}
    figures["seconds"] = round(time.monotonic() - began)
    report.tell("python -m campaigns.first_hour", figures, faults, chosen)


if __name__ == "__main__":
    main()
