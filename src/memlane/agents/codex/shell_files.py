"""The file that a shell command of Codex reads: it has no tool of its own for that."""

from __future__ import annotations

import re
import shlex
from pathlib import PurePath

READERS = frozenset({"bat", "cat", "head", "less", "more", "nl", "sed", "tail"})
_BETWEEN = re.compile(r"[|;&\n]+")


def file_read(command: str, cwd: str) -> str:
    """Its whole path; "" where the command reads none. Of several the first, as a note is about one file."""
    for part in _BETWEEN.split(command):
        try:
            program, *words = shlex.split(part)
        except ValueError:  # nothing, or a quote that is not closed
            continue
        named = [word for word in words if not word.startswith("-") and ("." in word or "/" in word)]
        if PurePath(program).name in READERS and named:
            return str(PurePath(cwd) / named[-1])
    return ""
