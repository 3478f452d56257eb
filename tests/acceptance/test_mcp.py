"""Our MCP as its callers drive it: the real Claude Code and Codex, the SDK's own client, and a daemon behind HTTP."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memlane.app import Lane
from memlane.config import load
from memlane.domain import RecallMoment, State, Trust
from tests.acceptance.command_line import ROOT, Person
from tests.acceptance.hooks import CLIENT, HookHome, until
from tests.acceptance.terminal import seated
from tests.clients.drive import ClaudeCode, Codex, Session, installed
from tests.conftest import LaneHome

NOTE = "Deploys of the shop go through make ship, never through kubectl apply MARK-note"
ASKED = {"prompt": "how do deploys of the shop go, through make ship or kubectl apply?"}
PROGRAM = [sys.executable, "-P", "-m", "memlane.surfaces.mcp"]
TOOLS = 12


@pytest.fixture
def noted(lane_home: LaneHome) -> str:
    """A home with one note about the project that agents work in."""
    project = lane_home.home / "project"
    project.mkdir()
    with Lane(load({**os.environ, **lane_home.variables})) as lane:
        return lane.memories.remember(NOTE, project).id


def settings(lane_home: LaneHome) -> dict[str, Any]:
    return {"command": PROGRAM[0], "args": PROGRAM[1:], "env": dict(lane_home.variables)}


def recalls(lane_home: LaneHome) -> list[Any]:
    with Lane(load({**os.environ, **lane_home.variables})) as lane:
        return list(lane.recall.newest())


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_what_was_told_is_written_down_before_an_agent_can_end_us(
    lane_home: LaneHome, noted: str, ending: signal.Signals
) -> None:
    variables = {**os.environ, **lane_home.variables, "PYTHONPATH": str(ROOT / "src")}
    folder = lane_home.home / "project"
    with subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=variables, cwd=folder) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        call = {"name": "recall", "arguments": ASKED}
        child.stdin.write(
            json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}).encode() + b"\n"
        )
        child.stdin.flush()
        assert b"MARK-note" in child.stdout.readline()
        child.send_signal(ending)
        child.wait()
    assert [recall.shown[0].memory.id for recall in recalls(lane_home)] == [noted]


# -- real agents -------------------------------------------------------------------------------------------------------


def test_claude_code_calls_a_tool_and_its_model_reads_the_note(
    lane_home: LaneHome, noted: str, claude: Callable[..., ClaudeCode]
) -> None:
    config = lane_home.home / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"lane": settings(lane_home)}}))
    script = (
        f'go @@call ToolSearch {{"query":"select:mcp__lane__recall"}}@@ @@call mcp__lane__recall {json.dumps(ASKED)}@@'
    )
    told = claude().run(script, "--mcp-config", config, "--strict-mcp-config", "--allowedTools", "mcp__lane__recall")
    assert told.exit_code == 0, told.stderr
    assert told.stdout.strip() == "saw: MARK-note"
    assert told.saw(noted)
    (recorded,) = recalls(lane_home)
    assert (recorded.query.agent, recorded.shown[0].memory.id) == ("claude-code", noted)
    with Lane(load({**os.environ, **lane_home.variables})) as lane:
        lane.capture.sweep()
        assert lane.runs.get(recorded.query.run).agent == "claude-code"  # which run was told what


def test_what_claude_code_was_told_by_our_tool_is_ours_in_its_transcript(
    lane_home: LaneHome, noted: str, claude: Callable[..., ClaudeCode]
) -> None:
    config = lane_home.home / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"lane": settings(lane_home)}}))
    script = (
        f'go @@call ToolSearch {{"query":"select:mcp__lane__recall"}}@@ @@call mcp__lane__recall {json.dumps(ASKED)}@@'
    )
    claude().run(script, "--mcp-config", config, "--strict-mcp-config", "--allowedTools", "mcp__lane__recall")
    with Lane(load({**os.environ, **lane_home.variables})) as lane:
        lane.capture.sweep()
        from memlane.domain import RunFilter

        (run,) = lane.runs.select(RunFilter())
        steps = [step for turn in lane.runs.show(run.id).turns for step in turn.steps]
    held = [step for step in steps if step.call is not None and noted in step.call.result]
    assert held
    assert all(step.ours for step in held)


def test_codex_calls_a_tool_and_its_model_reads_the_note(
    lane_home: LaneHome, noted: str, codex: Callable[..., Codex]
) -> None:
    agent = codex()
    agent.environment()  # writes its settings
    place = lane_home.home / ".codex" / "config.toml"
    known = settings(lane_home)
    env = ", ".join(f"{name} = {json.dumps(value)}" for name, value in known["env"].items())
    place.write_text(
        f"{place.read_text()}\n[mcp_servers.lane]\ncommand = {json.dumps(known['command'])}\n"
        f"args = {json.dumps(known['args'])}\nenv = {{ {env} }}\n"
    )
    told = agent.run(f"go @@call mcp__lane.recall {json.dumps(ASKED)}@@")
    assert told.exit_code == 0, told.stderr
    assert told.saw(noted)


# -- the SDK's own client ----------------------------------------------------------------------------------------------

SDK = """
import json, os, sys
import anyio
from mcp import Client, StdioServerParameters

