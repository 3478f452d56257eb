"""What capture has to get right, said in a few lines over plain bytes: which generations there must be.

A file goes on with the newest generation read from its path while it only grows. One at a new path is a copy of the
beginning of a generation, or goes on with the longest it begins with, or is a generation of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(slots=True)
class ModelGeneration:
    content: bytes
    path: Path


@dataclass(slots=True)
class ModelRun:
    """One native id, wherever its files are."""

    generations: list[ModelGeneration] = field(default_factory=list[ModelGeneration])
    visible: set[bytes] = field(default_factory=set[bytes])  # every content a sweep has looked at

    def take(self, path: Path, content: bytes) -> None:
        if not content:
            return
        self.visible.add(content)
        known = self._known(path, content)
        if known is None:
            self.generations.append(ModelGeneration(content, path))
        elif len(content) > len(known.content):
            known.content, known.path = content, path

    def _known(self, path: Path, content: bytes) -> ModelGeneration | None:
        own = next((g for g in reversed(self.generations) if g.path == path), None)
        if own is not None:
            return own if content.startswith(own.content) else None
        longest_first = sorted(self.generations, key=lambda g: len(g.content), reverse=True)
        return next((g for g in longest_first if _alike(g.content, content)), None)

    @property
    def contents(self) -> list[bytes]:
        return [g.content for g in self.generations]


def _alike(one: bytes, other: bytes) -> bool:
    return one.startswith(other) or other.startswith(one)
