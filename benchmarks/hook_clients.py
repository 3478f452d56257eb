"""The real Claude Code, three times side by side: without us, with our mod, with command hooks alone.

What is measured is what a person waits for: from the moment a prompt is sent to the moment the model is asked.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import IO, Any

from benchmarks.hook_driver import SHOWN, spread
from memlane.app import Lane
from memlane.config import load
from memlane.domain import RecallMoment
from tests.clients.drive import ClaudeCode, installed
from tests.clients.fake_model import fake_model

NOTE = (
    "The nightly tariff export runs by make tariff-export on the beacon host, never by hand: the lock is taken there."
)
WAYS = ("no hooks", "mod", "command hook")
WARM = 3  # prompts before it counts
SLACK = 200  # recalls of other moments among those of prompts
STREAMS = ("-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose")
A_LOOK = 0.0005  # seconds
BETWEEN = 1.0  # seconds between two prompts; nobody types faster, and what follows a turn (its capture) is over by then

_numbers = count()


@dataclass(frozen=True, slots=True)
class Conversation:
    """One session that stays open."""

    agent: ClaudeCode
    process: subprocess.Popen[bytes]
    sent: IO[bytes]
    heard: IO[bytes]

    def wait_for_request(self, prompt: str) -> float:
        """Milliseconds from the prompt to the request that carries it; then the turn is heard out."""
        message = {"type": "user", "message": {"role": "user", "content": f"{prompt} @@say {next(_numbers)}@@"}}
        asked = len(self.agent.model.turns)
        began = time.monotonic()
        self.sent.write(json.dumps(message).encode() + b"\n")
        self.sent.flush()
        while len(self.agent.model.turns) == asked:
            time.sleep(A_LOOK)
        took = (time.monotonic() - began) * 1000
        while json.loads(self.heard.readline()).get("type") != "result":
            pass
        return took


def compared(folder: Path, n: int) -> dict[str, Any]:
    """Each prompt goes to all three, one after the other, so that a busy moment meets all of them."""
    with ExitStack() as stack:
        talks = {way: stack.enter_context(_talk(folder / way.replace(" ", "-"), way)) for way in WAYS}
        times: dict[str, list[float]] = {way: [] for way in WAYS}
        for _ in range(n + WARM):
            time.sleep(BETWEEN)
            for way, talk in talks.items():
                times[way].append(talk.wait_for_request(SHOWN))
        looks = {way: spread(_looks(talks[way].agent, n)) for way in WAYS[1:]}
        told = {way: sum(NOTE[:40] in one.text for one in talk.agent.model.turns[-1:]) for way, talk in talks.items()}
    counted = {way: taken[WARM:] for way, taken in times.items()}
    return {
        "load": round(os.getloadavg()[0], 2),
        "whole_ms": {way: spread(taken) for way, taken in counted.items()},
        "added_ms": {way: spread(_added(counted[way], counted[WAYS[0]])) for way in WAYS[1:]},
        "recall_ms": looks,
        "told": told,
        "n": n,
    }


def _looks(agent: ClaudeCode, n: int) -> list[float]:
    """How long the daemon looked for notes at each of the last prompts: the same whoever asks it."""
    with Lane(load({**os.environ, **agent.variables})) as lane:
        newest = lane.recall.newest(n + SLACK)
        return [one.milliseconds for one in newest if one.query.moment is RecallMoment.PROMPT][:n]


def _added(taken: Sequence[float], without: Sequence[float]) -> list[float]:
    """Prompt by prompt."""
    return [one - other for one, other in zip(taken, without, strict=True)]


@contextmanager
def _talk(home: Path, way: str) -> Generator[Conversation, None, None]:
    lane_home = home / ".memlane"
    variables = {"HOME": str(home), "LANE_HOME": str(lane_home)}
    (home / "project").mkdir(parents=True)
    with fake_model() as model:
        agent = ClaudeCode(home, home / "project", model, variables)
        if way != WAYS[0]:
            _set_up(agent, lane_home, mod=way == "mod")
        with subprocess.Popen(
            [installed("claude"), *STREAMS],
            cwd=agent.cwd,
            env=dict(agent.environment()),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process:
            assert process.stdin
            assert process.stdout
            try:
                yield Conversation(agent, process, process.stdin, process.stdout)
            finally:
                process.kill()
        if way != WAYS[0]:
            _lane(agent, "daemon", "stop")


def _set_up(agent: ClaudeCode, lane_home: Path, *, mod: bool) -> None:
    with Lane(load({**os.environ, **agent.variables})) as lane:
        lane.memories.remember(NOTE, agent.cwd)
    _lane(agent, "hook", "install", "claude-code")
    if not mod:  # as a client without mods sees it
        hooks = lane_home / "plugin" / "plugins" / "lane" / "hooks" / "hooks.json"
        document = json.loads(hooks.read_text())
        hooks.write_text(json.dumps({"hooks": document["hooks"]}))
    _lane(agent, "daemon", "start")


def _lane(agent: ClaudeCode, *words: str) -> None:
    environment = agent.environment()
    path = f"{installed('claude').parent}:{environment['PATH']}"
    command = [sys.executable, "-m", "memlane", *words]
    subprocess.run(command, env={**environment, "PATH": path}, check=True, capture_output=True)


def rows(found: dict[str, Any]) -> list[str]:
    """For the table: p50, p99 and max."""
    said = [f"Claude Code, from a prompt to the model's request (load {found['load']})"]
    for part in ("whole_ms", "added_ms"):
        for way, times in found[part].items():
            name = f"  {way}{' adds' if part == 'added_ms' else ''}"
            said.append(_row(name, times))
    return said + [_row(f"  {way}: of that, the daemon's look", times) for way, times in found["recall_ms"].items()]


def _row(name: str, times: Mapping[str, float]) -> str:
    return f"{name:<48} " + " ".join(f"{times[one]:7.1f}" for one in ("p50", "p99", "max"))
