"""A module that is imported when it is first asked for something, by whoever asks. It knows no module by name."""

from __future__ import annotations

from importlib import import_module


class LazyModule:
    """Stands for a room. Taking in one turn must not wait for what makes a note of it later."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> object:
        return getattr(import_module(self._name), name)
