"""The campaign, small: a few restarts while everybody works; and that it would see what is missing."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from campaigns.restarts import Trial


@pytest.fixture
def trial() -> Iterator[Trial]:
    made = Trial(seed=3)
    yield made
    made.close()


@pytest.mark.fault("D1")
def test_nothing_is_lost_or_there_twice_after_a_few_restarts(trial: Trial) -> None:
    result = trial.run(seconds=60, every=0.4, restarts=3)
    assert result.faults == {"lost": [], "twice": [], "different": [], "unclean": []}
    assert result.restarts == 3
    assert result.pieces > 0
    assert result.answers > 0


def test_a_chunk_that_is_missing_is_seen(trial: Trial) -> None:
    trial.run(seconds=60, every=0.1, restarts=1)
    with psycopg.connect(trial.server.url, autocommit=True) as raw:
        raw.execute(
            "DELETE FROM lane_v9.chunks WHERE (owner, build, id) IN"
            " (SELECT owner, build, id FROM lane_v9.chunks ORDER BY id LIMIT 1)"
        )
    trial.compare()
    assert len(trial.result.faults["lost"]) == 1
