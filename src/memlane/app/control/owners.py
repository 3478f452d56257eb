"""The part of a Central that belongs to one person: its settings, and the claim of whoever works for them."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace

from memlane.app.home.engine import engine_of
from memlane.archive import safe_name
from memlane.config import SETTINGS, Config

# Of the operator as a person: their folders, projects and wishes are nobody else's.
PERSONAL = (
    "capture.exclude",
    "capture.exports",
    "catch.skip_projects",
    "entities.folders",
    "memory.claude_code",
    "recall.enabled",
    "recall.off_for",
    "recall.off_in",
)


def of_owner(config: Config, owner: str) -> Config:
    """The settings of a person's part of Central: the same archive, an index of their own. The home's own user has
    the home itself."""
    if owner == config.user:
        return config
    plain = {name: SETTINGS[name].default for name in PERSONAL}
    values = {**config.values, **plain, "user": owner, "machine": config.machine, "archive.base": config.archive_place}
    origins = {**config.origins, "user": "central", "machine": "central"}
    return replace(config, home=config.home / "owners" / safe_name(owner), values=values, origins=origins)


def is_part(config: Config) -> bool:
    """These settings were made by `of_owner`."""
    return config.origins.get("user") == "central"


def claimed(config: Config) -> AbstractContextManager[None]:
    """The work for one person. BusyError: another worker has it."""
    return engine_of(config, config.home / "index").claim()
