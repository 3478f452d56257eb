"""The repository as the house rules look at it: its tracked files, and its modules as syntax trees."""

from __future__ import annotations

import ast
import gc
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SRC = ROOT / "src" / "memlane"

# Files the rules speak of that are still being written. Each must be gone from here when the issue is done.
NOT_YET: frozenset[str] = frozenset()


def there(name: str) -> bool:
    """Whether a file the rules speak of exists; a missing one that nobody is writing is a failure."""
    exists = (ROOT / name).exists()
    assert exists or name in NOT_YET, f"{name} is missing"
    return exists


@dataclass(frozen=True, slots=True)
class Module:
    """One module of the package. `name` is its path below memlane: `archive/read.py`."""

    name: str
    text: str
    tree: ast.Module
    nodes: tuple[ast.AST, ...]  # of the whole tree, walked once

    @classmethod
    def read(cls, name: str, text: str) -> Module:
        tree = ast.parse(text)
        return cls(name, text, tree, tuple(ast.walk(tree)))

    @property
    def room(self) -> str:
        return self.name.partition("/")[0].removesuffix(".py")

    def place(self, node: ast.expr | ast.stmt) -> str:
        return f"{self.name}:{node.lineno}"


@cache
def modules() -> tuple[Module, ...]:
    """All of them, for as long as the tests run: nobody needs to look for garbage in between."""
    gc.disable()
    try:
        found = sorted(SRC.rglob("*.py"))
        return tuple(Module.read(path.relative_to(SRC).as_posix(), path.read_text()) for path in found)
    finally:
        gc.freeze()
        gc.enable()


def imported(module: Module) -> Iterator[tuple[str, str]]:
    """(imported module, where) of every import, also those inside functions."""
    for node in module.nodes:
        if isinstance(node, ast.Import):
            yield from ((alias.name, module.place(node)) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "", module.place(node)


@cache
def tracked_files() -> tuple[Path, ...]:
    """What git keeps and would keep: ignored files are nobody's business."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return tuple(path for name in names if name and (path := ROOT / name).is_file())
