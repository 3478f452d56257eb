"""Who and what Memories are about: the directory of Entities, what words mean, and names that wait for an answer."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import PurePosixPath

from memlane import entities, identity
from memlane.app.entities import queue
from memlane.app.entities.queue import EntityUses, OpenName
from memlane.app.home import Home
from memlane.app.home.paths import FILE, paths_in, slugs_of
from memlane.domain import (
    STANDING,
    Ambiguous,
    Entity,
    Known,
    Memory,
    Mention,
    NameAnswer,
    Project,
    RunFilter,
    RunSummary,
    State,
    type_rank,
)
from memlane.entities import Directory, MentionPlace, Pages
from memlane.errors import NotFoundError, UsageError
from memlane.recall import AmbiguousName, PromptEntity
from memlane.storage import NameCount

FRESH = timedelta(seconds=20)  # folders and Runs are looked at again after this long
RECENT = timedelta(minutes=5)  # enough for prompts: looked at again when they have been answered
EVER = timedelta.max  # a prompt is kept waiting by nothing
MOST_TOUCHES = 200


@dataclass(frozen=True, slots=True)
class _DirectoryStamp:
    """A directory and what it was made of: it is made again when one of them changed."""

    directory: Directory
    looked: datetime
    by_hand: Sequence[Entity]
    answers: Sequence[NameAnswer]
    pages: Mapping[str, Sequence[Entity]]  # by their true path


@dataclass(frozen=True, slots=True)
class EntityMemories:
    """An Entity and the Memories about it, also those that named what was merged into it."""

    entity: Entity
    memories: Sequence[Memory]
    merged: Sequence[str]  # type:slug of those that are it now


@dataclass(frozen=True, slots=True)
class EntityRow:
    """An Entity among all others: how many Memories are about it, and when one was last seen."""

    entity: Entity
    memories: int
    active: int
    last: datetime | None
    merged: Sequence[str]


class EntityBook:
    def __init__(self, home: Home) -> None:
        self._home = home
        self._pages = Pages()
        self._made: _DirectoryStamp | None = None
        self._used: tuple[tuple[int, Directory], EntityUses] | None = None
        self._waiting: tuple[tuple[int, Directory], Sequence[OpenName]] | None = None

    # -- who there is ------------------------------------------------------------------------------------------------

    def directory(self, fresh: timedelta = FRESH) -> Directory:
        """All of them. Folders and Runs are looked at again when some time has passed, answers always."""
        home, made = self._home, self._made
        ports, now = home.storage(), home.clock()
        by_hand, answers = ports.entities.listed(home.reader), self.answers()
        if made and made.by_hand == by_hand and made.answers == answers and now - made.looked < fresh:
            return made.directory
        found = [*self._pages.look(self._home.entity_folders[0]), *entities.from_projects(self._projects())]
        directory = Directory(entities.combined(found, by_hand), answers)
        self._made = _DirectoryStamp(directory, now, by_hand, answers, _by_file(directory))
        return directory

    def sources(self) -> str:
        """A digest of all the directory is made of: while it is the same, so is the directory. No page is read."""
        ports, folders = self._home.storage(), self._home.entity_folders[0]
        made_of = (
            *self._pages.signatures(folders),
            *ports.entities.listed(self._home.reader),
            *self.answers(),
            *self._projects(),
        )
        return hashlib.sha256(repr(made_of).encode("utf-8", "surrogateescape")).hexdigest()

    def look_again(self) -> None:
        """Between two prompts, so that none of them does it."""
        self.directory(RECENT)

    @property
    def broken(self) -> Mapping[str, str]:
        """Settings and pages that were passed over at the last look, and why."""
        return {**self._home.entity_folders[1], **self._pages.broken}

    def _projects(self) -> list[Project]:
        """Oldest first."""
        return [project for project in self._home.storage().runs.projects(self._home.reader) if project.name]

    def entities(self, type_: str = "") -> Sequence[EntityRow]:
        """People and their work first, file names last, then by name.

        Counted, not read: one that names two that are one now counts twice.
        """
        directory, uses = self.directory(), self._uses()
        every = (*directory.entities, *uses.elsewhere)
        wanted = [entity for entity in every if type_ in ("", entity.type)]
        wanted.sort(key=lambda entity: (type_rank(entity.type), entity.type, entity.name.casefold(), entity.slug))
        merged = self._merged(directory)
        return [_listed(entity, uses.of(entity.key), merged.get(entity.key, ())) for entity in wanted]

    def _merged(self, directory: Directory) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {}
        for key, entity in directory.all.items():
            if entity.merged_into and (into := directory.meant(key)) is not None:
                found.setdefault(into.key, []).append(key)
        return found

    def _uses(self) -> EntityUses:
        """Worked out again when Memories or the directory changed."""
        ports, reader, directory = self._home.storage().memories, self._home.reader, self.directory()
        now = (ports.version(reader), directory)
        if self._used is None or self._used[0] != now:
            self._used = (now, EntityUses(ports.names(reader, known=True), directory))
        return self._used[1]

    def about(self, given: str) -> EntityMemories:
        entity, directory = self.entity(given), self.directory()
        keys = [entity.key, *self._merged(directory).get(entity.key, ())]
        ports, reader = self._home.storage().memories, self._home.reader
        found = {memory.id: memory for key in keys for memory in ports.naming(key, reader)}
        those = [memory for memory in found.values() if memory.state in STANDING and _is_about(memory, keys)]
        return EntityMemories(entity, sorted(those, key=lambda m: m.saved_at, reverse=True), keys[1:])

    def entity(self, given: str) -> Entity:
        """By `type:slug`, by slug, or by any of its names if no other has it."""
        directory = self.directory()
        found = [e for e in directory.entities if given.casefold() in (e.key.casefold(), e.slug.casefold())]
        if not found and (merged := directory.meant(given)) is not None:
            found = [merged]
        if not found:
            words = entities.plain(given)
            found = list(directory.whole(words) or directory.part(words))
        if not found:
            found = [one for one in self._uses().elsewhere if given == one.key]
        if not found:
            raise NotFoundError(f"no entity is called {given}", hint="lane entity list")
        if len(found) > 1:
            which = ", ".join(entity.key for entity in found)
            raise UsageError(f"{given} could be any of: {which}", hint=f"give its type and slug: {found[0].key}")
        return found[0]

    def keys(self, given: str) -> frozenset[str]:
        """Every `type:slug` that means it, for whoever asks for Runs or Memories about it."""
        try:
            entity = self.entity(given)
        except NotFoundError:
            if given.startswith(f"{FILE}:"):  # Runs touch files that no Memory is about
                return frozenset({given})
            raise
        return frozenset((entity.key, *self.directory().names_of(entity)))

    def runs_about(self, about: EntityMemories, limit: int) -> Sequence[RunSummary]:
        """Newest first: those its Memories stand on, those that worked in it, named or touched it."""
        runs, reader, entity = self._home.storage().runs, self._home.reader, about.entity
        ids = dict.fromkeys(one.run for memory in about.memories for one in memory.evidence if one.run)
        found = {run.id: run for name in ids if (run := runs.get(name, reader)) is not None}
        names = frozenset((entity.key, *about.merged))
        found |= {run.id: run for run in runs.listed(RunFilter(entities=names, limit=limit), reader)}
        if entity.type == "project":
            homes = [one for one in self._projects() if entities.at_home(entity, one)]
            found |= {run.id: run for one in homes for run in runs.listed(RunFilter(project=one.key), reader)}
        if entity.type == FILE:
            touched = self._home.storage().touches.of(entity.slug, RunFilter(limit=MOST_TOUCHES), reader)
            found |= {run.id: run for one in touched if (run := runs.get(one.run, reader)) is not None}
        return sorted(found.values(), key=lambda run: str(run.ended), reverse=True)[:limit]

    # -- names that wait ---------------------------------------------------------------------------------------------

    def answers(self) -> Sequence[NameAnswer]:
        """What people said names mean; the newest for the same words and project holds."""
        every = self._home.storage().entities.answers(self._home.reader)
        return [answer for answer in every if not answer.taken_back]

    def waiting(self) -> Sequence[OpenName]:
        """What Memories name and nobody is sure of, by name and project. Worked out again when either changed."""
        ports, directory = self._home.storage().memories, self.directory()
        now = (ports.version(self._home.reader), directory)
        if self._waiting is None or self._waiting[0] != now:
            unclear = ports.names(self._home.reader, known=False)
            self._waiting = (now, queue.waiting(unclear, self._uses(), directory) if unclear else [])
        return self._waiting[1]

    def that_wait(self, one: OpenName) -> Sequence[Memory]:
        """Newest first."""
        raw, found = one.raw.casefold(), self._home.storage().memories.naming(one.raw, self._home.reader)
        return [
            memory
            for memory in found
            if memory.state in STANDING
            and memory.project_key == one.project.key
            and any(not mention.resolved and mention.raw.casefold() == raw for mention in memory.related_entities)
        ]

    # -- what words mean ---------------------------------------------------------------------------------------------

    def resolve_mentions(self, mentions: Sequence[Mention], project: Project, text: str) -> tuple[Mention, ...]:
        """What an extractor named and what else the text names: each thing once, those nobody is sure of unresolved."""
        directory = self.directory()
        where = MentionPlace(project, text=text, files=lambda path: self.files(path, project))
        found = [self._resolved(mention, directory, where) for mention in mentions]
        paths = [mention.raw for mention in mentions if mention.type == FILE]
        found += [as_mention(one.name, Known(one)) for path in paths for one in self.pages_at(path)]
        found += [as_mention(named.raw, named.resolution) for named in entities.mentions(text, directory, where)]
        found += [as_mention(path, Known(one)) for path, one in self._paths_in(text, project)]
        return _each_once(found)

    def named(
        self, text: str, project: Project, settled: frozenset[str]
    ) -> tuple[Sequence[PromptEntity], Sequence[AmbiguousName]]:
        """Whom and what a prompt names, and which names fit several. The project it is asked in goes without saying."""
        directory = self.directory(EVER)
        where = MentionPlace(project, text=text, settled=settled, files=lambda path: self.files(path, project))
        known, unclear = dict[str, PromptEntity](), dict[str, AmbiguousName]()
        for name in entities.mentions(text, directory, where):
            match name.resolution:
                case Known(entity):
                    known[entity.key] = _meant(name.raw, entity, directory)
                case Ambiguous(fitting):
                    each = tuple(_meant(name.raw, entity, directory) for entity in fitting)
                    unclear[name.raw.casefold()] = AmbiguousName(name.raw, each)
        for path, file in self._paths_in(text, project):
            known[file.key] = PromptEntity(path, file, (file.key,))
        here = [one for one in known.values() if not _is_this_project(one.entity, project)]
        return here, list(unclear.values())

    def touched(self, path: str, cwd: str, project: Project) -> tuple[Sequence[PromptEntity], Sequence[PromptEntity]]:
        """What a file's path names: the file itself, as its project knows it, and whoever it is the page of."""
        slugs = dict.fromkeys(slugs_of(path, cwd))
        itself = [PromptEntity(path, Entity(FILE, slug, slug, origin="run"), (f"{FILE}:{slug}",)) for slug in slugs]
        directory = self.directory(EVER)
        pages = [one for one in self.pages_at(path) if not _is_this_project(one, project)]
        return itself, [_meant(path, one, directory) for one in pages]

    def _resolved(self, mention: Mention, directory: Directory, where: MentionPlace) -> Mention:
        if mention.type == FILE and len(files := where.files(mention.raw)) == 1:  # however long its path is
            return Mention(FILE, files[0].slug, files[0].slug, resolved=True)
        raw = entities.shown(mention.raw)
        within = MentionPlace(where.project, mention.type, where.text, files=where.files)
        asked = f"{mention.type}:{mention.slug}" if mention.slug else raw
        resolution = entities.resolve(asked, directory, within)
        if mention.slug and not isinstance(resolution, Known):
            resolution = entities.resolve(raw, directory, within)
        made = as_mention(raw, resolution if isinstance(resolution, Known) else Ambiguous(()))
        return made if made.resolved else Mention(mention.type, made.raw)

    def pages_at(self, path: str) -> Sequence[Entity]:
        """Whoever this file is the page of."""
        return self._made.pages.get(os.path.realpath(path), ()) if self._made else ()

    def files(self, path: str, project: Project) -> Sequence[Entity]:
        """Files that Runs of this project touched and that end like this; of any project where there is none."""
        storage, reader = self._home.storage(), self._home.reader
        clean = path.strip().removeprefix("./").replace("\\", "/")
        if not clean or ".." in PurePosixPath(clean).parts:
            return ()
        which = RunFilter(project=project.key, limit=MOST_TOUCHES)
        touched = storage.touches.of(clean, which, reader)[:MOST_TOUCHES]
        tops = {path: identity.checkout_of(path) for path in {touch.path for touch in touched}}
        found = dict.fromkeys(self._within(touch.path, touch.run, tops[touch.path]) for touch in touched)
        return [Entity(FILE, slug, slug, origin="run") for slug in found]

    def _within(self, path: str, run: str, top: str) -> str:
        """A path as its project knows it: from its checkout, where that is gone from where its Run worked."""
        summary = None if top else self._home.storage().runs.get(run, self._home.reader)
        roots = [top] if top else [summary.cwd.rstrip("/"), self._filed_under(run)] if summary else []
        root = next((root for root in roots if root and path.startswith(f"{root}/")), "")
        return identity.without_worktree(path.removeprefix(f"{root}/") if root else path)

    def _filed_under(self, run: str) -> str:
        """The folder of a Run's project, where that has no other name: a Run may have worked further down in it."""
        filed = self._home.storage().projects.filed_as("", [run], self._home.reader)
        return filed.key.rstrip("/") if filed is not None and identity.is_path(filed.key) else ""

    def _paths_in(self, text: str, project: Project) -> list[tuple[str, Entity]]:
        found: list[tuple[str, Entity]] = []
        for path in paths_in(text):
            if len(files := self.files(path, project)) == 1:
                found.append((path, files[0]))
        return found


