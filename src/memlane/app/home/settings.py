"""Settings written into `config.toml`, with the comments and the order that a person gave it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from memlane.config import Config, Value, setting, shown
from memlane.errors import UsageError
from memlane.system.disk import Disk

if TYPE_CHECKING:  # it takes longer to load than a search
    from tomlkit import TOMLDocument
    from tomlkit.items import Table


def save_settings(config: Config, values: Mapping[str, Value]) -> None:
    import tomlkit

    disk, path = Disk(), config.file
    disk.make_folders(path.parent)
    try:
        document = tomlkit.parse(path.read_text())
    except FileNotFoundError:
        document = tomlkit.document()
        document.add(tomlkit.comment("Memory Lane. `lane config` lists and explains every setting."))
    for name, value in values.items():
        setting(name)
        room, _, key = name.rpartition(".")
        table = document if not room else _table(document, room)
        table[key] = shown(value)
    disk.replace(path, tomlkit.dumps(document).encode())


def _table(document: TOMLDocument, room: str) -> Table:
    import tomlkit
    from tomlkit.items import Table

    if room not in document:
        document[room] = tomlkit.table()
    found = document[room]
    if not isinstance(found, Table):
        raise UsageError(f"in config.toml, {room} must be a table", hint=f"write it as [{room}]")
    return found
