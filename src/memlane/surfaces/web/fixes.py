"""What a button on the Health page does: the command that the finding names, as a process of its own. No other one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from memlane.config import Config
from memlane.errors import LaneError

PATIENCE = 10.0  # seconds a browser waits; what takes longer goes on without it
LANE = (sys.executable, "-P", "-m", "memlane")
_PYTHON = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONDONTWRITEBYTECODE": "1"}


@dataclass(frozen=True, slots=True)
class Fix:
    """A button: where it posts to, what it runs, what it says, and what a person is asked before."""

    name: str
    command: tuple[str, ...]  # behind `lane`
    label: str
    change: str

    @property
    def path(self) -> str:
        return f"/health/{self.name}"

    def helps(self, hint: str) -> bool:
        """Whether this is what the hint of a finding tells a person to type."""
        return f"{hint} ".startswith(f"lane {' '.join(self.command)} ")


FIXES: Sequence[Fix] = (
    Fix("hooks", ("hook", "install"), "Install the hooks", "This changes your agent's settings; a backup is kept."),
    Fix("repair", ("hook", "repair"), "Repair the hooks", "This writes Lane's plugin and hooks again."),
    Fix("rebuild", ("rebuild",), "Rebuild the index", "This builds a new index from the archive."),
    Fix(
        "tick",
        ("tick",),
        "Catch up now",
        "This does what is waiting and mends what is damaged.",
    ),
    Fix("capture", ("capture",), "Capture now", "This captures and indexes what is new."),
    Fix(
        "archive",
        ("archive", "repair"),
        "Repair the archive",
        "This brings back what can be brought back; the bytes of transcripts stay as they are.",
    ),
    Fix("windows", ("catch", "--again"), "Read them again", "This reads the windows that were set aside once more."),
    Fix("resume", ("pause", "--off"), "Resume capture", "This ends the pause."),
)


def fix_for(hint: str) -> Fix | None:
    return next((one for one in FIXES if one.helps(hint)), None)


def run(fix: Fix, config: Config) -> str:
    """What came of it, in a sentence. An error is the command's own."""
    variables = {**config.variables, **_PYTHON, "LANE_HOME": str(config.home)}
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(
            [*LANE, *fix.command, "--json"],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            env=variables,
            cwd=config.home,
            start_new_session=True,
        )
        try:
            code = process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            return f"`lane {' '.join(fix.command)}` goes on in the background. Look again in a while."
        out.seek(0)
        said = out.read()
    if code:
        raise _error(fix, said, code)
    return f"Done: `lane {' '.join(fix.command)}`."


def _error(fix: Fix, said: bytes, code: int) -> LaneError:
    try:
        wrong = cast(Mapping[str, object], json.loads(said)["error"])
        return LaneError(str(wrong["message"]), str(wrong.get("hint", "")))
    except (ValueError, KeyError, TypeError):
        return LaneError(f"`lane {' '.join(fix.command)}` ended with {code}", hint="lane logs")
