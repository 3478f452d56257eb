"""Run a real agent client offline, in a throw-away home, against a fake model; get back what it did.

Nothing of the machine's own environment reaches the client, and its proxy is the fake model itself, which refuses
and records every address outside. Installing a client is tools/clients.py.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.clients.fake_model import FakeModel, Request
from tools.clients import CLIENTS, node, program

PATIENCE = 60  # seconds; a session takes one to three, so this is "it hangs"


@dataclass(frozen=True, slots=True)
class Session:
    """One run of a client: what it printed, how it ended, and the requests the model saw meanwhile."""

    stdout: str
    stderr: str
    exit_code: int
    requests: tuple[Request, ...]

    @property
    def turns(self) -> Sequence[Request]:
        return [request for request in self.requests if request.is_turn]

    def saw(self, words: str) -> bool:
        """Whether the model was sent these words in this run."""
        return any(request.holds(words) for request in self.requests)


class ClientHangsError(Exception):
    """A client did not end in time. It was killed with all its children; the message has its last words."""


def environment(home: Path, model: FakeModel, variables: Mapping[str, str]) -> dict[str, str]:
    """All a client gets to know about this machine. Made from nothing: a key or a setting of ours cannot leak in."""
    outside = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), model.url)
    return {
        "HOME": str(home),
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "SHELL": "/bin/bash",
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        **outside,
        "NO_PROXY": "127.0.0.1,localhost",
        "no_proxy": "127.0.0.1,localhost",
        **variables,
    }


def drive(command: Sequence[str | Path], cwd: Path, env: Mapping[str, str], model: FakeModel) -> Session:
    """Run to its end, or kill the whole group."""
    cwd.mkdir(parents=True, exist_ok=True)
    before = len(model.requests)
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,  # codex waits for a pipe
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        stdout, stderr = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        stdout, stderr = process.communicate()
        raise ClientHangsError(
            f"{command[0]} did not end in {PATIENCE} s\n{stdout[-2000:]}\n{stderr[-2000:]}"
        ) from None
    return Session(stdout, stderr, process.returncode, tuple(model.requests[before:]))


def installed(name: str) -> Path:
    path = program(CLIENTS[name])
    if path is None:
        raise FileNotFoundError(f"{name} is not installed: python -m tools.clients {name}")
    return path


@dataclass(frozen=True, slots=True)
class ClaudeCode:
    """Claude Code. `--allowedTools Bash` lets a scripted call run; `--continue` goes on where the last run ended."""

    home: Path
    cwd: Path
    model: FakeModel
    variables: Mapping[str, str] = field(default_factory=dict[str, str])

    def run(self, prompt: str, *arguments: str | Path) -> Session:
        return self.command(*arguments, "-p", prompt)

    def command(self, *words: str | Path) -> Session:
        """Anything else it can do: `plugin marketplace add DIR`."""
        return drive([installed("claude"), *words], self.cwd, self.environment(), self.model)

    def environment(self) -> Mapping[str, str]:
        self.home.mkdir(parents=True, exist_ok=True)
        offline = {
            "ANTHROPIC_BASE_URL": self.model.url,
            "ANTHROPIC_API_KEY": "sk-ant-fake",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
        }
        return environment(self.home, self.model, {**offline, **self.variables})

    def transcripts(self) -> Sequence[Path]:
        """Oldest first, subagents' included."""
        return _by_age(self.home / ".claude" / "projects")


@dataclass(frozen=True, slots=True)
class Codex:
    """Codex. Its settings are written into the home once, so that a test may change them."""

    home: Path
    cwd: Path
    model: FakeModel
    variables: Mapping[str, str] = field(default_factory=dict[str, str])

    def run(self, prompt: str, *arguments: str | Path) -> Session:
        free = ("--skip-git-repo-check", "--dangerously-bypass-hook-trust")
        return self.command("exec", "--json", *free, *arguments, prompt)

    def resume(self, prompt: str, *arguments: str | Path) -> Session:
        """Go on with the newest run of this folder."""
        return self.run(prompt, *arguments, "resume", "--last")

    def command(self, *words: str | Path) -> Session:
        return drive([installed("codex"), *words], self.cwd, self.environment(), self.model)

    def environment(self) -> Mapping[str, str]:
        settings = self.home / ".codex" / "config.toml"
        if not settings.exists():
            settings.parent.mkdir(parents=True, exist_ok=True)
            settings.write_text(self._settings())
        return environment(self.home, self.model, {"FAKE_KEY": "fake", **self.variables})

    def _settings(self) -> str:
        return f"""\
model = "gpt-5"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.fake]
name = "fake"
base_url = {json.dumps(self.model.url + "/v1")}
env_key = "FAKE_KEY"
wire_api = "responses"
"""

    def transcripts(self) -> Sequence[Path]:
        return _by_age(self.home / ".codex" / "sessions")


