"""What a person puts on a Run: a title, tags, a pin. In the journal, so that no rebuild loses it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from memlane import archive
from memlane.domain import RunSummary
from memlane.domain.journal import MARK
from memlane.errors import UsageError
from memlane.lane.hand import Hand, Line
from memlane.lane.home import Home
from memlane.lane.reading import Reading

LONGEST_TITLE = 200
_TAG = re.compile(r"[^\W_](?:[\w./-]{0,38}[^\W_])?")


class Labelling:
    def __init__(self, home: Home, reading: Reading, hand: Hand) -> None:
        self._home = home
        self._reading = reading
        self._hand = hand

    def title(self, given: str, text: str) -> RunSummary:
        """A person's own; "" gives the agent's back."""
        run, words = self._reading.run(given), self._home.gate.mask(" ".join(text.split()))
        if len(words) > LONGEST_TITLE:
            raise UsageError(f"a title is at most {LONGEST_TITLE} characters", hint="the run itself says the rest")
        return self._label(run, replace(run, title=words), own=words)

    def ask_title(self, given: str) -> RunSummary:
        """One by the model of the settings, because a person wants it; it is theirs from then on."""
        from memlane.lane.titling import asked_title

        run = self._reading.run(given)
        return self.title(run.id, asked_title(self._home, run))

    def own_title(self, run: str) -> str:
        """What a person called it, "" if nobody did. The index knows only what it is called."""
        marks = archive.entries_with(self._home.disk, self._home.layout, run)
        return next((str(mark.data["title"]) for mark in reversed([*marks]) if (mark.kind, mark.id) == (MARK, run)), "")

    def tag(self, given: str, add: Iterable[str] = (), remove: Iterable[str] = ()) -> RunSummary:
        run, wanted, gone = self._reading.run(given), [_tag(name) for name in add], {_tag(name) for name in remove}
        kept = (name for name in (*run.tags, *wanted) if name not in gone)
        return self._label(run, replace(run, tags=tuple(dict.fromkeys(kept))))

    def pin(self, given: str, *, on: bool) -> RunSummary:
        run = self._reading.run(given)
        return self._label(run, replace(run, pinned=on))

    def _label(self, before: RunSummary, after: RunSummary, *, own: str | None = None) -> RunSummary:
        kept = self.own_title(after.id)
        title = kept if own is None else own
        if (after.tags, after.pinned, title) != (before.tags, before.pinned, kept):
            data = {"run": after.id, "title": title, "tags": list(after.tags), "pinned": after.pinned}
            self._hand.write([Line(MARK, after.id, data)])
        return self._reading.run(after.id)


def _tag(given: str) -> str:
    name = given.strip().lower()
    if not _TAG.fullmatch(name):
        raise UsageError(f"{given!r} is not a tag", hint="letters, digits, and . / - inside: release, area/billing")
    return name
