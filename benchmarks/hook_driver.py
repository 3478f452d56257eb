"""How a home is asked: by the hook as an agent runs it, over its socket, over HTTP; and what its daemon costs."""

from __future__ import annotations

import http.client
import json
import os
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any

import memlane
from benchmarks import large_home
from benchmarks.hook_homes import Home, texts
from memlane.domain import Outcome

SCRIPT = Path(memlane.__file__).parent / "surfaces" / "hooks" / "client.py"
BARE = f"{shlex.quote(sys.executable)} -I -S -c pass"
TOUCHED = "PostToolUse"
READ = "x = 1  # a line of a file that was read\n" * 500  # what an agent's hook is handed with its path
SHOWN = "how does the nightly tariff export run, make tariff-export or by hand on the beacon host?"
SILENT = "please rename the local variable in this small function so that it reads better"
BULK_RUNS = 100  # taken in by one import
TO_COME_UP = 120  # looks, half a second apart

_numbers = count()


@dataclass(frozen=True, slots=True)
class Kind:
    """A moment an agent calls at. `words`: a prompt, or the file that is touched; `said`: whether it is told."""

    name: str
    event: str
    words: str
    said: bool


KINDS = (
    Kind("a note is shown", "UserPromptSubmit", SHOWN, said=True),
    Kind("nothing fits", "UserPromptSubmit", SILENT, said=False),
    Kind("a run starts", "SessionStart", "", said=True),
    Kind("a file with a note", TOUCHED, "tariff.py", said=True),
    Kind("any other file", TOUCHED, "kiosk.py", said=False),
    Kind("a turn ended", "Stop", "", said=False),
)


def given(home: Home, kind: Kind) -> bytes:
    """Never the same twice, never the same run twice."""
    number = next(_numbers)
    known: dict[str, object] = {"session_id": f"{os.getpid()}-{number}", "cwd": str(home.project)}
    known |= {"hook_event_name": kind.event, "transcript_path": str(home.folder / ".claude/projects/p/none.jsonl")}
    if kind.event == TOUCHED:
        touched = {"tool_name": "Read", "tool_input": {"file_path": str(home.project / kind.words)}}
        known |= {**touched, "tool_response": {"content": READ}}
    else:
        known |= {"prompt": f"{kind.words} {number}", "source": "startup"}
    return json.dumps(known).encode()


def timed(command: str, stdin: bytes, variables: dict[str, str]) -> tuple[float, bytes]:
    began = time.perf_counter()
    done = subprocess.run(["/bin/sh", "-c", command], input=stdin, capture_output=True, env=variables, check=True)
    return (time.perf_counter() - began) * 1000, done.stdout


def spread(values: Sequence[float]) -> dict[str, float]:
    ordered = sorted(values) or [0.0]
    last = len(ordered) - 1
    return {**{f"p{p}": round(ordered[round(last * p / 100)], 1) for p in (50, 99)}, "max": round(ordered[-1], 1)}


