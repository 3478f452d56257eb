"""Where transcripts are: in the agents' own folders, or in a path a person gave. Nothing is read here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from memlane.agents import BrokenSourceError, Source, Surroundings, guarded
from memlane.app.home import Home
from memlane.capture import SourceFolder
from memlane.errors import UsageError

ABOVE = 6  # how many folders above a given path may be the home it came from


class TranscriptPlaces:
    def __init__(self, home: Home) -> None:
        self._home = home

    def places(self, agent: str = "", home: Path | None = None) -> list[SourceFolder]:
        """Where the agents' transcripts are: in this home, or in a copied one."""
        config = self._home.config
        around = Surroundings(home or config.person_home, {} if home else config.variables)
        sources = self._home.sources
        if agent and agent not in sources:
            raise UsageError(f"there is no agent {agent!r}", hint=f"one of: {', '.join(sources)}")
        wanted = [sources[name] for name in ([agent] if agent else sources)]
        return [SourceFolder(source, root) for source in wanted for root in self._roots(source, around)]

    def _roots(self, source: Source, around: Surroundings) -> Sequence[Path]:
        try:
            with guarded(source.name):
                return source.places(around)
        except BrokenSourceError as error:
            self._home.not_usable(source.name, error.message)
            return ()

    def places_in(self, path: Path, agent: str = "") -> list[SourceFolder]:
        """The same for a path given by hand: a home, an agent's folder, or one file of it."""
        path = path.absolute()
        if not path.exists():
            raise UsageError(f"{path} does not exist")
        for candidate in (*self.places(agent), *self._copied_places(path, agent)):
            if path == candidate.root or candidate.root in path.parents:
                return [replace(candidate, only=path)]
        inside = [place for place in self.places(agent, home=path) if place.root.is_dir()]
        inside += [place for place in self._copied_places(path, agent) if path in place.root.parents]
        found = {(place.source.name, place.root): place for place in inside if place.root.is_dir()}
        if not found:
            raise UsageError(
                f"no agent keeps transcripts in {path}",
                hint="give a home folder, an agent's folder in it (.claude, .codex), or a transcript inside one",
            )
        return list(found.values())

    def _copied_places(self, path: Path, agent: str) -> Iterator[SourceFolder]:
        for above in path.parents[:ABOVE]:
            yield from self.places(agent, home=above)
