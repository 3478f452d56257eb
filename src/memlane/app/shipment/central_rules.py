"""What Central tells this machine to keep to: holds, retention, policy, as they were when it last answered."""

from __future__ import annotations

from contextlib import suppress

from memlane.app.control.rules import CentralRules, RulesFile
from memlane.app.home import Home
from memlane.app.home.link import CentralLine, understood

PATH = "/api/rules"


def learn(line: CentralLine, home: Home, timeout: float = 10.0) -> CentralRules:
    """Asked of Central, and kept for when it is away."""
    rules = understood(line.ask(PATH, timeout=timeout), CentralRules)
    RulesFile(home).write(rules)
    return rules


def before_joining(url: str, code: str) -> CentralRules:
    """For the person of this code."""
    with CentralLine(url, {}) as line:
        return understood(line.ask("/api/join/rules", {"code": code}), CentralRules)


def forget(home: Home) -> None:
    """This machine left: nothing that Central said counts any more."""
    with suppress(FileNotFoundError):
        home.disk.unlink(RulesFile(home).path)
