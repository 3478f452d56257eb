"""What a misspelt word may have meant: the nearest word that something has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memlane.domain import Reader
from memlane.storage import Storage

SHORTEST = 4  # letters: shorter words are near to too many
MOST = 8


def meant(unknown: Sequence[str], reader: Reader, storage: Storage) -> Mapping[str, str]:
    asked = [term for term in dict.fromkeys(unknown) if len(term) >= SHORTEST][:MOST]
    nearest = ((term, _nearest(term, storage.chunks.near_terms(term, reader))) for term in asked)
    return {term: near for term, near in nearest if near}


def _nearest(term: str, choices: Sequence[tuple[str, int]]) -> str:
    """The commonest term at most two letters away."""
    close = [(distance(term, near), -count, near) for near, count in choices]
    best = min((entry for entry in close if 0 < entry[0] <= 2), default=None)
    return best[2] if best else ""


def distance(a: str, b: str) -> int:
    """Letters added, dropped or changed to make one the other."""
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        above, row[0] = row[0], i
        for j, right in enumerate(b, 1):
            above, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, above + (left != right))
    return row[-1]
