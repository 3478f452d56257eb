"""The campaigns of hooks, a few seconds of each: nothing is lost, cut, told or kept twice, and nobody is left over."""

from __future__ import annotations

import json
import subprocess
import sys

SECONDS = {"slow"}  # asked of a machine that has nothing else to do: python -m campaigns.load, campaigns.daemon_kills
FAULTS = {"exit", "cut", "told twice", "daemons", "orphans", "lost", "twice"}


def figures(*words: str) -> dict[str, int]:
    done = subprocess.run([sys.executable, "-m", *words, "--json"], capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def faults(found: dict[str, int]) -> dict[str, int]:
    assert found.keys() >= FAULTS | SECONDS
    return {name: found[name] for name in FAULTS if found[name]}


def test_agents_that_call_at_once_lose_nothing_and_are_told_nothing_twice() -> None:
    """Each client calls as often as a run takes, and each hook waits as long as it must: a busy machine is no fault."""
    found = figures("campaigns.load", "--calls", "22", "--stop", "60", "--rate", "20", "--clients", "4")
    assert faults(found) == {}
    assert (found["hooks"], found["runs"], found["turns"]) == (1 + 4 * 22, 4, 4 * 5)
    assert found["answered with something"] >= 4
    assert found["captured by the daemon alone"] is True


def test_a_daemon_that_is_killed_while_hooks_ask_takes_nothing_along() -> None:
    found = figures("campaigns.daemon_kills", "--n", "8")
    assert faults(found) == {}
    assert found["kills"] == 8
    assert found["while a hook was waiting"] > 0
    assert found["turns"] > 0
