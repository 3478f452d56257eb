from __future__ import annotations

import pytest

from memlane.surfaces.api.http import RefusedError
from memlane.surfaces.serve.limits import Limit


@pytest.mark.fault("B8")
def test_whoever_asks_too_often_is_told_when_to_come_back() -> None:
    limit = Limit(3, 0.1, "too often")
    for _ in range(3):
        limit.take("laptop")
    with pytest.raises(RefusedError) as refused:
        limit.take("laptop")
    assert (refused.value.status, refused.value.headers["Retry-After"]) == (429, "10")
    limit.take("desktop")  # each has a bucket of its own


def test_an_honest_try_does_not_count() -> None:
    limit = Limit(2, 0.001, "too often")
    for _ in range(5):
        limit.take("home")
        limit.give_back("home")
    limit.take("home")


def test_what_is_larger_than_the_bucket_fits_into_a_full_one() -> None:
    limit = Limit(10, 1, "too much")
    limit.take("laptop", 1000)
    with pytest.raises(RefusedError):
        limit.take("laptop", 1)
