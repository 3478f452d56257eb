"""What was deleted for good, in numbers and digests: said before its traces end, for whoever keeps receipts."""

from __future__ import annotations

import msgspec

BY_HAND = "forget --now"


class Deletion(msgspec.Struct, frozen=True):
    """A run or a memory, gone."""

    owner: str
    name: str
    rule: str = BY_HAND
    bytes: int = 0
    content: str = ""


def unrecorded(_done: Deletion) -> None:
    """A home that is no Central keeps no receipts."""
