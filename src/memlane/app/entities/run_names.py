"""Whom and what Runs name: the person's and the agent's words of each Turn, the project, the files touched.

Derived, so nothing of it is journaled. Storage says which Runs have words nobody looked through; a change of the
directory adds those that may name what changed.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta
from itertools import groupby
from operator import itemgetter

from memlane import entities, identity
from memlane.app.entities.book import EntityBook
from memlane.app.home import Home
from memlane.app.home.paths import FILE
from memlane.domain import Known, Project, RunSummary
from memlane.entities import Directory, Glance, MentionPlace

WHOLE = -1  # the Turn of what a Run names as a whole
MOST_FILES = 50  # of a Run; all of them stand in `files`
NOW = timedelta(0)
ALL_OF_THEM = 24 * 3600.0


class RunNames:
    def __init__(self, home: Home, book: EntityBook) -> None:
        self._home, self._book = home, book

    def follow(self, seconds: float = ALL_OF_THEM) -> int:
        """The newest first, as long as there is time; how many were looked through."""
        runs, reader, until = self._home.storage().runs, self._home.reader, time.monotonic() + seconds
        if not (left := runs.unnamed(reader)):
            return 0
        look, done = _RunLook(self._home, self._book), 0
        for run, turn in left:
            if time.monotonic() > until:
                break
            with self._home.lock.held():  # nobody adds to it between our look and our rows
                if (summary := runs.get(run, reader)) is not None:
                    runs.name(run, turn, look.named(summary, turn))
            done += 1
        return done


class _RunLook:
    """One directory for all Runs of a pass."""

    def __init__(self, home: Home, book: EntityBook) -> None:
        self._home, self._book = home, book
        self._directory: Directory = book.directory(NOW)
        self._glance = Glance(self._directory)
        self._projects = dict[Project, list[str]]()

    def named(self, run: RunSummary, turn: int) -> list[tuple[int, str]]:
        return list(dict.fromkeys((*self._whole(run), *self._said(run, turn))))

    def _whole(self, run: RunSummary) -> Iterator[tuple[int, str]]:
        if run.project not in self._projects:
            ours = (one for one in self._directory.of_sort("project") if entities.at_home(one, run.project))
            self._projects[run.project] = [one.key for one in ours]
        yield from ((WHOLE, key) for key in self._projects[run.project])
        for path in run.files:
            yield from ((WHOLE, one.key) for one in self._book.pages_at(path))
        yield from ((WHOLE, f"{FILE}:{_within(path, run.cwd)}") for path in run.files[:MOST_FILES])

    def _said(self, run: RunSummary, turn: int) -> Iterator[tuple[int, str]]:
        spoken = self._home.storage().chunks.spoken(run.id, turn, self._home.reader)
        for n, pieces in groupby(spoken, key=itemgetter(0)):
            text = "\n".join(words for _turn, words in pieces)
            if self._glance.sees(text):
                place = MentionPlace(run.project, text=text)
                for found in entities.mentions(text, self._directory, place):
                    if isinstance(found.resolution, Known):
                        yield n, found.resolution.entity.key


def _within(path: str, cwd: str) -> str:
    """As its project knows it, told from the names alone: its checkout may be gone."""
    root = f"{cwd.rstrip('/')}/"
    return identity.without_worktree(path.removeprefix(root) if cwd else path)
