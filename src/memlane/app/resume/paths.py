"""Where a Run was, and where it goes on: one checkout's paths in the words of another. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import cast

# A block that its model's provider signed is taken back only as it was written.
SIGNATURES = frozenset(
    {"signature", "thinkingSignature", "thoughtSignature", "encrypted_content", "encryptedContent", "reasoningOpaque"}
)
_AFTER = r"(?![\w-]|\.\w)"
_BEFORE = r"(?<![\w.-])"


@dataclass(frozen=True)
class PathMap:
    """Every path below `old` becomes one below `new`."""

    old: str
    new: str

    @property
    def changes(self) -> bool:
        return bool(self.old) and self.old != self.new

    @cached_property
    def _foreign(self) -> bool:
        return "\\" in self.old

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        if not self._foreign:
            return re.compile(_BEFORE + re.escape(self.old) + _AFTER)
        root = r"[\\/]+".join(re.escape(part) for part in re.split(r"[\\/]+", self.old))
        return re.compile(_BEFORE + root + _AFTER + r"(?P<rest>(?:[\\/]+[^\s\"'`<>|*?:\\/]+)*)", re.IGNORECASE)

    @cached_property
    def _needles(self) -> tuple[bytes, ...]:
        """One of these is in every line that names the path, however deep its JSON is nested."""
        last = re.split(r"[\\/]+", self.old)[-1] if self._foreign else self.old
        return (last.encode("utf-8", "surrogateescape"), json.dumps(last)[1:-1].encode())

    def text(self, given: str) -> str:
        if not self._foreign:
            return self._pattern.sub(lambda _found: self.new, given)
        return self._pattern.sub(lambda found: self.new + re.sub(r"[\\/]+", "/", found["rest"]), given)

    def names(self, data: bytes) -> bool:
        return self.changes and any(needle in data for needle in self._needles)

    def line(self, data: bytes) -> bytes:
        """One JSON document with its paths changed; bytes that are none, or name no such path, as they are."""
        if not self.names(data):
            return data
        try:
            found = cast(object, json.loads(data))
        except (ValueError, RecursionError):
            return data
        changed = self.value(found)
        return data if changed == found else written(changed) + (b"\n" if data.endswith(b"\n") else b"")

    def value(self, value: object) -> object:
        match value:
            case str():
                return self.text(value)
            case list():
                return [self.value(one) for one in cast(list[object], value)]
            case dict():
                return self._object(cast(Mapping[str, object], value))
            case _:
                return value

    def _object(self, given: Mapping[str, object]) -> Mapping[str, object]:
        signed = any(given.get(name) for name in SIGNATURES)
        return {self.text(k): v if signed and isinstance(v, str) else self.value(v) for k, v in given.items()}


def written(value: object) -> bytes:
    """As agents write JSON; half a character that no text can hold stays escaped."""
    plain = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        return plain.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()


def root_before(cwd: str, project_key: str, root: str) -> str:
    """The top of the checkout where a Run was: its project's own path, a folder of the same name, or where it was."""
    if project_key and (cwd == project_key or cwd.startswith((f"{project_key}/", f"{project_key}\\"))):
        return project_key
    pure = PureWindowsPath(cwd) if "\\" in cwd else PurePosixPath(cwd)
    names = {Path(root).name.lower(), project_key.rpartition("/")[2].lower()} - {""}
    above = (folder for folder in (pure, *pure.parents) if folder.name.lower() in names)
    return str(next(above, pure)) if cwd else ""


def below(cwd: str, old_root: str) -> tuple[str, ...]:
    """The way from the top of the checkout to where the Run was."""
    return tuple(part for part in re.split(r"[\\/]+", cwd[len(old_root) :]) if part)