@dataclass(frozen=True, slots=True)
class Copilot:
    """Copilot CLI. Every tool is allowed: nobody is there to ask."""

    home: Path
    cwd: Path
    model: FakeModel
    variables: Mapping[str, str] = field(default_factory=dict[str, str])

    def run(self, prompt: str, *arguments: str | Path) -> Session:
        return self.command("--allow-all-tools", "--trust-folder", "--silent", *arguments, "-p", prompt)

    def resume(self, prompt: str, *arguments: str | Path) -> Session:
        """Go on with the newest run of this folder; that it is trusted was said when it began."""
        return self.command("--allow-all-tools", "--silent", "--continue", *arguments, "-p", prompt)

    def command(self, *words: str | Path) -> Session:
        return drive([installed("copilot"), *words], self.cwd, self.environment(), self.model)

    def environment(self) -> Mapping[str, str]:
        self.home.mkdir(parents=True, exist_ok=True)
        offline = {
            "COPILOT_OFFLINE": "true",
            "COPILOT_PROVIDER_BASE_URL": self.model.url + "/v1",
            "COPILOT_PROVIDER_API_KEY": "fake-0123456789abcdef",  # it masks its key in all it prints: a long one
            "COPILOT_MODEL": "fake-model",
            "COPILOT_AUTO_UPDATE": "false",
        }
        return environment(self.home, self.model, {**offline, **self.variables})

    def transcripts(self) -> Sequence[Path]:
        return _by_age(self.home / ".copilot" / "session-state")


@dataclass(frozen=True, slots=True)
class Pi:
    """Pi. Its models are written into the home once. `--continue` goes on, `--fork ID` copies."""

    home: Path
    cwd: Path
    model: FakeModel
    variables: Mapping[str, str] = field(default_factory=dict[str, str])

    def run(self, prompt: str, *arguments: str | Path) -> Session:
        return self.command("--provider", "fake", "--model", "fake-model", *arguments, "-p", prompt)

    def command(self, *words: str | Path) -> Session:
        with_node = node()
        if with_node is None:
            raise FileNotFoundError("there is no Node to run Pi with: python3 -m tools.ready --no-tests")
        return drive([with_node, installed("pi"), *words], self.cwd, self.environment(), self.model)

    def environment(self) -> Mapping[str, str]:
        models = self.home / ".pi" / "agent" / "models.json"
        if not models.exists():
            models.parent.mkdir(parents=True, exist_ok=True)
            fake = {"baseUrl": self.model.url + "/v1", "api": "openai-completions", "apiKey": "fake"}
            seeing = {"id": "fake-model", "input": ["text", "image"]}
            models.write_text(json.dumps({"providers": {"fake": {**fake, "models": [seeing]}}}))
        return environment(self.home, self.model, {"PI_OFFLINE": "1", **self.variables})

    def transcripts(self) -> Sequence[Path]:
        return _by_age(self.home / ".pi" / "agent" / "sessions")


