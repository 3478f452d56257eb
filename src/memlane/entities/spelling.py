"""Names with a slip in them: one letter wrong, missing, too many or swapped. Another common name is no slip."""

from __future__ import annotations

from memlane.domain import Entity
from memlane.entities.directory import Directory, person_words
from memlane.entities.names import Words, is_cjk, plain
from memlane.entities.vocabulary import GIVEN, WORDY

SHORTEST = 4
SHORTEST_ALONE = 5  # of a first name by itself: shorter ones have too many neighbours
LONG = 8  # letters from which two slips are allowed in a last name


def misspelt(words: Words, directory: Directory) -> list[Entity]:
    """The people whose first name (or first and last name) this nearly is."""
    if not 1 <= len(words) <= 2 or is_cjk(words[0]):
        return []
    if len(words) == 2 and words[0] in directory.first_names:
        return [e for e in directory.first_names[words[0]] if _nearly_last(words[1], person_words(plain(e.name)))]
    names = [name for name in directory.nearly(words[0]) if _nearly(words[0], name, 1)]
    fitting = [entity for name in names for entity in directory.first_names[name]]
    if len(words) == 1:
        return fitting if len(words[0]) >= SHORTEST_ALONE else []
    return [e for e in fitting if person_words(plain(e.name))[-1:] == words[1:]]


def _nearly_last(word: str, name: Words) -> bool:
    return len(name) > 1 and _nearly(word, name[-1], 2 if len(name[-1]) >= LONG else 1)


def _nearly(word: str, name: str, slips: int) -> bool:
    if word in GIVEN or word in WORDY or min(len(word), len(name)) < SHORTEST or word[0] != name[0]:
        return False
    return word != name and abs(len(word) - len(name)) <= slips and distance(word, name) <= slips


def distance(one: str, other: str) -> int:
    """Letters to change, to add, to leave out, or to swap with their neighbour."""
    rows = [list(range(len(other) + 1))]
    for n, letter in enumerate(one, 1):
        row = [n]
        for m, wanted in enumerate(other, 1):
            best = min(rows[-1][m] + 1, row[-1] + 1, rows[-1][m - 1] + (letter != wanted))
            if n > 1 and m > 1 and letter == other[m - 2] and one[n - 2] == wanted:
                best = min(best, rows[-2][m - 2] + 1)
            row.append(best)
        rows.append(row)
    return rows[-1][-1]
