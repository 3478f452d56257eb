"""What several acceptance tests begin with."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.acceptance.hooks import NOTE, HookHome, installed
from tests.conftest import LaneHome


@pytest.fixture
def hooked(lane_home: LaneHome) -> Iterator[HookHome]:
    """A hook that starts its daemon itself, and a note to be recalled."""
    made = installed(lane_home.home, lane_home.path)
    with made.lane() as lane:
        lane.memories.remember(NOTE, made.project)
    yield made
    made.end()
