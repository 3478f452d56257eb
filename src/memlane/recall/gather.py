"""Which Memories could matter here? Those about what the prompt names, and those near to it in meaning or in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from memlane.domain import (
    ANY_PROJECT,
    NO_PROJECT,
    CueMatch,
    Entity,
    Feedback,
    Memory,
    Query,
    Reader,
    Scope,
    Selection,
    State,
)
from memlane.domain.activity import ACTIVITY, sign_of
from memlane.recall.cold import surely_meant
from memlane.recall.need import Need
from memlane.recall.request import NoteRequest, requested
from memlane.recall.score import Calibration, LikelyMemory, likelier, nearness_of, net_downs, similarities
from memlane.recall.weights import Specificity
from memlane.recall.words import content_terms, is_identifier, likeness
from memlane.storage import MemoryBounds, Storage

if TYPE_CHECKING:
    from memlane.storage import Vector

NEAR = 32  # looked at closely; the others are too far away to be the one
WORDS_ALONE = "words"
ASKED_FOR = "asked"  # source of one that the prompt asks for by its type or its time
BOTH = "it is about several things that the prompt names"
OF_NAMED = "the prompt asks for notes about what it names"
OF_TYPE = "the prompt asks for notes of this type"
OF_A_TIME = "the prompt asks for notes of this time"
WORDED = 300  # that share a word, compared with the prompt; where there are more, the rarest words choose
OF_TIME = 3  # that are told of one: those nearest to its middle
OF_ACTIVITY = 50  # Memories for one Activity, of which one is told
PERSON = "person"
A_PERSON = 2.2  # in log odds: a note about somebody the prompt names, at 0.08 by likeness, reaches the floor
BEFORE = 0.5  # how much of the query is what was said before the prompt, beside the prompt's own one


@dataclass(frozen=True, slots=True)
class PromptVector:
    """The prompt as the model understands it, and what its cosines mean."""

    vector: Vector
    model: str
    calibration: Calibration


@dataclass(frozen=True, slots=True)
class PromptEntity:
    """An Entity the prompt names, and every `type:slug` that Memories know it by."""

    raw: str
    entity: Entity
    keys: tuple[str, ...]
    memories: tuple[str, ...] = ()  # that name it in their text, where no directory knows it

    @property
    def whole_person(self) -> bool:
        """A person by first and last name. A first name alone says less: prompts that look as if they needed a note are
        often about the same Dana."""
        return self.entity.type == PERSON and len(self.raw.split()) > 1


@dataclass(frozen=True, slots=True)
class AmbiguousName:
    """A name in the prompt that fits several."""

    raw: str
    fitting: tuple[PromptEntity, ...]


@dataclass(frozen=True, slots=True)
class Shortlist:
    """What was found: about what is named, about those a name may mean, and by meaning or words alone."""

    about: Sequence[LikelyMemory] = ()
    unclear: Sequence[tuple[AmbiguousName, Sequence[LikelyMemory]]] = ()
    near: Sequence[LikelyMemory] = ()
    model: str = ""  # whose similarities these are; "": words alone
    asked: Sequence[LikelyMemory] = ()  # what the prompt asks for itself, however near: told where nothing else is


class MemoryLookup:
    """One look. It reads storage on behalf of one Reader and nothing else. `cold`: the model is still being opened."""

    def __init__(
        self,
        query: Query,
        need: Need,
        asked: PromptVector | None,
        reader: Reader,
        storage: Storage,
        *,
        cold: bool = False,
    ) -> None:
        self._query, self._need, self._asked, self._cold = query, need, asked, cold
        self._reader, self._storage = reader, storage

    def look(
        self,
        meant: Sequence[PromptEntity],
        unclear: Sequence[AmbiguousName],
        specificity: Specificity,
        now: datetime,
    ) -> Shortlist:
        request = requested(self._query.words, self._need, [one.raw for one in (*meant, *unclear)])
        return Shortlist(
            about := self._surely(self._about(meant), request) if meant else [],
            [(one, self._about(one.fitting)) for one in unclear],
            self._nearest("meaning") if self._asked else self._by_words(specificity),
            self._asked.model if self._asked else "",
            [
                *(replace(one, asked=OF_NAMED) for one in about if self._is_asked(one, request)),
                *self._asked_for(request, now),
            ],
        )

    def _surely(self, about: Sequence[LikelyMemory], request: NoteRequest) -> list[LikelyMemory]:
        """What is about several things that are named needs no likeness. While the model is being opened, nothing else
        is told but what is asked for and what shares the subject of the prompt."""
        found = [replace(one, asked=BOTH if one.covers > 1 else "") for one in about]
        if not self._cold:
            return found
        subject = request.subject
        return [one for one in found if one.asked or self._is_asked(one, request) or subject & _terms(one)]

    def _is_asked(self, one: LikelyMemory, request: NoteRequest) -> bool:
        """All about what is named, or those of the type that is asked for."""
        return request.about_names or (request.of_type and one.memory.type in self._need.boosted)

    def _asked_for(self, request: NoteRequest, now: datetime) -> list[LikelyMemory]:
        """Those of a type on a subject, or those of a time, however near they are."""
        if request.of_type and request.subject:
            found = sharing(sorted(request.subject), self._query, self._reader, self._storage)
            on_it = [one for one in found if request.subject & content_terms(one.text)]
            return self._known([one for one in on_it if one.type in self._need.boosted], OF_TYPE)
        if request.of_time and self._need.within:
            newest, oldest = (now - timedelta(days=days) for days in self._need.within)
            which = Selection(states=(State.ACTIVE,), since=oldest, until=newest, limit=WORDED)
            found = self._known(self._storage.memories.found(which, self._reader), OF_A_TIME)
            middle = oldest + (newest - oldest) / 2
            return sorted(found, key=lambda one: (abs(one.memory.formed_at - middle), one.memory.id))[:OF_TIME]
        return []

    def _known(self, memories: Iterable[Memory], why: str) -> list[LikelyMemory]:
        those = {one.id: one for one in memories if in_scope(one, self._query) and for_agent(one, self._query)}
        near = {one.memory.id: one for one in self._nearest(ASKED_FOR, ids=tuple(those))} if those else {}
        unknown = {id: LikelyMemory(one, 0.0, ASKED_FOR, judged=False) for id, one in those.items()}
        return [replace(one, asked=why) for one in {**unknown, **near}.values()]

    def of_file(
        self, itself: Sequence[PromptEntity], pages: Sequence[PromptEntity]
    ) -> tuple[list[LikelyMemory], list[LikelyMemory]]:
        """What is known about a file that is touched, and about whoever it is the page of."""
        near = self._about(itself)
        met = {one.memory.id for one in near}
        keys = [key for one in itself for key in one.keys]
        unread = [one for one in self._naming(keys) if one.id not in met]  # new, and not understood yet
        own = [replace(one, source="file") for one in near]
        own += [LikelyMemory(one, 0.0, "file", covers(one, itself), judged=False) for one in unread]
        known = {one.memory.id for one in own}
        return own, [replace(one, source="file") for one in self._about(pages) if one.memory.id not in known]

    def for_activity(self, name: str) -> list[LikelyMemory]:
        """What is for it: to be about to do it is to need that."""
        found = self._storage.memories.sharing([sign_of(name)], self._query.project.key, self._reader, OF_ACTIVITY)
        return [LikelyMemory(memory, 0.0, ACTIVITY, judged=False) for memory in found]

    def _about(self, meant: Sequence[PromptEntity]) -> list[LikelyMemory]:
        keys, ids = (tuple(key for one in meant for key in some(one)) for some in (_keys, _memories))
        if not keys and not ids:
            return []
        if self._asked:
            near = [replace(one, covers=covers(one.memory, meant)) for one in self._nearest("entity", keys, ids)]
            return [self._by_person(one, meant) for one in near]
        named = {one.id: one for one in (*self._naming(keys), *self._those(ids))}.values()
        found = (LikelyMemory(one, 0.0, "entity", covers(one, meant), judged=False) for one in named)
        return [replace(one, rare_word=self._rare(one.memory)) for one in found]

    def _by_person(self, one: LikelyMemory, meant: Sequence[PromptEntity]) -> LikelyMemory:
        """Somebody whose whole name is in both is worth something beside the likeness."""
        person = any(each.whole_person and covers(one.memory, [each]) for each in meant)
        plain = self._asked is None or self._asked.calibration.plain
        return replace(one, similarity=likelier(one.similarity, A_PERSON)) if person and not plain else one

    def _nearest(self, source: str, about: tuple[str, ...] = (), ids: tuple[str, ...] = ()) -> list[LikelyMemory]:
        if self._asked is None:
            return []
        where = MemoryBounds(None if self._query.project == ANY_PROJECT else self._query.project.key, about, ids)
        found = self._storage.memories.nearest_with_cues(
            self._asked.vector, self._asked.model, [State.ACTIVE], self._reader, NEAR, where
        )
        near = sorted(found, key=lambda one: (-nearness_of(one), one.memory.id))[:NEAR]
        similar = similarities(near, self._need.terms, self._asked.calibration)
        return [
            LikelyMemory(one.memory, similarity, source, rare_word=self._rare(one.memory), note=one.note, cue=one.cue)
            for one, similarity in zip(near, similar, strict=True)
        ]

    def _naming(self, keys: Sequence[str]) -> list[Memory]:
        found = {memory.id: memory for key in keys for memory in self._storage.memories.naming(key, self._reader)}
        return [memory for memory in found.values() if memory.state is State.ACTIVE and in_scope(memory, self._query)]

    def _those(self, ids: Sequence[str]) -> list[Memory]:
        found = (self._storage.memories.get(id, self._reader) for id in ids)
        return [one for one in found if one is not None and one.state is State.ACTIVE and in_scope(one, self._query)]

    def _by_words(self, specificity: Specificity) -> list[LikelyMemory]:
        """Each with how like the prompt it is; those that share nothing are left out."""
        terms = self._need.terms
        known = self._storage.chunks.statistics(sorted(terms), self._reader)
        enough = known.chunks >= specificity.enough_chunks
        shares = {term: count / known.chunks for term, count in known.having.items()} if enough else None
        some = sharing(sorted(terms), self._query, self._reader, self._storage)
        memories = [memory for memory in some if for_agent(memory, self._query)]
        if self._cold:
            memories = [one for one in [surely_meant(terms, memories)] if one]
        found = (self._worded(memory, shares, specificity) for memory in memories)
        return [one for one in found if one.similarity > 0]

    def _worded(self, memory: Memory, shares: Mapping[str, float] | None, specificity: Specificity) -> LikelyMemory:
        """A Cue's words count beside those of the note: in another language they may be all there is."""
        note, cues = content_terms(memory.text), [content_terms(cue) for cue in memory.cues]

        def like(text: frozenset[str]) -> float:
            return round(likeness(self._need.terms, text, shares, specificity), 3)

        alike = [like(cue) for cue in cues]
        best = max(range(len(alike)), key=alike.__getitem__, default=None)
        both = note if best is None else note | cues[best]
        cue = None if best is None else CueMatch(best, alike[best])
        rare = self._rare(memory)
        return LikelyMemory(memory, like(both), WORDS_ALONE, rare_word=rare, note=like(note), cue=cue)

    def _rare(self, memory: Memory) -> bool:
        """An identifier, a code or a path that stands in both."""
        return any(is_identifier(term) for term in self._need.terms & content_terms(memory.text))


