"""The files through which an agent learns of our hooks: one that is ours alone, or our part of one of the person's."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast

from memlane.system import json_text
from memlane.system.json_text import JsonText
from memlane.system.plan import Keys

Entry = Mapping[str, object]


class NotOursError(ValueError):
    """A file of the person's has the name that ours would have, or says something that we cannot add to."""


class HookFile(Protocol):
    """One file. `filled` and `bare` are each other's reverse; ValueError: it cannot be edited, and says why."""

    @property
    def path(self) -> Path: ...

    @property
    def what(self) -> str:
        """What is added, as a plan says it: `+ 6 hooks`."""
        ...

    @property
    def theirs(self) -> bool:
        """Whether it may hold something of the person's: then a backup is made first."""
        ...

    def is_current(self, now: bytes) -> bool:
        """Whether our part is in it as it should be, wherever it stands."""
        ...

    def filled(self, bare: bytes | None) -> bytes | None:
        """None: there is nothing to say in it."""
        ...

    def bare(self, now: bytes, made: tuple[Keys, ...] | None) -> bytes | None:
        """The same without us, less what was made for us (None: not known); None: nothing is left of it."""
        ...

    def made(self, bare: bytes | None, after: bytes) -> tuple[Keys, ...]:
        """The objects and lists that only our part brought into being."""
        ...


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A file that an agent finds by its place: all of it is ours, known by a mark."""

    path: Path
    text: str
    mark: str
    what: str
    theirs: bool = False

    def is_current(self, now: bytes) -> bool:
        self._must_be_ours(now)
        return now == self.text.encode()

    def filled(self, bare: bytes | None) -> bytes:
        if bare is not None:
            raise NotOursError("another file of this name is there")
        return self.text.encode()

    def bare(self, now: bytes, made: tuple[Keys, ...] | None) -> bytes | None:  # noqa: ARG002 - a verb of HookFile
        return None if self.mark.encode() in now else now

    def made(self, bare: bytes | None, after: bytes) -> tuple[Keys, ...]:  # noqa: ARG002
        return ()

    def _must_be_ours(self, now: bytes) -> None:
        if self.mark.encode() not in now:
            raise NotOursError("another file of this name is there")


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """Settings as JSON: members under keys of their own, and entries in lists that others use too.

    An entry is ours if our mark is anywhere in it. A group of hooks that a person shares with us loses only ours.
    """

    path: Path
    mark: str
    what: str
    entries: tuple[tuple[Keys, Entry], ...] = ()
    members: tuple[tuple[Keys, object], ...] = ()
    also: tuple[tuple[Keys, object], ...] = ()  # what the file needs besides, where it is not there: `version: 1`
    lists: tuple[Keys, ...] = ()  # objects with lists in which older entries of ours may be
    theirs: bool = True

    def is_current(self, now: bytes) -> bool:
        document = json_text.read(now)
        wanted = {keys: [entry] for keys, entry in self.entries}
        found = {keys: ours for keys in self._lists(document) if (ours := self._ours(document, keys))}
        return found == wanted and all(document.get(*keys) == value for keys, value in self.members)

    def filled(self, bare: bytes | None) -> bytes | None:
        if not self.entries and not self.members:
            return bare
        document = json_text.read(bare or b"")
        for keys, value in self.also:
            document = document if document.has(*keys) else document.put(keys, value)
        for keys, entry in self.entries:
            document = document.append(keys, dict(entry))
        for keys, value in self.members:
            if not document.has(*keys):  # else the person has one of their own
                document = document.put(keys, value)
        return document.data

    def made(self, bare: bytes | None, after: bytes) -> tuple[Keys, ...]:
        before, document = json_text.read(bare or b""), json_text.read(after)
        possible = [keys[:depth] for keys, _ in (*self.entries, *self.members) for depth in range(1, len(keys) + 1)]
        possible += [keys for keys, _ in self.also]
        new = (keys for keys in dict.fromkeys(possible) if document.has(*keys) and not before.has(*keys))
        ours = {keys for keys, _ in self.members}
        return tuple(keys for keys in new if keys not in ours)

    def bare(self, now: bytes, made: tuple[Keys, ...] | None) -> bytes | None:
        document = read = json_text.read(now)
        emptied: set[Keys] = set()
        for keys in self._lists(document):
            thinner = self._thinner(document, keys)
            if thinner.text != document.text:
                document = thinner
                emptied |= {keys[:depth] for depth in range(1, len(keys) + 1)}
        for keys, _ in self.members:
            if self.mark in json.dumps(document.get(*keys)):
                document = document.without(*keys)
                emptied |= {keys[:depth] for depth in range(1, len(keys))}
        for keys in sorted({*emptied, *(made or ())}, key=len, reverse=True):
            if document.get(*keys) in ({}, []) and (made is None or keys in made):
                document = document.without(*keys)
        for keys, value in self.also:
            if keys in (made or ()) and document.get(*keys) == value and document.text != read.text:
                document = document.without(*keys)
        if self._only_needed(document, made):
            return None
        return now if document.text == read.text else document.data

    def _only_needed(self, document: JsonText, made: tuple[Keys, ...] | None) -> bool:
        """Whether nothing is left but what we had to add so that the file counts."""
        needed = dict(self.also)
        left = {(key,): value for key, value in document.value.items()}
        return all(keys in needed and needed[keys] == value for keys, value in left.items()) and bool(made or not left)

    def _lists(self, document: JsonText) -> Iterator[Keys]:
        """Every list that is where one of ours would be."""
        for above in dict.fromkeys((*self.lists, *(keys[:-1] for keys, _ in self.entries))):
            inside = document.get(*above) if above else document.value
            for name, value in cast(Mapping[str, object], inside if isinstance(inside, dict) else {}).items():
                if isinstance(value, list):
                    yield (*above, name)

    def _ours(self, document: JsonText, keys: Keys) -> list[object]:
        return [entry for entry in cast(list[object], document.get(*keys)) if self.mark in json.dumps(entry)]

    def _thinner(self, document: JsonText, keys: Keys) -> JsonText:
        for n in reversed(range(len(cast(list[object], document.get(*keys))))):
            if self.mark not in json.dumps(document.get(*keys, n)):
                continue
            inside = document.get(*keys, n, "hooks")
            hooks = cast(list[object], inside) if isinstance(inside, list) else []
            ours = [m for m, hook in enumerate(hooks) if self.mark in json.dumps(hook)]
            if len(ours) == len(hooks):
                document = document.without(*keys, n)
            for m in reversed(ours if len(ours) < len(hooks) else []):
                document = document.without(*keys, n, "hooks", m)
        return document
