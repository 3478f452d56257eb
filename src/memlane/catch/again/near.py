"""What is near in meaning: Memories to a text, a request to those of earlier Runs. Without a model, nothing is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from memlane.catch.again.lesson import repeats
from memlane.domain import Memory, Reader, RunFilter, State
from memlane.embed import EmbedderError, Understands
from memlane.storage import Storage

if TYPE_CHECKING:
    pass

COMPARED = 60  # the nearest Memories a Draft is compared with, of all projects: its own must be among them
ASKED_BEFORE = 8  # the nearest things people said that a request is compared with
LONGEST_REQUEST = 400  # characters: more is pasted, and nobody pastes the same twice
BATCH = 500


def near(
    text: str, also: Sequence[Memory], model: Understands | None, storage: Storage, reader: Reader
) -> list[tuple[Memory, float]]:
    """Stored ones of any state, and these."""
    if model is None:
        return []
    try:
        vector, *others = model.passages([text, *(memory.text for memory in also)])
    except EmbedderError:
        return []
    stored = storage.memories.nearest(vector, model.tag, list(State), reader, COMPARED)
    return [*((memory, float(vector @ other)) for memory, other in zip(also, others, strict=True)), *stored]


def asked_before(words: str, run: str, model: Understands | None, storage: Storage, reader: Reader) -> bool:
    """Whether somebody wished for the same in another Run."""
    if model is None or len(words) > LONGEST_REQUEST or not repeats(words, words):
        return False
    try:
        (vector,) = model.passages([words])
    except EmbedderError:
        return False
    said = storage.vectors.nearest(vector, model.tag, RunFilter(author="person", limit=ASKED_BEFORE), reader)
    return any(found.chunk.run != run and repeats(words, found.chunk.text) for found in said)


def understand(
    model: Understands | None, storage: Storage, writing: Callable[[], AbstractContextManager[None]]
) -> None:
    """What Memories mean, for those of which it is not known yet; what fails is tried again with the next Window."""
    try:
        while model and (waiting := storage.memories.waiting(model.tag, BATCH)):
            vectors = model.passages([memory.text for memory in waiting])
            with writing():
                storage.memories.give(model.tag, waiting, vectors)
    except EmbedderError:
        return
