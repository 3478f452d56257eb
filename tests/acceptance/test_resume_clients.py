"""`lane resume` with the six real agents: a run of another machine goes on here, with what was said, run and seen."""

from __future__ import annotations

import base64
import os
import shutil
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.command_line import Person
from tests.clients.drive import ClaudeCode, Codex, Copilot, Gemini, OpenCode, Pi, Session, installed
from tests.clients.fake_model import FakeModel
from tests.conftest import LaneHome, must_have

Client = ClaudeCode | Codex | Copilot | Gemini | OpenCode | Pi
Said = Callable[[Any, str], Session]
KEPT = (b"PROMPT-ONE", b'"table":"session"')  # it stands in these too
SECOND = "and the second @@say second answer@@"


@dataclass(frozen=True, slots=True)
class Agent:
    """How a test talks to one agent: the call that reads a file, how it is shown a picture, how it goes on."""

    program: str
    client: type[Client]
    call: str  # reads FILE
    begin: Said
    go_on: Callable[[Any, str, str], Session]
    picture_call: str = ""  # reads PICTURE, where it cannot be handed one


def copilot(client: Copilot, handle: str, prompt: str) -> Session:
    return client.command("--allow-all-tools", "--silent", f"--resume={handle}", "-p", prompt)


def codex(client: Codex, handle: str, prompt: str) -> Session:
    return client.command("exec", "--json", "--skip-git-repo-check", "resume", handle, prompt)


AGENTS = {
    "claude-code": Agent(
        "claude",
        ClaudeCode,
        'Bash {"command": "cat FILE", "description": "x"}',
        lambda client, prompt: client.run(prompt, "--allowedTools", "Bash", "Read"),
        lambda client, handle, prompt: client.run(prompt, "--resume", handle),
        'Read {"file_path": "PICTURE"}',
    ),
    "codex": Agent(
        "codex",
        Codex,
        'exec_command {"cmd": "cat FILE"}',
        lambda client, prompt: client.run(prompt, f"--image={client.cwd / 'shot.png'}"),
        codex,
    ),
    "copilot-cli": Agent(
        "copilot",
        Copilot,
        'bash {"command": "cat FILE", "description": "x"}',
        lambda client, prompt: client.run(prompt, "--attachment", client.cwd / "shot.png"),
        copilot,
    ),
    "gemini-cli": Agent(
        "gemini",
        Gemini,
        'run_shell_command {"command": "cat FILE", "description": "x"}',
        lambda client, prompt: client.run(prompt),
        lambda client, handle, prompt: client.run(prompt, "--resume", handle),
        'read_file {"file_path": "PICTURE"}',
    ),
    "pi": Agent(
        "pi",
        Pi,
        'bash {"command": "cat FILE"}',
        lambda client, prompt: client.run(prompt, f"@{client.cwd / 'shot.png'}"),
        lambda client, handle, prompt: client.run(prompt, "--session", handle),
    ),
    "opencode": Agent(
        "opencode",
        OpenCode,
        'bash {"command": "cat FILE", "description": "x"}',
        lambda client, prompt: client.run(prompt, f"--file={client.cwd / 'shot.png'}", "--"),
        lambda client, handle, prompt: client.run(prompt, "--session", handle),
    ),
}


