"""The last list printed in this terminal, so that `lane show 1` means its first line.

Kept under `$LANE_HOME/run/lists/`, one small file per terminal; losing one costs nothing.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from memlane.disk import private_folder
from memlane.errors import NotFoundError
from memlane.surfaces.cli.text import many

MOST_LISTS = 50
LISTS = "lane runs, lane search, lane mem list: their lines are numbered"


def terminal() -> str:
    """This terminal, or where there is none (an agent, a script) whoever started us."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            return re.sub(r"\W+", "-", os.ttyname(stream.fileno())).strip("-")
    return f"pid-{os.getppid()}"


def keep(home: Path, names: Sequence[str], of: str = "") -> None:
    """Only in a home that exists: printing a list never makes one. `of`: it lasts until its like is printed."""
    folder = home / "run" / "lists"
    with suppress(OSError):
        if home.is_dir():
            private_folder(folder)
            (folder / f"{terminal()}{of}").write_text("\n".join(names))
            for old in sorted(folder.iterdir(), key=lambda file: file.stat().st_mtime)[:-MOST_LISTS]:
                old.unlink()


def meant(home: Path, given: str, of: str = "") -> str:
    """What a number stands for; anything else stands for itself."""
    if not re.fullmatch(r"[1-9][0-9]{0,2}", given):
        return given
    hint = f"lane {of[1:]}" if of else LISTS
    try:
        names = (home / "run" / "lists" / f"{terminal()}{of}").read_text().splitlines()
    except OSError:
        raise NotFoundError(f"{given} means a line of the last list, and there is none", hint=hint) from None
    if int(given) > len(names):
        had = many(len(names), "line", "lines") if names else "no lines"
        raise NotFoundError(f"the last list had {had}, not {given}", hint=hint)
    return names[int(given) - 1]
