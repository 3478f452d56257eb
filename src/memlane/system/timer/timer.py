"""What a timer is, and what it runs: the absolute interpreter, our module, and the variables that move a home."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from memlane.system.computer import Computer
from memlane.system.plan import Change

MINUTES = 5
WHAT = f"`lane tick` every {MINUTES} minutes"


class Timer(Protocol):
    """One kind of user-level timer."""

    @property
    def name(self) -> str: ...

    def works(self, computer: Computer) -> bool:
        """Whether it can be used here, asked of the thing itself."""
        ...

    def put_in(self, computer: Computer) -> tuple[Change, ...]:
        """What is still to do; nothing when it is in place."""
        ...

    def take_out(self, computer: Computer) -> tuple[Change, ...]:
        """What is there of it; nothing where there is none."""
        ...

    def folders(self, computer: Computer) -> tuple[Path, ...]:
        """Those it may have to make, innermost first."""
        ...


def tick(computer: Computer) -> tuple[str, ...]:
    return (computer.python, "-P", "-m", "memlane", "tick")  # -P: no module of the current folder comes in between


def variables(computer: Computer) -> dict[str, str]:
    """A timer starts with almost no environment: without these a tick would look in the wrong folders."""
    moved = {name: computer.variables[name] for name in computer.homes if computer.variables.get(name)}
    if computer.lane_home != computer.home / ".memlane":
        moved["LANE_HOME"] = str(computer.lane_home)
    return moved
