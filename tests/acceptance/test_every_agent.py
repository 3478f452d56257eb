"""All the real agents in one home: `lane init` sets them up, a note learned in one reaches the model of another at each
moment it can, and `lane uninstall` leaves their settings as if we had never been there."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from memlane.agents import LineStream, Registry, Transcript
from memlane.domain import Occasion
from tests.acceptance.command_line import CommandOutcome, Person
from tests.acceptance.hooks import HookHome, patient, until
from tests.clients.drive import PATIENCE, ClaudeCode, Codex, Copilot, Droid, Gemini, OpenCode, Pi, Session, installed
from tests.clients.fake_model import FakeModel, fake_model
from tests.clients.terminal import in_terminal
from tests.rooms.system.computers import tree
from tools.clients import CLIENTS, node
from tools.clients import program as client_program

STANDING = "Answer in whole sentences MARK-standing"
ABOUT_FILE = "Amounts in ledger.py are cents, never floats MARK-file"
KINDS = {
    "claude-code": ClaudeCode,
    "codex": Codex,
    "copilot-cli": Copilot,
    "droid": Droid,
    "gemini-cli": Gemini,
    "opencode": OpenCode,
    "pi": Pi,
}
PROGRAMS = {"claude-code": "claude", "copilot-cli": "copilot", "gemini-cli": "gemini"}
READ = {
    "claude-code": ("Read", "file_path"),
    "codex": ("exec_command", "cmd"),
    "copilot-cli": ("view", "path"),
    "droid": ("Read", "file_path"),
    "gemini-cli": ("read_file", "file_path"),
    "opencode": ("read", "filePath"),
    "pi": ("read", "path"),
}
NO_PROMPTS = ("droid",)  # `exec` calls no hook for a prompt: its notes come with the first tool
ALLOWED = {"claude-code": ("--allowedTools", "Read")}
# Where an agent's own program keeps what a person set: transcripts, caches and databases are not among it.
SETTINGS = (
    ".claude/settings.json",
    ".codex/config.toml",
    ".codex/hooks.json",
    ".codex/skills/lane-recall",
    ".copilot/hooks",
    ".copilot/mcp-config.json",
    ".copilot/settings.json",
    ".factory/hooks.json",
    ".factory/mcp.json",
    ".factory/settings.json",
    ".gemini/settings.json",
    ".config/opencode/opencode.json",
    ".config/opencode/plugins",
    ".pi/agent/extensions",
    ".pi/agent/mcp.json",
)
Client = ClaudeCode | Codex | Copilot | Droid | Gemini | OpenCode | Pi


@dataclass(frozen=True, slots=True)
class Crowd:
    """One home with every agent in it."""

    person: Person
    model: FakeModel
    hooked: HookHome

    @property
    def project(self) -> Path:
        return self.person.home / "project"

    def lane(self, *words: str) -> CommandOutcome:
        done = self.person.lane(*words)
        assert done.code == 0, f"lane {' '.join(words)}: {done.out}{done.err}"
        return done

    def client(self, agent: str, cwd: str = "project") -> Client:
        variables = {"PATH": self.person.variables["PATH"], "LANE_HOME": str(self.person.lane_home)}
        return KINDS[agent](self.person.home, self.person.home / cwd, self.model, variables)

    def run(self, agent: str, prompt: str, *words: str) -> Session:
        return self.client(agent).run(prompt, *ALLOWED.get(agent, ()), *words)

    def recalls(self) -> list[dict[str, Any]]:
        return json.loads(self.lane("recalls", "--json", "--limit", "200").out)["data"]

    def settings(self) -> dict[str, str]:
        return {name: self._content(self.person.home / name) for name in SETTINGS}

    def _content(self, path: Path) -> str:
        if path.is_dir():
            return json.dumps(tree(path))
        return path.read_text() if path.exists() else "(nothing)"


def programs(folder: Path) -> None:
    """Every client under the name a person types."""
    folder.mkdir()
    for agent in KINDS:
        name = PROGRAMS.get(agent, agent)
        script, before = folder / name, f"{node()} " if CLIENTS[name].needs_node else ""
        script.write_text(f'#!/bin/sh\nexec {before}{installed(name)} "$@"\n')
        script.chmod(0o755)


def made(home: Path, model: FakeModel) -> Crowd:
    """The agents as a person has them, settings and all."""
    names = [PROGRAMS.get(agent, agent) for agent in KINDS]
    missing = [name for name in names if client_program(CLIENTS[name]) is None]
    if missing:
        reason = f"not installed: python -m tools.clients {' '.join(missing)}"
        pytest.fail(reason) if os.environ.get("CI") == "true" else pytest.skip(reason)
    programs(home / "bin")
    person = Person(home, {"PATH": f"{home / 'bin'}:/usr/local/bin:/usr/bin:/bin"})
    hooked = HookHome(home, person.lane_home, person.lane_home / "hooks" / "client.py")
    crowd = Crowd(person, model, hooked)
    crowd.project.mkdir()
    (crowd.project / "ledger.py").write_text("amount = 100\n")
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").write_text('{\n  "theme": "dark"\n}\n')
    (home / ".copilot").mkdir()
    for agent in KINDS:
        crowd.client(agent).environment()
    ClaudeCode(home, crowd.project, model).command("plugin", "list")  # it makes its own files first
    return crowd


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crowd]:
    """Set up once, with a note about a file and one for every context."""
    with fake_model() as model:
        home = made(tmp_path_factory.mktemp("h"), model)
        home.lane("init", "--yes", "--no-timer", "--reader", "embedded")
        patient(home.hooked.script)
        with home.hooked.lane() as lane:
            lane.memories.remember(ABOUT_FILE, home.project)
            lane.memories.remember(STANDING, home.project, occasion=Occasion(always=True))
        home.lane("daemon", "start")
        yield home
        home.person.lane("daemon", "stop")


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a person teaches one agent, and a prompt to another that needs it."""

    teaching: str
    prompt: str
    words: str