async def through(target, mode):
    async with Client(target, mode=mode) as caller:
        tools = (await caller.list_tools()).tools
        told = await caller.call_tool("recall", {"prompt": sys.argv[1]})
        wrong = await caller.call_tool("read_run", {"run": "../../etc/passwd"})
        listed = (await caller.list_resources()).resources
        read = await caller.read_resource(listed[0].uri)
        version, text = str(caller.protocol_version), told.content[0].text
        return [mode, version, len(tools), text, wrong.is_error, read.contents[0].text]

async def main():
    found = []
    for mode in ("auto", "legacy"):
        if len(sys.argv) > 2:
            import httpx2
            from mcp.client.streamable_http import streamable_http_client
            async with httpx2.AsyncClient(headers={"Authorization": "Bearer " + sys.argv[3]}) as line:
                found.append(await through(streamable_http_client(sys.argv[2], http_client=line), mode))
        else:
            ours = {name: os.environ[name] for name in ("HOME", "LANE_HOME", "PYTHONPATH") if name in os.environ}
            command = [sys.executable, "-P", "-m", "memlane.surfaces.mcp"]
            found.append(await through(StdioServerParameters(command=command[0], args=command[1:], env=ours), mode))
    print(json.dumps(found))

anyio.run(main)
"""


def by_sdk(lane_home: LaneHome, *more: str) -> list[list[Any]]:
    pytest.importorskip("mcp", reason="the MCP SDK is not installed: requirements/dev.txt")
    variables = {**os.environ, **lane_home.variables}
    command = [sys.executable, "-W", "ignore", "-c", SDK, ASKED["prompt"], *more]
    done = subprocess.run(
        command, env=variables, cwd=lane_home.home / "project", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: list[list[Any]] = json.loads(done.stdout)
    return found


def test_the_sdks_client_speaks_to_us_in_the_newest_and_in_an_older_revision(lane_home: LaneHome, noted: str) -> None:
    newest, older = by_sdk(lane_home)
    assert (newest[1], older[1]) == ("2026-07-28", "2025-11-25")
    for _mode, _version, tools, told, refused, read in (newest, older):
        assert (tools, refused) == (TOOLS, True)
        assert noted in told
        assert noted in read


# -- the daemon --------------------------------------------------------------------------------------------------------


@pytest.fixture
def served(lane_home: LaneHome, noted: str) -> Iterator[tuple[HookHome, int]]:
    hooked = HookHome(lane_home.home, lane_home.path, CLIENT)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    hooked.served(LANE_HTTP_PORT=str(port))
    try:
        assert until(lambda: (hooked.state() or {}).get("http") == port)
        yield hooked, port
    finally:
        hooked.end()


def token_of(hooked: HookHome) -> str:
    return (hooked.run / "token").read_text()


def test_the_sdks_client_speaks_to_the_daemon_over_http(
    lane_home: LaneHome, served: tuple[HookHome, int], noted: str
) -> None:
    hooked, port = served
    newest, older = by_sdk(lane_home, f"http://127.0.0.1:{port}/mcp", token_of(hooked))
    assert (newest[1], older[1]) == ("2026-07-28", "2025-11-25")
    assert noted in newest[5]


def status(port: int, path: str, **headers: str) -> int:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    line.request("GET", path, headers=headers)
    told = line.getresponse().status
    line.close()
    return told


@pytest.mark.fault("J3")
def test_the_token_is_its_owners_alone_and_who_has_none_is_refused(served: tuple[HookHome, int]) -> None:
    hooked, port = served
    assert (hooked.run / "token").stat().st_mode & 0o777 == 0o600
    assert hooked.run.stat().st_mode & 0o777 == 0o700
    assert status(port, "/api/runs", Authorization=f"Bearer {token_of(hooked)}") == 200
    assert status(port, "/api/runs") == 401
    if os.getuid() == 0:  # only then can we be somebody else
        reading = ["/bin/sh", "-c", 'cat "$0"', hooked.run / "token"]
        read = subprocess.run(reading, user=65534, group=65534, extra_groups=[], capture_output=True, check=False)
        assert (read.returncode != 0, read.stdout) == (True, b"")


@pytest.mark.fault("J4")
def test_nobody_outside_this_computer_is_listened_to(served: tuple[HookHome, int]) -> None:
    _hooked, port = served
    addresses = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for address in addresses - {"127.0.0.1"}:
        with socket.socket() as line:
            line.settimeout(2)
            assert line.connect_ex((str(address), port)) != 0


def test_a_port_that_somebody_has_stops_no_hook(lane_home: LaneHome, noted: str) -> None:
    hooked = HookHome(lane_home.home, lane_home.path, CLIENT)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        hooked.served(LANE_HTTP_PORT=str(taken.getsockname()[1]))
        try:
            log = lane_home.path / "log" / "daemon.log"
            assert until(lambda: log.exists() and "nothing is answered at 127.0.0.1" in log.read_text())
            assert (hooked.state() or {})["http"] is None
        finally:
            hooked.end()


# -- on a pipe ---------------------------------------------------------------------------------------------------------


@pytest.mark.fault("F10")
def test_it_ends_when_its_agent_does_and_writes_nothing_but_the_protocol(lane_home: LaneHome) -> None:
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}
    call = {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {"name": "search", "arguments": {"query": "x"}},
    }
    given = "".join(json.dumps(message) + "\n" for message in (hello, call))
    variables = {**os.environ, **lane_home.variables}
    for command in (PROGRAM, [sys.executable, "-m", "memlane", "mcp"]):
        done = subprocess.run(command, input=given, env=variables, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [1, 2]
    assert not Path(lane_home.path).exists()  # looking makes no home


def test_the_first_answer_loads_no_engine_no_model_and_no_lane(lane_home: LaneHome) -> None:
    code = (
        "import io, sys\nfrom memlane.surfaces.mcp import start\n"
        'sys.stdin = io.TextIOWrapper(io.BytesIO(b\'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\\n\'))\n'
        "start()\nprint(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ}, capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    assert not loaded & {"numpy", "tantivy", "apsw", "re2", "click", "asyncio", "ssl", "memlane.app", "pydantic"}


# -- with our hooks beside them ----------------------------------------------------------------------------------------


@pytest.fixture
def plugged(lane_home: LaneHome, noted: str, claude: Callable[..., ClaudeCode]) -> Iterator[Callable[..., Session]]:
    """Claude Code with our plugin in it: a script that calls one of our tools, run to its end."""
    agent = claude()
    variables = {**agent.environment(), "PATH": f"{installed('claude').parent}:{agent.environment()['PATH']}"}
    for words in (["hook", "install", "claude-code"], ["daemon", "start"]):
        command = [sys.executable, "-m", "memlane", *words]
        done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    def call(prompt: str, name: str, given: object) -> Session:
        tool = f"mcp__plugin_lane_lane__{name}"
        script = f'{prompt} @@call ToolSearch {{"query":"select:{tool}"}}@@ @@call {tool} {json.dumps(given)}@@'
        told = agent.run(script, "--allowedTools", tool)
        assert told.exit_code == 0, told.stderr
        return told

    yield call
    HookHome(lane_home.home, lane_home.path, CLIENT).end()


def test_the_plugin_brings_the_tools_into_claude_code(
    lane_home: LaneHome, noted: str, plugged: Callable[..., Session]
) -> None:
    plugged("go", "recall", ASKED)
    (asked,) = [
        one for one in recalls(lane_home) if one.query.moment is RecallMoment.ASKED
    ]  # not what our hooks told it
    assert asked.shown[0].memory.id == noted


def test_what_the_person_typed_holds_at_once_and_what_the_agent_made_up_waits(
    lane_home: LaneHome, plugged: Callable[..., Session]
) -> None:
    typed = "remember that invoices of the shop are rounded half up."
    quote = "invoices of the shop are rounded half up"
    plugged(typed, "remember", {"text": "Invoices of the shop are rounded half up.", "said": quote})
    plugged("tidy up", "remember", {"text": "Invoices of the shop are sent on Fridays."})
    with Lane(load({**os.environ, **lane_home.variables})) as lane:
        noted = ("mcp/", "taught@")  # what the prompt taught by itself is not noted twice
        found = {m.content: (m.state, m.trust) for m in lane.memories.all() if m.maker.startswith(noted)}
    assert found == {
        "Invoices of the shop are rounded half up.": (State.ACTIVE, Trust.PERSON),
        "Invoices of the shop are sent on Fridays.": (State.HELD, Trust.AGENT),
    }


def test_what_an_agent_wants_forgotten_is_asked_of_the_person(tmp_path: Path) -> None:
    person = Person(tmp_path, quick=True)
    notes = [person.lane("remember", text, "--json").data["id"] for text in ("ship with make", "mail on Fridays")]
    call = {"name": "forget", "arguments": {"memory": notes[0], "because": "we use helm now"}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    variables = {**person.surroundings({}), "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(PROGRAM, input=json.dumps(message) + "\n", env=variables, capture_output=True, text=True)
    assert "lane mem review" in done.stdout, done.stderr
    assert [memory["id"] for memory in person.lane("mem", "review", "--json").data] == [notes[0]]
    with seated(person, "mem", "review", rows=200) as seat:
        seat.sees("ship with make", "suggests forgetting it: we use helm now", "1 of 1")
        seat.press("n")
        seat.sees("1 forgotten")
        assert seat.ends() == 0
    assert person.lane("mem", "review", "--json").data == []
    assert person.lane("mem", "show", notes[0], "--json").data["state"] == "forgotten"
