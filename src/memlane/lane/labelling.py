"""What a person puts on a Run: tags, a pin. In the journal, so that no rebuild loses it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from memlane import pipeline
from memlane.domain import Entry, RunSummary
from memlane.domain.journal import MARK
from memlane.errors import UsageError
from memlane.lane.home import Home
from memlane.lane.reading import Reading

_TAG = re.compile(r"[^\W_](?:[\w./-]{0,38}[^\W_])?")


class Labelling:
    def __init__(self, home: Home, reading: Reading) -> None:
        self._home = home
        self._reading = reading

    def tag(self, given: str, add: Iterable[str] = (), remove: Iterable[str] = ()) -> RunSummary:
        run, wanted, gone = self._reading.run(given), [_tag(name) for name in add], {_tag(name) for name in remove}
        kept = (name for name in (*run.tags, *wanted) if name not in gone)
        return self._label(run, replace(run, tags=tuple(dict.fromkeys(kept))))

    def pin(self, given: str, *, on: bool) -> RunSummary:
        run = self._reading.run(given)
        return self._label(run, replace(run, pinned=on))

    def _label(self, before: RunSummary, after: RunSummary) -> RunSummary:
        if after != before:
            home = self._home
            data = {"run": after.id, "title": "", "tags": list(after.tags), "pinned": after.pinned}
            entry = Entry(MARK, after.id, home.clock(), home.config.user, home.config.machine, "person", data)
            pipeline.write_down([entry], home.tools())
        return self._reading.run(after.id)


def _tag(given: str) -> str:
    name = given.strip().lower()
    if not _TAG.fullmatch(name):
        raise UsageError(f"{given!r} is not a tag", hint="letters, digits, and . / - inside: release, area/billing")
    return name
