"""The hook as an agent runs it and the daemon behind it, for tests: a home, the script in it, and who lives there."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import memlane
from campaigns.agents import NOTE as NOTE
from campaigns.agents import PROMPTS, until
from memlane.app import Lane
from memlane.config import load
from memlane.domain import Recall

CLIENT = Path(memlane.__file__).parent / "surfaces" / "hooks" / "client.py"
PROMPT, UNRELATED = PROMPTS[:2]
A_PIPE_TAKES = 60_000  # bytes, without anybody reading


@dataclass(frozen=True, slots=True)
class HookOutcome:
    """One hook call that has ended."""

    exit_code: int
    stdout: bytes
    stderr: bytes
    seconds: float

    @property
    def silent(self) -> bool:
        return (self.exit_code, self.stdout, self.stderr) == (0, b"", b"")

    @property
    def context(self) -> str:
        """What the agent's model is told."""
        answer: Any = json.loads(self.stdout)
        return str(answer["hookSpecificOutput"]["additionalContext"])


class HookProcess:
    """A hook that runs."""

    def __init__(self, process: subprocess.Popen[bytes], given: bytes) -> None:
        self.process = process
        self._given = given
        self._began = time.monotonic()
        if len(given) <= A_PIPE_TAKES:  # at once: several may run beside each other
            assert process.stdin
            process.stdin.write(given)
            process.stdin.close()
            process.stdin = None

    def end(self) -> HookOutcome:
        stdout, stderr = self.process.communicate(self._given if self.process.stdin else None)
        return HookOutcome(self.process.returncode, stdout, stderr, time.monotonic() - self._began)


