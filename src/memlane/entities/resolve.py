"""Who is meant by what somebody wrote down as a name: one, several, or nobody we know. Never a guess."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from memlane.domain import Entity, Known, Resolution, Unknown
from memlane.entities import signs
from memlane.entities.choice import NOWHERE, MentionPlace, generic, misspelt, one_of
from memlane.entities.directory import PERSON, Directory
from memlane.entities.names import ARTICLES, TITLES, Words, plain
from memlane.entities.scan import LONGEST_TEXT, TextMention, known_by_whole_name, mentions, scan
from memlane.entities.signs import Prose

PATH = re.compile(r"(?:[\w.~@+-]*/)*[\w.+-]*\w\.[A-Za-z][A-Za-z0-9]{0,9}")


def resolve(mention: str, directory: Directory, where: MentionPlace = NOWHERE) -> Resolution:
    """What somebody wrote down as a name. Words that are names count when they are written or spoken of as one."""
    if (said := directory.meant(mention.strip())) is not None:
        return Known(said)
    words = _stripped(plain(mention))
    if not words:
        return Unknown()
    if (answer := directory.answer(words, where.project)) is not None:
        meant = directory.meant(answer.entity)
        return Known(meant) if meant else Unknown()
    if PATH.fullmatch(mention.strip("`'\" ")) and (files := where.files(mention.strip("`'\" "))):
        return one_of(files, where)
    if (sort := generic(words, directory, where)) is not None:
        return sort
    if not _meant_as_a_name(mention, words, where):
        return Unknown()
    within = _with_settled(directory, where)
    spelt_out = any(entity.key in within.settled for entity in directory.part(words))  # Amy, beside Amy Hoy
    if _part_of_another(words, where) and not spelt_out:
        return Unknown()
    return _looked_up(words, directory, within)


def _stripped(words: Words) -> Words:
    """`the Indy Hall` is Indy Hall; `Mr Brown` is Brown."""
    return words[1:] if len(words) > 1 and words[0] in ARTICLES | TITLES else words


def _meant_as_a_name(mention: str, words: Words, where: MentionPlace) -> bool:
    if not all(signs.needs_more(word) for word in words) or len(words) > 2 or where.type not in ("", PERSON):
        return True
    written = [word for word in Prose(mention).words if word.plain in words]
    if any(word.titled for word in written):
        return True
    return any(named.raw.casefold() == mention.casefold() for named in _bare(where.text, words))


def _part_of_another(words: Words, where: MentionPlace) -> bool:
    """`Adam` where the text only ever says Adam Smith."""
    if len(words) != 1 or not where.text:
        return False
    prose = Prose(where.text[:LONGEST_TEXT])
    places = [n for n, word in enumerate(prose.words) if word.plain == words[0] and word.titled]
    others = [signs.other_surname(prose, n) or signs.other_first_name(prose, n) for n in places]
    return bool(others) and all(others)


def _bare(text: str, words: Words) -> Iterable[TextMention]:
    """Where these words stand in the text as a name."""
    entity = Entity(PERSON, "-".join(words), " ".join(words))
    return mentions(text, Directory([entity])) if text else ()


def _looked_up(words: Words, directory: Directory, where: MentionPlace) -> Resolution:
    fitting = directory.whole(words) or directory.part(words) or directory.part(("".join(words),))
    fitting = fitting or directory.by_initial(words)
    if fitting:
        return one_of(fitting, where)
    if where.type not in ("", PERSON):
        return Unknown()
    return one_of(misspelt(words, directory), where)


def _with_settled(directory: Directory, where: MentionPlace) -> MentionPlace:
    """A full name in the text says who the first name alone is."""
    if not where.text:
        return where
    found = scan(Prose(where.text[:LONGEST_TEXT]), directory, where)
    return replace(where, settled=where.settled | known_by_whole_name(found))
