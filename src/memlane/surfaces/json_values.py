"""Our types as JSON values, the same for every surface. Knows no type of ours by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import cast


def plain(value: object) -> object:
    """Our types as JSON values: times in ISO with offset, enums by value, dataclasses by field."""
    if isinstance(value, datetime):
        return value.astimezone().isoformat(timespec="milliseconds")
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, Path):
        return str(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in cast(Mapping[object, object], value).items()}
    if isinstance(value, str):
        return str(value)  # also of a type of its own
    if isinstance(value, int | float | bool) or value is None:
        return value
    if isinstance(value, Iterable):
        return [plain(inner) for inner in cast(Iterable[object], value)]
    return str(value)
