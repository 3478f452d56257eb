"""Lost lines of the Journal, written again from what the index still knows, each marked as such.

The index knows how things are, not how they came about: of a Memory that was edited three times it gives back one line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from memlane import archive
from memlane.app.home import Home
from memlane.app.home.journal import OURS
from memlane.app.projects.book import join_line, key_id
from memlane.domain import Entry, Finding, Level, ProjectJoin, RunFilter, State, derived_id
from memlane.domain import journal as kinds
from memlane.flow.journal import write_down
from memlane.storage import memory_data, recall_data

OF_A_MEMORY = frozenset({kinds.MEMORY, kinds.STATE, kinds.OBSERVATION, kinds.MENTIONS})
INDEX = "index"
Data = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class RestoredLine:
    """What the index says about the thing that these lost lines were about."""

    kind: str
    id: str
    data: Data


def restored(home: Home) -> Iterator[Finding]:
    """Every lost line whose subject the index knows, and every subject no line is left of."""
    if home.engine.serving() is None:
        return
    rows = IndexRows(home)
    for loss in archive.compare(home.disk, home.layout).losses:
        given = {line: row for line in loss.lines if (row := rows.about(line)) is not None}
        if given:
            again = rows.read_windows() if any(line.kind == kinds.CAUGHT for line in given) else []
            _write(home, [*{(row.kind, row.id): row for row in given.values() if row.data}.values(), *again], given)
            restored = archive.Loss(loss.name, "", journal=loss.journal, lines=tuple(given))
            home.register.add_losses([restored], INDEX, home.clock())
            what = f"{len(given):,} of {len(loss.lines):,} lost lines written again from the index"
            yield Finding("repaired", Level.OK, f"journal/{loss.journal}: {what}")
    unknown = list(rows.without_lines())
    if unknown:
        _write(home, unknown, {})
        yield Finding("repaired", Level.OK, f"{len(unknown):,} things the journal did not know, from the index")


def _write(home: Home, rows: Sequence[RestoredLine], given: Mapping[archive.LineName, RestoredLine]) -> None:
    user, machine, now = home.config.user, home.config.machine, home.clock()
    lines = {(row.kind, row.id): line for line, row in reversed(list(given.items()))}
    entries = list[Entry]()
    for row in rows:
        line = lines.get((row.kind, row.id))
        mark: Data = {"from": INDEX, "line": [line.kind, line.id, line.at.isoformat()] if line else []}
        entries.append(Entry(row.kind, row.id, now, user, machine, OURS, {**row.data, "repaired": mark}))
    write_down(entries, home.tools())


class IndexRows:
    """What the index holds, as lines that would make it so."""

    def __init__(self, home: Home) -> None:
        self._home, self._storage, self._reader = home, home.storage(), home.reader
        self._barred = self._storage.bars.barred(home.reader)

    def about(self, line: archive.LineName) -> RestoredLine | None:
        """None: the index does not hold what this line was about."""
        if line.kind in OF_A_MEMORY:
            return self._memory(line.id)
        return self._by_kind.get(line.kind, lambda _id: None)(line.id)

    @property
    def _by_kind(self) -> Mapping[str, Callable[[str], RestoredLine | None]]:
        return {
            kinds.RECALL: self._recall,
            kinds.FEEDBACK: self._feedback,
            kinds.ENTITY: self._entity,
            kinds.TOMBSTONE: self._bar,
            kinds.LEFT_OUT: self._bar,
            kinds.MARK: self._mark,
            kinds.OUTCOME: self._outcome,
            kinds.PROJECT: self._project,
            kinds.CAUGHT: self._caught,
        }

    def without_lines(self) -> Iterator[RestoredLine]:
        """Memories, Recalls, Feedback, bars and joins that no line speaks of."""
        storage, reader, there = self._storage, self._reader, self._subjects()
        memories = storage.memories.listed(list(State), reader)
        ids = [
            *((kinds.MEMORY, memory.id) for memory in memories),
            *((kinds.RECALL, recall.id) for recall in storage.recalls.newest(None, reader)),
            *((kinds.FEEDBACK, one.id) for one in storage.recalls.judged([m.id for m in memories], reader)),
            *((kind, run) for run, kind in self._barred.items()),
            *((kinds.PROJECT, id) for id in self._joins()),
        ]
        for kind, id in ids:
            row = None if (kind, id) in there else self._memory(id) if kind == kinds.MEMORY else self._by_kind[kind](id)
            if row is not None:
                yield row

    def _subjects(self) -> set[tuple[str, str]]:
        """Kind and id of all lines there are; of a Memory whichever speaks of it."""
        found = set[tuple[str, str]]()
        for path in self._home.layout.journal_files():
            for line in archive.lines_in(self._home.disk, self._home.layout, path).names:
                found.add((kinds.MEMORY if line.kind in OF_A_MEMORY else line.kind, line.id))
        return found

    def read_windows(self) -> list[RestoredLine]:
        """Windows that were read, where no line is left that says so: reading them again may cost money."""
        there = set[tuple[str, str]]()
        for entry in archive.entries_with(self._home.disk, self._home.layout, f'"kind":"{kinds.CAUGHT}"'):
            if entry.kind == kinds.CAUGHT:
                windows = msgspec.convert(entry.data["windows"], list[dict[str, object]])
                there |= {(str(entry.data["extractor"]).split("@")[0], str(window["key"])) for window in windows}
        lines = list[RestoredLine]()
        for run in self._storage.runs.listed(RunFilter(), self._reader):
            read = self._storage.catches.read(run.id, self._reader)
            for extractor in sorted({name for names in read.values() for name in names}):
                keys = [key for key, names in read.items() if extractor in names and (extractor, key) not in there]
                data = {"run": run.id, "windows": [{"key": key} for key in keys], "extractor": extractor}
                if keys:
                    lines.append(RestoredLine(kinds.CAUGHT, derived_id("w", run.id, extractor, *keys), data))
        return lines

    def _memory(self, id: str) -> RestoredLine | None:
        """Under the key it was filed by, as its own line had it: a join is a line of its own."""
        found, filed = (
            self._storage.memories.get(id, self._reader),
            self._storage.projects.filed_as(id, (), self._reader),
        )
        if found is not None and filed is not None:
            found = replace(found, project=filed.name, project_key=filed.key)
        return RestoredLine(kinds.MEMORY, id, memory_data(found)) if found else None

    def _joins(self) -> Mapping[str, ProjectJoin]:
        return {key_id(self._reader.user, join.key): join for join in self._storage.projects.joins(self._reader)}

    def _project(self, id: str) -> RestoredLine | None:
        join = self._joins().get(id)
        return RestoredLine(kinds.PROJECT, id, join_line(join, self._reader.user).data) if join else None

    def _recall(self, id: str) -> RestoredLine | None:
        found = self._storage.recalls.get(id, self._reader)
        return RestoredLine(kinds.RECALL, id, recall_data(found)) if found else None

    def _feedback(self, id: str) -> RestoredLine | None:
        memories = [memory.id for memory in self._storage.memories.listed(list(State), self._reader)]
        judged = self._storage.recalls.judged(memories, self._reader)
        found = next((one for one in judged if one.id == id), None)
        return RestoredLine(kinds.FEEDBACK, id, {"feedback": msgspec.to_builtins(found)}) if found else None

    def _entity(self, id: str) -> RestoredLine | None:
        """Made by hand, or what a name was said to mean: then the newest answer of that id."""
        for entity in self._storage.entities.listed(self._reader):
            if entity.key == id:
                return RestoredLine(kinds.ENTITY, id, {"entity": msgspec.to_builtins(entity)})
        for answer in self._storage.entities.answers(self._reader):
            if (answer.entity or answer.raw) == id:
                return RestoredLine(kinds.ENTITY, id, {"mention": msgspec.to_builtins(answer)})
        return None

    def _bar(self, run: str) -> RestoredLine | None:
        kind = self._barred.get(run)
        return RestoredLine(kind, run, {"run": run}) if kind else None

    def _mark(self, run: str) -> RestoredLine | None:
        """The index knows only what it is called: from now on that is the person's title."""
        found = self._storage.runs.get(run, self._reader)
        if found is None:
            return None
        data = {"run": run, "title": found.title, "tags": list(found.tags), "pinned": found.pinned}
        return RestoredLine(kinds.MARK, run, data)

    def _outcome(self, run: str) -> RestoredLine | None:
        found = self._storage.results.get(run, self._reader)
        if found is None:
            return None
        went = "success" if found.success else "failure"
        return RestoredLine(kinds.OUTCOME, run, {"run": run, "outcome": went, "memories": list(found.memories)})

    def _caught(self, id: str) -> RestoredLine:
        """All of them at once: `read_windows`."""
        return RestoredLine(kinds.CAUGHT, id, {})
