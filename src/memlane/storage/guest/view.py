"""What every part of a guest's view does: it asks as the owner, and first whether who asks is this guest."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

from memlane.domain import Reader, RunFilter, RunSummary
from memlane.errors import NotAllowedError
from memlane.storage.ports import Storage


class GuestView:
    """Methods that are not written in what follows are refused."""

    def __init__(self, inner: Storage, reader: Reader) -> None:
        assert reader.loan is not None
        self._inner, self._guest, self._loan = inner, reader, reader.loan

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotAllowedError("this is not shared", hint="its owner can see it")

    def _owner(self, reader: Reader) -> Reader:
        """To be asked with, once it is known that this guest asks."""
        if reader != self._guest:
            raise NotAllowedError("this was opened for another reader")
        return Reader(self._loan.owner)

    def _narrowed(self, which: RunFilter) -> RunFilter:
        """Labels, names, accounts and outcomes are the owner's: who filters by them would learn them."""
        asked = self._loan.runs if which.only is None else which.only & self._loan.runs
        secret = which.tag or which.entities or which.outcome or which.account
        return replace(which, only=frozenset() if secret else asked)

    def _shown(self, run: RunSummary) -> RunSummary:
        parent = run.parent if run.parent in self._loan.runs else ""
        relation = run.relation if parent else ""
        theirs = {"parent_native_id": "", "account": "", "tags": (), "pinned": False, "entities": ()}
        return replace(run, parent=parent, relation=relation, **theirs)
