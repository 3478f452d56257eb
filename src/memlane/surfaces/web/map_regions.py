"""Neighbourhoods of the map: where many Memories stand together, and the words that are said there more than elsewhere.

Only for reading: dots keep their places, names may change as more is learnt. Pure; loads numpy when asked.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

Spot = tuple[float, float]
MOST_READ = 3000  # memories, evenly through all: names of places do not need every one
FEWEST = 12  # memories: fewer need no names of places
MOST = 14
ROUNDS = 12
WORDS = 2
STEM = 5  # letters: what begins alike says the same
SAID = 0.12  # of those in a place have the word, at least
_WORD = re.compile(r"[^\W\d_][\w'-]{2,}")
_CODE = re.compile(r"[/\\<>{}()=$]|\.\w")  # paths and code say little over a cluster
_SAID_EVERYWHERE = """
about after again all also always and any are ask asked because been before being both but can cannot could did
does don't done each either every first for from get gets has have here how into is isn't it its it's just keep
know let like made make many may more most must need needs never new not nothing now of off one only onto or
other our out over own per person please put said same say says see set should shouldn't since some still such
take than that the their them then there these they thing this those through too two until up use used uses user
using very want wants was way we were what when where which while who why will with without won't would you your
agent
"""
COMMON = frozenset(_SAID_EVERYWHERE.split())


@dataclass(frozen=True, slots=True)
class MapRegion:
    """Where its middle is, its name, and how many of all stand there."""

    at: Spot
    name: str
    share: float


def sampled(names: Sequence[str]) -> Sequence[str]:
    """Whose titles are read."""
    return names[:: max(1, -(-len(names) // MOST_READ))]


def regions(titles: Mapping[str, str], at: Mapping[str, Spot]) -> Sequence[MapRegion]:
    """The most crowded first. `titles` are those of Memories; one without a place is left out."""
    read = [name for name in titles if name in at]
    if len(read) < FEWEST:
        return []
    groups = _together([at[name] for name in read])
    said = [_words(titles[name]) for name in read]
    everywhere = Counter(word for words in said for word in words)
    found, taken = list[MapRegion](), set[str]()
    for middle, members in sorted(groups, key=lambda group: -len(group[1])):
        words = _telling([said[n] for n in members], everywhere, len(read), taken)
        if words:
            taken.update(words)
            found.append(MapRegion(middle, ", ".join(words), len(members) / len(read)))
    return found


def _together(spots: Sequence[Spot]) -> Sequence[tuple[Spot, Sequence[int]]]:
    """Those near each other, by their nearest middle: some rounds of that, from middles far apart."""
    import numpy as np  # noqa: PLC0415 - only for a map

    points = np.array(spots, dtype=np.float32)
    many = max(3, min(MOST, round(math.sqrt(len(spots) / 3))))
    middles = _far_apart(points, many)
    nearest = np.zeros(len(points), dtype=np.int64)
    for _ in range(ROUNDS):
        nearest = ((points[:, None, :] - middles[None, :, :]) ** 2).sum(axis=2).argmin(axis=1)
        for n in range(len(middles)):
            if (nearest == n).any():
                middles[n] = points[nearest == n].mean(axis=0)
    members = [np.flatnonzero(nearest == n).tolist() for n in range(len(middles))]
    return [((float(x), float(y)), some) for (x, y), some in zip(middles, members, strict=True) if some]


def _far_apart(points: Vector, many: int) -> Vector:
    """The first, then always the one that is farthest from those chosen: the same points give the same middles."""
    import numpy as np  # noqa: PLC0415

    chosen = [0]
    far = ((points - points[0]) ** 2).sum(axis=1)
    while len(chosen) < min(many, len(points)):
        chosen.append(int(far.argmax()))
        far = np.minimum(far, ((points - points[chosen[-1]]) ** 2).sum(axis=1))
    return points[chosen].copy()


def _words(title: str) -> frozenset[str]:
    plain = " ".join(part for part in title.replace("`", " ").split() if not _CODE.search(part.strip(".,;:!?\"'")))
    return frozenset(word for word in map(str.casefold, _WORD.findall(plain)) if word not in COMMON)


def _telling(said: Sequence[frozenset[str]], everywhere: Mapping[str, int], total: int, taken: set[str]) -> list[str]:
    """What is said here more than elsewhere; a word stands over one place alone."""
    here = Counter(word for words in said for word in words)
    least = max(2, math.ceil(SAID * len(said)))

    def weight(word: str) -> float:
        return here[word] * math.log(here[word] * total / (everywhere[word] * len(said)))

    known = [word for word, count in here.items() if count >= least and word not in taken and weight(word) > 0]
    best = dict[str, str]()
    for word in sorted(known, key=lambda word: (-weight(word), word)):
        best.setdefault(word[:STEM], word)
    return list(best.values())[:WORDS]
