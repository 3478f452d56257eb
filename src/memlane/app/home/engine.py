"""Which engine keeps the index of a home: files in it, or a PostgreSQL that the settings name."""

from __future__ import annotations

from pathlib import Path

from memlane.config import Config, misfit, setting
from memlane.errors import UsageError
from memlane.storage import Engine
from memlane.storage.embedded import EmbeddedEngine
from memlane.system.extra import install_line


def engine_of(config: Config, index: Path) -> Engine:
    return _postgres(config) if config.text("storage.url") else EmbeddedEngine(index, config.home / "vectors")


def _postgres(config: Config) -> Engine:
    url = config.text("storage.url")
    if wrong := misfit(setting("storage.url"), url):
        raise UsageError(wrong, hint="lane config set storage.url postgresql://USER@HOST/DATABASE")
    try:
        from memlane.storage.postgres import PostgresEngine
    except ImportError as error:
        raise UsageError(f"PostgreSQL needs {error.name}", hint=install_line("server")) from error
    base = config.text("archive.base")  # an object store is the same place for all computers of a Central
    place = base if "://" in base else f"{config.machine}:{config.home}"
    return PostgresEngine(url, owner=config.user, place=place)
