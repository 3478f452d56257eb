"""Which people does a text name, whether or not we know them? Only what is written like a person's name.

A first name counts by itself; other words only beside a first name, or where a sentence has a person.
"""

from __future__ import annotations

from functools import lru_cache

from memlane.entities import signs
from memlane.entities.names import Words, is_cjk, one_name
from memlane.entities.signs import Prose
from memlane.entities.vocabulary import ADDRESSED, BESIDE, DAYS, DOING, GIVEN, MONTHS, WORDY

LONGEST = 3  # words of a name
LONGEST_TEXT = 4_000  # characters that are looked at


@lru_cache(4096)  # the same notes are compared with every prompt that names somebody
def people(text: str) -> tuple[Words, ...]:
    """Each as it is looked up: `("amy", "hoy")`, `("jordan",)`."""
    prose = Prose(text[:LONGEST_TEXT])
    found = dict[Words, None]()
    n = 0
    while n < len(prose.words):
        length = _length(prose, n) if _opens(prose, n) else 0
        if length:
            found[tuple(word.plain for word in prose.words[n : n + length])] = None
        n += max(1, length)
    return tuple(found)


def name_words(text: str) -> frozenset[str]:
    """The words of a text that may be names of people, however they are written."""
    words = Prose(text[:LONGEST_TEXT]).words
    return frozenset(one.plain for one in words if one.plain in GIVEN or (one.titled and _may_be_name(one.plain)))


def _may_be_name(word: str) -> bool:
    return len(word) > signs.SHORT - 1 and word not in WORDY | MONTHS | DAYS and word.isalpha() and not is_cjk(word)


def _opens(prose: Prose, n: int) -> bool:
    word = prose.words[n]
    return word.titled and _may_be_name(word.plain) and not prose.heading(n)


def _length(prose: Prose, n: int) -> int:
    """How many words of a person's name begin here; 0: none does."""
    last = n
    while last + 1 < len(prose.words) and last + 1 - n < LONGEST and _goes_on(prose, last):
        last += 1
    if not prose.apart(n, last) or not (prose.clean(n) and prose.clean(last)):
        return 0
    given = prose.words[n].plain in GIVEN
    if n == last:
        return int(given and signs.speaks_for_part(prose, n))
    return last - n + 1 if given or _has_a_person(prose, n, last) else 0


def _goes_on(prose: Prose, last: int) -> bool:
    one, other = prose.words[last], prose.words[last + 1]
    return (
        other.titled
        and prose.text[one.end : other.start] == " "
        and one_name(prose.text, one, other)
        and _may_be_name(other.plain)
    )


def _has_a_person(prose: Prose, n: int, last: int) -> bool:
    if prose.words[n].text.isupper() or prose.words[last].text.isupper():
        return False
    before, after = prose.before(n), prose.after(last)
    return before in ADDRESSED | BESIDE or after in DOING or prose.words[last].possessive
