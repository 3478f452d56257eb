from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from campaigns.world import World, scratch


@pytest.fixture
def world() -> Iterator[World]:
    """A home with nothing in it, and a Lane that knows Plain transcripts."""
    folder = scratch()
    yield World(folder).prepare()
    shutil.rmtree(folder)
