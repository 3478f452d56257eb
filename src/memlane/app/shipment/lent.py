"""What others share with this person is brought from Central into the cache that recall reads: all of it, and no more.

Asked with every exchange. Whether the machine has what it should is one small question; only then it is sent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

import msgspec

from memlane.app.home import Home
from memlane.app.home.link import CentralLine, Membership, understood
from memlane.domain import LentMemory
from memlane.domain.token import SHIPPER, kind_of
from memlane.errors import NotFoundError
from memlane.flow.journal import encode


class _LentMark(msgspec.Struct, frozen=True):
    version: str
    given: Sequence[Mapping[str, object]]


class _Lending(msgspec.Struct, frozen=True):
    version: str
    memories: Sequence[LentMemory]


def bring_up(line: CentralLine, home: Home, link: Membership) -> None:
    """A thin machine asks Central at every hook, and a token that only ships reads nothing."""
    if home.thin or kind_of(link.token) == SHIPPER:
        return
    with suppress(NotFoundError):  # a Central of an earlier version
        if (should := _asked(line, home)).version != home.lent.note.version:
            sent = understood(line.ask("/api/shares/lent"), _Lending)
            home.lent.take(sent.version, sent.memories)
            _asked(line, home)  # by this it knows what is here, and what is not here any more
        home.lent.learn(should.given, home.storage().projects.joins(home.reader))
        if (storage := home.lent.storage()) is not None:
            encode(replace(home.tools(), storage=storage))
            home.list_paths(home.storage())


def _asked(line: CentralLine, home: Home) -> _LentMark:
    return understood(line.ask("/api/shares/mark", {"version": home.lent.note.version}), _LentMark)
