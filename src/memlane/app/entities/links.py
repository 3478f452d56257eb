"""Memories follow the directory: when it changes, what they name is resolved anew.

Work is found by comparison: a note holds what each Entity was called when we last looked, and how far the Memories had
come. Only Memories that may name what changed are read. What changes is one act of ours, which a person may undo; what
was undone is not done again.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import cast

import msgspec

from memlane import archive, entities
from memlane.app.entities.book import EntityBook, as_mention
from memlane.app.home import Home
from memlane.app.home.journal import OURS, ActLine, ActWriter
from memlane.app.home.paths import FILE
from memlane.domain import Ambiguous, Entity, Entry, Known, Memory, Mention, NameAnswer, Project, RunFilter, State
from memlane.domain.journal import MENTIONS, UNDO
from memlane.domain.tokenizer import terms
from memlane.entities import Directory, Glance, MentionPlace

NOTE = "names"
NOW = timedelta(0)
PAGE = 5_000  # Memories looked through at once
MOST_LINES = 1_000  # of one act: in between, others may write
FEW_CHANGES = 20  # Entities whose words are looked for in Runs; for more, every Run is looked through again
MOST_CHUNKS = 5_000  # with these words; where there are more, the same


class DirectoryMark(msgspec.Struct):
    """What the directory said when Memories were last compared with it, and how far they had come."""

    sources: str = ""
    version: int = -1
    entities: dict[str, str] = {}
    answers: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class LinkReport:
    """What one look did: how many Memories it changed, whom they name now, and the acts."""

    memories: int = 0
    linked: Sequence[str] = ()  # type:slug
    open: Sequence[str] = ()  # words that could mean several: they wait in the queue
    acts: Sequence[str] = ()


NO_LINKS = LinkReport()


@dataclass(frozen=True, slots=True)
class _Past:
    """What earlier looks did, as the journal has it."""

    refused: AbstractSet[tuple[str, str]]  # Memory and name: a person undid it
    replaced: Mapping[tuple[str, str], Sequence[Mention]]  # Memory and key we gave it → what stood there before


class MentionLinks:
    """One look. It reads the directory anew, and writes only lines of kind `mentions`."""

    def __init__(self, home: Home, book: EntityBook, writer: ActWriter) -> None:
        self._home, self._book, self._writer = home, book, writer

    def look(self) -> LinkReport:
        """Nothing new is known: nothing is done, and no page is read."""
        memories, reader = self._home.storage().memories, self._home.reader
        before, sources, version = self._mark(), self._book.sources(), memories.version(reader)
        if (before.sources, before.version) == (sources, version):
            return NO_LINKS
        directory = self._book.directory(NOW)
        now = _marked(directory, self._book.answers(), sources, version)
        report = self._renew(directory, before, now)
        self._runs_again(directory, before, now)
        with self._home.lock.held():
            self._home.storage().notes.put(NOTE, msgspec.json.encode(now).decode())
        return report

    def _mark(self) -> DirectoryMark:
        noted = self._home.storage().notes.get(NOTE)
        return msgspec.json.decode(noted, type=DirectoryMark) if noted else DirectoryMark()

    def _runs_again(self, directory: Directory, before: DirectoryMark, now: DirectoryMark) -> None:
        """Runs that name what is gone or called otherwise now, and those with a word of a name that is new."""
        runs, reader = self._home.storage().runs, self._home.reader
        keys = sorted(before.entities.keys() | now.entities.keys())
        changed = [key for key in keys if before.entities.get(key) != now.entities.get(key)]
        if changed or before.answers != now.answers:
            compared = bool(before.sources)  # else Runs were named by a directory that nobody noted
            few = compared and len(changed) <= FEW_CHANGES and before.answers == now.answers
            having = self._having(directory.all[key] for key in changed if key in now.entities) if few else None
            naming = [one.id for one in runs.listed(RunFilter(entities=frozenset(changed)), reader)] if few else []
            with self._home.lock.held():
                runs.name_again(None if having is None else [*having, *naming], reader)

    def _having(self, changed: Iterable[Entity]) -> Sequence[str] | None:
        """Runs with a word of these names; None: too many to tell."""
        words = {term for one in changed for name in (one.name, one.slug, *one.aliases) for term in terms(name)}
        if not words:
            return ()
        chunks = self._home.storage().chunks.matching(sorted(words), RunFilter(), self._home.reader, MOST_CHUNKS)
        return None if len(chunks) == MOST_CHUNKS else sorted({one.chunk.run for one in chunks})

    # -- which Memories ----------------------------------------------------------------------------------------------

    def _renew(self, directory: Directory, before: DirectoryMark, now: DirectoryMark) -> LinkReport:
        gone = {key for key in before.entities if (one := directory.all.get(key)) is None or one.removed}
        ids = self._touched(directory, before, now, gone)
        past = self._past() if ids else _Past(frozenset(), {})
        memories, reader = self._home.storage().memories, self._home.reader
        lines = list[ActLine]()
        for id in ids:
            memory = memories.get(id, reader)
            if memory is not None and memory.state is not State.FORGOTTEN:
                lost, gained = _renewed(memory, directory, gone, past)
                if lost or gained:
                    data = {"memory": id, "gained": _plain(gained), "lost": _plain(lost)}
                    lines.append(ActLine(MENTIONS, id, data, OURS))
        acts = [self._writer.write(lines[n : n + MOST_LINES]) for n in range(0, len(lines), MOST_LINES)]
        return _report(lines, acts)

    def _touched(
        self, directory: Directory, before: DirectoryMark, now: DirectoryMark, gone: AbstractSet[str]
    ) -> Sequence[str]:
        """Memories that changed since, those that name what is gone or altered, and those that may name what is new."""
        memories, reader = self._home.storage().memories, self._home.reader
        found = dict.fromkeys(memories.changed_since(before.version, reader))
        altered = {key for key, digest in now.entities.items() if before.entities.get(key, digest) != digest}
        found |= dict.fromkeys(memory.id for key in sorted(gone | altered) for memory in memories.naming(key, reader))
        changed = [directory.all[key] for key, digest in now.entities.items() if before.entities.get(key) != digest]
        said = [one for one in self._book.answers() if before.answers.get(_place(one)) != now.answers[_place(one)]]
        if not changed and not said:
            return list(found)
        glance = Glance(Directory([replace(one, merged_into="", removed=False) for one in changed], said))
        unsure = {one.name for one in memories.names(reader, known=False) if glance.sees(one.name)}
        found |= dict.fromkeys(memory.id for raw in sorted(unsure) for memory in memories.naming(raw, reader))
        return list(
            found | dict.fromkeys(id for id, words in self._sayings() if id not in found and glance.sees(words))
        )

    def _sayings(self) -> Iterator[tuple[str, str]]:
        memories, last = self._home.storage().memories, ""
        while page := memories.sayings(last, PAGE, self._home.reader):
            yield from page
            last = page[-1][0]

    # -- what a person undid -----------------------------------------------------------------------------------------

    def _past(self) -> _Past:
        wanted = (f'"kind":"{kind}"' for kind in (MENTIONS, UNDO))
        every = [
            e for e in archive.entries_with(self._home.disk, self._home.layout, *wanted) if e.kind in (MENTIONS, UNDO)
        ]
        undone = _undone(entry for entry in every if entry.kind == UNDO)
        refused, replaced = set[tuple[str, str]](), dict[tuple[str, str], Sequence[Mention]]()
        for entry in every:
            if entry.kind != MENTIONS or entry.actor != OURS:
                continue
            lost, gained = (_mentions(entry, name) for name in ("lost", "gained"))
            only = undone.get((entry.machine, entry.at))
            if only is not None and (not only or entry.id in only):
                refused |= {(entry.id, _name(mention)) for mention in gained}
            for mention in gained:
                replaced[entry.id, _name(mention)] = [one for one in lost if _same_words(one, mention)]
        return _Past(refused, replaced)


def _undone(undos: Iterable[Entry]) -> Mapping[tuple[str, datetime], AbstractSet[str]]:
    """Acts a person took back, by machine and time, and which parts; empty: all. An undo that was undone counts not."""
    found = dict[tuple[str, datetime], AbstractSet[str]]()
    for entry in reversed(list(undos)):
        if (entry.machine, entry.at) not in found and "at" in entry.data:
            only = frozenset(cast(Sequence[str], entry.data.get("only", ())))
            at = datetime.fromisoformat(str(entry.data["at"])).astimezone(UTC)
            found.setdefault((str(entry.data["machine"]), at), only)
    return found


def _marked(directory: Directory, answers: Iterable[NameAnswer], sources: str, version: int) -> DirectoryMark:
    there = {key: _digest(one) for key, one in directory.all.items() if not one.removed}
    return DirectoryMark(sources, version, there, {_place(one): one.entity for one in answers})


def _digest(entity: Entity) -> str:
    words = repr((entity.name, entity.aliases, entity.merged_into))
    return hashlib.sha256(words.encode("utf-8", "surrogateescape")).hexdigest()[:12]


def _place(answer: NameAnswer) -> str:
    return f"{answer.raw.casefold()}\n{answer.project_key}"


# -- one Memory --------------------------------------------------------------------------------------------------------


def _renewed(
    memory: Memory, directory: Directory, gone: AbstractSet[str], past: _Past
) -> tuple[list[Mention], list[Mention]]:
    """What it loses and what it gains. What is resolved stays so, unless the one it meant is there no more, or Lane
    resolved it and its words mean that one no more."""
    where = MentionPlace(Project(memory.project, memory.project_key), text=memory.text)
    named = [as_mention(one.raw, one.resolution) for one in entities.mentions(memory.text, directory, where)]
    meant = {_key(one) for one in named if one.resolved}
    lost, gained = list[Mention](), list[Mention]()
    for mention in memory.related_entities:
        by_us = (memory.id, _name(mention)) in past.replaced
        if mention.type != FILE and (
            not mention.resolved or _key(mention) in gone or (by_us and _meant(mention, directory) not in meant)
        ):
            anew = _anew(mention, directory, where, past.replaced.get((memory.id, _name(mention))))
            anew = [one for one in anew if one == mention or (memory.id, _name(one)) not in past.refused]
            if anew != [mention] and (anew or mention.resolved):
                lost.append(mention)
                gained += anew
    kept = [mention for mention in memory.related_entities if mention not in lost]
    gained += [one for one in named if (memory.id, _name(one)) not in past.refused]
    return lost, _new(gained, kept, directory)


def _anew(
    mention: Mention, directory: Directory, where: MentionPlace, before: Sequence[Mention] | None
) -> Sequence[Mention]:
    """What stands in its place now; itself where nothing better is known."""
    match entities.resolve(mention.raw, directory, replace(where, type=mention.type)):
        case Known() as known:
            return [as_mention(mention.raw, known)]
        case Ambiguous() as several if mention.resolved:
            return [as_mention(mention.raw, several)]
        case _:
            return [mention] if before is None or not mention.resolved else before


def _new(gained: Iterable[Mention], kept: Sequence[Mention], directory: Directory) -> list[Mention]:
    """Each thing once, whatever it was merged into; what nobody is sure of only where these words are not settled."""
    found = list[Mention]()
    there = {_meant(one, directory) for one in kept if one.resolved}
    settled = {one.raw.casefold() for one in kept}
    for one in sorted(gained, key=lambda mention: not mention.resolved):
        known = _meant(one, directory)
        if one.raw and known not in there and (one.resolved or one.raw.casefold() not in settled):
            found.append(one)
            there |= {known} if one.resolved else set()
            settled.add(one.raw.casefold())
    return found


def _meant(mention: Mention, directory: Directory) -> str:
    one = directory.meant(_key(mention)) if mention.resolved else None
    return one.key if one is not None else _key(mention)


def _key(mention: Mention) -> str:
    return f"{mention.type}:{mention.slug}"


def _name(mention: Mention) -> str:
    return _key(mention) if mention.resolved else mention.raw.casefold()


def _same_words(one: Mention, other: Mention) -> bool:
    return one.raw.casefold() == other.raw.casefold()


def _plain(mentions: Sequence[Mention]) -> object:
    return cast(object, msgspec.to_builtins(mentions))


def _mentions(entry: Entry, name: str) -> tuple[Mention, ...]:
    return msgspec.convert(entry.data[name], tuple[Mention, ...])


def _report(lines: Sequence[ActLine], acts: Sequence[str]) -> LinkReport:
    counted = defaultdict[str, int](int)
    unsure = dict[str, None]()
    for line in lines:
        for mention in msgspec.convert(line.data["gained"], tuple[Mention, ...]):
            if mention.resolved:
                counted[_key(mention)] += 1
            else:
                unsure[mention.raw] = None
    return LinkReport(len(lines), sorted(counted, key=lambda key: (-counted[key], key)), list(unsure), acts)
