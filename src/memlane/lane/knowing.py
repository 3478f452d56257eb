"""Who and what Memories are about: the directory of Entities, names that wait for an answer, and changes by hand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath

from memlane import entities
from memlane.domain import Ambiguous, Entity, Known, Mention, NameAnswer, Project
from memlane.entities import Context, Directory, Pages
from memlane.errors import UsageError
from memlane.lane.home import Home
from memlane.storage import EVERYTHING, RunFilter

FRESH = timedelta(seconds=20)  # folders and Runs are looked at again after this long
MOST_FILES = 8  # paths of one text that are looked up
MOST_TOUCHES = 200
FILE = "file"
_PATH = re.compile(r"(?<![\w/@:.-])(?:[\w.~+-]*/)*[\w.+-]*\w\.[A-Za-z][A-Za-z0-9]{0,9}(?![\w/@-])(?!\.\w)")


@dataclass(frozen=True, slots=True)
class _Made:
    """A directory and what it was made of: it is made again when one of them changed."""

    directory: Directory
    looked: datetime
    runs: int
    by_hand: Sequence[Entity]
    answers: Sequence[NameAnswer]


class Knowing:
    def __init__(self, home: Home) -> None:
        self._home = home
        self._pages = Pages()
        self._made: _Made | None = None

    # -- who there is ------------------------------------------------------------------------------------------------

    def directory(self) -> Directory:
        """All of them. Folders and Runs are looked at again when some time has passed, answers always."""
        home, made = self._home, self._made
        ports, now = home.storage(), home.clock()
        by_hand, answers = ports.entities.listed(home.reader), ports.entities.answers(home.reader)
        if made and made.by_hand == by_hand and made.answers == answers and now - made.looked < FRESH:
            return made.directory
        found = [*self._pages.look(self.folders), *entities.from_projects(self._projects())]
        directory = Directory(entities.combined(found, by_hand), answers)
        self._made = _Made(directory, now, 0, by_hand, answers)
        return directory

    @property
    def folders(self) -> Sequence[tuple[str, Path]]:
        """`person=~/people` of the settings."""
        found: list[tuple[str, Path]] = []
        for given in self._home.config.names("entities.folders"):
            type_, equals, folder = given.partition("=")
            if not equals or not type_.strip() or not folder.strip():
                raise UsageError(
                    f"entities.folders: {given!r} is not TYPE=FOLDER",
                    hint="lane config set entities.folders person=~/people",
                )
            path = folder.strip()
            home = self._home.config.person_home
            found.append((type_.strip().lower(), home / path[2:] if path.startswith("~/") else Path(path)))
        return found

    @property
    def broken(self) -> Mapping[str, str]:
        """Pages that were passed over at the last look, and why."""
        return self._pages.broken

    def _projects(self) -> list[Project]:
        """Oldest first."""
        runs = self._home.storage().runs.listed(RunFilter(limit=1_000_000), self._home.reader)
        return [run.project for run in reversed(runs) if run.project.name]

    # -- what words mean ---------------------------------------------------------------------------------------------

    def resolve_mentions(self, mentions: Sequence[Mention], project: Project, text: str) -> tuple[Mention, ...]:
        """What an extractor named and what else the text names: each thing once, those nobody is sure of unresolved."""
        directory = self.directory()
        context = Context(project, text=text, files=lambda path: self.files(path, project))
        found = [self._resolved(mention, directory, context) for mention in mentions]
        found += [_as_mention(named.raw, named.resolution) for named in entities.mentions(text, directory, context)]
        found += [_as_mention(path, Known(one)) for path, one in self._paths_in(text, project)]
        return _each_once(found)

    def _resolved(self, mention: Mention, directory: Directory, context: Context) -> Mention:
        raw = entities.shown(mention.raw)
        within = Context(context.project, mention.type, context.text, files=context.files)
        asked = f"{mention.type}:{mention.slug}" if mention.slug else raw
        resolution = entities.resolve(asked, directory, within)
        if mention.slug and not isinstance(resolution, Known):
            resolution = entities.resolve(raw, directory, within)
        made = _as_mention(raw, resolution if isinstance(resolution, Known) else Ambiguous(()))
        return made if made.resolved else Mention(mention.type, made.raw)

    def files(self, path: str, project: Project) -> Sequence[Entity]:
        """Files that Runs touched and that end like this: those of this project if there are any."""
        storage, reader = self._home.storage(), self._home.reader
        clean = path.strip().removeprefix("./").replace("\\", "/")
        if not clean or ".." in PurePosixPath(clean).parts:
            return ()
        for which in (RunFilter(project=project.key, limit=MOST_TOUCHES),) if project.key else (EVERYTHING,):
            touched = storage.touches.of(clean, which, reader)[:MOST_TOUCHES]
            found = {slug: None for touch in touched if (slug := self._within(touch.path, touch.run))}
            if found:
                return [Entity(FILE, slug, slug, origin="run") for slug in found]
        return ()

    def _within(self, path: str, run: str) -> str:
        """A path as its project knows it."""
        summary = self._home.storage().runs.get(run, self._home.reader)
        root = summary.cwd.rstrip("/") if summary else ""
        return path.removeprefix(f"{root}/") if root else path

    def _paths_in(self, text: str, project: Project) -> list[tuple[str, Entity]]:
        found: list[tuple[str, Entity]] = []
        for path in list(dict.fromkeys(_PATH.findall(text)))[:MOST_FILES]:
            if len(files := self.files(path, project)) == 1:
                found.append((path, files[0]))
        return found


def _as_mention(raw: str, resolution: Known | Ambiguous) -> Mention:
    raw = re.sub(r"['’]s$", "", raw.strip('`"“” ')).strip()
    match resolution:
        case Known(entity):
            return Mention(entity.type, raw, entity.slug, resolved=True)
        case Ambiguous(fitting):
            types = {entity.type for entity in fitting}
            return Mention(types.pop() if len(types) == 1 else "", raw)


def _each_once(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """Resolved ones by what they are, others by their words: those are asked about only where nothing settles them."""
    kept: dict[tuple[str, str], Mention] = {}
    settled = {mention.raw.casefold() for mention in mentions if mention.resolved}
    for mention in mentions:
        if not mention.raw or (not mention.resolved and mention.raw.casefold() in settled):
            continue
        kept.setdefault((mention.type, mention.slug) if mention.resolved else ("", mention.raw.casefold()), mention)
    return tuple(kept.values())