def sharing(terms: Sequence[str], query: Query, reader: Reader, storage: Storage) -> Iterable[Memory]:
    """Those that have one of these terms, in the project of the Query or in all of them."""
    anywhere = query.project == ANY_PROJECT
    places = (*storage.runs.projects(reader), NO_PROJECT) if anywhere else (query.project,)
    found = (storage.memories.sharing(terms, one.key, reader, WORDED) for one in places)
    return {memory.id: memory for some in found for memory in some}.values()


def covers(memory: Memory, meant: Sequence[PromptEntity]) -> int:
    """How many of them it is about."""
    about = {f"{mention.type}:{mention.slug}" for mention in memory.related_entities if mention.resolved}
    return sum(bool(about & set(one.keys)) or memory.id in one.memories for one in meant)


def _terms(one: LikelyMemory) -> frozenset[str]:
    return content_terms(one.memory.text)


def _keys(one: PromptEntity) -> tuple[str, ...]:
    return one.keys


def _memories(one: PromptEntity) -> tuple[str, ...]:
    return one.memories


def in_scope(memory: Memory, query: Query) -> bool:
    return memory.scope is not Scope.PROJECT or query.project.key in (memory.project_key, ANY_PROJECT.key)


def for_agent(memory: Memory, query: Query) -> bool:
    return not memory.target_agents or query.agent in memory.target_agents


def weighed(looked: Shortlist, judged: Sequence[Feedback], alike: Mapping[str, float]) -> Shortlist:
    """With what people said about each; `alike`: how like the prompt of each Feedback is to this one."""
    given: dict[str, list[tuple[Feedback, float]]] = {}
    for one in judged:
        given.setdefault(one.memory, []).append((one, alike.get(one.query, 0.0)))
    downs = {memory: net_downs(verdicts) for memory, verdicts in given.items()}

    def with_votes(found: Sequence[LikelyMemory]) -> list[LikelyMemory]:
        return [replace(one, downs=downs.get(one.memory.id, 0.0)) for one in found]

    if not downs:
        return looked
    about, near, asked = with_votes(looked.about), with_votes(looked.near), with_votes(looked.asked)
    return replace(looked, about=about, near=near, asked=asked)
