"""What do the texts mean? Vectors follow words: a little at once, the rest in the background, one model at a time.

Another model is built beside the one that answers, which goes on answering until the new one has everything.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import msgspec

from memlane import embed
from memlane.app.home import Home
from memlane.app.home.recall_model import spec_of
from memlane.domain import Chunk
from memlane.errors import LaneError
from memlane.storage import MODEL_IN_USE, Key, Storage
from memlane.work import take

if TYPE_CHECKING:
    from memlane.search import QuestionVector
    from memlane.storage import Vector

SERVES = MODEL_IN_USE  # the note that names the model that answers
TROUBLE = "meaning trouble"  # the note that says why nothing was added last time
WANTED = "meaning wanted"  # the note that says how far the model of the settings has come, while another answers
WAITS = "meaning waits"  # the note that says since when Turns have been waiting to be understood
FILES = "vectors/"  # before what is damaged of their files
AT_ONCE = 4.0  # seconds a capture gives to it while somebody watches
AFTER_A_TURN = 0.3  # seconds: what is newest comes first, the rest is the background's
TOGETHER = timedelta(minutes=1)  # Turns of so long wait for each other: to load a model costs more than a Turn
BATCH = 512  # Chunks found at a time
STILL_ASKED = timedelta(minutes=10)  # a model that answers no longer
TRIED = 5  # texts, one by one, before it is the model that is at fault
READY_WITHIN = 10.0  # seconds for a model that a person has just chosen
NOT_ASKED = "meaning search is off"

OnDone = Callable[[int, int], None]


class ModelInUse(msgspec.Struct, frozen=True):
    """The model that answers, and how to have it again."""

    tag: str
    spec: embed.EmbedderSpec
    before: str = ""  # the tag of the one that answered before it, whose vectors are still there
    since: datetime | None = None


class ModelAttempt(msgspec.Struct, frozen=True):
    """What became of the model that is wanted when it was last tried."""

    spec: embed.EmbedderSpec
    tag: str = ""
    trouble: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class ModelChange:
    """The settings want another model than the one that answers: how far it has come, or what keeps it."""

    wanted: str
    serves: str
    done: int
    all: int
    why: str = ""
    hint: str = ""

    @property
    def what(self) -> str:
        if self.why:
            return f"{self.wanted} is not in use: {self.why}; {self.serves} still answers"
        return f"{self.wanted} is {self.done * 100 // max(1, self.all)} % built; {self.serves} answers until then"


@dataclass(frozen=True, slots=True)
class VectorProgress:
    """How far meaning has come: which model, how many Chunks of how many, and what keeps it."""

    model: str
    done: int
    all: int
    why: str = ""
    damage: str = ""  # of the files: what is in them is not all there

    @property
    def share(self) -> float:
        return self.done / self.all if self.all else 1.0


def quietly(_done: int, _all: int) -> None:
    return None


@dataclass(frozen=True, slots=True)
class BoundModel:
    """One model, for work that somebody waits for."""

    queue: embed.EmbedQueue

    @property
    def tag(self) -> str:
        return self.queue.tag

    def passages(self, texts: Sequence[str]) -> Vector:
        return self.queue.passages(list(texts), embed.Priority.LIVE)


class VectorUpkeep:
    def __init__(self, home: Home) -> None:
        self._home = home
        self._queues: dict[embed.EmbedderSpec, embed.EmbedQueue] = {}

    # -- asking ------------------------------------------------------------------------------------------------------

    def ask(self, words: str, patience: float = math.inf) -> tuple[QuestionVector | None, str]:
        """The words as the model that answers now understands them; or None, and why. `patience`: seconds, at most."""
        from memlane.search import QuestionVector

        spec = self._answering(self._home.storage())
        if spec is None:
            return None, NOT_ASKED
        try:
            queue = self._queue(spec)
            seconds = min(patience, self._home.config.number("embed.timeout"))
            return QuestionVector(queue.tag, queue.query(words, max(0.0, seconds))), ""
        except embed.EmbedderError as error:
            return None, error.message

    def answering(self) -> str:
        """The tag of the model whose vectors answer now; "" where there is none."""
        spec = self._answering(self._home.storage())
        try:
            return self._queue(spec).tag if spec else ""
        except embed.EmbedderError:
            return ""

    def standing(self) -> VectorProgress:
        storage, reader = self._home.storage(), self._home.reader
        spec = self._answering(storage)
        if spec is None:
            return VectorProgress("", 0, storage.chunks.count(reader), NOT_ASKED)
        try:
            tag = self._queue(spec).tag
        except embed.EmbedderError as error:
            return VectorProgress("", 0, storage.chunks.count(reader), error.message)
        done, every = storage.vectors.share(tag, reader)
        damage = [one for one in storage.gaps() if one.startswith(FILES)]
        return VectorProgress(tag, done, every, storage.notes.get(TROUBLE) if done < every else "", "; ".join(damage))

    def change(self) -> ModelChange | None:
        """None: the model of the settings is the one that answers. Asks no model, only what was noted about it."""
        wanted, storage, reader = self._wanted(), self._home.storage(), self._home.reader
        serves = _serves(storage)
        if wanted is None or serves is None or serves.spec == wanted or not (every := storage.chunks.count(reader)):
            return None
        noted = storage.notes.get(WANTED)
        tried = msgspec.json.decode(noted, type=ModelAttempt) if noted else ModelAttempt(wanted)
        if tried.spec != wanted:
            tried = ModelAttempt(wanted)
        done = storage.vectors.share(tried.tag, reader)[0] if tried.tag else 0
        return ModelChange(tried.tag or wanted.title, serves.tag, done, every, tried.trouble, tried.hint)

    def try_wanted(self) -> embed.EmbedderError | None:
        """Whether the model of the settings can be had, asked now; None: it can, or none is wanted."""
        wanted = self._wanted()
        try:
            if wanted is not None:
                self._queue(wanted).query("ready", READY_WITHIN)
        except embed.EmbedderError as error:
            return error
        return None

    def _answering(self, storage: Storage) -> embed.EmbedderSpec | None:
        """What is wanted, unless another model still has more to say."""
        wanted = self._wanted()
        serves = _serves(storage)
        return wanted if wanted is None or serves is None else serves.spec

    def _wanted(self) -> embed.EmbedderSpec | None:
        return spec_of(self._home.config)

    def _queue(self, spec: embed.EmbedderSpec) -> embed.EmbedQueue:
        if spec not in self._queues:
            made = embed.embedder(spec, self._home.config.variables)
            self._queues[spec] = embed.EmbedQueue(made, self._home.run_folder)
        return self._queues[spec]

    def understands(self) -> BoundModel | None:
        """The model that answers now, for a few texts that are compared at once: what Memories say."""
        spec = self._answering(self._home.storage())
        try:
            return BoundModel(self._queue(spec)) if spec else None
        except embed.EmbedderError:
            return None

    # -- building ----------------------------------------------------------------------------------------------------

    def follow(
        self, seconds: float = AT_ONCE, priority: embed.Priority = embed.Priority.LIVE, on: OnDone = quietly
    ) -> int:
        """Vectors for what has none, newest Runs first, for so long. How many are left; trouble is noted."""
        spec, storage = self._wanted(), self._home.storage()
        if spec is None or not storage.chunks.count(self._home.reader):
            return 0
        tag = ""
        try:
            queue = self._queue(spec)
            tag = queue.tag
            _attempted(storage, ModelAttempt(spec, tag))
            left, refused = self._build(queue, priority, time.monotonic() + seconds, on)
        except embed.EmbedderError as error:
            storage.notes.put(TROUBLE, error.message)
            _attempted(storage, ModelAttempt(spec, tag, error.message, error.hint))
            return storage.chunks.count(self._home.reader)
        storage.notes.put(TROUBLE, f"{refused:,} texts were rejected by the model" if refused else "")
        storage.notes.put(WAITS, "")
        if left == refused:
            self._take_over(spec, queue.tag)
        return left

    def follow_soon(self) -> None:
        """After a Turn its words are found. What it means is understood with the Turns of the next minute: by the
        first capture after that, or by the tick."""
        notes, now = self._home.storage().notes, self._home.clock()
        since = notes.get(WAITS)
        if since and not timedelta() <= now - datetime.fromisoformat(since) < TOGETHER:
            self.follow(AFTER_A_TURN)
        elif not since:
            notes.put(WAITS, now.isoformat())

    def follow_alone(self, seconds: float, on: OnDone = quietly) -> int:
        """The bulk of it: yields to every question, and only one process of a home does it at a time."""
        descriptor = take(self._home.run_folder / "meaning.lock", patience=0)
        try:
            return self.follow(seconds, embed.Priority.BULK, on)
        finally:
            os.close(descriptor)

    def _build(self, queue: embed.EmbedQueue, priority: embed.Priority, until: float, on: OnDone) -> tuple[int, int]:
        """How many are left, and how many of those the model refused."""
        storage, reader, lock = self._home.storage(), self._home.reader, self._home.lock
        refused = set[Key]()
        while True:
            with lock.held():
                waiting = storage.vectors.waiting(queue.tag, BATCH + len(refused))
            waiting = [chunk for chunk in waiting if chunk.key not in refused]
            done, every = storage.vectors.share(queue.tag, reader)
            on(done, every)
            if not waiting or time.monotonic() >= until:
                return every - done, len(refused)
            for chunks, vectors in _understood(queue, waiting, priority):
                with lock.held():
                    storage.vectors.put(queue.tag, chunks, vectors)
                waiting = [chunk for chunk in waiting if chunk not in chunks]
            refused |= {chunk.key for chunk in waiting}

    def _take_over(self, spec: embed.EmbedderSpec, tag: str) -> None:
        """It has everything: from now on it answers. What the other one knew stays for a while: somebody may still be
        asking it."""
        storage, now = self._home.storage(), self._home.clock()
        serves = _serves(storage)
        with self._home.lock.held():
            if serves is None or serves.tag != tag:
                _note(storage, ModelInUse(tag, spec, serves.tag if serves else "", now))
            elif serves.spec != spec:  # the same model, had in another way
                _note(storage, ModelInUse(tag, spec, serves.before, serves.since))
            elif serves.before and serves.since is not None and now - serves.since > STILL_ASKED:
                storage.vectors.drop(serves.before)
                _note(storage, ModelInUse(tag, spec))

    def carry_over(self, fresh: Storage) -> None:
        """A rebuilt index answers by the same model as the old one, with every vector that is known already."""
        try:
            serves = _serves(self._home.storage())
        except LaneError:  # there is no old one, or it is why somebody rebuilds
            serves = None
        if serves is not None:
            _note(fresh, serves)
        spec = serves.spec if serves else self._wanted()
        try:
            tag = self._queue(spec).tag if spec else ""
        except embed.EmbedderError:
            return
        if tag:
            fresh.vectors.waiting(tag, 1)

    def close(self) -> None:
        for queue in self._queues.values():
            queue.close()
        self._queues.clear()


def _understood(
    queue: embed.EmbedQueue, chunks: Sequence[Chunk], priority: embed.Priority
) -> Iterator[tuple[Sequence[Chunk], Vector]]:
    """All at once; or, where that fails, one by one, so that one text the model cannot take keeps no other waiting."""
    try:
        yield chunks, queue.passages([chunk.text for chunk in chunks], priority)
    except embed.EmbedderError as error:
        taken = 0
        for number, chunk in enumerate(chunks):
            try:
                made = queue.passages([chunk.text], priority)
            except embed.EmbedderError:
                if not taken and number + 1 in (TRIED, len(chunks)):  # it is not the texts, it is the model
                    raise error from None
            else:
                taken += 1
                yield [chunk], made


def _serves(storage: Storage) -> ModelInUse | None:
    noted = storage.notes.get(SERVES)
    return msgspec.json.decode(noted, type=ModelInUse) if noted else None


def _note(storage: Storage, serves: ModelInUse) -> None:
    storage.notes.put(SERVES, msgspec.json.encode(serves).decode())


def _attempted(storage: Storage, attempt: ModelAttempt) -> None:
    storage.notes.put(WANTED, msgspec.json.encode(attempt).decode())
