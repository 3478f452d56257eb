"""Exports too large for memory, and bombs."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from memlane.agents.exports.chatgpt import CHATGPT
from memlane.agents.exports.objects import ALWAYS
from memlane.errors import DamagedError
from tests.rooms.agents.chats import export, fixture, zipped
from tests.rooms.agents.test_exports import OLD


def test_memory_is_bounded_by_one_conversation_not_by_the_file(tmp_path: Path) -> None:
    conversation = fixture(OLD) | {"padding": "x" * 200_000}
    path = export(tmp_path / "conversations.json", *({**conversation, "id": f"{n}"} for n in range(120)))
    tracemalloc.start()
    count = sum(1 for _document in CHATGPT.documents(path))
    _now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 120
    assert most < path.stat().st_size / 2


@pytest.mark.fault("E8")
def test_a_zip_that_unpacks_to_far_more_than_it_is_stops_being_read(tmp_path: Path) -> None:
    path = zipped(tmp_path / "bomb.zip", conversations=b'[{"mapping":{},"id":"1"},"' + b" " * (2 * ALWAYS) + b'"]')
    assert path.stat().st_size * 100 < 2 * ALWAYS
    with pytest.raises(DamagedError, match="far more than an export"):
        list(CHATGPT.documents(path))