SHIP = Lesson(
    "from now on deploys of the shop go through make ship, never through kubectl apply.",
    "how do deploys of the shop go, through make ship or kubectl apply?",
    "make ship, never",
)
CUT = Lesson(
    "from now on releases of the kiosk go through bin/cut, never through git tag.",
    "how do releases of the kiosk go, through bin/cut or git tag?",
    "bin/cut, never",
)
STORE = Lesson(
    "from now on backups of the harbour go through bin/store, never through rsync.",
    "how do backups of the harbour go, through bin/store or rsync?",
    "bin/store, never",
)
TEACHERS = {"codex": SHIP, "opencode": CUT, "droid": STORE}  # who is taught what
HEARS = {"codex": CUT, "pi": STORE}  # of what another was taught; the rest hear of the first


@pytest.fixture(scope="module")
def learned(crowd: Crowd) -> Crowd:
    """Each lesson taught to one agent in a prompt."""

    def known(lesson: Lesson) -> bool:
        with crowd.hooked.lane() as lane:
            return any(lesson.words in memory.content for memory in lane.memories.all())

    for agent, lesson in TEACHERS.items():

        def taught(agent: str = agent, lesson: Lesson = lesson) -> bool:
            crowd.run(agent, f"{lesson.teaching} @@say understood@@")
            return until(lambda: known(lesson), looks=20)

        assert until(taught, looks=3), f"{agent}: {crowd.hooked.log}"
    return crowd


def read_file(agent: str, path: Path) -> str:
    tool, key = READ[agent]
    given = {key: f"cat {path}" if key == "cmd" else str(path)}
    times = 2 if agent in NO_PROMPTS else 1  # the first result may carry what is due for the prompt
    return f"@@call {tool} {json.dumps(given)}@@" * times


def told(crowd: Crowd, agent: str, lesson: Lesson) -> str:
    """What is missing of all that this agent's model should have been sent; "": nothing."""
    session = crowd.run(agent, f"{lesson.prompt} {read_file(agent, crowd.project / 'ledger.py')} @@say done@@")
    assert session.exit_code == 0, session.stderr
    first, last = session.turns[0], session.turns[-1]
    seen = {
        "the standing rule in the first request": first.holds("MARK-standing"),
        "the lesson as soon as it can": (session.turns[1] if agent in NO_PROMPTS else first).holds(lesson.words),
        "the note about the file, only after it was read": last.holds("MARK-file") and not first.holds("MARK-file"),
    }
    return ", ".join(what for what, there in seen.items() if not there)


