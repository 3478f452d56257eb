"""Agents at work in one home: runs that begin, ask, touch files and end, each with a transcript that grows; and hooks.

A hook is the product's own script in a forked process, with its own stop: an interpreter less to start, else the same.
"""

from __future__ import annotations

import ctypes
import json
import os
import posix
import random
import shutil
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from campaigns.world import scratch
from memlane.app import Lane
from memlane.config import load
from memlane.domain import RunFilter
from memlane.surfaces.hooks import client

NOTE = "Deploys of the shop go through make ship, never through kubectl apply"
OF_FILE = "In prices.py amounts are kept in cents, never as floats"
PROMPTS = (
    "how do deploys of the shop go, through make ship or kubectl apply?",
    "rename the variable in the parser so that it reads better",
    "yes",
)
TURNS_A_RUN = 5
ADOPT = 36  # PR_SET_CHILD_SUBREAPER: whoever loses its parent becomes ours, so that nobody can be missed
LOOKS, BETWEEN_LOOKS = 1500, 0.02  # times we look for something to come about, at most


def until(so: Callable[[], object], looks: int = LOOKS) -> bool:
    """Whether it came about. Bounded by the number of looks, not by a clock."""
    for _ in range(looks):
        if so():
            return True
        time.sleep(BETWEEN_LOOKS)
    return False


@dataclass(frozen=True, slots=True)
class Called:
    """One hook call that has ended."""

    event: str
    exit_code: int
    said: bytes
    seconds: float

    @property
    def whole(self) -> bool:
        """Nothing, or one JSON object and the end of its line."""
        if not self.said:
            return True
        with suppress(ValueError):
            return self.said.endswith(b"}\n") and isinstance(json.loads(self.said), dict)
        return False


