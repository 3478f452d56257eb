"""Memories made by hand, and those there are. The journal first, storage second."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from memlane import identity
from memlane.app.home import Home
from memlane.app.home.journal import ActWriter, memory_line
from memlane.app.home.memory_rules import LONGEST_CONTENT, LONGEST_TITLE, title_of
from memlane.app.home.paths import files_in
from memlane.app.memories.form import matters, too_long
from memlane.domain import (
    ANY_OCCASION,
    SAID,
    STANDING,
    Evidence,
    Memory,
    Occasion,
    RunSummary,
    Scope,
    Selection,
    State,
    Traits,
    Trust,
    Type,
)
from memlane.errors import NotFoundError, UsageError
from memlane.flow.tools import Meant

SURE = 90  # a person said so in as many words
MOST_CHUNKS = 100_000  # of one Run
MOST_ALIKE = 100  # that have all words of a note
FORMED = Selection(states=STANDING)
Counts = Mapping[str, int]
_STEP = re.compile(r"t(\d+)\.(\d+)$")


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """A piece of evidence: who said it ("" if that is not known), and the Run it stands in, if that is still here."""

    evidence: Evidence
    author: str
    run: RunSummary | None


class MemoryShelf:
    def __init__(self, home: Home, writer: ActWriter, meant: Meant) -> None:
        self._home = home
        self._writer = writer
        self._meant = meant

    def remember(
        self,
        text: str,
        cwd: Path,
        *,
        scope: Scope | None = None,
        type: Type = SAID,
        title: str = "",
        category: str = "",
        occasion: Occasion = ANY_OCCASION,
    ) -> Memory:
        """A note in the person's own words: active at once. Secrets in it are masked before anything is written. The
        same words in the same place are the same Memory."""
        words, called = self._home.gate.mask(text.strip()), self._home.gate.mask(" ".join(title.split()))
        if not words:
            raise UsageError("the note is empty", hint='lane remember "deploys go through make ship"')
        for what, said, most in (("note", words, LONGEST_CONTENT), ("title", called, LONGEST_TITLE)):
            if len(said) > most:
                raise UsageError(f"a {what} is at most {most} characters", hint="the run keeps the rest")
        if wrong := too_long(occasion):
            raise UsageError("; ".join(wrong), hint="lane remember --help")
        self._home.begin()
        project, place = self._home.project_at(str(cwd)), scope or Scope.PROJECT
        filed = identity.project_of(str(cwd))
        if known := self._said_before(words, project.key, place, type):
            return known
        now, named = self._home.clock(), (*self._meant((), project, words), *files_in(words, cwd))
        about = {(one.type, one.slug or one.raw): one for one in named}
        memory = Memory(
            id=self._home.tools().new_id("m"),
            owner=self._home.config.user,
            type=type,
            title=called or title_of(words),
            content=words,
            formed_at=now,
            saved_at=now,
            first_observed_at=now,
            last_observed_at=now,
            category=self._home.gate.mask(category.strip()),
            scope=place,
            project=filed.name,
            project_key=filed.key,
            related_entities=tuple(about.values()),
            confidence=SURE,
            reasoning="You asked for it to be remembered.",
            trust=Trust.PERSON,
            maker="person",
            state=State.ACTIVE,
        )
        memory = matters(memory, self._home.gate.mask_values(occasion))
        self._writer.write([memory_line(memory)])
        return replace(memory, project=project.name, project_key=project.key)

    def _said_before(self, words: str, project: str, scope: Scope, type: Type) -> Memory | None:
        for memory in self.select(Selection(words, (State.ACTIVE,), type=type.value, limit=MOST_ALIKE)):
            same_place = memory.scope is scope and (memory.project_key == project or scope is not Scope.PROJECT)
            same = memory.type is type and memory.content.split() == words.split()
            if same and same_place and memory.maker == "person":
                return memory
        return None

    def all(self, states: Sequence[State] = STANDING) -> Sequence[Memory]:
        """All of them: for whoever needs each. A list that is shown asks for what it shows."""
        return self._home.storage().memories.listed(list(states), self._home.reader)

    def which(
        self,
        *,
        types: Sequence[str],
        states: Sequence[str],
        about: frozenset[str],
        project: str = "",
        observed: int = 0,
        embedded: bool | None = None,
        limit: int | None = None,
    ) -> Selection:
        """What a program asked for in words, understood or refused."""
        for given, known, what in ((types, Type, "type"), (states, State, "state")):
            if unknown := [one for one in given if one not in {each.value for each in known}]:
                raise UsageError(f"there is no {what} {unknown[0]!r}", hint=f"one of: {', '.join(known)}")
        wanted = tuple(State(one) for one in states) or STANDING
        return Selection(
            states=wanted, types=tuple(types), about=about, project=project, observed=observed, embedded=embedded,
            limit=limit,
        )  # fmt: skip

    def select(self, which: Selection) -> Sequence[Memory]:
        return self._home.storage().memories.found(which, self._home.reader)

    def shared(self, which: Selection) -> Sequence[Memory]:
        """Of others, as long as they share them."""
        found = self._home.recalled().memories.found(which, self._home.reader)
        return [one for one in found if one.owner != self._home.reader.user]

    def embedded(self, memory: str) -> tuple[str, datetime] | None:
        """The newest vector of what it says now: by which model, and when it was worked out."""
        return next(iter(self._home.storage().memories.embedded(memory, self._home.reader)), None)

    def tallied(self, which: Selection) -> Mapping[Traits, int]:
        return self._home.storage().memories.tallied(which, self._home.reader)

    def most_named(self, which: Selection, limit: int) -> tuple[Sequence[tuple[str, int]], int]:
        """Names that most of these have, and how many names there are."""
        return self._home.storage().memories.most_named(which, self._home.reader, limit)

    def over_time(self, edges: Sequence[datetime], by: str = "", which: Selection = FORMED) -> Sequence[Counts]:
        """How many were formed from each edge to the next, by `type`, `project`, `category`, or all under ""."""
        return self._home.storage().memories.over_time(edges, by, which, self._home.reader)

    def titles(self, ids: Iterable[str]) -> Mapping[str, str]:
        """Of those that are there."""
        ports, reader = self._home.storage().memories, self._home.reader
        return {id: memory.title for id in set(ids) if (memory := ports.get(id, reader)) is not None}

    def counts(self) -> tuple[int, int]:
        """Those that are active, and those that wait for a person's word."""
        memories, reader = self._home.storage().memories, self._home.reader
        return memories.count([State.ACTIVE], reader), memories.count([State.HELD], reader)

    def mark(self) -> str:
        """Changes whenever something was written down."""
        return str(sorted(self._home.storage().work.journal_read().items()))

    def formed_in(self, run: str) -> Sequence[Memory]:
        """Memories of any state that stand on words of this Run."""
        return self._home.storage().memories.from_run(run, list(State), self._home.reader)

    def get(self, given: str) -> Memory:
        if given.startswith("r_"):
            raise UsageError(f"{given} is a run, not a memory", hint=f"lane show {given}")
        memories = self._home.storage().memories
        found = memories.get(self._home.whole_id(given, memories.starting_with), self._home.reader)
        if found is None:
            raise NotFoundError(f"there is no memory {given}", hint="lane mem list")
        return found

    def read(self, given: str) -> Memory:
        """One's own, or one that somebody else shares: to be shown, never to be changed."""
        memories = self._home.recalled().memories
        if given.startswith("r_") or not memories.starting_with(given, self._home.reader):
            return self.get(given)
        found = memories.get(self._home.whole_id(given, memories.starting_with), self._home.reader)
        return found or self.get(given)

    def spoken(self, memory: Memory, most: int = 5) -> Sequence[EvidenceView]:
        """The words it stands on, the newest first."""
        found = list[EvidenceView]()
        for evidence in tuple(reversed(memory.evidence))[:most]:
            run = self._home.storage().runs.get(evidence.run, self._home.reader) if evidence.run else None
            found.append(EvidenceView(evidence, self._author(evidence) if run else "", run))
        return found

    def _author(self, evidence: Evidence) -> str:
        place = _STEP.search(evidence.step)
        if place is None:
            return ""
        spot = (int(place[1]), int(place[2]))
        chunks = self._home.storage().chunks.of_run(evidence.run, self._home.reader, MOST_CHUNKS)
        return next((chunk.author for chunk in chunks if (chunk.turn, chunk.step) == spot), "")