def _listed(entity: Entity, about: Sequence[NameCount], merged: Sequence[str]) -> EntityRow:
    active = sum(one.memories for one in about if one.state is State.ACTIVE)
    last = max((one.seen for one in about), default=None)
    return EntityRow(entity, sum(one.memories for one in about), active, last, merged)


def _is_about(memory: Memory, keys: Sequence[str]) -> bool:
    return any(one.resolved and f"{one.type}:{one.slug}" in keys for one in memory.related_entities)


def _meant(raw: str, entity: Entity, directory: Directory) -> PromptEntity:
    return PromptEntity(raw, entity, tuple(directory.names_of(entity)) or (entity.key,))


def _by_file(directory: Directory) -> Mapping[str, Sequence[Entity]]:
    found: dict[str, list[Entity]] = {}
    for one in directory.entities:
        if one.file:
            found.setdefault(os.path.realpath(one.file), []).append(one)
    return found


def _is_this_project(entity: Entity, project: Project) -> bool:
    return entity.type == "project" and entities.at_home(entity, project)


def as_mention(raw: str, resolution: Known | Ambiguous) -> Mention:
    raw = re.sub(r"['’]s$", "", raw.strip('`"“” ')).strip()
    match resolution:
        case Known(entity):
            return Mention(entity.type, raw, entity.slug, resolved=True)
        case Ambiguous(fitting):
            types = {entity.type for entity in fitting}
            return Mention(types.pop() if len(types) == 1 else "", raw)


def _each_once(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """Resolved ones by what they are, others by their words: those are asked about only where nothing settles them."""
    kept: dict[tuple[str, str], Mention] = {}
    settled = {mention.raw.casefold() for mention in mentions if mention.resolved}
    for mention in mentions:
        if not mention.raw or (not mention.resolved and mention.raw.casefold() in settled):
            continue
        kept.setdefault((mention.type, mention.slug) if mention.resolved else ("", mention.raw.casefold()), mention)
    return tuple(kept.values())
