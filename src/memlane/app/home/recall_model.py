"""The model that recall understands prompts and Memories with: which one, opened when first needed, and what it knows.

It is not the one that search uses: that one has to read everything, this one only what was remembered.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING

from memlane import embed
from memlane.app.home.model_fit import FittedModel, ModelMeanings, shipped
from memlane.embed import Priority
from memlane.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from memlane.config import Config
    from memlane.storage import Vector

MODELS = ("tuned", "onnx", "embed", "none")
REMEMBERED = 256  # prompts: what people judged is compared with what is asked now
SOON = 1.0  # seconds: whoever started the process, or is the first to need it, is answered first
STILL_OPENING = "the recall model is still loading"
PATIENCE = 5.0  # seconds, where no agent waits
AGAIN = 60.0  # seconds after which a model that could not be opened is tried once more


class RecallModel:
    """Threads may share one."""

    def __init__(self, config: Config, run_folder: Path, meanings: ModelMeanings) -> None:
        self._config = config
        self._run_folder = run_folder
        self._meanings = meanings
        self._meaning: FittedModel | None = None
        self._queue: embed.EmbedQueue | None = None
        self._opening = Lock()
        self._opener: Thread | None = None
        self._needed = Event()  # somebody waits for it, or nobody will any more
        self._then: Callable[[str], None] | None = None  # set: nobody who asks waits for it to be opened
        self._ready = False
        self._failed: tuple[float, embed.EmbedderError] | None = None
        self._known = lru_cache(REMEMBERED)(self._asked)

    @property
    def spec(self) -> embed.EmbedderSpec | None:
        """None: words answer alone."""
        wanted = self._config.text("recall.model")
        if wanted not in MODELS:
            raise UsageError(f"there is no model {wanted!r}", hint=f"lane config set recall.model {'|'.join(MODELS)}")
        if wanted == "embed":
            return spec_of(self._config)
        if wanted == "onnx":
            return embed.EmbedderSpec(model="onnx", folder=self._config.text("recall.folder"), setting="recall.folder")
        return embed.EmbedderSpec(model="tuned") if wanted == "tuned" else None

    @property
    def tag(self) -> str:
        """Of the one that ships it is known without opening it."""
        spec = self.spec
        return embed.TUNED if spec and spec.model == "tuned" else self._opened().tag

    @property
    def meaning(self) -> FittedModel:
        tag = self.tag  # opened, if it has to be
        if self._meaning is None:
            self._meaning = shipped(tag)
        if self._meaning is None:
            raise embed.EmbedderError(f"{tag} is not fitted")
        return self._meaning

    @property
    def calibration(self) -> Mapping[str, float]:
        return self.meaning.weights

    def reads(self, language: str) -> bool:
        return self.meaning.knows(language)

    def query(self, text: str) -> Vector:
        return self._known(text)

    def passages(self, texts: Sequence[str]) -> Vector:
        return self._opened().passages(list(texts), Priority.LIVE)

    def prepare(self, then: Callable[[str], None], *, now: bool) -> None:
        """From here on it is opened in the background, a moment from now or when first needed: what is asked meanwhile
        is answered by words, at once. `then`: what else is done there before it answers, given its tag."""
        self._then = then
        if now:
            self._begin(then)

    def hurry(self) -> bool:
        """Somebody has an answer without it, and waits for a better one. Whether to ask again: it is open, or it cannot
        be opened."""
        self._needed.set()
        return self._ready

    def _begin(self, then: Callable[[str], None]) -> None:
        if self._opener is None:
            self._opener = Thread(target=self._prepare, args=(self._needed, then), name="recall model", daemon=True)
            self._opener.start()

    def _prepare(self, needed: Event, then: Callable[[str], None]) -> None:
        needed.wait(SOON)
        if needed is not self._needed:
            return  # closed meanwhile
        with suppress(embed.EmbedderError, UsageError):
            self._opened().query("ready", PATIENCE)
            then(self.tag)
        self._ready = True

    def close(self) -> None:
        self._needed, needed = Event(), self._needed
        needed.set()
        self._opener, self._ready = None, False
        if self._queue is not None:
            self._queue.close()
            self._queue = None
        self._known.cache_clear()

    def _asked(self, text: str) -> Vector:
        if self._then is None:
            return self._opened().query(text, PATIENCE)
        if not self._ready:
            self._begin(self._then)
            raise embed.StillOpeningError(STILL_OPENING)
        return self._opened().query(text, self._config.number("recall.timeout"))

    def _opened(self) -> embed.EmbedQueue:
        if self._queue is not None:
            return self._queue
        self._opening.acquire()
        try:
            if self._failed is not None and time.monotonic() - self._failed[0] < AGAIN:
                raise self._failed[1]
            self._failed = None
            self._queue = self._queue or self._open()
        except embed.EmbedderError as error:
            self._failed = self._failed or (time.monotonic(), error)
            raise
        finally:
            self._opening.release()
        return self._queue

    def _open(self) -> embed.EmbedQueue:
        spec = self.spec
        if spec is None:
            raise embed.EmbedderError("recall.model is none", "lane config set recall.model tuned")
        model = embed.embedder(spec, self._config.variables)
        self._meaning = self._meanings.of(model)
        return embed.EmbedQueue(model, self._run_folder)


def spec_of(config: Config) -> embed.EmbedderSpec | None:
    """The model of the settings `embed.…`."""
    if config.text("embed.model") == "none":
        return None
    return embed.EmbedderSpec(
        model=config.text("embed.model"),
        name=config.text("embed.name"),
        url=config.text("embed.url"),
        folder=config.text("embed.folder"),
        dimension=config.count("embed.dimension"),
        key_variable=config.text("embed.key_variable"),
    )
