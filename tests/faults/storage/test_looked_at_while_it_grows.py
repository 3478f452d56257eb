"""Doctor looks while a bulk writes: what is added meanwhile is no damage, and no crash."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np

from memlane.storage.embedded.vector_files import VectorFiles


def test_vectors_that_are_added_meanwhile_are_not_damaged(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    writer, stop = VectorFiles(folder, 64), threading.Event()
    rows = np.eye(64, dtype=np.float32)

    def write() -> None:
        for batch in range(60):
            writer.append([bytes([1 + batch, n + 1]) * 8 for n in range(64)], rows)
        stop.set()

    thread = threading.Thread(target=write)
    thread.start()
    found = list[int]()
    while not stop.is_set():
        found.append(len(VectorFiles(folder, 64).damaged()))
    thread.join()
    assert set(found) <= {0}
    assert VectorFiles(folder, 64).damaged() == []
