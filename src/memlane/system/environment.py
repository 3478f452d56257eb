"""The environment of this process and the home it names. Nothing is loaded for it: hooks and daemons begin with it."""

from __future__ import annotations

import os


def variables() -> dict[str, str]:
    return dict(os.environ)


def person_folder(given: dict[str, str]) -> str:
    """Where the agents keep what is theirs."""
    return os.path.expanduser(given.get("HOME") or "~")


def home_folder(given: dict[str, str]) -> str:
    """$LANE_HOME, else ~/.memlane; absolute. Nothing is read."""
    folder = os.path.expanduser(given.get("LANE_HOME") or f"{person_folder(given)}/.memlane")
    return folder if os.path.isabs(folder) else os.path.join(os.getcwd(), folder)


def calm_libraries() -> None:
    """Before anybody imports numpy: its threads start at once and wait by spinning, and nothing here needs them."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
