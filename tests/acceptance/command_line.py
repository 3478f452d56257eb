"""`lane` as a person, a pipe or a program runs it: a home with tiny transcripts in it, and the command as a process."""

from __future__ import annotations

import fcntl
import gc
import json
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import memlane
from memlane.surfaces.cli import run

ROOT = Path(__file__).resolve().parent.parent.parent
TRANSCRIPTS = ROOT / "tests" / "fixtures" / "transcripts"
SCHEMAS = ROOT / "docs" / "reference" / "schemas"
COMMAND = [sys.executable, "-m", "memlane"]
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@cache
def load_everything() -> None:
    """Once, for all that is forked: what a command imports late it finds there."""
    for module in walk_packages(memlane.__path__, "memlane."):
        if not module.name.endswith("__main__"):
            with suppress(ImportError):  # what needs a package that is not installed
                import_module(module.name)


@dataclass(frozen=True, slots=True)
class CommandOutcome:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        return json.loads(self.out)

    @property
    def data(self) -> Any:
        return self.document["data"]

    @property
    def error(self) -> dict[str, Any]:
        return json.loads(self.err)["error"]

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def records(self) -> list[list[str]]:
        return [line.split("\t") for line in self.lines]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a home, agents in it, and a shell."""

    home: Path
    variables: Mapping[str, str] = field(default_factory=dict[str, str])
    quick: bool = False  # `lane` in a forked process, where Python need not start first

    @property
    def lane_home(self) -> Path:
        return self.home / ".memlane"

    def surroundings(self, more: Mapping[str, str]) -> dict[str, str]:
        plain = {"PATH": os.environ["PATH"], "HOME": str(self.home), "LANG": "C.UTF-8", "TERM": "xterm", "TZ": "UTC"}
        return {**plain, **self.variables, **more, "PYTHONPATH": str(ROOT / "src"), "OPENBLAS_NUM_THREADS": "1"}

    def lane(self, *words: str, given: str = "", **more: str) -> CommandOutcome:
        """In a pipe, as scripts and agents run it."""
        if self.quick:
            return self._forked(words, given.encode(), self.surroundings(more))
        done = subprocess.run(
            [*COMMAND, *words],
            env=self.surroundings(more),
            cwd=self.home,
            input=given.encode(),
            capture_output=True,
            check=False,
        )
        return CommandOutcome(
            done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
        )

    def _forked(self, words: Sequence[str], given: bytes, surroundings: Mapping[str, str]) -> CommandOutcome:
        with tempfile.TemporaryFile() as into, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            into.write(given)
            into.seek(0)
            load_everything()
            child = os.fork()
            if child == 0:
                for number, file in enumerate((into, out, err)):
                    os.dup2(file.fileno(), number)
                self._as_child(words, surroundings)
            _pid, status = os.waitpid(child, 0)
            said = [(file.seek(0), file.read().decode("utf-8", "replace"))[1] for file in (out, err)]
        return CommandOutcome(os.waitstatus_to_exitcode(status), said[0], said[1])

    def raw(self, run: str) -> bytes:
        command = [*COMMAND, "show", run, "--raw"]
        return subprocess.run(command, env=self.surroundings({}), cwd=self.home, capture_output=True, check=True).stdout

    def on_screen(
        self, *words: str, columns: int = 80, rows: int = 500, typed: str = "", **more: str
    ) -> CommandOutcome:
        """At a terminal this wide, in a process of its own. Both streams are the screen."""
        load_everything()
        child, terminal = pty.fork()
        if child == 0:
            self._as_child(words, self.surroundings(more))
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.write(terminal, b"\n" + typed.encode())
        seen = b""
        try:
            while piece := os.read(terminal, 65536):
                seen += piece
        except OSError:  # the other end is closed
            pass
        finally:
            os.close(terminal)
        _pid, status = os.waitpid(child, 0)
        text = seen.decode("utf-8", "replace").replace("\r\n", "\n").removeprefix("\n")
        return CommandOutcome(os.waitstatus_to_exitcode(status), text, "")

    def _as_child(self, words: Sequence[str], surroundings: Mapping[str, str]) -> None:
        """What `lane` does, without starting Python again; never returns into the tests."""
        code = 70
        gc.freeze()  # what its parent had is shared, as long as nobody counts it
        try:
            os.environ.clear()
            os.environ.update(surroundings)
            os.chdir(self.home)
            sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w", encoding="utf-8", closefd=False)
            sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)
            if os.isatty(0):
                os.read(0, 1)  # now the terminal has its size
            code = run(words)
            sys.stdout.flush()
        finally:
            os._exit(code)

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        """Something that goes on until it is told to stop."""
        return subprocess.Popen(
            [*COMMAND, *words],
            env=self.surroundings({}),
            cwd=self.home,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    # -- what is in the home -------------------------------------------------------------------------------------------

    def claude_run(self, name: str, *said: str, project: str = "shop", answer: str = "Done.") -> Path:
        """A transcript of Claude Code: each thing said, and an answer to it."""
        folder = self.home / ".claude" / "projects" / f"-{project}"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.jsonl"
        path.write_text("".join(f"{json.dumps(record)}\n" for record in records(name, said, answer, project)))
        return path

    def with_samples(self) -> Person:
        """Every sample transcript of both agents."""
        shutil.copytree(TRANSCRIPTS / "claude-code", self.home / ".claude" / "projects")
        sessions = self.home / ".codex" / "sessions" / "2026" / "11" / "15"
        sessions.mkdir(parents=True)
        for file in (TRANSCRIPTS / "codex").iterdir():
            shutil.copy2(file, sessions / file.name)
        return self


def records(session: str, said: Sequence[str], answer: str, project: str) -> list[dict[str, object]]:
    """As Claude Code writes them."""
    found: list[dict[str, object]] = []
    parent: str | None = None
    for number, words in enumerate(said, 1):
        common = {"sessionId": session, "cwd": f"/home/dev/{project}", "gitBranch": "main", "version": "2.0.60"}
        prompt, reply = f"{session}-p{number}", f"{session}-a{number}"
        found.append(
            {
                "type": "user",
                "uuid": prompt,
                "parentUuid": parent,
                "isSidechain": False,
                "userType": "external",
                "timestamp": f"2026-11-10T10:{number:02}:00.000Z",
                "message": {"role": "user", "content": words},
                **common,
            }
        )
        found.append(
            {
                "type": "assistant",
                "uuid": reply,
                "parentUuid": prompt,
                "isSidechain": False,
                "timestamp": f"2026-11-10T10:{number:02}:30.000Z",
                "message": {
                    "role": "assistant",
                    "id": f"msg_{session}_{number}",
                    "model": "claude-sonnet-4-5",
                    "content": [{"type": "text", "text": answer}],
                },
                **common,
            }
        )
        parent = reply
    return found


def misfits(value: object, schema: Mapping[str, Any], where: str = "$") -> list[str]:
    """Where a document does not fit its schema. Only the words of JSON Schema that ours use: no package for that."""
    if "enum" in schema and value not in schema["enum"]:
        return [f"{where}: {value!r} is none of {schema['enum']}"]
    wanted = schema.get("type", [])
    if wanted and not any(_is(value, one) for one in ([wanted] if isinstance(wanted, str) else wanted)):
        return [f"{where}: {value!r} is not {wanted}"]
    found: list[str] = []
    if isinstance(value, dict):
        found += [f"{where}: {name} is missing" for name in schema.get("required", []) if name not in value]
        for name, inner in value.items():
            rule = schema.get("properties", {}).get(name, schema.get("additionalProperties"))
            found += misfits(inner, rule, f"{where}.{name}") if rule else []
    if isinstance(value, list):
        for number, inner in enumerate(value):
            found += misfits(inner, schema.get("items", {}), f"{where}[{number}]")
    return found


def unpublished(value: object, schema: Mapping[str, Any], where: str = "$") -> list[str]:
    """What a document says that its schema does not mention, below objects whose members the schema lists."""
    if isinstance(value, dict):
        known = schema.get("properties")
        if known is None:
            return []
        strange = [f"{where}.{name}" for name in value if name not in known]
        return strange + [
            one for name in value if name in known for one in unpublished(value[name], known[name], f"{where}.{name}")
        ]
    if isinstance(value, list):
        return [one for inner in value for one in unpublished(inner, schema.get("items", {}), f"{where}[]")]
    return []


def _is(value: object, kind: str) -> bool:
    kinds: dict[str, tuple[type, ...]] = {
        "string": (str,),
        "integer": (int,),
        "number": (int, float),
        "boolean": (bool,),
        "object": (dict,),
        "array": (list,),
        "null": (type(None),),
    }
    return isinstance(value, kinds[kind]) and (kind == "boolean" or not isinstance(value, bool))


def schema_of(document: Mapping[str, Any]) -> dict[str, Any]:
    name = str(document["schema"]).partition("/")[0]
    return json.loads((SCHEMAS / f"{name}.json").read_text())
