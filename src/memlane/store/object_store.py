"""What a store of objects must do, and what its objects may be called."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

HUB = "hf://buckets/"
_NAME = re.compile(r"[A-Za-z0-9@_+=,.-]{1,200}(?:/[A-Za-z0-9@_+=,.-]{1,200}){0,12}")


@dataclass(frozen=True, slots=True)
class StoredBlob:
    """One object as a list names it. `version` changes whenever its bytes do."""

    name: str
    size: int
    version: str


class ObjectStore(Protocol):
    """Objects by name. What `put` has answered survives a crash of either side."""

    @property
    def place(self) -> str:
        """Where it is, as a person would say it. Never a credential."""
        ...

    @property
    def private(self) -> bool | None:
        """Whether only its owner can read it; None: it does not say."""
        ...

    def put(self, objects: Mapping[str, bytes]) -> None:
        """Each of them whole, over what had its name."""
        ...

    def get(self, name: str) -> bytes | None: ...

    def objects(self, prefix: str) -> Iterator[StoredBlob]:
        """Those whose name begins with this folder."""
        ...


def safe_name(name: str) -> bool:
    """Whether it can be an object's name everywhere: no way up, nothing hidden, nothing to quote."""
    return _NAME.fullmatch(name) is not None and not any(part.startswith(".") for part in name.split("/"))
