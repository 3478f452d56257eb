"""A home with something of everything in it, made as a person's would be.

Runs of five agents (one was rewritten, one has side files, one is gone at its agent), Memories by hand and caught, a
Recall with a verdict, an Entity, a forgotten Run and one forgotten for good, vectors, a map, hooks.
"""

from __future__ import annotations

import gc
import json
import os
import shutil
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TextIO

from memlane import archive
from memlane.app import Lane
from memlane.config import load
from memlane.demo import home as demo
from memlane.domain import RunFilter
from memlane.surfaces import cli

FIXTURES = Path(__file__).resolve().parent.parent / "tests" / "fixtures" / "transcripts"
NOTE = "Deploys of the ferry go through make ship, never through kubectl apply"
PROMPT = "how do deploys of the ferry go, through make ship or kubectl apply?"
FILES = ("berths.py", "prices.py", "tides.py")
FAILED = 70
RUNS = 8  # of the demo: fewer are quicker
_CHAT, _SESSION = (
    "session-2026-01-05T09-00-0a1b2c3d.json",
    "2025-11-20T10-00-00-000Z_d703a1a9-1111-4222-8333-000000000001",
)
_COPILOT = "769ea1d9-dd64-414f-977e-19e7c5ce7830"
COPIED = {
    f"gemini-cli/proj/chats/{_CHAT}": f".gemini/tmp/proj/chats/{_CHAT}",
    f"pi/--home-dev-shop--/{_SESSION}.jsonl": f".pi/agent/sessions/--home-dev-shop--/{_SESSION}.jsonl",
    f"copilot-cli/{_COPILOT}": f".copilot/session-state/{_COPILOT}",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What one command said."""

    code: int
    out: str
    err: str

    @property
    def findings(self) -> list[Mapping[str, Any]]:
        try:
            found: list[Mapping[str, Any]] = json.loads(self.out)["data"]
        except (ValueError, KeyError):
            return []
        return [one for one in found if "level" in one]


@dataclass(frozen=True, slots=True)
class FullHome:
    """`agents` is the person's home; what is ours lies apart, so that copies of it find the same files there."""

    agents: Path
    ours: Path

    def variables(self) -> dict[str, str]:
        plain = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "dumb", "TZ": "UTC", "OPENBLAS_NUM_THREADS": "1"}
        return {**plain, "HOME": str(self.agents), "LANE_HOME": str(self.ours)}

    def lane(self, clock: Callable[[], datetime] | None = None) -> Lane:
        return Lane(load(self.variables()), clock) if clock else Lane(load(self.variables()))


# -- in a process of its own -------------------------------------------------------------------------------------------


def forked(home: FullHome, work: Callable[[], object]) -> Any:
    """What it returns, as JSON tells it. Every look at a home is a process that has not seen it before."""
    with tempfile.TemporaryFile() as told:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if not child:
            code = FAILED
            try:
                gc.freeze()
                os.environ.clear()
                os.environ.update(home.variables())
                os.chdir(home.agents)
                sys.stdout, sys.stderr = map(_stream, (1, 2))  # whoever forked us may have put others in their place
                os.setpriority = _stay  # a tick gives way to others; here somebody waits for it
                told.write(json.dumps(work()).encode())
                told.flush()
                code = 0
            except BaseException:  # noqa: BLE001 - the last to see it
                traceback.print_exc()
            finally:
                os._exit(code)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        told.seek(0)
        found = told.read()
    if status or not found:
        raise RuntimeError(f"the process ended with {status}")
    return json.loads(found)


def _stay(_which: int, _who: int, _priority: int) -> None:
    """As urgent as before."""


def _stream(number: int) -> TextIO:
    return os.fdopen(number, "w", closefd=False)


def command(*words: str) -> Answer:
    """`lane WORDS` in this process, with what it prints."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept = os.dup(1), os.dup(2)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        try:
            code = cli.run(words)
        except Exception as error:  # noqa: BLE001 - a traceback is the worst way to tell
            code = FAILED
            os.write(2, f"unexpected: {type(error).__name__}: {error}".encode())
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            for number, before in zip((1, 2), kept, strict=True):
                os.dup2(before, number)
                os.close(before)
        said = [(file.seek(0), file.read().decode("utf-8", "replace"))[1] for file in (out, err)]
    return Answer(code, said[0], said[1])


# -- how it came to be -------------------------------------------------------------------------------------------------


def made(folder: Path) -> FullHome:
    home = FullHome(folder / "home", folder / "home" / ".memlane")
    home.agents.mkdir()
    now = datetime.now(UTC)
    written = demo.write_home(home.agents, now)
    for one in written[RUNS:]:
        one.path.unlink()
    for fixture, place in COPIED.items():
        (home.agents / place).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (FIXTURES / fixture).is_dir() else shutil.copy2
        copy(FIXTURES / fixture, home.agents / place)
    apart = FullHome(home.agents, folder / "lane")
    home.ours.rename(apart.ours)
    forked(apart, lambda: _lived(apart, now, [one.path for one in written[:RUNS] if not one.sample.under]))
    return apart


def _lived(home: FullHome, now: datetime, paths: Sequence[Path]) -> None:
    _done(command("capture"))
    chat = next(home.agents.glob(".gemini/tmp/proj/chats/session-*.json"))
    chat.write_text(chat.read_text().replace("}", "} ", 3))  # its agent writes it whole: kept as changes
    rewritten, grown, gone, forgotten, erased = paths[:5]
    rewritten.write_bytes(b"".join(rewritten.read_bytes().splitlines(keepends=True)[1:]))
    with grown.open("ab") as file:
        file.write(grown.read_bytes().splitlines(keepends=True)[-1])
    with home.lane(lambda: now - timedelta(days=40)) as earlier:  # a journal file of another month
        earlier.memories.remember("The harbour office answers mail on weekdays only", home.agents)
    _done(command("tick"))
    for file in FILES:
        (home.agents / file).touch()
    with home.lane() as lane:
        for file in FILES:
            lane.memories.remember(f"In {file} amounts are kept in cents", home.agents)
        note = lane.memories.remember(NOTE, home.agents)
        lane.entities.add("Amy Hoy", "person", ["Amy"])
        recalled = lane.recall.asked(PROMPT, home.agents)
        assert [match.memory.id for match in recalled.shown] == [note.id], "the recall is part of the home"
        lane.recall.keep(recalled)
        lane.recall.feedback.judge(note.id, up=True, recall=recalled.id)
        runs = {run.source_path: run.id for run in lane.runs.select(RunFilter())}
        lane.archive.forget_run(runs[str(forgotten)])
        lane.archive.forget_for_good(lane.archive.plan_forget(runs[str(erased)]))
        lane.map.give()
    gone.unlink()
    _done(command("tick"))


def _done(answer: Answer) -> None:
    assert answer.code == 0, answer.err


def without_source(home: FullHome) -> list[str]:
    """Runs that their agents do not have any more, or not with all their generations; and those nobody may capture."""
    with home.lane() as lane:
        runs = lane.runs.select(RunFilter())
        barred = list(lane.home.storage().bars.barred(lane.home.reader))
        gone = [run.id for run in runs if not Path(run.source_path).exists()]
        loaded = [(run.id, archive.load(lane.home.disk, lane.home.layout.find(run.id) or home.ours)) for run in runs]
    return [*barred, *gone, *(run for run, metadata in loaded if metadata and len(metadata.generations) > 1)]