@dataclass(frozen=True, slots=True)
class HookHome:
    """A home with the hook's script in it, beside the file that says whose it is."""

    home: Path  # HOME
    path: Path  # LANE_HOME
    script: Path
    started: list[subprocess.Popen[bytes]] = field(default_factory=list[subprocess.Popen[bytes]])

    @property
    def run(self) -> Path:
        return self.path / "run"

    @property
    def project(self) -> Path:
        return self.home / "project"

    @property
    def variables(self) -> dict[str, str]:
        known = {"HOME": str(self.home), "PATH": os.defpath, "LANE_HOME": str(self.path)}
        return {**known, "OPENBLAS_NUM_THREADS": "1"}

    # -- the hook --------------------------------------------------------------------------------------------------

    def given(self, event: str, prompt: str = PROMPT, session: str = "s", **more: object) -> bytes:
        known = {"session_id": session, "cwd": str(self.project), "hook_event_name": event, "prompt": prompt}
        return json.dumps({**known, **more}).encode()

    def calling(
        self,
        event: str = "UserPromptSubmit",
        given: bytes | None = None,
        *,
        variables: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> HookProcess:
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", self.script, "claude-code", event],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.variables if variables is None else variables,
            cwd=cwd or self.home,
        )
        return HookProcess(process, self.given(event) if given is None else given)

    def call(self, event: str = "UserPromptSubmit", given: bytes | None = None, **more: Any) -> HookOutcome:
        return self.calling(event, given, **more).end()

    def ask(self, prompt: str = PROMPT, session: str = "s", **variables: str) -> HookOutcome:
        given = self.given("UserPromptSubmit", prompt, session)
        return self.call("UserPromptSubmit", given, variables={**self.variables, **variables})

    def told(self, prompt: str = PROMPT, **variables: str) -> str:
        """What some run is told in the end: on a crowded machine a daemon may need more than one hook to start."""
        said: list[str] = []

        def asked() -> bool:
            called = self.ask(prompt, session=f"told {time.monotonic_ns()}", **variables)
            said.extend([called.context] if called.stdout else [])
            return bool(said)

        assert until(asked, looks=50)
        return said[0]

    @property
    def log(self) -> str:
        with suppress(FileNotFoundError):
            return (self.path / "log" / "hooks.log").read_text()
        return ""

    # -- the daemon ------------------------------------------------------------------------------------------------

    @contextmanager
    def lane(self) -> Generator[Lane, None, None]:
        with Lane(load(self.variables)) as opened:
            yield opened

    def command(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        """`lane …`"""
        command = [sys.executable, "-m", "memlane", *words]
        return subprocess.run(command, env=self.variables, capture_output=True, check=False)

    def start(self, *before: str, **variables: str) -> subprocess.Popen[bytes]:
        """A daemon of our own making, which we can wait for."""
        process = subprocess.Popen(
            [*before, sys.executable, "-P", "-m", "memlane.surfaces.daemon"],
            env={**self.variables, **variables},
            cwd=self.path,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self.started.append(process)
        return process

    def served(self, **variables: str) -> subprocess.Popen[bytes]:
        process = self.start(**variables)
        assert until(lambda: self.state() is not None), "the daemon does not answer"
        return process

    def served_without_room(self) -> None:
        """By a daemon that may make no file longer than one block: its lock fits, nothing else does."""
        self.start("/bin/sh", "-c", 'ulimit -f 1; exec "$@"', "sh")
        assert until(lambda: self.state() is not None), "the daemon does not answer"

    def state(self) -> dict[str, Any] | None:
        """What the daemon says of itself."""
        said = self.say(agent="lane", event="status")
        return json.loads(said.partition(b"\n")[2]) if said else None

    def holder(self) -> int:
        """The pid of whoever has the daemon's lock; 0 when nobody has."""
        with suppress(FileNotFoundError), (self.run / "daemon.lock").open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                written = file.read()
                return int(json.loads(written)["pid"]) if written.strip() else 0
        return 0

    def say(self, body: bytes = b"{}", *, protocol: str = "lane/1", **fields: object) -> bytes:
        """A request as a hook makes it, or not quite; all that comes back."""
        usual: dict[str, object] = {
            "token": self.token,
            "agent": "claude-code",
            "event": "UserPromptSubmit",
            "until": time.monotonic_ns() + 5_000_000_000,
            "length": len(body),
        }
        header = "\0".join([protocol, *(f"{name}={value}" for name, value in {**usual, **fields}.items())])
        return self.send(header.encode() + b"\n" + body)

    def answer(self, prompt: str = PROMPT, session: str = "s", **fields: object) -> str:
        """What the daemon tells a run that has time, or nothing."""
        said = self.say(self.given("UserPromptSubmit", prompt, session), **fields).partition(b"\n")[2]
        return HookOutcome(0, said, b"", 0).context if said else ""

    def send(self, data: bytes) -> bytes:
        got = b""
        with socket.socket(socket.AF_UNIX) as line, suppress(OSError):
            line.settimeout(10)
            line.connect(str(self.run / "daemon.sock"))
            line.sendall(data)
            while piece := line.recv(1 << 16):
                got += piece
        return got

    @property
    def token(self) -> str:
        with suppress(FileNotFoundError):
            return (self.run / "token").read_text()
        return ""

    # -- who lives here --------------------------------------------------------------------------------------------

    def processes(self, module: str = "memlane.surfaces.daemon") -> Sequence[int]:
        """Those that run this module for this home, zombies not counted."""
        mine = f"LANE_HOME={self.path}".encode()
        return [
            pid
            for pid, words, variables in _everybody()
            if module.encode() in words and mine in variables  # exactly this module, not one below it
        ]

    def all_processes(self) -> Sequence[int]:
        mine = f"LANE_HOME={self.path}".encode()
        return [pid for pid, words, known in _everybody() if mine in known and b"memlane" in b" ".join(words)]

    def end(self) -> None:
        """Nothing of this home outlives its test."""
        for pid in self.all_processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for process in self.started:
            process.wait()
            assert process.stderr
            process.stderr.close()
        assert until(lambda: not self.all_processes())


def _everybody() -> Iterator[tuple[int, list[bytes], list[bytes]]]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                words = (entry / "cmdline").read_bytes().split(b"\0")
                yield int(entry.name), words, (entry / "environ").read_bytes().split(b"\0")


def patient(script: Path) -> None:
    """This hook waits nearly three times as long as a person's, for tests that ask what is told and not how soon.

    No longer: a script of ours inside an agent ends it after 1.5 seconds.
    """
    text = script.read_text()
    assert text.count("\nSTOP = 0.5 ") == 1
    script.write_text(text.replace("\nSTOP = 0.5 ", "\nSTOP = 1.4 "))


def installed(home: Path, path: Path, python: str = sys.executable) -> HookHome:
    """The script and its `home.txt`, as `lane init` lays them out."""
    script = path / "plugin" / "plugins" / "lane" / "bin" / "client.py"
    script.parent.mkdir(parents=True)
    script.write_bytes(CLIENT.read_bytes())
    (script.parent / "home.txt").write_text(f"{path}\n{python}\n")
    (home / "project").mkdir()
    return HookHome(home, path, script)


@contextmanager
def fake_daemon(hooked: HookHome, behave: Callable[[socket.socket], None], token: str = "t") -> Iterator[None]:
    """Somebody else on the daemon's socket, who does as told with each hook."""
    hooked.run.mkdir(mode=0o700, exist_ok=True)
    (hooked.run / "token").write_text(token)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(hooked.run / "daemon.sock"))
    listener.listen(128)

    def one(line: socket.socket) -> None:
        with line, suppress(OSError):
            behave(line)

    def serve() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=one, args=(listener.accept()[0],), daemon=True).start()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()
        listener.close()
        (hooked.run / "daemon.sock").unlink()


@contextmanager
def nobody_writes(hooked: HookHome) -> Generator[Callable[[], None], None, None]:
    """The write lock is in our hand until the end, or until we let go."""
    descriptor = os.open(hooked.run / "write.lock", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        yield lambda: fcntl.flock(descriptor, fcntl.LOCK_UN)
    finally:
        os.close(descriptor)


def recalls(hooked: HookHome) -> list[Recall]:
    """Oldest first."""
    with hooked.lane() as lane:
        return list(reversed(lane.recall.newest(1000)))


def journal_lines(hooked: HookHome) -> int:
    return sum(path.read_bytes().count(b"\n") for path in (hooked.path / "archive").rglob("journal/*/*.jsonl"))


def transcript(hooked: HookHome, session: str = "0b4f8f0e-0000-4000-8000-000000000001") -> Path:
    """A small run, and one of its subagents' beside it."""
    folder = hooked.home / ".claude" / "projects" / "-project"
    path = folder / f"{session}.jsonl"
    (folder / session / "subagents").mkdir(parents=True, exist_ok=True)
    said = {"role": "user", "content": "please count the crates"}
    line = {"type": "user", "sessionId": session, "uuid": "u1", "cwd": str(hooked.project), "message": said}
    path.write_text(json.dumps({**line, "timestamp": "2026-11-01T10:00:00.000Z"}) + "\n")
    (folder / session / "subagents" / "agent-a1.jsonl").write_text(path.read_text())
    return path
