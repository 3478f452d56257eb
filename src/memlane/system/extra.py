"""How to add an optional part to this installation: a line that works where its environment has no pip of its own."""

from __future__ import annotations

import re
import shlex
import sys


def install_line(extra: str) -> str:
    """With the packages themselves: `memlane[server]` would have to be found on an index."""
    names = " ".join(shlex.quote(name) for name in _packages(extra))
    return f"python3 -m pip --python {shlex.quote(sys.executable)} install {names}"


def _packages(extra: str) -> list[str]:
    from importlib.metadata import PackageNotFoundError, requires  # noqa: PLC0415 - only who lacks something needs it

    try:
        named = requires("memlane") or []
    except PackageNotFoundError:  # run from its sources
        named = []
    asked = re.compile(rf"extra\s*==\s*['\"]{re.escape(extra)}['\"]")
    found = [one.partition(";")[0].strip() for one in named if asked.search(one)]
    return found or [f"memlane[{extra}]"]
