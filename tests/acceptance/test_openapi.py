"""Schemathesis asks a real daemon all that its description allows, and much that it does not: no question breaks it.

Its own generators make the questions: what stands at the edge of a field and beyond it, what has another type, what is
missing, what nobody asked for, control characters, other methods. The seed is fixed, so each run asks the same.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memlane.domain import RunFilter, Scope
from memlane.surfaces.api import described
from memlane.surfaces.api.rules import BrowserSign, HttpAddress, issued
from memlane.surfaces.web.news import NewsStream
from memlane.surfaces.web.routes import table
from tests.acceptance.hooks import NOTE, PROMPT, HookHome, installed, until
from tests.conftest import LaneHome
from tests.flow.homes import answer, called, prompt, returned, said, write

Json = dict[str, Any]
AGENT = "a browser"
SEED = "9"
PHASES = "examples,coverage,fuzzing"
OF_PAGES_PHASES = "examples,coverage"  # they are many
OF_A_PAGE = r"^/(?!api/|mcp)"  # the pages as JSON: what they take is asked of the pages themselves
OF_PAGES = "not_a_server_error,unsupported_method,allow_header_conformance"


@dataclass(frozen=True, slots=True)
class Daemon:
    """One that answers, and something that is there for each name a question may hold."""

    hooked: HookHome
    port: int
    real: Mapping[str, str]

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@pytest.fixture
def daemon(lane_home: LaneHome) -> Iterator[Daemon]:
    made = installed(lane_home.home, lane_home.path)
    folder = lane_home.home / ".claude" / "projects" / "-home-dev-app"
    folder.mkdir(parents=True)
    calls = [said("Let me look"), called("Bash", {"command": "make test"})]
    write(folder / "s.jsonl", [prompt("run the tests"), answer(calls), returned("2 failed", error=True)])
    with made.lane() as lane:
        lane.capture.sweep()
        memory = lane.memories.remember(NOTE, made.project, scope=Scope.GLOBAL)
        recall = lane.recall.asked(PROMPT, made.project)
        lane.recall.keep(recall)
        (run,) = lane.runs.select(RunFilter(limit=1))
    real = {"run": run.id, "memory": memory.id, "recall": recall.id, "project": run.project.name}
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    made.served(LANE_HTTP_PORT=str(port))
    assert until(lambda: answers(port)), "nothing is answered there"
    yield Daemon(made, port, real)
    made.end()


def answers(port: int) -> bool:
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.fault("E12")
def test_no_program_can_ask_what_breaks_it_and_every_answer_is_as_described(daemon: Daemon, tmp_path: Path) -> None:
    header = f"Authorization: Bearer {daemon.hooked.token}"
    request = urllib.request.Request(f"{daemon.base}/api/openapi.json", headers=dict([header.split(": ")]))
    with urllib.request.urlopen(request) as told:
        document = json.load(told)
    words = ("--checks", "all", "--phases", PHASES, "--exclude-path-regex", OF_A_PAGE)
    done = schemathesis(with_real(document, daemon.real), daemon, header, tmp_path, *words)
    assert done.returncode == 0, done.stdout
    assert unbroken(daemon)


@pytest.mark.fault("E12")
def test_no_browser_can_ask_what_breaks_it(daemon: Daemon, tmp_path: Path) -> None:
    """Pages have no description of their own; their table makes one."""
    routes = [route for route in table("", NewsStream(daemon.hooked.lane)) if route.path != "/events"]  # type: ignore[arg-type]
    real = {**daemon.real, "of": f"project:{daemon.real['project']}", "ids": daemon.real["memory"]}
    document = with_real(json.loads(json.dumps(described(routes))), real)
    host = HttpAddress(0, daemon.hooked.token).host
    header = f"Cookie: lane={issued(daemon.hooked.token, BrowserSign(host, AGENT))}"
    agent = ("--header", f"User-Agent: {AGENT}", "--header", f"Host: {host}:{daemon.port}")
    done = schemathesis(document, daemon, header, tmp_path, *agent, "--checks", OF_PAGES, "--phases", OF_PAGES_PHASES)
    assert done.returncode == 0, done.stdout
    assert unbroken(daemon)


def unbroken(daemon: Daemon) -> bool:
    log = daemon.hooked.path / "log" / "daemon.log"
    written = log.read_text() if log.exists() else ""  # nobody writes what nothing went wrong with
    return until(lambda: daemon.hooked.state() is not None) and "ERROR" not in written


def schemathesis(
    document: Json, daemon: Daemon, header: str, folder: Path, *words: str
) -> subprocess.CompletedProcess[str]:
    file = folder / "openapi.json"
    file.write_text(json.dumps(document))
    command = [sys.executable, "-m", "schemathesis.cli", "run", str(file), "--url", daemon.base, "--header", header]
    command += ["--seed", SEED, "--max-examples", "3", "--no-shrink", "--no-color", "--generation-database", "none"]
    command += ["--warnings", "off", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def with_real(document: Json, real: Mapping[str, str]) -> Json:
    """Each question is asked once about something that is there: what is made up is only ever not found."""
    for operations in document["paths"].values():
        for operation in operations.values():
            for parameter in operation.get("parameters", ()):
                if parameter["name"] in real:
                    parameter["example"] = real[parameter["name"]]
            if "requestBody" in operation:
                content = operation["requestBody"]["content"]["application/json"]
                content["example"] = _body(content["schema"], real)
    return document


def _body(schema: Json, real: Mapping[str, str]) -> Json:
    fields: Mapping[str, Json] = schema.get("properties", {})
    return {
        name: real.get(name) or (one.get("enum") or ["ferries"])[-1]
        for name, one in fields.items()
        if one["type"] == "string"
    }
