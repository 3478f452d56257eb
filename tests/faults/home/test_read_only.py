"""A home that can only be read: everything that reads answers as before, everything that writes says why it cannot."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest

from memlane.storage.embedded import EmbeddedEngine
from tests.acceptance.command_line import Person
from tests.conftest import LaneHome
from tests.faults.home.mounts import read_only

READS = (
    ("search", "deploy"),
    ("runs",),
    ("tree",),
    ("mem", "list"),
    ("recall", "how do we deploy the shop?"),
    ("recalls",),
    ("entity", "list"),
    ("skills",),
    ("catch", "--estimate"),
    ("config", "list"),
    ("archive", "verify"),
)
WRITES = (
    ("remember", "Deploy on Mondays only"),
    ("capture",),
    ("tick",),
    ("rebuild",),
    ("config", "set", "recall.per_prompt", "2"),
    ("mem", "folder", "--write"),
    ("undo",),
    ("daemon", "start"),
)


@pytest.fixture
def person(lane_home: LaneHome) -> Person:
    someone = Person(lane_home.home, quick=True)
    someone.claude_run("one", "deploy the shop")
    assert someone.lane("capture").code == 0
    assert someone.lane("tick").code == 0
    assert someone.lane("remember", "Deploy the shop with make ship").code == 0
    return someone


def bytes_of(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.mark.fault("X1")
@pytest.mark.fault("A13", "A19")
def test_everything_that_reads_answers_as_before(person: Person) -> None:
    (run,) = person.lane("runs", "--json").data
    (memory,) = person.lane("mem", "list", "--json").data
    reads = (*READS, ("show", run["id"]), ("mem", "show", memory["id"]))
    before = {words: person.lane(*words, "--json").data for words in reads}
    with read_only(person.lane_home):
        now = {words: person.lane(*words, "--json") for words in reads}
        assert {words: found.err for words, found in now.items() if found.code} == {}
        assert {words: found.data for words, found in now.items()} == before
        assert before["search", "deploy"] != []


@pytest.mark.fault("X1")
@pytest.mark.fault("A19")
def test_everything_that_writes_names_the_file_and_the_cause_and_changes_nothing(person: Person) -> None:
    before = bytes_of(person.lane_home)
    with read_only(person.lane_home):
        for words in WRITES:
            said = person.lane(*words)
            assert (words, said.code) == (words, 1)
            assert str(person.lane_home) in said.err, words
            assert "Read-only file system" in said.err or "Permission denied" in said.err, words
            assert "hint: " in said.err, words
    assert bytes_of(person.lane_home) == before


def test_status_doctor_and_a_printed_list_say_what_cannot_be_kept(person: Person) -> None:
    with read_only(person.lane_home):
        assert "the home is read-only" in person.lane("status").out
        assert person.lane("status", "--json").document["meta"]["read_only"]
        doctor = person.lane("doctor", "--json")
        found = {one["kind"]: one["level"] for one in doctor.data}
        assert (doctor.code, found["read-only"]) == (1, "FAIL")
        assert {found[kind] for kind in ("archive", "journal", "words", "meaning")} == {"ok"}
        assert "cannot be kept, use ids" in person.lane("runs").err
        assert person.lane("runs", "--json").err == ""
    assert "read-only" not in person.lane("status").out
    assert person.lane("status", "--json").document["meta"]["read_only"] is None


def test_an_agent_is_answered_by_mcp_and_told_what_cannot_be_kept(person: Person) -> None:
    def call(n: int, tool: str, **given: str) -> str:
        return json.dumps(
            {"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": {"name": tool, "arguments": given}}
        )

    with read_only(person.lane_home), served(person) as agent:
        begun = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
        agent.ask(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": begun}))
        found = agent.ask(call(2, "search", query="shop"))
        refused = agent.ask(call(3, "remember", text="Deploy on Mondays only"))
    assert (found["isError"], "deploy the" in json.dumps(found)) == (False, True)
    assert (refused["isError"], str(person.lane_home) in json.dumps(refused)) == (True, True)


class McpAgent:
    """Somebody who asks line by line."""

    def __init__(self, program: subprocess.Popen[str]) -> None:
        self._program = program

    def ask(self, line: str) -> dict[str, Any]:
        assert self._program.stdin is not None
        assert self._program.stdout is not None
        self._program.stdin.write(line + "\n")
        self._program.stdin.flush()
        return json.loads(self._program.stdout.readline())["result"]


@contextmanager
def served(person: Person) -> Generator[McpAgent, None, None]:
    program = subprocess.Popen(
        [sys.executable, "-P", "-m", "memlane.surfaces.mcp"],
        env={**person.surroundings({}), "LANE_HOME": str(person.lane_home)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with program:
        yield McpAgent(program)
        assert program.stdin is not None
        program.stdin.close()


@pytest.mark.parametrize("shared", [True, False], ids=["with its shm file", "copied without it"])
def test_what_a_killed_writer_committed_is_read_from_its_log(tmp_path: Path, shared: bool) -> None:
    engine = EmbeddedEngine(tmp_path / "home" / "index", tmp_path / "home" / "vectors")
    fresh = engine.begin()
    engine.swap(fresh)
    fresh.close()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:
        writer = engine.open()
        writer.notes.put("last", "word")
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    (index,) = (tmp_path / "home" / "index").glob("*.db")
    assert index.with_name(f"{index.name}-wal").stat().st_size > 0
    if not shared:
        index.with_name(f"{index.name}-shm").unlink()
    with read_only(tmp_path / "home"):
        storage = engine.open()
        assert storage.notes.get("last") == "word"
        with pytest.raises(OSError, match=index.name):
            storage.notes.put("last", "another")
        storage.close()
    whole = apsw.Connection(str(index))
    assert whole.execute("SELECT value FROM notes WHERE name = 'last'").fetchall() == [("word",)]
    whole.close()
