"""Every read names its Reader: a storage method that hands out what belongs to somebody asks on whose behalf."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from types import NoneType
from typing import get_type_hints

from memlane.domain import Reader
from memlane.storage import ports

OF_THIS_HOME = {
    "WorkStore",
    "CheckpointStore",
    "NoteStore",
    "Storage",
    "Engine",
}  # how far our own work is: nobody's words
EXCUSED = {
    "VectorStore.waiting": "work of this home: texts that have no vector yet, handed to the model and to nobody",
    "MemoryStore.waiting": "the same: what they say is handed to the model and to nobody",
    "MemoryStore.cues_waiting": "the same of their Cues",
    "CatchStore.looked": "work of this home: how far a Run was looked at, none of its words",
}


def methods() -> Iterator[tuple[str, Callable[..., object]]]:
    for port, members in inspect.getmembers(ports, inspect.isclass):
        if members.__module__.startswith(ports.__name__) and getattr(members, "_is_protocol", False):
            for name, method in inspect.getmembers(members, inspect.isfunction):
                if not name.startswith("_") and port not in OF_THIS_HOME:
                    yield f"{port}.{name}", method


def reads() -> dict[str, dict[str, object]]:
    hints = {name: get_type_hints(method, localns={"Vector": object}) for name, method in methods()}
    return {name: known for name, known in hints.items() if known.get("return") not in (None, NoneType)}


def test_every_read_names_its_reader() -> None:
    nameless = [name for name, hints in reads().items() if hints.get("reader") is not Reader]
    assert sorted(set(nameless) - set(EXCUSED)) == []


def test_a_reader_can_not_be_left_out() -> None:
    optional = [
        name
        for name, method in methods()
        if (reader := inspect.signature(method).parameters.get("reader")) and reader.default is not reader.empty
    ]
    assert optional == []


def test_every_excuse_is_still_needed() -> None:
    assert set(EXCUSED) <= {name for name, hints in reads().items() if "reader" not in hints}
    assert len(reads()) > len(EXCUSED)
