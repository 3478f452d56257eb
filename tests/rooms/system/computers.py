"""Computers made for a test: a home in a temporary folder, and programs on PATH that write down their calls."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from memlane.app.setup import changes
from memlane.app.setup.changes import CommandLine, CommandOutcome, Computer, Plan, SetupOutcome, SetupRequest
from memlane.app.setup.install import HOOK_SCRIPT
from memlane.system.disk import Disk
from tests.rooms.agents import fake_claude

VERSION = "0.1.0"
AGENT = ("claude-code",)

CLAUDE = f"import runpy\nrunpy.run_path({str(Path(fake_claude.__file__))!r}, run_name='__main__')"


class QuickDisk(Disk):
    """For many examples: durable it need not be."""

    def sync(self, descriptor: int) -> None:
        """Not now."""

    def sync_folder(self, path: Path) -> None:
        """Not now."""


class WithClaude(Computer):
    """A computer whose `claude` is a function: the same as the program, without starting one each time."""

    __slots__ = ()

    def which(self, name: str) -> str:
        return "/fake/claude" if name == "claude" else ""

    def run(self, command: CommandLine) -> CommandOutcome:
        fake_claude.plugin(self.home / ".claude", list(command.words[2:]))
        return CommandOutcome(0)


def program(folder: Path, name: str, body: str = "") -> Path:
    """An executable that appends its words to calls.txt beside it, then does what `body` says."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    log = (
        f"import sys\nwith open({str(folder / 'calls.txt')!r}, 'a') as log: print({name!r}, *sys.argv[1:], file=log)\n"
    )
    path.write_text(f"#!{sys.executable} -IS\n{log}{body}\n")
    path.chmod(0o755)
    return path


def calls(folder: Path) -> list[str]:
    path = folder / "calls.txt"
    return path.read_text().splitlines() if path.exists() else []


def computer(
    home: Path,
    *,
    programs: Path | None = None,
    platform: str = "linux",
    variables: Mapping[str, str] | None = None,
    kind: type[Computer] = Computer,
) -> Computer:
    return kind(
        home=home,
        lane_home=home / ".memlane",
        variables={"HOME": str(home), "PATH": str(programs or home / "nothing"), **(variables or {})},
        python=sys.executable,
        version=VERSION,
        client=HOOK_SCRIPT.read_bytes(),
        platform=platform,
        account=501,
        patience=20.0,
        homes=("CLAUDE_CONFIG_DIR", "CODEX_HOME"),
    )


def settings_of(home: Path, data: bytes | str | Mapping[str, object] | None = None) -> Path:
    """~/.claude with these settings in it (None: without)."""
    path = home / ".claude" / "settings.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    if data is not None:
        written = data if isinstance(data, str | bytes) else json.dumps(data, indent=2)
        path.write_bytes(written if isinstance(written, bytes) else written.encode())
    return path


def install(here: Computer, wanted: SetupRequest | None = None, disk: Disk | None = None) -> SetupOutcome:
    asked = wanted or SetupRequest(AGENT, timer=False)
    return changes.apply(changes.plan(here, asked), here, disk or Disk(), asked)


def uninstall(here: Computer, disk: Disk | None = None) -> SetupOutcome:
    agreed: Plan = changes.plan_removal(here, AGENT, timer_too=True)
    return changes.remove(agreed, here, disk or Disk(), timer_too=True)


def tree(folder: Path) -> dict[str, str]:
    """Every file, folder and link below, with mode and content: two equal ones are the same to the last byte."""
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        mode = oct(path.lstat().st_mode)
        if path.is_symlink():
            content = str(path.readlink())
        else:
            content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        found[str(path.relative_to(folder))] = f"{mode} {content}"
    return found
