"""The memory Claude Code keeps itself, one folder for a checkout and all its worktrees, and loads when it starts."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from memlane.agents.agent import Surroundings
from memlane.agents.claude_code.notes import NOTES

LONGEST_FOLDER = 200  # characters of a name it makes of a path; a longer one it makes otherwise
_UNSAFE = re.compile(r"[^A-Za-z0-9]")


class ClaudeMemoryFolder:
    def of_checkout(self, around: Surroundings, root: str) -> Path | None:
        name = _UNSAFE.sub("-", root)
        return None if len(name) > LONGEST_FOLDER else NOTES.home(around) / "projects" / name / "memory"

    def is_loaded(self, around: Surroundings) -> bool:
        """Not where the person switched it off, or keeps all of it in one folder of their choice."""
        try:
            said = cast(object, json.loads((NOTES.home(around) / "settings.json").read_bytes()))
        except (OSError, ValueError):
            return True
        if not isinstance(said, dict):
            return True
        settings = cast(Mapping[str, object], said)
        return settings.get("autoMemoryEnabled") is not False and not settings.get("autoMemoryDirectory")
