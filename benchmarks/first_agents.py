"""`python -m benchmarks.first_agents [AGENT …] [--save FILE]`: how long until each agent knows what it was taught?

Each agent is alone in a fresh home, as its own installer leaves it, against a model on this machine. The program is
installed once, by the very line of the README. Then every step is typed as the README says: set up, see whether all is
well, teach it one thing, ask about it in a new session. What else a person has to do is done as `lane init` says.
The time it takes a person to read and type is not in the figures.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from campaigns.report import machine
from tests.clients.drive import ClaudeCode, Codex, Copilot, Droid, Gemini, OpenCode, Pi, Session, installed
from tests.clients.fake_model import FakeModel, fake_model
from tests.clients.terminal import in_terminal
from tools.clients import CLIENTS, node

AGENTS = {
    "claude-code": (ClaudeCode, "claude"),
    "codex": (Codex, "codex"),
    "copilot-cli": (Copilot, "copilot"),
    "gemini-cli": (Gemini, "gemini"),
    "opencode": (OpenCode, "opencode"),
    "pi": (Pi, "pi"),
    "droid": (Droid, "droid"),
}
ROOT = Path(__file__).resolve().parent.parent
INSTALL = re.compile(r"^python3 -m venv .*$", re.MULTILINE)  # the README's line
TEACHING = "from now on deploys of the shop go through make ship, never through kubectl apply. @@say understood@@"
PROMPT = "how do deploys of the shop go, through make ship or kubectl apply?"
LOOKS = {"droid": '@@call Read {"file_path": "README"}@@'}  # `droid exec` is told with the first tool it uses
NOTE = "make ship, never through kubectl"
SESSIONS = 3  # until it knows: a note may come too late on a busy machine, and it is counted
SECONDS_TO_KEEP = 10.0  # for what was taught


@dataclass(slots=True)
class FirstSteps:
    """One agent in its home: what was typed, and how long each took."""

    agent: str
    home: Path
    program: Path
    model: FakeModel
    seconds: dict[str, float] = field(default_factory=dict[str, float])

    @property
    def variables(self) -> dict[str, str]:
        return {
            "HOME": str(self.home),
            "PATH": f"{self.home / 'bin'}:{self.program.parent}:/usr/local/bin:/usr/bin:/bin",
        }

    @property
    def client(self) -> Any:
        return AGENTS[self.agent][0](self.home, self.home / "shop", self.model, {"PATH": self.variables["PATH"]})

    def lane(self, *words: str) -> subprocess.CompletedProcess[str]:
        began = time.perf_counter()
        done = subprocess.run(
            [self.program, *words], env=self.variables, cwd=self.home, capture_output=True, text=True, check=False
        )
        self.seconds.setdefault(" ".join(("lane", *words[:1])), round(time.perf_counter() - began, 1))
        return done

    def says(self, step: str, prompt: str) -> Session:
        began = time.perf_counter()
        if self.agent == "codex":  # as a person has it: without what the tests switch off
            done: Session = self.client.command("exec", "--json", "--skip-git-repo-check", prompt)
        else:
            done = self.client.run(prompt)
        self.seconds.setdefault(step, round(time.perf_counter() - began, 1))
        return done

    def put_on_path(self) -> None:
        name = AGENTS[self.agent][1]
        script = self.home / "bin" / name
        script.parent.mkdir()
        script.write_text(f'#!/bin/sh\nexec {f"{node()} " if CLIENTS[name].needs_node else ""}{installed(name)} "$@"\n')
        script.chmod(0o755)

    def trust_hooks(self) -> None:
        """What `lane init` says is left to do in Codex: start it, 2, Enter."""
        began = time.perf_counter()
        with in_terminal([installed("codex")], self.home / "shop", self.client.environment()) as screen:
            screen.sees("enter confirm")
            screen.press_until("2", "›2. Trust all and continue")
            screen.press("\r")
            screen.sees("Ask Codex to do anything")
            settings, end = self.home / ".codex" / "config.toml", time.monotonic() + SECONDS_TO_KEEP
            while "trusted_hash" not in settings.read_text() and time.monotonic() < end:
                screen.look()
        self.seconds["trust the hooks"] = round(time.perf_counter() - began, 1)


def walked(steps: FirstSteps) -> dict[str, Any]:
    steps.put_on_path()
    (steps.home / "shop").mkdir()
    (steps.home / "shop" / "README").write_text("a shop\n")
    steps.says("the agent alone", "look around @@say done@@")
    setting_up = steps.lane("init", "--yes", "--no-timer", "--json")
    if setting_up.returncode:
        raise SystemExit(f"{steps.agent}: lane init ended with {setting_up.returncode}: {setting_up.stderr[-500:]}")
    if steps.agent == "codex":
        steps.trust_hooks()
    found = json.loads(steps.lane("doctor", "--json").stdout)["data"]
    steps.says("teach it", TEACHING)
    kept, asks = has_been_kept(steps), f"{PROMPT} {LOOKS.get(steps.agent, '')} @@say done@@"
    sessions = next((n for n in range(1, SESSIONS + 1) if steps.says("ask it", asks).saw(NOTE)), 0)
    steps.lane("uninstall", "--yes")
    return {
        "seconds": steps.seconds,
        "to_do": "press 2, Enter in Codex" if steps.agent == "codex" else "",
        "kept": kept,
        "told_in_session": sessions,
        "wrong": [one["what"] for one in found if one["level"].lower() in ("warn", "fail")],
    }


def has_been_kept(steps: FirstSteps) -> bool:
    end = time.monotonic() + SECONDS_TO_KEEP
    while time.monotonic() < end:
        if "make ship" in steps.lane("mem", "list").stdout:
            return True
    return False


@contextmanager
def installed_by_readme(folder: Path) -> Generator[tuple[Path, float]]:
    """In a home of its own, from a clone; the demo of that line is in its time."""
    (line,) = INSTALL.findall((ROOT / "README.md").read_text())
    home, clone = folder / "installed", folder / "installed" / "memlane"
    home.mkdir()
    subprocess.run(["git", "clone", "-q", ROOT, clone], check=True)
    began = time.perf_counter()
    variables = {"HOME": str(home), "PATH": "/usr/local/bin:/usr/bin:/bin"}
    done = subprocess.run(line, shell=True, cwd=clone, env=variables, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"the README's line ended with {done.returncode}: {done.stderr[-500:]}")
    yield home / ".local" / "share" / "memlane" / "bin" / "lane", round(time.perf_counter() - began, 1)


def compared(agents: Sequence[str]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="lane-") as folder, installed_by_readme(Path(folder)) as (program, took):
        found: dict[str, Any] = {}
        for agent in agents:
            home = Path(folder) / agent
            home.mkdir()
            with fake_model() as model:
                found[agent] = walked(FirstSteps(agent, home, program, model))
            sys.stderr.write(f"{agent}: {found[agent]}\n")
        return {"install_s": took, "agents": found}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.first_agents", description=__doc__)
    parser.add_argument("agents", nargs="*", default=list(AGENTS), metavar="AGENT", help=", ".join(AGENTS))
    parser.add_argument("--save", type=Path, help="keep the figures in this file")
    asked = parser.parse_args()
    about: dict[str, Any] = {
        "command": "python -m benchmarks.first_agents",
        "benchmark": "first_agents",
        "machine": machine(),
    }
    found: dict[str, Any] = {**about, **compared(asked.agents)}
    if asked.save:
        asked.save.write_text(json.dumps(found, indent=2) + "\n")
    for agent, one in found["agents"].items():
        minutes = (found["install_s"] + sum(one["seconds"].values())) / 60
        told = f"told in session {one['told_in_session']}" if one["told_in_session"] else "not told"
        print(f"{agent:<14}{minutes:5.1f} min   {told}   {one['to_do'] or 'nothing to do'}")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
