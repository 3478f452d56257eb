"""Every name in a text: one pass, the longest name first at every word, in a time that the text alone decides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from memlane.domain import Ambiguous, Entity, Known, Unknown
from memlane.entities import signs
from memlane.entities.choice import NOWHERE, MentionPlace, generic, misspelt, one_of
from memlane.entities.directory import PERSON, Directory
from memlane.entities.names import Words, is_cjk, one_name, plain
from memlane.entities.signs import Prose
from memlane.entities.vocabulary import GENERIC, GIVEN, WORDY

LONGEST_TEXT = 200_000  # characters looked at; what is longer is no prompt and no Memory
MOST_MISSPELT = 40  # words of one text looked up as misspelt names


@dataclass(frozen=True, slots=True)
class TextMention:
    """Words of a text that mean an Entity, or could mean several."""

    raw: str
    start: int
    end: int
    resolution: Known | Ambiguous


def mentions(text: str, directory: Directory, where: MentionPlace = NOWHERE) -> list[TextMention]:
    """Every Entity a text names, in order. What could be several is among them; what is nobody's name is not.

    Who stands there with the whole name is meant by the first name too.
    """
    prose = Prose(text[:LONGEST_TEXT])
    found = scan(prose, directory, where)
    if whole := known_by_whole_name(found):
        found = scan(prose, directory, replace(where, settled=where.settled | whole))
    return found


def known_by_whole_name(found: Iterable[TextMention]) -> frozenset[str]:
    known = (n.resolution.entity for n in found if isinstance(n.resolution, Known) and len(plain(n.raw)) > 1)
    return frozenset(entity.key for entity in known if entity.type == PERSON)


def scan(prose: Prose, directory: Directory, where: MentionPlace) -> list[TextMention]:
    passing = _Scan(prose, directory, where)
    found: list[TextMention] = []
    n, words = 0, prose.words
    while n < len(words):
        named, length = passing.at(n) if passing.worth_a_look(n) else (None, 1)
        if named is not None:
            found.append(named)
        n += length
    return found


class _Scan:
    """One pass over a text, the longest name first at every word."""

    def __init__(self, prose: Prose, directory: Directory, where: MentionPlace) -> None:
        self._prose = prose
        self._directory = directory
        self._where = where
        self._misspelt_left = MOST_MISSPELT

    def worth_a_look(self, n: int) -> bool:
        word = self._prose.words[n]
        if self._directory.knows(word.plain) or word.plain in GENERIC:
            return True
        return word.text[0].isupper() and len(word.plain) > signs.SHORT and self._looks_misspelt(n)

    def _looks_misspelt(self, n: int) -> bool:
        word = self._prose.words[n]
        return (
            word.plain not in WORDY
            and word.plain not in GIVEN
            and any(True for _ in self._directory.nearly(word.plain))
        )

    def at(self, n: int) -> tuple[TextMention | None, int]:
        for words, length in self._names(n):  # the longest first
            resolution = self._meant(words, n, n + length - 1)
            if resolution is not None:
                return self._named(n, n + length - 1, resolution), length
        return None, 1

    def _names(self, n: int) -> Iterable[tuple[Words, int]]:
        """The names that stand here, and how many words of the text each takes."""
        here = self._prose.words
        for name in self._directory.starting(here[n].plain):
            if (length := self._length(name, n)) is not None:
                yield name, length
        if n + 1 < len(here) and (initial := self._initial(n)):
            yield (here[n].plain, initial), 2
        yield (here[n].plain,), 1

    def _length(self, name: Words, n: int) -> int | None:
        here, text, at = self._prose.words, self._prose.text, n
        for word in name[1:]:
            if at + 2 < len(here) and here[at + 1].plain != word and self._middle_initial(at + 1):
                at += 1
            elif at + 1 >= len(here) or not one_name(text, here[at], here[at + 1]):
                return None
            at += 1
            if here[at].plain != word:
                return None
        return at - n + 1

    def _middle_initial(self, n: int) -> bool:
        """The `J.` of Neal J. Brown."""
        word, after = self._prose.words[n], self._prose.words[n + 1]
        return len(word.text) == 1 and word.titled and self._prose.text[word.end : after.start] in (". ", " ")

    def _initial(self, n: int) -> str:
        """The `K` of Adam K."""
        word = self._prose.words[n + 1]
        one_letter = len(word.text) == 1 and word.text.isupper() and word.text not in ("I", "A")
        return word.plain if one_letter and one_name(self._prose.text, self._prose.words[n], word) else ""

    def _named(self, n: int, last: int, resolution: Known | Ambiguous) -> TextMention:
        start, end = self._prose.words[n].start, self._prose.words[last].end
        raw = self._prose.text[start:end]
        if self._prose.words[last].possessive:
            raw, end = raw[:-2], end - 2
        return TextMention(raw, start, end, resolution)

    def _meant(self, words: Words, n: int, last: int) -> Known | Ambiguous | None:
        """None: not a name here."""
        if (answer := self._directory.answer(words, self._where.project)) is not None:
            meant = self._directory.meant(answer.entity)
            return Known(meant) if meant and self._speaks(meant, words, n, last) else None
        fitting = self._directory.whole(words) or self._directory.part(words)
        if len(words) == 2 and len(words[1]) == 1 and not fitting:
            return self._by_initial(words, n)
        if len(words) == 1 and not fitting:
            return self._generic(n) if words[0] in GENERIC else self._misspelt(n)
        people = [entity for entity in fitting if _is_person(entity)]
        meant = people if people and self._speaks_for_person(people, words, n, last) else []
        things = [e for e in fitting if e not in people and signs.speaks_for_thing(self._prose, n, last, e)]
        resolution = one_of([*meant, *things], self._where)
        return None if isinstance(resolution, Unknown) else resolution

    def _speaks(self, entity: Entity, words: Words, n: int, last: int) -> bool:
        if _is_person(entity):
            return self._speaks_for_person([entity], words, n, last)
        return signs.speaks_for_thing(self._prose, n, last, entity)

    def _speaks_for_person(self, people: Sequence[Entity], words: Words, n: int, last: int) -> bool:
        prose = self._prose
        if is_cjk(words[0]):
            return len(words) > 1 and prose.apart(n, last)
        if n != last:
            return signs.speaks_for_full_name(prose, n, last)
        if signs.other_first_name(prose, n) or signs.other_surname(prose, n):
            return False
        if any(entity.key in self._where.settled for entity in people) and signs.speaks_for_called(prose, n):
            return True
        last_name = all(plain(entity.name)[:1] != words and not _alias(entity, words) for entity in people)
        return signs.speaks_for_part(prose, n, last_name=last_name) or self._as_written(people, n)

    def _as_written(self, people: Sequence[Entity], n: int) -> bool:
        """`JL` where that is the alias, letter by letter: capitals alone are no reason against it."""
        written = self._prose.words[n].text.removesuffix("'s")
        return written.isupper() and self._prose.clean(n) and any(written in entity.aliases for entity in people)

    def _by_initial(self, words: Words, n: int) -> Known | Ambiguous | None:
        fitting = self._directory.by_initial(words)
        if not fitting or not self._prose.words[n].titled:
            return None
        resolution = one_of(fitting, self._where)
        return None if isinstance(resolution, Unknown) else resolution

    def _generic(self, n: int) -> Known | Ambiguous | None:
        if self._prose.before(n) not in ("the", "our", "my") or not self._prose.clean(n):
            return None
        found = generic((self._prose.words[n].plain,), self._directory, self._where)
        return None if found is None or isinstance(found, Unknown) else found

    def _misspelt(self, n: int) -> Known | Ambiguous | None:
        """Only where a name must stand: `ask Niel about it`."""
        if not self._looks_misspelt(n) or self._misspelt_left <= 0 or not signs.a_name_stands(self._prose, n):
            return None
        self._misspelt_left -= 1
        found = one_of(misspelt((self._prose.words[n].plain,), self._directory), self._where)
        return None if isinstance(found, Unknown) else found


def _is_person(entity: Entity) -> bool:
    return entity.type in (PERSON, "agent")


def _alias(entity: Entity, words: Words) -> bool:
    return any(plain(alias) == words for alias in entity.aliases)
