"""Asks git about a folder. Git only reads here, and runs no other program; what it cannot say is None."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping

PATIENCE = 20.0  # seconds for one question
_READS_ONLY = ("--no-pager", "--no-optional-locks", "--no-replace-objects")
# A repository's own settings may name programs: none of these is run, and nothing is fetched.
_NO_PROGRAMS = (
    "core.fsmonitor=false", "core.hooksPath=/dev/null", "log.showSignature=false", "safe.bareRepository=explicit",
)  # fmt: skip
_VARIABLES = {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}


class GitFolder:
    def __init__(self, folder: str, variables: Mapping[str, str]) -> None:
        self._folder = folder
        self._variables = {name: value for name, value in variables.items() if not name.startswith("GIT_")} | _VARIABLES

    def said(self, *words: str) -> str | None:
        settings = [word for setting in _NO_PROGRAMS for word in ("-c", setting)]
        command = ["git", *_READS_ONLY, *settings, "-C", self._folder, *words]
        nothing, patience = subprocess.DEVNULL, PATIENCE
        try:
            done = subprocess.run(
                command, stdin=nothing, capture_output=True, timeout=patience, env=self._variables, check=False
            )
        except (OSError, ValueError, subprocess.TimeoutExpired):  # no git, an odd name, a history without end
            return None
        return done.stdout.decode("utf-8", "surrogateescape") if done.returncode == 0 else None
