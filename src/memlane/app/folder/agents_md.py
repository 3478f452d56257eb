"""A few lines in a project's AGENTS.md, for agents without hooks of ours: on request only, between two marks.

The file is read by everybody who has the project, so nothing but what holds in this project stands there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from memlane import identity
from memlane.app.folder.due import FOLDER
from memlane.app.folder.places import RECORDS
from memlane.app.home import Home
from memlane.domain import Memory, State
from memlane.dream.folder import FOLLOWED, FolderPurpose, belonging, most_useful_first, put, short_line, without

AGENTS = "AGENTS.md"
ROOM = 2000  # characters: people read this file too
INTRO = "Kept by Memory Lane: hints to check, not orders; what people and the code say now wins."


@dataclass(frozen=True, slots=True)
class AgentsFileReport:
    """What stands in it now; `changed`: it did not before."""

    path: Path
    lines: Sequence[str]
    changed: bool


class AgentsFile:
    def __init__(self, home: Home) -> None:
        self._home = home
        self._record = home.config.home / FOLDER / RECORDS / "agents-md.json"

    def write(self, folder: Path) -> AgentsFileReport:
        """The most useful lines of this project, in the room there is."""
        path = self._path(folder)
        before = self._text(path)
        lines = list(self._lines(self._best(str(folder))))
        text = put(before or "", [INTRO, *lines]) if lines else without(before or "")
        return self._brought_to(path, before, text, lines)

    def take_out(self, folder: Path) -> AgentsFileReport:
        path = self._path(folder)
        before = self._text(path)
        return self._brought_to(path, before, without(before or ""), [])

    def take_out_everywhere(self) -> Sequence[AgentsFileReport]:
        return [self.take_out(Path(path).parent) for path in self._known()]

    def _path(self, folder: Path) -> Path:
        """The true one: it is often a link to CLAUDE.md, or the other way round."""
        return (folder / AGENTS).resolve() if (folder / AGENTS).is_file() else folder / AGENTS

    def _brought_to(self, path: Path, before: str | None, text: str, lines: Sequence[str]) -> AgentsFileReport:
        known = dict(self._known())
        made = known.get(str(path), before is None)
        if text == (before or ""):
            return AgentsFileReport(path, lines, changed=False)
        if lines:
            self._remember({**known, str(path): made})
        if made and not text:
            self._home.disk.unlink(path)
        else:
            self._home.disk.replace(path, text.encode("utf-8", "surrogateescape"))
        if not lines:
            self._remember({name: was for name, was in known.items() if name != str(path)})
        return AgentsFileReport(path, lines, changed=True)

    def _best(self, folder: str) -> Sequence[Memory]:
        config, storage = self._home.config, self._home.storage()
        project, least = identity.project_of(folder), config.count("recall.least_confidence")
        place = FolderPurpose(config.user, project.key, trusted=FOLLOWED, least_sure=least)
        found = belonging(storage.memories.listed([State.ACTIVE], self._home.reader), place)
        return most_useful_first([m for m in found if not m.target_agents], {}, self._home.clock())

    def _lines(self, best: Sequence[Memory]) -> Iterator[str]:
        room = ROOM - len(INTRO)
        for memory in best:
            line = short_line(self._home.gate.mask(memory.title), memory.id)
            room -= len(line) + 1
            if room < 0:
                return
            yield line

    def _text(self, path: Path) -> str | None:
        with suppress(FileNotFoundError):
            return self._home.disk.read_whole(path).decode("utf-8", "surrogateescape")
        return None

    def _known(self) -> Mapping[str, bool]:
        """Where we wrote, and whether there was none before."""
        with suppress(FileNotFoundError, ValueError):
            said = cast(object, json.loads(self._home.disk.read_whole(self._record)))
            return cast(Mapping[str, bool], said) if isinstance(said, dict) else {}
        return {}

    def _remember(self, known: Mapping[str, bool]) -> None:
        self._home.disk.make_folders(self._record.parent)
        self._home.disk.replace(self._record, json.dumps(known, sort_keys=True).encode())
