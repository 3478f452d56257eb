"""What people say about names: who is meant, who is new, who is called otherwise, which two are one.

The journal first, storage second. Nothing is lost: old names stay aliases, what is merged can be taken apart again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import msgspec

from memlane import entities
from memlane.app.entities.book import EntityBook
from memlane.app.entities.queue import PERSON
from memlane.app.entities.run_names import ALL_OF_THEM, RunNames
from memlane.app.home import Home
from memlane.app.home.journal import ActLine, ActWriter, memory_line
from memlane.domain import Entity, Memory, Mention, NameAnswer
from memlane.domain.journal import ENTITY
from memlane.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from memlane.app.entities.links import LinkReport

_TYPE = re.compile(r"[a-z][a-z0-9_-]{0,30}")


class Entities(EntityBook):
    """The people and things of this home: who is who, and what people say about names."""

    def __init__(self, home: Home, writer: ActWriter) -> None:
        super().__init__(home)
        self._writer = writer

    def look(self) -> LinkReport:
        """Memories resolved anew where the directory changed: what a tick does, and whoever just changed it."""
        from memlane.app.entities.links import MentionLinks  # it loads the archive: no prompt waits

        return MentionLinks(self._home, self, self._writer).look()

    def name_runs(self, seconds: float = ALL_OF_THEM) -> int:
        """Whom and what Runs name, for those that are new or changed; how many were looked through."""
        return RunNames(self._home, self).follow(seconds)

    # -- answers -----------------------------------------------------------------------------------------------------

    def answer(self, raw: str, key: str, project_key: str = "") -> int:
        """What a name means, there or everywhere; "" for a word that is no name. How many Memories it settles."""
        entity = self.entity(key).key if key else ""
        self._writer.write([_answer_line(NameAnswer(self._home.gate.mask(raw), entity, project_key))])
        return self._naming(raw, project_key)

    def answer_new(self, raw: str, type_: str, project_key: str = "", name: str = "") -> tuple[Entity, int]:
        """Somebody or something new: made and meant in one act."""
        entity, masked = self._made_up(name or raw, type_ or PERSON), self._home.gate.mask(raw)
        self._writer.write([_entity_line(entity), _answer_line(NameAnswer(masked, entity.key, project_key))])
        return entity, self._naming(raw, project_key)

    def _naming(self, raw: str, project_key: str) -> int:
        found = self._home.storage().memories.naming(raw, self._home.reader)
        return sum(project_key in ("", memory.project_key) for memory in found)

    def add(self, name: str, type_: str, aliases: Sequence[str] = (), slug: str = "") -> Entity:
        entity = self._made_up(name, type_, aliases, slug)
        self._writer.write([_entity_line(entity)])
        return entity

    def rename(self, given: str, name: str) -> tuple[Entity, Entity]:
        """Before and after: the old name still means it."""
        before, called = self.entity(given), self._called(name)
        aliases = tuple(alias for alias in dict.fromkeys((*before.aliases, before.name)) if alias != called)
        after = replace(before, name=called, aliases=aliases)
        if after != before:
            self._writer.write([_entity_line(after)])
        return before, after

    def merge(self, given: str, into: str, *, anyway: bool = False) -> tuple[Entity, Entity]:
        """All about the first is from now on about the second."""
        one, other = self.entity(given), self.entity(into)
        if one.key == other.key:
            raise UsageError(f"{one.key} cannot be merged into itself", hint="lane entity list")
        if one.type != other.type and not anyway:
            raise UsageError(f"{one.key} and {other.key} have different types", hint="--anyway merges them")
        self._writer.write([_entity_line(replace(one, merged_into=other.key))])
        return one, other

    def unmerge(self, key: str) -> tuple[Entity, str]:
        """Again of its own, with all that named it; and what it had been merged into."""
        merged = self.directory().all.get(key)
        if merged is None or not merged.merged_into:
            raise NotFoundError(f"{key} is not merged into anything", hint="--name NAME splits a new one off")
        apart = replace(merged, merged_into="")
        self._writer.write([_entity_line(apart)])
        return apart, merged.merged_into

    def split(self, given: str, name: str, aliases: Sequence[str] = (), memories: Sequence[str] = ()) -> Entity:
        """A new one, which takes these names and these Memories along."""
        before = self.entity(given)
        fresh = self._made_up(name, before.type, aliases)
        lines = [_entity_line(fresh)]
        lines += [_answer_line(NameAnswer(alias, fresh.key)) for alias in (fresh.name, *fresh.aliases)]
        keys = {before.key, *self.directory().names_of(before)}
        lines += [memory_line(_moved(memory, keys, fresh)) for memory in self._given(memories)]
        self._writer.write(lines)
        return fresh

    def remove(self, given: str) -> Entity:
        """No longer known. Memories keep what they say; `add` with its type and slug brings it back."""
        entity = self.entity(given)
        self._writer.write([_entity_line(replace(entity, removed=True))])
        return entity

    def _given(self, memories: Sequence[str]) -> list[Memory]:
        ports, found = self._home.storage().memories, list[Memory]()
        for given in memories:
            memory = ports.get(self._home.whole_id(given, ports.starting_with), self._home.reader)
            if memory is None:
                raise NotFoundError(f"there is no memory {given}", hint="lane mem list")
            found.append(memory)
        return found

    def _made_up(self, name: str, type_: str, aliases: Sequence[str] = (), slug: str = "") -> Entity:
        self._home.begin()
        called, sort = self._called(name), entities.shown(self._home.gate.mask(type_)).lower()
        if not _TYPE.fullmatch(sort):
            raise UsageError(f"{sort!r} is not a type", hint="one word: person, business, project, website, feature")
        short = entities.slug_of(self._called(slug), "") if slug else entities.slug_of(called, sort)
        names = tuple(dict.fromkeys(self._called(alias) for alias in aliases))
        made = Entity(sort, short, called, tuple(alias for alias in names if alias != called))
        known = self.directory().all.get(made.key)
        if known is not None and not known.removed:
            raise UsageError(f"{made.key} already exists: {known.name}", hint=f"--slug {short}-2 makes another one")
        return made

    def _called(self, name: str) -> str:
        called = entities.shown(self._home.gate.mask(name))
        if not entities.plain(called):
            raise UsageError(f"{called!r} is not a name", hint='lane entity add "Neal Brown"')
        return called


def _entity_line(entity: Entity) -> ActLine:
    return ActLine(ENTITY, entity.key, {"entity": cast(object, msgspec.to_builtins(entity))})


def _answer_line(answer: NameAnswer) -> ActLine:
    return ActLine(ENTITY, answer.entity or answer.raw, {"mention": cast(object, msgspec.to_builtins(answer))})


def _moved(memory: Memory, keys: Set[str], to: Entity) -> Memory:
    def meant(mention: Mention) -> Mention:
        ours = f"{mention.type}:{mention.slug}" in keys
        return replace(mention, type=to.type, slug=to.slug, resolved=True) if ours else mention

    return replace(memory, related_entities=tuple(map(meant, memory.related_entities)))
