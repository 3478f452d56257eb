"""From where a grant that ended is gone: on Central at once, from recall on a machine once that was in contact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from memlane.app.control.deliveries import Deliveries
from memlane.app.control.grants import Grant
from memlane.app.control.machines import JoinedMachine
from memlane.domain.token import SHIPPER

PLACES = ("search", "runs", "memories", "MCP")


@dataclass(frozen=True, slots=True)
class GrantReceipt:
    """`gone`: where it cannot be read any more, by whom; `reached`: machines that recall none of it any more;
    `waiting`: those that may, until they are in contact."""

    grant: Grant
    gone: Sequence[str]
    readers: Sequence[str]
    reached: Sequence[JoinedMachine] = ()
    waiting: Sequence[JoinedMachine] = ()


def receipt(
    grant: Grant, readers: Sequence[str], machines: Sequence[JoinedMachine], deliveries: Deliveries
) -> GrantReceipt:
    if not grant.revoked:
        return GrantReceipt(grant, (), readers)
    ended = datetime.fromisoformat(grant.revoked)
    concerned = list(_concerned(grant, readers, machines, deliveries))
    free = {one.id for one in concerned if deliveries.is_free_of(one.id, grant.id, ended)}
    reached = [one for one in concerned if one.id in free]
    return GrantReceipt(grant, PLACES, readers, reached, [one for one in concerned if one.id not in free])


def _concerned(
    grant: Grant, readers: Sequence[str], machines: Sequence[JoinedMachine], deliveries: Deliveries
) -> Iterator[JoinedMachine]:
    """Those of its readers, and of who read it once, that recall by themselves and were there while it held."""
    for one in machines:
        known = deliveries.of(one.id)
        reads = one.owner in readers or (known is not None and grant.id in known.grants)
        there = one.joined < grant.revoked and not (one.revoked and one.revoked < grant.since)
        if reads and there and not one.thin and one.kind != SHIPPER:
            yield one
