"""Whether the memory folders want writing: anything was written down since they were. Light, as every tick asks."""

from __future__ import annotations

from memlane.app.home import Home

STAMP = "stamp"
FOLDER = "memory"


def state(home: Home) -> str:
    """How far the journal was read, and where the folders go."""
    read = home.storage().work.journal_read()
    return repr((sorted((str(file), at) for file, at in read.items()), home.config.names("memory.claude_code")))


def due(home: Home) -> bool:
    if not home.config.switch("memory.folder") and not home.config.names("memory.claude_code"):
        return False
    try:
        return (home.config.home / FOLDER / STAMP).read_bytes() != state(home).encode()
    except OSError:
        return True


def written(home: Home) -> None:
    path, now = home.config.home / FOLDER / STAMP, state(home)
    if not path.exists() or path.read_bytes() != now.encode():
        home.disk.make_folders(path.parent)
        home.disk.replace(path, now.encode())