@pytest.mark.client
@pytest.mark.parametrize("agent", KINDS)
def test_a_note_learned_in_another_agent_reaches_its_model_at_the_start_the_prompt_and_the_file(
    learned: Crowd, agent: str
) -> None:
    lesson = HEARS.get(agent, SHIP)
    missing = list[str]()
    # On a crowded machine a hook may be too slow for one run; what never comes is a fault.
    assert until(lambda: not missing.append(told(learned, agent, lesson)) and not missing[-1], looks=3), (
        missing,
        learned.hooked.log,
    )
    learned.lane("capture", "--quiet")
    runs = {run["id"] for run in json.loads(learned.lane("runs", "--json").out)["data"] if run["agent"] == agent}
    asked = {one["run"] for one in learned.recalls() if one["agent"] == agent}
    assert asked <= runs, "what is told is filed under the run that is captured"


@pytest.mark.client
def test_droid_is_told_at_the_prompt_where_an_editor_drives_it(learned: Crowd) -> None:
    def at_once() -> bool:
        before = len(learned.model.requests)
        with droid_session(learned) as order:
            order(typed_in_droid(f"{SHIP.prompt} @@say done@@"), "agent_turn_completed")
        first = next(request for request in learned.model.requests[before:] if request.is_turn)
        return first.holds(SHIP.words) and first.holds("MARK-standing")

    assert until(at_once, looks=3), learned.hooked.log


@pytest.mark.client
def test_a_marked_prompt_goes_through_the_hook_program_of_each(crowd: Crowd) -> None:
    """As `lane doctor` sends it, on the very command line that is in the agent's file."""

    def silent() -> set[str]:
        found = [one["what"] for one in json.loads(crowd.lane("hook", "status", "--json").out)["data"]]
        answered = {what.partition(": its hook was asked and answered")[0] for what in found}
        return {Registry()[agent].title for agent in KINDS} - answered

    assert until(lambda: silent() == set(), looks=3), silent()


@pytest.mark.client
def test_what_we_told_is_marked_as_ours_in_every_transcript(learned: Crowd) -> None:
    """And so never caught again."""
    for agent in KINDS.keys() - {one["agent"] for one in learned.recalls() if one["moment"] == "file"}:
        learned.run(agent, f"{SHIP.prompt} {read_file(agent, learned.project / 'ledger.py')} @@say done@@")
    learned.lane("capture", "--quiet")
    newest = {one["agent"]: one["run"] for one in reversed(learned.recalls()) if one["moment"] == "file"}
    runs = [run for run in json.loads(learned.lane("runs", "--json").out)["data"] if run["id"] in newest.values()]
    briefs = [(run["agent"], step) for run in runs for step in steps_of(learned, run) if "lane-memory nonce" in step[0]]
    assert {agent for agent, _step in briefs} == set(KINDS), "every agent keeps what it was told"
    assert [(agent, text[:200]) for agent, (text, ours) in briefs if not ours] == []


