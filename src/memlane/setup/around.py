"""What else is on this computer that a person should hear about before anything is changed. Only looks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from memlane.setup.computer import Computer

# Agents this version does not read yet, by the folders they keep.
LATER = {
    "Cursor": (".cursor", ".config/Cursor", "Library/Application Support/Cursor"),
    "Pi": (".pi/agent",),
    "OpenCode": (".local/share/opencode",),
    "Gemini CLI": (".gemini",),
    "Copilot CLI": (".copilot",),
}
# Where `uvx` and `pipx run` unpack what they run once: their owners may delete it at any time.
_CACHES = re.compile(r"/(?:archive|builds|environments)-v\d+/|/\.cache/pipx/|/pipx/\.cache/")


@dataclass(frozen=True, slots=True)
class Later:
    """An agent whose runs a later version will capture."""

    title: str
    folder: Path


def captured_later(computer: Computer) -> tuple[Later, ...]:
    found = ((title, computer.home / name) for title, names in LATER.items() for name in names)
    there = {title: folder for title, folder in reversed(list(found)) if folder.is_dir()}
    return tuple(Later(title, there[title]) for title in LATER if title in there)


def runs_from_a_cache(computer: Computer) -> bool:
    """Whether this very program may be gone tomorrow: hooks must not point at it."""
    python = computer.python.replace("\\", "/")
    cache = computer.variables.get("UV_CACHE_DIR", "").rstrip("/")
    return _CACHES.search(python) is not None or bool(cache and python.startswith(f"{cache}/"))
