"""Which files something is known about: its names, one small list for hooks, and small files as text."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memlane import identity
from memlane.domain import Mention, Reader
from memlane.domain.activity import ACTIVITY, BY_NAME

if TYPE_CHECKING:
    from memlane.storage.ports import MemoryStore

PATHS, SIGNS = "paths", "signs"  # beside the socket: what a hook looks into before it asks anybody
FILE = "file"  # the type of Entities that are files
MOST_FILES = 8  # paths of one text that are looked up
_PATH = re.compile(r"(?<![\w/@:.-])(?:[\w.~+-]*/)*[\w.+-]*\w\.[A-Za-z][A-Za-z0-9]{0,9}(?![\w/@-])(?!\.\w)")


def paths_in(text: str) -> list[str]:
    return list(dict.fromkeys(_PATH.findall(text)))[:MOST_FILES]


def files_in(text: str, cwd: Path) -> tuple[Mention, ...]:
    """Files of this folder that a person names in a note."""
    there = [path for path in paths_in(text) if (cwd / path).is_file()]
    return tuple(Mention(FILE, path, next(slugs_of(str(cwd / path), str(cwd))), resolved=True) for path in there)


def slugs_of(path: str, cwd: str) -> Iterator[str]:
    """As a Memory may name it: from its checkout, from the folder the agent works in, or by its whole path."""
    whole = os.path.normpath(path if path.startswith("/") else f"{cwd}/{path}")
    for top in (identity.checkout_of(whole), cwd.rstrip("/")):
        if top and whole.startswith(f"{top}/"):
            yield whole.removeprefix(f"{top}/")
    yield whole


def hook_lists(memories: MemoryStore, reader: Reader, folders: Sequence[tuple[str, Path]]) -> Mapping[str, bytes]:
    """By the names of their files."""
    files, activities = memories.subjects(FILE, reader), memories.subjects(ACTIVITY, reader)
    return {PATHS: listed(files, folders), SIGNS: signs(activities)}


def listed(files: Sequence[str], folders: Sequence[tuple[str, Path]]) -> bytes:
    """One name a line, and a folder with a slash behind it for all that lies in it; in the order of their bytes."""
    inside = {f"{top.rstrip('/')}/" for _type, folder in folders for top in (str(folder), os.path.realpath(folder))}
    names = {one.casefold().encode("utf-8", "surrogateescape") for one in (*files, *inside) if "\n" not in one}
    return b"".join(b"\n" + name for name in sorted(names)) + b"\n"


def signs(activities: Sequence[str]) -> bytes:
    """What a hook looks for in a command and in a path to know that one of these is about to be done."""
    lines = {sign for name in activities if name in BY_NAME for sign in BY_NAME[name].signs}
    return "".join(f"{line}\n" for line in sorted(lines)).encode()


def small_text(path: Path, most: int) -> str | None:
    """None: larger than `most` bytes, no text, or not to be read."""
    try:
        if not path.is_file() or path.stat().st_size > most:
            return None
        data = path.read_bytes()
    except OSError:
        return None
    return None if b"\0" in data else data.decode("utf-8", "replace")
