"""What is imported to ask for one agent."""

from __future__ import annotations

import subprocess
import sys


def test_asking_for_one_agent_loads_no_other() -> None:
    code = "from memlane.agents import Registry; Registry()['codex']; import sys; print(*sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[2] for name in told.stdout.split() if name.startswith("memlane.agents.")}
    assert "codex" in loaded
    assert not loaded & {"claude_code", "copilot", "cursor", "gemini", "opencode", "exports", "neutral", "outside"}
