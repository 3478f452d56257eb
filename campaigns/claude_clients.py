"""`python -m campaigns.claude_clients [--program PATH …]`: other Claude Codes, and machines with a policy.

An older client, or one whose mods a policy forbids, must be served by the command hooks, every other one by the mod,
and none by both: each session is told its note once, a resumed one never again, two at a time each their own.
A policy is laid over /etc/claude-code in a mount namespace of its own, which takes the rights of root.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from campaigns.report import arguments, tell
from memlane.app import Lane
from memlane.config import load
from tests.clients.drive import ClaudeCode, Session, drive, installed
from tests.clients.fake_model import FakeModel, fake_model

NOTE = "Deploys of the shop go through make ship, never through kubectl apply MARK-told"
PROMPT = "how do deploys of the shop go, through make ship or kubectl apply? @@say well@@"
MARK = "MARK-told"
NO_MODS = {"pluginConfigs": {"cc-plugin-sec-default@builtin": {"options": {"allowManagedModsOnly": True}}}}
POLICIES: Mapping[str, Mapping[str, object] | None] = {
    "no policy": None,
    "any policy": {"cleanupPeriodDays": 99},
    "mods forbidden": NO_MODS,
}
POLICY = Path("/etc/claude-code")
OVERLAY = 'mount -t tmpfs tmpfs "$1" && cp "$2" "$1/managed-settings.json" && shift 2 && exec "$@"'


@dataclass(frozen=True, slots=True)
class PolicyHome:
    """One client in a home of its own, under one policy."""

    home: Path
    program: Path
    policy: Mapping[str, object] | None
    model: FakeModel

    @property
    def agent(self) -> ClaudeCode:
        variables = {"HOME": str(self.home), "LANE_HOME": str(self.home / ".memlane")}
        return ClaudeCode(self.home, self.home / "project", self.model, variables)

    def set_up(self) -> None:
        (self.home / "project").mkdir()
        with Lane(load(dict(self.agent.variables))) as lane:
            lane.memories.remember(NOTE, self.home / "project")
        self.lane("hook", "install", "claude-code")
        self.lane("daemon", "start")

    def lane(self, *words: str) -> None:
        environment = self.agent.environment()
        path = f"{self.program.parent}:{environment['PATH']}"
        command = [sys.executable, "-m", "memlane", *words]
        subprocess.run(command, env={**environment, "PATH": path}, check=True, capture_output=True)

    def run(self, *words: str) -> Session:
        return drive([*self._before, self.program, *words], self.agent.cwd, self.agent.environment(), self.model)

    @property
    def _before(self) -> Sequence[str]:
        if self.policy is None:
            return ()
        file = self.home / "policy.json"
        file.write_text(json.dumps(self.policy))
        return ("unshare", "-m", "/bin/sh", "-c", OVERLAY, "sh", str(POLICY), str(file))

    @property
    def served_by(self) -> str:
        run = self.home / ".memlane" / "run"
        return "+".join(way for way in ("mod", "hook") if (run / f"{way}-claude-code.json").exists())


@contextmanager
def policy_folder() -> Generator[None]:
    """A mount needs a folder to lie over; one that was not there goes again."""
    was_there = POLICY.is_dir()
    POLICY.mkdir(exist_ok=True)
    try:
        yield
    finally:
        if not was_there:
            POLICY.rmdir()


def looked_at(program: Path, name: str, folder: Path) -> dict[str, Any]:
    with fake_model() as model:
        here = PolicyHome(folder, program, POLICIES[name], model)
        here.set_up()
        try:
            first = here.run("-p", PROMPT)
            resumed = here.run("--continue", "-p", PROMPT)
            with ThreadPoolExecutor(2) as pool:
                both = list(pool.map(lambda _n: here.run("-p", PROMPT), range(2)))
            version = here.run("--version").stdout.split()[0]
        finally:
            here.lane("daemon", "stop")
        told = [one.turns[-1].text.count(MARK) if one.turns else -1 for one in (first, resumed)]
        beside = max((turn.text.count(MARK) for one in both for turn in one.turns), default=-1)
        return {
            "client": version,
            "policy": name,
            "served_by": here.served_by,
            "told": told[0],
            "after_resume": told[1],
            "two_at_a_time": beside,
            "ended_well": all(one.exit_code == 0 for one in (first, resumed, *both)),
        }


def faults(row: Mapping[str, Any]) -> list[str]:
    name = f"{row['client']}, {row['policy']}"
    wrong = []
    for what in ("told", "after_resume", "two_at_a_time"):
        if row[what] != 1:
            wrong.append(f"{name}: {what} {row[what]} times")
    return wrong if row["ended_well"] else [*wrong, f"{name}: a session did not end well"]


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--program", type=Path, action="append", help="a claude to look at, beside the pinned one")
    chosen = parser.parse_args()
    rows = list[dict[str, Any]]()
    with policy_folder():
        for program in [installed("claude"), *(chosen.program or ())]:
            for name in POLICIES:
                with tempfile.TemporaryDirectory() as folder:
                    rows.append(looked_at(program, name, Path(folder)))
                    print(rows[-1], file=sys.stderr)
    wrong = {"told": [fault for row in rows for fault in faults(row)]}
    tell("python -m campaigns.claude_clients", {"sessions": 4 * len(rows), "clients": rows}, wrong, chosen)


if __name__ == "__main__":
    main()