@dataclass(frozen=True, slots=True)
class Gemini:
    """Gemini CLI. `--resume latest` goes on with the newest session."""

    home: Path
    cwd: Path
    model: FakeModel
    variables: Mapping[str, str] = field(default_factory=dict[str, str])

    def run(self, prompt: str, *arguments: str | Path) -> Session:
        with_node = node()
        if with_node is None:
            raise FileNotFoundError("there is no Node to run Gemini CLI with: python3 -m tools.ready --no-tests")
        words = [
            with_node,
            installed("gemini"),
            "-m",
            "gemini-2.5-flash",
            "--skip-trust",
            "-y",
            *arguments,
            "-p",
            prompt,
        ]
        return drive(words, self.cwd, self.environment(), self.model)

    def environment(self) -> Mapping[str, str]:
        settings = self.home / ".gemini" / "settings.json"
        if not settings.exists():
            settings.parent.mkdir(parents=True, exist_ok=True)
            auth = {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}}
            quiet = {"privacy": {"usageStatisticsEnabled": False}, "general": {"enableAutoUpdate": False}}
            settings.write_text(json.dumps({"security": auth, **quiet}))
        known = {"GEMINI_API_KEY": "fake", "GOOGLE_GEMINI_BASE_URL": self.model.url}
        return environment(self.home, self.model, {**known, **self.variables})

    def transcripts(self) -> Sequence[Path]:
        return _by_age(self.home / ".gemini" / "tmp")


@dataclass(frozen=True, slots=True)
class Droid:
    """Droid, without a terminal: that needs no log-in if the model is one of the person's own."""

    home: Path
    cwd: Path
    model: FakeModel
    variables: Mapping[str, str] = field(default_factory=dict[str, str])

    def run(self, prompt: str, *arguments: str | Path) -> Session:
        return self.command("exec", "--auto", "low", "-m", "custom:fake-model", *arguments, prompt)

    def command(self, *words: str | Path) -> Session:
        return drive([installed("droid"), *words], self.cwd, self.environment(), self.model)

    def environment(self) -> Mapping[str, str]:
        settings = self.home / ".factory" / "settings.json"
        if not settings.exists():
            settings.parent.mkdir(parents=True, exist_ok=True)
            fake = {"model": "fake-model", "displayName": "fake", "baseUrl": self.model.url + "/v1"}
            about = {"apiKey": "fake-0123456789", "provider": "generic-chat-completion-api", "maxOutputTokens": 8192}
            settings.write_text(json.dumps({"customModels": [{**fake, **about}]}))
        known = {"FACTORY_API_KEY": "fk-0123456789abcdef", "DROID_DISABLE_AUTO_UPDATE": "1"}
        return environment(self.home, self.model, {**known, **self.variables})

    def transcripts(self) -> Sequence[Path]:
        return _by_age(self.home / ".factory" / "sessions")


@dataclass(frozen=True, slots=True)
class OpenCode:
    """OpenCode. `export ID` prints a session as it knows it."""

    home: Path
    cwd: Path
    model: FakeModel
    variables: Mapping[str, str] = field(default_factory=dict[str, str])

    def run(self, prompt: str, *arguments: str | Path) -> Session:
        return self.command("run", "--format", "json", *arguments, prompt)

    def command(self, *words: str | Path) -> Session:
        return drive([installed("opencode"), *words], self.cwd, self.environment(), self.model)

    def environment(self) -> Mapping[str, str]:
        settings = self.home / ".config" / "opencode" / "opencode.json"
        if not settings.exists():
            settings.parent.mkdir(parents=True, exist_ok=True)
            settings.write_text(json.dumps(self._settings()))
        known = {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"}
        return environment(self.home, self.model, {**known, **self.variables})

    def _settings(self) -> dict[str, object]:
        limit = {"context": 200_000, "output": 8192}
        sees = {"attachment": True, "modalities": {"input": ["text", "image"], "output": ["text"]}}
        fake = {
            "npm": "@ai-sdk/openai-compatible",
            "name": "Fake",
            "options": {"baseURL": self.model.url + "/v1", "apiKey": "fake"},
            "models": {"fake-model": {"name": "Fake", "tool_call": True, "limit": limit, **sees}},
        }
        return {
            "model": "fake/fake-model",
            "small_model": "fake/fake-model",
            "autoupdate": False,
            "share": "disabled",
            "permission": {"bash": "allow", "edit": "allow"},
            "provider": {"fake": fake},
        }

    @property
    def database(self) -> Path:
        return self.home / ".local" / "share" / "opencode" / "opencode.db"


def _by_age(folder: Path) -> Sequence[Path]:
    return sorted(folder.rglob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns)
