"""Projects that nobody has: a name and lines that say what it is, so that a writer has something to write notes for.

Drawn from lists: what it is written in, what it is for, how it is worked on. Names are made up.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

WORDS = Path(__file__).with_name("projects.txt")


@dataclass(frozen=True, slots=True)
class Project:
    name: str
    lines: tuple[str, ...]


def lists(path: Path = WORDS) -> dict[str, list[str]]:
    """Lists under their `# heading`, an entry on each line."""
    found: dict[str, list[str]] = {}
    heading = ""
    for line in path.read_text().splitlines():
        if line.startswith("# "):
            heading = line[2:]
        elif line:
            found.setdefault(heading, []).append(line)
    return found


def projects(many: int, rng: random.Random) -> Iterator[Project]:
    """Half of them are named as a repository is, by owner and name."""
    given = lists()
    known: set[str] = set()
    while len(known) < many:
        name = _name(given, rng)
        if name not in known:
            known.add(name)
            yield Project(name, tuple(_lines(name.split("/")[-1], given, rng)))


def _name(given: dict[str, list[str]], rng: random.Random) -> str:
    words = rng.sample(given["words"], 3)
    repository = rng.choice([words[0], words[0] + words[1], f"{words[0]}-{rng.choice(given['ends'])}"])
    return f"{words[2]}{rng.choice(given['owners'])}/{repository}" if rng.random() < 0.5 else repository


def _lines(name: str, given: dict[str, list[str]], rng: random.Random) -> Iterator[str]:
    stack, tool = rng.choice(given["stacks"]).split(" | ")
    yield f"{name} is {rng.choice(given['purposes'])}, written in {stack}; {tool}"
    for line in rng.sample(given["ways"], 3):
        yield line.replace("NAME", name)
