"""Places on the map: what is alike stands together, and nobody who has a place is ever moved."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from memlane.embed.layout import Neighbourhood, Spot, laid_out

Vectors = dict[str, NDArray[np.float32]]
SORTS = 6


def meanings(each: int, seed: int = 7) -> Vectors:
    """Some sorts of things, each scattered around something of its own."""
    random = np.random.default_rng(seed)
    middles = random.normal(size=(SORTS, 64))
    found = Vectors()
    for n in range(each):
        for sort in range(SORTS):
            vector = middles[sort] + random.normal(size=64) * 0.5
            found[f"m_{sort}x{n}"] = (vector / np.linalg.norm(vector)).astype(np.float32)
    return found


def mixed(spots: Mapping[str, Spot]) -> float:
    """The share of dots whose nearest dot is of another sort."""
    others = 0
    for name, spot in spots.items():
        nearest = min((one for one in spots if one != name), key=lambda one: math.dist(spot, spots[one]))
        others += nearest.partition("x")[0] != name.partition("x")[0]
    return others / len(spots)


def test_what_is_alike_stands_together() -> None:
    vectors = meanings(20)
    spots = laid_out(list(vectors), vectors)
    assert mixed(spots) < 0.1, "by chance it would be five in six"
    assert spots == laid_out(list(vectors), vectors), "the same every time"


def test_who_comes_later_is_put_beside_what_it_is_like_and_moves_nobody() -> None:
    vectors = meanings(40)
    old = [name for name in vectors if int(name.partition("x")[2]) < 20]
    before = laid_out(old, vectors)
    later = [name for name in vectors if name not in before]
    after = {**before, **Neighbourhood(before, vectors, len(vectors)).put(later)}
    assert mixed(after) < 0.2
    assert {name: after[name] for name in old} == before
    assert len(set(after.values())) == len(after), "no two on the same spot"


def test_one_alone_and_two_have_a_place_too() -> None:
    vectors = meanings(1)
    names = list(vectors)
    assert [len(laid_out(names[:n], vectors)) for n in range(4)] == [0, 1, 2, 3]
    one = laid_out(names[:1], vectors)
    assert len(Neighbourhood(one, vectors, 3).put(names[1:3])) == 2
