"""Would an agent really be told something? Our hooks as each agent has them, and one of them asked as the agent asks.

Looking costs a few small files. Asking costs one start of the hook: some 50 ms, half a second at most each time.
"""

from __future__ import annotations

import json
import secrets
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from memlane import __version__
from memlane.app.home import Home
from memlane.app.setup.checks import REPAIR, installs
from memlane.app.setup.install import Installer
from memlane.domain import Finding, Level
from memlane.domain.recall import PROBE
from memlane.errors import LaneError
from memlane.system.computer import Computer, InstalledHook

LONGEST = 2.0  # seconds one call of a hook may take: four times its own limit
AGAIN = 4  # calls: the first one may find no daemon, and starts it
PAUSE = 0.25  # seconds between them
LATELY = 1000  # recalls that are looked through for who asked
SCRIPT = "/client.py"
NONE = "hooks are not installed"
RESTART = "lane daemon restart"
# What a hook inherits of a person's shell. LANE_HOME is not among it: the hook must find the home by itself.
INHERITED = ("HOME", "PATH", "LANG", "TMPDIR", "USER")


@dataclass(frozen=True, slots=True)
class AgentHook:
    """Our hooks in one agent that is on this computer. `told`: it would be told something now. `hook` None: none."""

    name: str
    title: str
    hook: InstalledHook | None
    told: bool
    trouble: str = ""
    level: Level = Level.OK
    hint: str = ""


class HookChecks:
    def __init__(self, home: Home, installer: Installer) -> None:
        self._home = home
        self._installer = installer

    def agents(self) -> Sequence[AgentHook]:
        """Each agent that is here and can have our hooks."""
        try:
            computer = self._installer.computer
            here = {name: install for name, install in installs().items() if install.is_here(computer)}
            return [self._looked_at(name, install.installed(computer), computer) for name, install in here.items()]
        except LaneError:  # a home no agent's settings can name: `lane doctor` says so
            return []

    def _looked_at(self, name: str, hook: InstalledHook | None, computer: Computer) -> AgentHook:
        title = self._home.agents[name].title
        if hook is None:
            install = f"lane hook install {name}"
            return AgentHook(name, title, None, told=False, trouble=NONE, level=Level.WARN, hint=install)
        if missing := _missing(hook):
            return AgentHook(name, title, hook, told=False, trouble=missing, level=Level.FAIL, hint=REPAIR)
        if off := "" if hook.command else "its hooks only capture":
            recall = f"lane hook install {name} --recall"
            return AgentHook(name, title, hook, told=False, trouble=off, level=Level.NOTE, hint=recall)
        if off := self._off(name):
            settings = "lane config get recall"
            return AgentHook(name, title, hook, told=False, trouble=off, level=Level.NOTE, hint=settings)
        return self._of_version(name, title, hook, computer)

    def _of_version(self, name: str, title: str, hook: InstalledHook, computer: Computer) -> AgentHook:
        """An older one may still be answered; a copy that its agent made is not ours to write."""
        script = _programs(hook)[1]
        if script.read_bytes() == computer.client:
            return AgentHook(name, title, hook, told=True)
        own = script in (computer.hook_script, installs()[name].script(computer))
        again = REPAIR if own else f"lane hook remove {name} && lane hook install {name}"
        older = "its hook is of another version of Lane"
        return AgentHook(name, title, hook, told=True, trouble=older, level=Level.WARN, hint=again)

    def _off(self, name: str) -> str:
        config = self._home.config
        if not config.switch("recall.enabled"):
            return "recall.enabled is false"
        return f"recall is off for {name}" if name in config.names("recall.off_for") else ""

    # -- asking ------------------------------------------------------------------------------------------------------

    def findings(self, calls: int = AGAIN, only: str = "") -> Iterator[Finding]:
        """One real question through each hook that should answer. Where there is none, setup's own check says so."""
        callers = self._callers()
        for agent in (agent for agent in self.agents() if only in ("", agent.name)):
            if agent.hook is not None and agent.trouble:
                yield Finding("recall", agent.level, f"{agent.title}: {agent.trouble}", agent.hint)
            if agent.hook is not None and agent.told:
                yield self._asked(agent, agent.hook, calls)
                if agent.name not in callers:
                    unseen = f"{agent.title} itself has not called its hook yet, so that part was not seen"
                    yield Finding("recall", Level.NOTE, unseen, f"use {agent.title} once, then: lane hook status")

    def _callers(self) -> set[str]:
        """The agents that asked something lately."""
        return {one.query.agent for one in self._home.storage().recalls.newest(LATELY, self._home.reader)}

    def _asked(self, agent: AgentHook, hook: InstalledHook, calls: int) -> Finding:
        for call in range(calls):
            if call:
                time.sleep(PAUSE)
            began = time.monotonic()
            if answer := self._answer(hook):
                return _judged(agent.title, answer, str(self._home.config.home), time.monotonic() - began)
        what = f"{agent.title}: its hook was asked {calls} times and did not answer in time"
        return Finding("recall", Level.FAIL, what, f"{RESTART}; if that does not help: lane logs")

    def _answer(self, hook: InstalledHook) -> Mapping[str, object]:
        """What it says to a prompt that is marked as ours, so that nothing of it is written down."""
        nonce, home = secrets.token_hex(8), self._home.config.person_home
        question = {"session_id": "lane-probe", "cwd": str(home), "prompt": self._prompt(), PROBE: nonce}
        variables = {name: value for name in INHERITED if (value := self._home.config.variables.get(name))}
        with subprocess.Popen(
            ["/bin/sh", "-c", hook.command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**variables, **hook.variables},
            cwd=home if home.is_dir() else None,
            start_new_session=True,
        ) as process:
            try:
                said, _ = process.communicate(json.dumps(question).encode(), LONGEST)
            except subprocess.TimeoutExpired:
                process.kill()
                return {}
        return _answered(said, nonce)

    def _prompt(self) -> str:
        """Something that is known here, so that all of a recall is done."""
        known = self._home.storage().memories.foremost("", "", self._home.reader, 1)
        return known[0].title if known else "is Memory Lane there?"


def _programs(hook: InstalledHook) -> tuple[Path, Path]:
    """The interpreter and the script that a hook calls; or a program, and the script beside it."""
    words = hook.words
    first = Path(words[0] if words else "")
    return first, next((Path(word) for word in words if word.endswith(SCRIPT)), Path(f"{first.parent}{SCRIPT}"))


def _missing(hook: InstalledHook) -> str:
    """What it calls and is not there."""
    if not hook.command:
        return ""
    lost = [path for path in _programs(hook) if not path.is_file()]
    return f"its hook calls {lost[0]}, which does not exist" if lost else ""


def _answered(said: bytes, nonce: str) -> Mapping[str, object]:
    try:
        whole = cast(object, json.loads(said))
    except ValueError:
        return {}
    found = cast(Mapping[str, object], whole).get(PROBE) if isinstance(whole, dict) else None
    if not isinstance(found, dict):
        return {}
    answer = cast(Mapping[str, object], found)
    return answer if answer.get("nonce") == nonce else {}


def _judged(title: str, answer: Mapping[str, object], home: str, seconds: float) -> Finding:
    if answer["home"] != home:
        what = f"{title}: its hook asks the home {answer['home']}, not {home}"
        return Finding("recall", Level.FAIL, what, REPAIR)
    if answer["version"] != __version__:
        what = f"{title} is answered by a daemon of version {answer['version']}, not {__version__}"
        return Finding("recall", Level.WARN, what, RESTART)
    return Finding("recall", Level.OK, f"{title}: its hook was asked and answered in {seconds * 1000:.0f} ms")
