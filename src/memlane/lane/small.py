"""A file as text, if it is a small one that can be read now: what people and agents keep in their checkouts."""

from __future__ import annotations

from pathlib import Path


def small_text(path: Path, most: int) -> str | None:
    """None: larger than `most` bytes, no text, or not to be read."""
    try:
        if not path.is_file() or path.stat().st_size > most:
            return None
        data = path.read_bytes()
    except OSError:
        return None
    return None if b"\0" in data else data.decode("utf-8", "replace")
