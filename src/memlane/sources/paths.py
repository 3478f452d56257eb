"""A file as an agent named it, made whole: relative to its working folder, on whatever system that was."""

from __future__ import annotations

import ntpath
import posixpath
import re

_ABSOLUTE = re.compile(r"/|[A-Za-z]:[\\/]|\\\\|~")
_WINDOWS = re.compile(r"[A-Za-z]:[\\/]|\\\\")


def whole(path: str, cwd: str) -> str:
    if not cwd or _ABSOLUTE.match(path):
        return path
    system = ntpath if _WINDOWS.match(cwd) else posixpath
    return system.normpath(system.join(cwd, path))