def picture() -> bytes:
    """Twelve by twelve red pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"\xd0\x20\x30" * 12 for _row in range(12))
    head = struct.pack(">IIBBBBB", 12, 12, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def checkout(folder: Path) -> Path:
    """A clone of one repository, as far as anyone looks."""
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / ".git" / "config").write_text('[remote "origin"]\n\turl = git@host:acme/api.git\n')
    (folder / "notes.txt").write_text("MARK-from-the-file\n")
    (folder / "shot.png").write_bytes(picture())
    return folder


@pytest.mark.client
@pytest.mark.parametrize("name", AGENTS)
def test_a_run_of_another_machine_goes_on_here_with_its_turns_results_and_pictures(
    name: str, lane_home: LaneHome, model: FakeModel, tmp_path: Path
) -> None:
    agent = AGENTS[name]
    must_have(agent.program)
    away, here = checkout(tmp_path / "away" / "work" / "api"), checkout(lane_home.home / "code" / "api")
    there = agent.client(tmp_path / "away", away, model)
    calls = [agent.call, *([agent.picture_call] if agent.picture_call else [])]
    script = " ".join(f"@@call {one}@@" for one in calls).replace("FILE", f"{away}/notes.txt")
    script = script.replace("PICTURE", f"{away}/shot.png")
    begun = agent.begin(there, f"PROMPT-ONE {script} @@say first answer@@")
    assert begun.saw("MARK-from-the-file"), begun.stderr
    copied = tmp_path / "copied"
    shutil.move(tmp_path / "away", copied)

    mine = agent.client(lane_home.home, here, model)
    mine.run("something of my own @@say fine@@")  # its databases are there, with another session
    path = os.pathsep.join((str(installed(agent.program).parent), os.environ["PATH"]))
    person = Person(lane_home.home, {**mine.environment(), "PATH": path})
    assert person.lane("capture", str(copied), "--machine", "laptop", "--json").code == 0
    runs = person.lane("runs", "--agent", name, "--machine", "laptop", "--json").data
    (run,) = [one for one in runs if "PROMPT-ONE" in one["first"]["text"]]
    done = person.lane("resume", run["id"], "--cwd", str(here), "--json")
    assert done.code == 0, done.err
    assert done.data["paths"] == {"from": str(away), "to": str(here)}
    assert any(file["written"] for file in done.data["files"])

    handle = done.data["command"][-1].rpartition("=")[2]
    again = agent.go_on(mine, handle, SECOND)
    assert again.exit_code == 0, again.stderr
    last = again.turns[-1]
    for words in ("PROMPT-ONE", "MARK-from-the-file", "first answer", f"{here}/notes.txt"):
        assert last.holds(words), words
    assert last.holds(base64.b64encode(picture()).decode()[:60]), "the picture"
    assert not last.holds(f"{away}/notes.txt")
    once_more = person.lane("resume", run["id"], "--cwd", str(here), "--json").data
    assert not any(file["written"] for file in once_more["files"]), "what is there stays as it is"

    damaged_and_deleted(agent, mine, person, handle)
    rest = person.lane("resume", run_here(person, name), "--json")
    assert rest.code == 0, rest.err
    assert rest.data["damage"]["lines_lost"]
    assert rest.data["folder"] == str(here)
    third = agent.go_on(mine, rest.data["command"][-1].rpartition("=")[2], "and the third @@say third answer@@")
    assert third.exit_code == 0, third.stderr
    last = third.turns[-1]
    assert not last.holds('"first answer"') or name == "gemini-cli", "it repeats all messages when it goes on"
    for words in ("PROMPT-ONE", "MARK-from-the-file", "and the second", "second answer", "and the third"):
        assert last.holds(words), words


def run_here(person: Person, agent: str) -> str:
    runs = person.lane("runs", "--agent", agent, "--json").data
    (run,) = [one for one in runs if one["machine"] != "laptop" and "PROMPT-ONE" in one["first"]["text"]]
    return run["id"]


def damaged_and_deleted(agent: Agent, mine: Client, person: Person, handle: str) -> None:
    """The run of this machine: one record in the middle is unreadable in the archive, and its agent has it no more."""
    assert person.lane("capture", "--json").code == 0
    run = run_here(person, next(name for name, one in AGENTS.items() if one is agent))
    (raw,) = list((person.lane_home / "archive").rglob(f"{run}/g*.raw"))[-1:]
    lines = raw.read_bytes().splitlines(keepends=True)
    hit = [n for n, line in enumerate(lines) if b"first answer" in line and not any(word in line for word in KEPT)]
    assert 0 < hit[0] < len(lines) - 1
    raw.write_bytes(b"".join(b"#" + line[1:] if n in hit else line for n, line in enumerate(lines)))
    if isinstance(mine, OpenCode):
        assert mine.command("session", "delete", handle).exit_code == 0
    else:
        for file in [file for file in mine.transcripts() if b"PROMPT-ONE" in file.read_bytes()]:
            file.unlink()