def steps_of(crowd: Crowd, run: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """Each with all it says, and whether it is known as ours."""
    lines = LineStream(iter([crowd.person.raw(run["id"])]))
    for turn in Registry()[run["agent"]].source.read(lines, Transcript("native")).turns():
        for step in turn.steps:
            yield f"{step.text} {step.call.result if step.call else ''}", step.ours


# -- after a compaction ------------------------------------------------------------------------------------------------

NONCE = re.compile(r'lane-memory nonce=\\*"([a-z0-9]+)')  # one for each time that something is told
BEFORE, AFTER = "tell me about the harbour @@say it is calm@@", "and the tides @@say they are low@@"


def compacted_in_codex(crowd: Crowd) -> None:
    free = "--dangerously-bypass-hook-trust"
    with in_terminal([installed("codex"), free], crowd.project, crowd.client("codex").environment()) as screen:
        screen.sees("permissions:")
        for typed, seen in ((BEFORE, "Worked for"), ("/compact", "Context compacted"), (AFTER, "Worked for")):
            screen.press(typed)
            screen.sees(typed)
            screen.press("\r")
            screen.sees(seen)


def compacted_in_copilot(crowd: Crowd) -> None:
    earlier = set(crowd.client("copilot-cli").transcripts())

    def answered(answer: str) -> bool:
        newest = set(crowd.client("copilot-cli").transcripts()) - earlier
        lines = [line for path in newest for line in path.read_text().splitlines()]
        return any('"assistant.message"' in line and answer in line for line in lines)

    command = [installed("copilot"), "--allow-all-tools"]
    with in_terminal(command, crowd.project, crowd.client("copilot-cli").environment()) as screen:
        if screen.sees(trust := "esc to cancel", ready := "/ commands") == trust:
            screen.press("\r")
            screen.sees(ready)
        for typed in (BEFORE, "/compact", AFTER):
            screen.press(typed)
            screen.sees(typed)
            screen.press("\r")
            if typed.startswith("/"):
                screen.sees("Compaction completed")
            else:  # it draws its answer in pieces
                answer = json.dumps(typed.split("@@say ")[1].removesuffix("@@"))
                assert until(lambda answer=answer: answered(answer) or screen.look()), screen.words


Order = Callable[[Mapping[str, object], str], list[str]]  # an order, and what is said until these words


@contextmanager
def ordered(crowd: Crowd, agent: str, *command: str | Path) -> Iterator[Order]:
    """A client that takes its orders as lines of JSON."""
    with subprocess.Popen(
        command,
        cwd=crowd.project,
        env=dict(crowd.client(agent).environment()),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as client:
        assert client.stdin
        assert client.stdout
        orders, said = client.stdin, client.stdout

        def order(given: Mapping[str, object], seen: str) -> list[str]:
            orders.write(json.dumps(given) + "\n")
            orders.flush()
            heard = list[str]()
            for line in said:
                heard.append(line)
                if seen in line:
                    return heard
            raise AssertionError(f"it ended before {seen}: {heard}")

        yield order
        client.stdin.close()
        client.terminate()


@contextmanager
def pi_session(crowd: Crowd) -> Iterator[Order]:
    """By the protocol its other front ends speak."""
    words = ("--provider", "fake", "--model", "fake-model", "--mode", "rpc")
    with ordered(crowd, "pi", str(node()), installed("pi"), *words) as order:
        yield order


@contextmanager
def droid_session(crowd: Crowd) -> Iterator[Order]:
    """By the protocol that editors speak to it. Unlike plain `exec`, it calls a hook for each prompt then."""
    formats = ("--input-format", "stream-jsonrpc", "--output-format", "stream-jsonrpc")
    with ordered(crowd, "droid", installed("droid"), "exec", "--auto", "low", *formats) as order:

        def asked(given: Mapping[str, object], seen: str) -> list[str]:
            head = {"jsonrpc": "2.0", "factoryApiVersion": "1.0.0", "type": "request", "id": str(given["method"])}
            return order({**head, **given}, seen)

        here = {"machineId": "test", "cwd": str(crowd.project), "modelId": "custom:fake-model"}
        asked({"method": "droid.initialize_session", "params": here}, '"id":"droid.initialize_session"')
        yield asked


def typed_in_droid(words: str) -> Mapping[str, object]:
    return {"method": "droid.add_user_message", "params": {"text": words}}


def compacted_in_pi(crowd: Crowd) -> None:
    """A short run is compacted only if little is kept."""
    settings = crowd.person.home / ".pi" / "agent" / "settings.json"
    settings.write_text('{"compaction": {"keepRecentTokens": 1}}')
    with pi_session(crowd) as order:
        order({"type": "prompt", "message": BEFORE}, "agent_settled")
        order({"type": "prompt", "message": "go on @@say yes@@"}, "agent_settled")
        order({"type": "compact"}, '"command":"compact","success":true')
        order({"type": "prompt", "message": AFTER}, "agent_settled")
    settings.unlink()


def compacted_in_droid(crowd: Crowd) -> None:
    with droid_session(crowd) as order:
        order(typed_in_droid(BEFORE), "agent_turn_completed")
        compacted = order({"method": "droid.compact_session", "params": {}}, '"newSessionId"')[-1]
        goes_on = {"sessionId": json.loads(compacted)["result"]["newSessionId"]}
        order({"method": "droid.load_session", "params": goes_on}, '"id":"droid.load_session"')
        order(typed_in_droid(AFTER), "agent_turn_completed")


def compacted_in_opencode(crowd: Crowd) -> None:
    """By the server that its screens speak to."""
    with opencode_server(crowd) as server:
        session = json.loads(server.post("/session", {}))["id"]
        server.post(f"/session/{session}/message", said_in_opencode(BEFORE))
        server.post(f"/session/{session}/summarize", {"providerID": "fake", "modelID": "fake-model"})
        server.post(f"/session/{session}/message", said_in_opencode(AFTER))


@dataclass(frozen=True, slots=True)
class OpenCodeServer:
    address: str

    def post(self, path: str, body: dict[str, object]) -> str:
        asked = Request(self.address + path, json.dumps(body).encode(), {"content-type": "application/json"})
        with urlopen(asked, timeout=PATIENCE) as reply:
            return reply.read().decode()


def said_in_opencode(words: str) -> dict[str, object]:
    return {"parts": [{"type": "text", "text": words}]}


@contextmanager
def opencode_server(crowd: Crowd) -> Iterator[OpenCodeServer]:
    with subprocess.Popen(
        [installed("opencode"), "serve", "--hostname", "127.0.0.1", "--port", "0"],
        cwd=crowd.project,
        env=dict(crowd.client("opencode").environment()),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout
        address = next(found[0] for line in server.stdout if (found := re.search(r"http://127[.0-9]+:\d+", line)))

        try:
            yield OpenCodeServer(address)
        finally:
            server.terminate()


@pytest.mark.client
def test_pi_shows_the_person_what_its_model_was_given(learned: Crowd) -> None:
    drawn = list[str]()

    def shown() -> bool:
        with pi_session(learned) as order:
            heard = order({"type": "prompt", "message": f"{SHIP.prompt} @@say done@@"}, "agent_settled")
        drawn.extend(line for line in heard if '"setWidget"' in line)
        return any(re.search(r"Lane: \d standing rule", line) for line in drawn)

    assert until(shown, looks=3), (drawn, learned.hooked.log)


@pytest.mark.client
@pytest.mark.parametrize(
    "compact",
    [compacted_in_codex, compacted_in_copilot, compacted_in_droid, compacted_in_opencode, compacted_in_pi],
    ids=["codex", "copilot-cli", "droid", "opencode", "pi"],
)
def test_after_a_compaction_the_standing_rules_are_in_the_next_request_again(
    learned: Crowd, compact: Callable[[Crowd], None]
) -> None:
    def told_again() -> bool:
        before = len(learned.model.requests)
        compact(learned)
        turns = [request for request in learned.model.requests[before:] if request.is_turn]
        after = [turn for turn in turns if turn.holds("and the tides")]
        earlier = {nonce for turn in turns if turn not in after for nonce in NONCE.findall(turn.text)}
        return bool(after) and bool(set(NONCE.findall(after[-1].text)) - earlier)

    assert until(told_again, looks=3), learned.hooked.log


# -- how it went -------------------------------------------------------------------------------------------------------

SWARM = """export const Swarm = async () => ({ tool: { swarm_record_outcome: {
  description: "how the work went", args: {}, execute: async () => "recorded" } } })
"""


@contextmanager
def swarm(crowd: Crowd) -> Iterator[None]:
    """A plugin that coordinates agents, as far as it says how the work went."""
    plugin = crowd.person.home / ".config" / "opencode" / "plugins" / "swarm.js"
    plugin.write_text(SWARM)
    try:
        yield
    finally:
        plugin.unlink()


def outcome(crowd: Crowd, run: str) -> bool | None:
    with crowd.hooked.lane() as lane:
        known = lane.home.storage().results.get(run, lane.home.reader)
        return None if known is None else known.success


@pytest.mark.client
def test_opencode_shows_what_was_given_and_what_its_swarm_says_of_the_work_counts_for_that(learned: Crowd) -> None:
    with (
        swarm(learned),
        opencode_server(learned) as server,
        urlopen(server.address + "/event", timeout=PATIENCE) as events,
    ):

        def judged(success: bool) -> bool:
            session = json.loads(server.post("/session", {}))["id"]
            said = f'@@call swarm_record_outcome {{"success": {json.dumps(success)}}}@@ @@say done@@'
            server.post(f"/session/{session}/message", said_in_opencode(f"{SHIP.prompt} {said}"))
            shown = list(takewhile(lambda line: not (b"session.idle" in line and session.encode() in line), events))
            run = learned.recalls()[0]["run"]
            toast = any(b"tui.toast.show" in line and re.search(rb"Lane: \d standing rule", line) for line in shown)
            return toast and until(lambda: outcome(learned, run) is success, looks=100)

        for success in (True, False):
            assert until(lambda success=success: judged(success), looks=3), learned.hooked.log


@pytest.mark.client
def test_once_trusted_codex_runs_our_hooks_and_after_an_upgrade_too(learned: Crowd) -> None:
    codex = learned.client("codex")
    assert "until you trust them" in learned.lane("hook", "status").out
    with in_terminal([installed("codex")], learned.project, codex.environment()) as screen:
        screen.sees("enter confirm")
        assert "Hooksneedreview" in screen.words, "as `lane init` says"
        screen.press_until("2", "›2. Trust all and continue")
        screen.press("\r")
        assert until(lambda: "trusted_hash" in (learned.person.home / ".codex" / "config.toml").read_text())
    assert "until you trust them" not in learned.lane("hook", "status").out
    program = learned.person.lane_home / "hooks" / "run"
    program.write_text(program.read_text() + "# another version\n")
    words = ("exec", "--json", "--skip-git-repo-check", f"{CUT.prompt} @@say done@@")
    assert until(lambda: codex.command(*words).saw("MARK-standing"), looks=3), learned.hooked.log
    learned.lane("hook", "repair")


# -- and out again -----------------------------------------------------------------------------------------------------


@pytest.mark.client
def test_uninstall_right_after_init_leaves_the_home_as_it_was_to_the_last_byte(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with fake_model() as model:
        home = made(tmp_path_factory.mktemp("h"), model)
        before = tree(home.person.home)
        home.lane("init", "--yes", "--no-timer", "--reader", "embedded")
        assert tree(home.person.home) != before
        home.lane("uninstall", "--yes", "--purge")
        after = tree(home.person.home)
        assert b"lane" not in (home.person.home / ".claude.json").read_bytes()
        del before[".claude.json"], after[".claude.json"]  # Claude Code counts its own starts there
        assert after == before


@pytest.mark.client
def test_after_use_uninstall_leaves_the_settings_of_a_twin_that_never_had_us(
    learned: Crowd, tmp_path_factory: pytest.TempPathFactory
) -> None:
    twin = made(tmp_path_factory.mktemp("h"), learned.model)
    for agent in KINDS:
        assert twin.run(agent, "look around @@say done@@").exit_code == 0
    for home in (twin, learned):  # in a terminal it writes more
        with in_terminal([installed("codex")], home.project, home.client("codex").environment()) as screen:
            screen.sees("Ask Codex to do anything")
            assert until(lambda home=home: "[tui]" in (home.person.home / ".codex" / "config.toml").read_text())
    learned.lane("uninstall", "--yes")
    assert settings_of(learned) == settings_of(twin)
    left = [path for path in learned.person.home.rglob("*lane*") if not _is_data(path, learned)]
    assert left == []
    assert not learned.run("codex", f"{SHIP.prompt} @@say done@@").saw("lane-memory")


def settings_of(crowd: Crowd) -> dict[str, str]:
    """Paths of one home read as those of the other."""
    return {name: text.replace(str(crowd.person.home), "~") for name, text in crowd.settings().items()}


def _is_data(path: Path, crowd: Crowd) -> bool:
    """Our home, which stays; and what an agent keeps of its own talk about us."""
    return path.is_relative_to(crowd.person.lane_home) or path == crowd.person.lane_home
