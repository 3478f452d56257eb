"""From where a grant that ended is gone. Nothing that is shared leaves Central, so it is gone everywhere at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memlane.app.control.grants import Grant

PLACES = ("search", "runs", "memories", "MCP")


@dataclass(frozen=True, slots=True)
class GrantReceipt:
    """`gone`: where it cannot be read any more, by whom."""

    grant: Grant
    gone: Sequence[str]
    readers: Sequence[str]


def receipt(grant: Grant, readers: Sequence[str]) -> GrantReceipt:
    return GrantReceipt(grant, PLACES if grant.revoked else (), readers)
