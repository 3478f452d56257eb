"""Memory Lane: one memory for every coding agent. The names here are the Python API; each is loaded when it is used."""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` takes longer to load than all else of a process that a hook starts
if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.config import Config
    from memlane.domain import (
        Match,
        Memory,
        Outcome,
        Recall,
        RunFilter,
        RunSummary,
        Scope,
        Selection,
        State,
        Step,
        Turn,
        Type,
    )
    from memlane.errors import LaneError
    from memlane.search import FoundTurn

__version__ = "0.1.0"

__all__ = [
    "Config",
    "FoundTurn",
    "Lane",
    "LaneError",
    "Match",
    "Memory",
    "Outcome",
    "Recall",
    "RunFilter",
    "RunSummary",
    "Scope",
    "Selection",
    "State",
    "Step",
    "Turn",
    "Type",
]

_ELSEWHERE = {"Config": "config", "FoundTurn": "search", "Lane": "app", "LaneError": "errors"}  # the rest: domain


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - as above

    found = getattr(import_module(f"memlane.{_ELSEWHERE.get(name, 'domain')}"), name)
    globals()[name] = found  # the next look finds it here
    return found
