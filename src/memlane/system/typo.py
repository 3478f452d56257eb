"""How far apart are two words, in slips of a finger? Knows no language."""

from __future__ import annotations


def slips(one: str, other: str) -> int:
    """Letters left out, added, swapped with their neighbour or replaced, to get from one to the other."""
    before, last = list[int](), list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            least = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b))
            if before and j > 1 and a == other[j - 2] and one[i - 2] == b:
                least = min(least, before[j - 2] + 1)
            row.append(least)
        before, last = last, row
    return last[-1]
