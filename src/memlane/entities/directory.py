"""One directory of all Entities there are, however they came: by their names, and by the words their names begin with.

It says which ones fit some words; whether the words mean any of them is weighed in `resolve`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from memlane.domain import Entity, NameAnswer, Project
from memlane.entities.names import TITLES, Words, is_cjk, plain
from memlane.entities.vocabulary import DOMAINS

PERSON = "person"
LONGEST = 12  # words of a name, characters of one without spaces
LONGEST_WORD = 24  # letters of a first name that may be misspelt
SHORTEST_JOINED = 6  # letters from which `indyhall` may be Indy Hall
LONGEST_CHAIN = 20  # of merges


def combined(found: Iterable[Entity], by_hand: Iterable[Entity]) -> list[Entity]:
    """What folders and Runs give, with what people said about it since: their name for it, and all names it has."""
    known = dict[str, Entity]()
    for entity in found:
        known.setdefault(entity.key, entity)
    for entity in by_hand:
        before = known.get(entity.key)
        if before is not None:
            names = dict.fromkeys((*entity.aliases, before.name, *before.aliases))
            aliases = tuple(name for name in names if name != entity.name)
            entity = replace(entity, aliases=aliases, file=before.file or entity.file, origin=before.origin)
        known[entity.key] = entity
    return list(known.values())


class Directory:
    """Made once, asked often: everything is looked up by words, nothing is searched through."""

    def __init__(self, entities: Iterable[Entity], answers: Iterable[NameAnswer] = ()) -> None:
        self.all: Mapping[str, Entity] = {entity.key: entity for entity in entities}
        self._answers = {(plain(answer.raw), answer.project_key): answer for answer in answers}
        self._whole = dict[Words, list[str]]()  # full names and what somebody wrote down as an alias
        self._part = dict[Words, list[str]]()  # first and last names, and names of one word
        for entity in self.all.values():
            if self.meant(entity.key) is not None:
                self._enter(entity)
        self._heads = self._headed()

    @cached_property
    def entities(self) -> Sequence[Entity]:
        """Those that are there: not merged into another, not removed."""
        return [e for e in self.all.values() if not e.removed and not e.merged_into]

    def meant(self, key: str) -> Entity | None:
        """The one it is now, through every merge."""
        for _step in range(LONGEST_CHAIN):
            entity = self.all.get(key)
            if entity is None or entity.removed:
                return None
            if not entity.merged_into:
                return entity
            key = entity.merged_into
        return None

    def names_of(self, entity: Entity) -> list[str]:
        """Every key that means it: its own, and those merged into it."""
        return [key for key in self.all if (one := self.meant(key)) is not None and one.key == entity.key]

    # -- looking up --------------------------------------------------------------------------------------------------

    def whole(self, words: Words) -> tuple[Entity, ...]:
        return self._found(self._whole.get(words, ()))

    def part(self, words: Words) -> tuple[Entity, ...]:
        return self._found(self._part.get(words, ()))

    def starting(self, word: str) -> Sequence[Words]:
        """All names of more than one word that begin with it, the longest first."""
        return self._heads.get(word, ())

    def knows(self, word: str) -> bool:
        return word in self._heads or (word,) in self._part or (word,) in self._whole or self._asked_about((word,))

    def answer(self, words: Words, project: Project) -> NameAnswer | None:
        """What a person said it means here, else everywhere."""
        here = self._answers.get((words, project.key)) if project.key else None
        return here or self._answers.get((words, ""))

    def _asked_about(self, words: Words) -> bool:
        return words in self._asked

    @cached_property
    def _asked(self) -> frozenset[Words]:
        return frozenset(words for words, _project in self._answers)

    def _found(self, keys: Sequence[str]) -> tuple[Entity, ...]:
        return tuple(dict.fromkeys(one for key in keys if (one := self.meant(key)) is not None))

    @cached_property
    def first_names(self) -> Mapping[str, Sequence[Entity]]:
        """People by their first name."""
        people: dict[str, list[Entity]] = {}
        for entity in self.entities:
            if entity.type == PERSON and (words := person_words(plain(entity.name))) and not is_cjk(words[0]):
                people.setdefault(words[0], []).append(entity)
        return people

    def nearly(self, name: str) -> Iterable[str]:
        """First names that share all letters but one with this: what a misspelt one may have meant."""
        if len(name) > LONGEST_WORD:
            return ()
        return dict.fromkeys(other for less in _one_less(name) for other in self._one_less.get(less, ()))

    @cached_property
    def _one_less(self) -> Mapping[str, Sequence[str]]:
        shorter: dict[str, list[str]] = {}
        for name in self.first_names:
            if len(name) > LONGEST_WORD:
                continue
            for less in _one_less(name):
                shorter.setdefault(less, []).append(name)
        return shorter

    def alike(self, words: Words) -> Sequence[Entity]:
        """People one may have meant by a name nobody has: a part of theirs, or nearly their first name."""
        parts = (entity for word in words for entity in self.part((word,)) if entity.type == PERSON)
        nearly = (entity for name in self.nearly(words[0]) for entity in self.first_names[name]) if words else ()
        return list(dict.fromkeys((*parts, *nearly)))

    def by_initial(self, words: Words) -> tuple[Entity, ...]:
        """`Adam K`: people of this first name whose last name begins like this."""
        if len(words) != 2 or len(words[1]) != 1:
            return ()
        people = (
            (entity, person_words(plain(entity.name))) for entity in self.part(words[:1]) if entity.type == PERSON
        )
        return tuple(entity for entity, name in people if name[:1] == words[:1] and name[-1][0] == words[1])

    def of_sort(self, type_: str) -> list[Entity]:
        """Those of a type; a website is one by its address too."""
        addressed = type_ == "website"
        return [e for e in self.entities if e.type == type_ or (addressed and _has_address(e))]

    # -- making ------------------------------------------------------------------------------------------------------

    def _enter(self, entity: Entity) -> None:
        person, name = entity.type == PERSON, plain(entity.name)
        for words in (*_spellings(name, person=person), plain(entity.slug)):
            self._put(self._whole if len(words) > 1 else self._part, words, entity.key)
        for alias in entity.aliases:
            for words in _spellings(plain(alias), person=person):
                self._put(self._whole if len(words) > 1 or entity.origin != "run" else self._part, words, entity.key)
        if person:
            for words in _parts(entity.name, name):
                self._put(self._part, words, entity.key)
        elif len(joined := "".join(name)) >= SHORTEST_JOINED and not is_cjk(joined):
            self._put(self._part, (joined,), entity.key)

    def _put(self, where: dict[Words, list[str]], words: Words, key: str) -> None:
        if words and len(words) <= LONGEST:
            keys = where.setdefault(words, [])
            if key not in keys:
                keys.append(key)

    def _headed(self) -> dict[str, list[Words]]:
        heads: dict[str, set[Words]] = {}
        for words in (*self._whole, *self._part, *(words for words, _project in self._answers)):
            if len(words) > 1:
                heads.setdefault(words[0], set()).add(words)
        return {head: sorted(names, key=len, reverse=True) for head, names in heads.items()}


def _spellings(words: Words, *, person: bool) -> list[Words]:
    """A name as it may be written: without its article or title, a person's also without the names in between."""
    if not person:
        return [words, words[1:]] if len(words) > 2 and words[0] == "the" else [words]
    called = person_words(words)
    if len(called) > 2 and not is_cjk(called[0]):
        return [words, called, (called[0], called[-1])]
    return [words] if called == words else [words, called]


def person_words(words: Words) -> Words:
    return tuple(word for word in words if word not in TITLES)


def _parts(name: str, words: Words) -> list[Words]:
    """First and last name. 田中 太郎 is cut where its owner cut it."""
    called = person_words(words)
    if len(called) < 2:
        return []
    if is_cjk(called[0]):
        pieces = [plain(piece) for piece in name.split()]
        return [piece for piece in pieces if len(piece) > 1] if len(pieces) > 1 else []
    return [called[:1], called[-1:]]


def _one_less(name: str) -> list[str]:
    """Itself, and every way to leave one letter out."""
    return [name, *(name[:n] + name[n + 1 :] for n in range(len(name)))]


def _has_address(entity: Entity) -> bool:
    words = plain(entity.slug)
    return entity.type != PERSON and " " not in entity.name and len(words) > 1 and words[-1] in DOMAINS