@dataclass(frozen=True, slots=True)
class Place:
    """A person's home with a lane home in it. Everything here is inherited by whoever is forked."""

    folder: Path = field(default_factory=scratch)

    @property
    def lane_home(self) -> Path:
        return self.folder / ".memlane"

    @property
    def run(self) -> Path:
        return self.lane_home / "run"

    @property
    def project(self) -> Path:
        return self.folder / "shop"

    @property
    def transcripts(self) -> Path:
        return self.folder / ".claude" / "projects" / str(self.project).replace("/", "-")

    def settle_in(self) -> None:
        """From here on, this process and those it forks live here."""
        ours = {"HOME": str(self.folder), "LANE_HOME": str(self.lane_home), "LANE_USER": "noor"}
        for name in [name for name in os.environ if name.startswith(("LANE_", "CLAUDE", "CODEX"))]:
            del os.environ[name]
            posix.environ.pop(name.encode(), None)
        os.environ.update(ours)
        posix.environ.update({name.encode(): value.encode() for name, value in ours.items()})
        ctypes.CDLL(None).prctl(ADOPT, 1, 0, 0, 0)
        self.transcripts.mkdir(parents=True)
        self.project.mkdir()
        (self.project / "prices.py").touch()
        with self.lane() as lane:
            lane.memories.remember(NOTE, self.project)
            lane.memories.remember(OF_FILE, self.project)

    def lane(self) -> Lane:
        return Lane(load())

    def holder(self) -> int:
        """The pid that the daemon's lock was last taken with; 0 if there is none."""
        with suppress(OSError, ValueError):
            return int(json.loads((self.run / "daemon.lock").read_text())["pid"])
        return 0

    def close(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


class Agent:
    """One client: a run after the other, a call at a time."""

    def __init__(self, place: Place, name: str, seed: int) -> None:
        self._place, self._name, self._dice = place, name, random.Random(seed)
        self.turns: dict[str, int] = {}  # of each run that was written down
        self.told = Counter[str]()  # how often a run was told each note

    def calls(self) -> Iterator[tuple[str, bytes]]:
        """Event and what the agent says, without end. A Turn is in the transcript before its end is told."""
        for number in count():
            run = f"{self._name}-{number}"
            yield self._call(run, "SessionStart", source="startup")
            for turn in range(1, TURNS_A_RUN + 1):
                prompt = f"{self._dice.choice(PROMPTS)}" if turn % 2 else f"{PROMPTS[1]} {run} {turn}"
                yield self._call(run, "UserPromptSubmit", prompt=prompt)
                for file in self._dice.sample(("prices.py", "other.py", "README.md"), 2):
                    touched = {"file_path": str(self._place.project / file)}
                    yield self._call(run, "PostToolUse", tool_name="Read", tool_input=touched)
                self._write(run, turn, prompt)
                yield self._call(run, "Stop", stop_hook_active=False)
            yield self._call(run, "SessionEnd", reason="other")

    def heard(self, given: bytes, call: Called) -> None:
        """Titles at the start of a run are no notes."""
        if call.event != "SessionStart":
            run = json.loads(given)["session_id"]
            self.told.update(f"{run}: {note}" for note in (NOTE, OF_FILE) if note.encode() in call.said)

    def _call(self, run: str, event: str, **more: object) -> tuple[str, bytes]:
        known = {"session_id": run, "cwd": str(self._place.project), "hook_event_name": event}
        known["transcript_path"] = str(self._place.transcripts / f"{run}.jsonl")
        return event, json.dumps({**known, **more}).encode()

    def _write(self, run: str, turn: int, prompt: str) -> None:
        at = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
        about = {"sessionId": run, "timestamp": at, "cwd": str(self._place.project), "version": "2.1.325"}
        asked = {"type": "user", "uuid": f"{run}-{turn}-u", "message": {"role": "user", "content": f"{prompt} {turn}"}}
        words = [{"type": "text", "text": f"Done with {turn} of {run}."}]
        said = {"type": "assistant", "uuid": f"{run}-{turn}-a", "message": {"role": "assistant", "content": words}}
        with (self._place.transcripts / f"{run}.jsonl").open("a") as file:
            file.write("".join(json.dumps({**about, **line}) + "\n" for line in (asked, said)))
        self.turns[run] = turn


def called(event: str, given: bytes) -> Called:
    """As an agent does: start it, hand it what it asks, read to the end. Its own process, its own stop."""
    (theirs, ours), (answer, told) = os.pipe(), os.pipe()
    began = time.monotonic()
    pid = os.fork()
    if pid == 0:
        os.dup2(theirs, 0)
        os.dup2(told, 1)
        os.closerange(3, 256)
        client.main(["claude-code", event])
    os.close(theirs)
    os.close(told)
    with suppress(BrokenPipeError):
        os.write(ours, given)
    os.close(ours)
    _pid, status = os.waitpid(pid, 0)
    seconds, said = time.monotonic() - began, b""
    while piece := os.read(answer, 1 << 16):
        said += piece
    os.close(answer)
    return Called(event, os.waitstatus_to_exitcode(status), said, seconds)


# -- who lives here ---------------------------------------------------------------------------------------------------


def children() -> set[int]:
    """Of this process, those that it adopted too; who has ended is let go of."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    found: set[int] = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError, IndexError):
                if int((entry / "stat").read_text().rpartition(")")[2].split()[1]) == os.getpid():
                    found.add(int(entry.name))
    return found


def end_of(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


# -- what must be true in the end -------------------------------------------------------------------------------------


def verified(place: Place, turns: dict[str, int]) -> dict[str, list[str]]:
    """After one more sweep, as the next tick makes it: every Turn is there, once, byte for byte."""
    faults: dict[str, list[str]] = {"lost": [], "twice": []}
    with place.lane() as lane:
        lane.capture.sweep()
        storage, reader = lane.home.storage(), lane.home.reader
        for run, written in turns.items():
            summary = storage.runs.by_native_id(run, reader)
            if summary is None or summary.turns < written:
                faults["lost"].append(f"{run}: {summary.turns if summary else 0} of {written} turns")
                continue
            raw = (place.transcripts / f"{run}.jsonl").read_bytes()
            bytes_there = b"".join(lane.runs.raw(summary.id))
            if bytes_there != raw:
                faults["lost"].append(f"{run}: {len(bytes_there)} of {len(raw)} bytes")
            if summary.turns > written:
                faults["twice"].append(f"{run}: {summary.turns} turns of {written}")
        recalls = storage.recalls.newest(None, reader)
        faults["twice"] += _repeated([one.id for one in recalls])
        runs = lane.runs.select(RunFilter())
        faults["twice"] += [f"run {native}" for native in _repeated([one.native_id for one in runs])]
    return faults


def _repeated(names: list[str]) -> list[str]:
    return [name for name, times in Counter(names).items() if times > 1]