@dataclass(frozen=True, slots=True)
class HookDriver:
    home: Home

    # -- as the agent does -------------------------------------------------------------------------------------------

    def hook(self, kind: Kind) -> tuple[float, bytes]:
        command = f"{shlex.quote(sys.executable)} -I -S {shlex.quote(str(SCRIPT))} claude-code {kind.event}"
        return timed(command, given(self.home, kind), self.home.variables)

    def hooks(self, kind: Kind, n: int) -> dict[str, Any]:
        """Each next to a bare interpreter, started in the same way at the same moment."""
        whole, bare, said = list[float](), list[float](), 0
        for _ in range(n):
            took, told = self.hook(kind)
            whole.append(took)
            said += bool(told) is kind.said
            bare.append(timed(BARE, b"", self.home.variables)[0])
        return {"whole_ms": spread(whole), "bare_python_ms": spread(bare), "as_expected": said, "of": n}

    # -- without an interpreter in between ---------------------------------------------------------------------------

    def over_http(self, n: int) -> dict[str, Any]:
        """The same recall, a connection each, as an HTTP hook would ask for it."""
        took, shown = list[float](), 0
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        for _ in range(n):
            body = json.dumps({"prompt": f"{SHOWN} {next(_numbers)}", "project": self.home.project.name})
            began = time.perf_counter()
            line = http.client.HTTPConnection("127.0.0.1", self.home.port)
            line.request("POST", "/api/recall", body, headers)
            answer: Any = json.loads(line.getresponse().read())
            took.append((time.perf_counter() - began) * 1000)
            line.close()
            shown += bool(answer.get("data", {}).get("shown"))
        return {"whole_ms": spread(took), "as_expected": shown, "of": n}

    def inside(self, kind: Kind, n: int) -> dict[str, float]:
        """What the daemon itself says it took."""
        for _ in range(n):
            self.raw(given(self.home, kind), kind.event)
        state = self.state()
        return {name: round(state[f"{name}_ms"], 1) for name in ("p50", "p99")}

    def raw(self, body: bytes, event: str, agent: str = "claude-code") -> bytes:
        until = time.monotonic_ns() + 4_000_000_000
        fields = [f"token={self._token}", f"agent={agent}", f"event={event}", f"until={until}", f"length={len(body)}"]
        got = b""
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(str(self._run / "daemon.sock"))
            line.sendall("\0".join(["lane/1", *fields]).encode() + b"\n" + body)
            while piece := line.recv(1 << 16):
                got += piece
        return got.partition(b"\n")[2]

    def state(self) -> Any:
        return json.loads(self.raw(b"{}", "status", "lane"))

    # -- the daemon --------------------------------------------------------------------------------------------------

    def daemon(self, word: str, **more: str) -> None:
        command = [sys.executable, "-m", "memlane", "daemon", word]
        subprocess.run(command, env={**self.home.variables, **more}, capture_output=True, check=True)

    def started(self, *, http: bool = True) -> float:
        """Until it understands what it is asked, also over HTTP: seconds."""
        self.daemon("restart", **({} if http else {"LANE_HTTP_PORT": "0"}))
        began = time.monotonic()
        for _ in range(TO_COME_UP):
            if self._understands() and (not http or self.state()["http"]):
                took = time.monotonic() - began
                self.over_http(int(http))
                return took
            time.sleep(0.5)
        raise SystemExit(f"the model of recall does not come up in {self.home.folder}")

    def _understands(self) -> bool:
        self.raw(given(self.home, KINDS[0]), "UserPromptSubmit")
        time.sleep(0.3)  # it is written down after the answer
        with self.home.lane() as lane:
            newest = lane.recall.newest(1)
        return bool(newest) and newest[0].outcome is Outcome.SHOWN and not newest[0].extra.get("fallback")

    @property
    def pid(self) -> int:
        return int(self.state()["pid"])

    def cpu_seconds(self) -> float:
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_mb(self) -> float:
        (line,) = [one for one in Path(f"/proc/{self.pid}/status").read_text().splitlines() if one.startswith("VmRSS")]
        return round(int(line.split()[1]) / 1024, 1)

    @property
    def _run(self) -> Path:
        return self.home.folder / ".memlane" / "run"

    @property
    def _token(self) -> str:
        return (self._run / "token").read_text()


@contextmanager
def bulk_ingest(home: Home) -> Generator[Callable[[], int], None, None]:
    """Runs nobody has seen are taken in one import after the other, all the time; gives how many imports were begun."""
    done, begun, source = Event(), [0], texts()

    def again() -> None:
        with TemporaryDirectory() as folder:
            while not done.is_set():
                path = Path(folder) / "bulk.jsonl"
                large_home.neutral_runs(source, path, BULK_RUNS, os.getpid() * 100 + begun[0])
                begun[0] += 1
                command = [sys.executable, "-m", "memlane", "import", str(path)]
                importing = subprocess.Popen(
                    command,
                    env=home.variables,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
                while importing.poll() is None:
                    if done.wait(0.05):
                        importing.kill()
                        importing.wait()

    thread = Thread(target=again)
    thread.start()
    try:
        while not begun[0]:
            time.sleep(0.1)
        yield lambda: begun[0]
    finally:
        done.set()
        thread.join()
