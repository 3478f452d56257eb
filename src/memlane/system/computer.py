"""What setup may know and use of this computer: folders, variables, programs. Handed in, never looked up."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

PATIENCE = 30.0  # seconds; the programs we call take well under one
LONGEST_WORDS = 2000  # characters of what a program said that are kept


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A program to run."""

    words: tuple[str, ...]
    given: bytes = b""  # on its standard input
    variables: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def shown(self) -> str:
        return shlex.join(self.words)


@dataclass(frozen=True, slots=True)
class InstalledHook:
    """What an agent runs on a prompt, as it stands in its own files. No command: it is captured and told nothing."""

    command: str  # for a shell
    variables: Mapping[str, str] = field(default_factory=dict[str, str])  # that the agent sets for it

    @property
    def words(self) -> tuple[str, ...]:
        """The program, as a shell would read it: behind a test for the mod, up to where it goes on after a failure."""
        text = self.command
        for name, value in self.variables.items():
            text = text.replace(f"${{{name}}}", value)
        try:
            words = shlex.split(text)
        except ValueError:
            return ()
        if words[:1] == ["test"]:
            words = words[words.index("||") + 1 :] if "||" in words else []
        return tuple(words[: words.index("||")] if "||" in words else words)


@dataclass(frozen=True, slots=True)
class CommandOutcome:
    """How it ended, what it wrote, and what it said to people about it."""

    exit_code: int
    said: str = ""
    output: bytes = b""

    @property
    def well(self) -> bool:
        return self.exit_code == 0


@dataclass(frozen=True, slots=True)
class Computer:
    """One person's account on one computer."""

    home: Path
    lane_home: Path
    variables: Mapping[str, str]
    python: str  # the absolute interpreter that agents and the timer will call
    version: str  # ours
    client: bytes  # the hook script
    platform: str
    account: int = 0  # the number the system has for this person
    patience: float = PATIENCE
    homes: tuple[str, ...] = ()  # variables that say where a person moved the files of an agent

    @property
    def plugin(self) -> Path:
        return self.lane_home / "plugin"

    @property
    def hooks(self) -> Path:
        """The program that the hooks of all agents but Claude Code call."""
        return self.lane_home / "hooks"

    @property
    def hook_script(self) -> Path:
        return self.plugin / "plugins" / "lane" / "bin" / "client.py"

    def which(self, name: str) -> str:
        """The program of this name, or nothing."""
        return shutil.which(name, path=self.variables.get("PATH", os.defpath)) or ""

    def run(self, command: CommandLine) -> CommandOutcome:
        """To its end, or the whole group is ended. It is never left waiting for an answer from a person."""
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            given.write(command.given)
            given.seek(0)
            try:
                process = subprocess.Popen(
                    command.words,
                    stdin=given,
                    stdout=out,
                    stderr=err,
                    env={**self.variables, **command.variables},
                    start_new_session=True,
                )
            except OSError as error:
                return CommandOutcome(127, f"{command.words[0]}: {error.strerror}")
            try:
                code = process.wait(self.patience)
            except subprocess.TimeoutExpired:
                _end(process)
                return CommandOutcome(124, f"{command.shown} did not end within {self.patience:g} s")
            except KeyboardInterrupt:
                _end(process)
                raise
            output, complaint = _all_of(out), _all_of(err)
            words = (complaint.strip() or output.strip()).decode("utf-8", "replace")
            return CommandOutcome(code, words[-LONGEST_WORDS:], output)

    def shown(self, path: Path) -> str:
        """As a person writes it: `~/.claude/settings.json`."""
        try:
            return f"~/{path.relative_to(self.home)}"
        except ValueError:
            return str(path)


def _end(process: subprocess.Popen[bytes]) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _all_of(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()
