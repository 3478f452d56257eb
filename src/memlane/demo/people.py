"""The cast: one person with two agents and three projects. All invented."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Person:
    """Whose home it is, and what their computer is called."""

    user: str
    machine: str


@dataclass(frozen=True, slots=True)
class Workplace:
    """A folder under `~/code`; with a remote, if it has one."""

    name: str
    branch: str = "main"
    remote: str = ""


PERSON = Person("noor", "laptop")

FERRY = Workplace("ferry-api", remote="git@git.example.org:quillmoor/ferry-api.git")
TIDES = Workplace("tide-tables", branch="import", remote="git@git.example.org:quillmoor/tide-tables.git")
POSTCARDS = Workplace("postcards")

PROJECTS = (FERRY, TIDES, POSTCARDS)
