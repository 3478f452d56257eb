"""Does a changed setting do what it seems to do? What keeps it from that, and what helps. Changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from memlane.app.home import Home
from memlane.app.vectors import VectorUpkeep
from memlane.config import misfits
from memlane.domain import Finding, Level
from memlane.embed import EmbedderError
from memlane.errors import LaneError, NotSetUpError

ENDPOINT = ("ollama", "openai")
# Settings that only count for some value of another one.
COUNTS_FOR: Mapping[str, tuple[str, Sequence[str]]] = {
    "embed.name": ("embed.model", ENDPOINT),
    "embed.url": ("embed.model", ENDPOINT),
    "embed.key_variable": ("embed.model", ENDPOINT),
    "embed.folder": ("embed.model", ("onnx",)),
    "recall.folder": ("recall.model", ("onnx",)),
    "catch.name": ("catch.model", ("anthropic", "openai")),
    "catch.url": ("catch.model", ("anthropic", "openai")),
    "catch.key_variable": ("catch.model", ("anthropic", "openai")),
    "catch.command": ("catch.model", ("command",)),
}


class SettingEffects:
    def __init__(self, home: Home, vectors: VectorUpkeep) -> None:
        self._home, self._vectors = home, vectors

    def of(self, name: str) -> list[Finding]:
        """Nothing: it does what it says, from now on."""
        room = name.partition(".")[0]
        by_name: Mapping[str, Callable[[], Iterator[Finding]]] = {
            "storage.url": self._storage,
            "archive.base": self._archive,
            "capture.exclude": self._excluded,
            "entities.folders": self._entity_folders,
            "memory.claude_code": lambda: self._folders("memory.claude_code"),
            "recall.off_for": self._agents,
            "recall.model": self._recall_model,
            "dream.words": self._language_model,
        }
        by_room = {"embed": self._meaning, "catch": self._language_model, "recall": self._recall}
        check = by_name.get(name) or by_room.get(room)
        try:
            return [*self._idle(name), *(check() if check else ())]
        except NotSetUpError:  # nothing is there yet that it could act on
            return []

    def ineffective(self) -> list[Finding]:
        """What config.toml says to no effect."""
        wrong = misfits(self._home.config.file)
        hint = f"correct it in {self._home.config.file}; `lane config list` names every setting"
        return [Finding("settings", Level.WARN, f"{why}: it has no effect", hint) for why in wrong.values()]

    def _idle(self, name: str) -> Iterator[Finding]:
        other, values = COUNTS_FOR.get(name, ("", ()))
        if other and self._home.config.values[name] and self._home.config.text(other) not in values:
            has = self._home.config.text(other) or "not set"
            what = f"it has no effect while {other} is {has}; it is for {' and '.join(values)}"
            yield Finding(name, Level.NOTE, what, f"lane config set {other} {values[0]}")

    # -- search by meaning -------------------------------------------------------------------------------------------

    def _meaning(self) -> Iterator[Finding]:
        error, change = self._vectors.try_wanted(), self._vectors.change()
        if error is not None:
            serves = f"; {change.serves} still answers" if change else "; search uses words only"
            yield Finding("meaning", Level.WARN, f"{error.message}{serves}", error.hint)
        elif change is not None:
            yield Finding(
                "meaning", Level.NOTE, change.what, "built in the background; to do it now: lane tick --meaning"
            )
        elif self._home.config.text("embed.model") == "none":
            yield Finding("meaning", Level.NOTE, "search uses words only")

    # -- recall ------------------------------------------------------------------------------------------------------

    def _recall(self) -> Iterator[Finding]:
        if not self._home.config.switch("recall.enabled"):
            yield Finding("recall", Level.NOTE, "recall is off", "lane config set recall.enabled true")

    def _recall_model(self) -> Iterator[Finding]:
        yield from self._recall()
        model = self._home.recall_model
        if model.spec is None:
            return
        try:
            model.query("ready")
            waiting = len(self._home.storage().memories.waiting(model.tag, 1))
        except EmbedderError as error:
            what = f"{error.message}; recall uses words and entities only"
            yield Finding("recall", Level.WARN, what, error.hint)
            return
        if waiting:
            what = f"memories are not yet embedded by {model.tag}; until then they are found by words and entities"
            yield Finding("recall", Level.NOTE, what, "done by the next tick; to do it now: lane tick")

    def _agents(self) -> Iterator[Finding]:
        yield from self._unknown(self._home.config.names("recall.off_for"))

    def _excluded(self) -> Iterator[Finding]:
        patterns = self._home.config.names("capture.exclude")
        yield from self._unknown([one.removeprefix("agent:") for one in patterns if one.startswith("agent:")])

    def _unknown(self, names: Sequence[str]) -> Iterator[Finding]:
        known = list(self._home.agents)
        for name in names:
            if name not in known:
                yield Finding("agents", Level.WARN, f"no agent is called {name!r}", f"one of: {', '.join(known)}")

    # -- models that read --------------------------------------------------------------------------------------------

    def _language_model(self) -> Iterator[Finding]:
        from memlane.app.home.language_model import chosen_llm

        config = self._home.config
        if config.text("catch.with") != "model" and config.text("dream.words") != "model":
            if config.text("catch.model"):
                what = "no run is read by the model while catch.with is " + config.text("catch.with")
                yield Finding("catch", Level.NOTE, what, "lane config set catch.with model")
            return
        try:
            chosen_llm(self._home).close()
        except LaneError as error:
            yield Finding("catch", Level.WARN, error.message, error.hint)

    # -- places ------------------------------------------------------------------------------------------------------

    def _storage(self) -> Iterator[Finding]:
        try:
            serves = self._home.engine.serving()
        except LaneError as error:
            yield Finding("storage", Level.WARN, error.message, error.hint)
            return
        if serves is None and self._home.disk.is_folder(self._home.layout.root):
            yield Finding("storage", Level.NOTE, "the index there is empty; the archive has everything", "lane rebuild")

    def _archive(self) -> Iterator[Finding]:
        if not self._home.disk.is_folder(self._home.layout.root):
            what = f"there is no archive in {self._home.config.archive_place} yet; nothing was moved"
            yield Finding("archive", Level.WARN, what, "to move one, set it back, then: lane archive move FOLDER")

    def _entity_folders(self) -> Iterator[Finding]:
        folders, wrong = self._home.entity_folders
        for given, why in wrong.items():
            yield Finding("entities", Level.WARN, f"{given}: {why}")
        for _type, folder in folders:
            yield from self._missing(folder)

    def _folders(self, name: str) -> Iterator[Finding]:
        for given in self._home.config.names(name):
            yield from self._missing(Path(given).expanduser())

    def _missing(self, folder: Path) -> Iterator[Finding]:
        if not folder.is_dir():
            yield Finding("folder", Level.WARN, f"{folder} does not exist", "it counts as soon as it is there")
