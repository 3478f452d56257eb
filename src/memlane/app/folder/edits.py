"""What a person changed in a memory folder, taken over: journaled as theirs, kept aside where that cannot be."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, replace

from memlane.app.acts.life import gone
from memlane.app.folder.look import look
from memlane.app.folder.places import FolderPlaces, FolderTarget
from memlane.app.folder.record import load
from memlane.app.folder.report import FolderChange, FolderReport, KeptAside
from memlane.app.home import Home
from memlane.app.home.journal import ActWriter, memory_line
from memlane.app.memories.edits import Memories
from memlane.domain import LEAST_TRUSTED_LAST, Memory, State, Trust
from memlane.dream.folder import FolderLook, FolderRecord, sha
from memlane.flow.journal import catch_up

BROUGHT_BACK = (State.SUPERSEDED, State.RETIRED)


@dataclass(frozen=True, slots=True)
class FolderSnapshot:
    """One folder as it was looked at, once: what is written later is compared with this."""

    was: FolderRecord
    record: FolderRecord
    found: FolderLook


class FolderEdits:
    def __init__(self, home: Home, memories: Memories, writer: ActWriter, places: FolderPlaces) -> None:
        self._home, self._memories, self._writer, self._places = home, memories, writer, places

    def memory(self, id: str) -> Memory | None:
        found = self._home.storage().memories.get(id, self._home.reader)
        return found if found is not None and found.owner == self._home.config.user else None

    def look(self, target: FolderTarget) -> FolderSnapshot:
        was = load(self._home.disk, target.record)
        record = deepcopy(was)
        return FolderSnapshot(was, record, look(self._home.disk, target.folder, record, self.memory))

    def take(self, target: FolderTarget, seen: FolderSnapshot, written: FolderReport) -> None:
        found = seen.found
        for file, why in found.unread.items():
            self._aside(target, file, seen, why, written)
        titles = {file: {"title": title} for file, title in found.lines.titles.items()}
        for file in {**titles, **found.edits}:
            given = {**titles.get(file, {}), **found.edits.get(file, {})}
            if why := self._edit(target, file, seen.record.pages[file].memory, given, written):
                self._aside(target, file, seen, why, written)
        self._taken_away(target, seen, written)
        _remember_wishes(seen.record, found, target)

    def _edit(self, target: FolderTarget, file: str, id: str, given: Mapping[str, str], written: FolderReport) -> str:
        """Nothing when it is taken over, else what is wrong with it."""
        with self._home.lock.held():
            catch_up(self._home.tools())
            before = self.memory(id)
            if before is None or gone(before):
                return "" if before else "its memory no longer exists"
            after, wrong = self._memories.checked(before, given)
            if wrong:
                return "; ".join(wrong)
            after = _wins(after, target)
            if after != before:
                path = target.folder / file
                act = self._writer.write([memory_line(after, because=f"changed in {path.parent.name}/{file}")])
                written.edits.append(FolderChange(after, path, act))
        return ""

    def clear_aside(self) -> None:
        """What was kept of a Memory that is forgotten for good goes with it."""
        for path in sorted(self._places.aside.glob("m_*.md")):
            memory = self.memory(path.name.partition("-")[0])
            if memory is not None and gone(memory):
                self._home.disk.unlink(path)

    def _taken_away(self, target: FolderTarget, seen: FolderSnapshot, written: FolderReport) -> None:
        """In our own folder a file that is gone is a Memory that is paused. Elsewhere an agent may have done it."""
        found = seen.found
        files = {seen.record.pages[file].memory: target.folder / file for file in found.gone}
        active = [id for id in files if (memory := self.memory(id)) and memory.state is State.ACTIVE]
        if target.ours and active:
            acted = self._memories.pause(active)
            written.paused += [FolderChange(memory, files[memory.id], acted.act) for memory in acted.after]
        else:
            written.left_out += [files[id] for id in active]
        written.left_out += [target.folder / file for file in found.lines.gone if file not in found.gone]

    def _aside(self, target: FolderTarget, file: str, seen: FolderSnapshot, why: str, written: FolderReport) -> None:
        """The person's own bytes, where nobody writes over them."""
        data = seen.found.files[file]
        at = self._places.aside / f"{seen.record.pages[file].memory}-{sha(data)[:8]}.md"
        if not at.exists():
            self._home.disk.make_folders(at.parent)
            self._home.disk.replace(at, data)
        written.kept.append(KeptAside(target.folder / file, why, at))


def _wins(after: Memory, target: FolderTarget) -> Memory:
    """A person who changes what was put away believes it. Where agents write too, nobody knows whose word it is now."""
    if after.state in BROUGHT_BACK:
        after = replace(after, state=State.ACTIVE, superseded_by="")
    most = Trust.PERSON if target.ours else Trust.AGENT
    return replace(after, trust=max(after.trust, most, key=LEAST_TRUSTED_LAST.index))


def _remember_wishes(record: FolderRecord, found: FolderLook, target: FolderTarget) -> None:
    """What a person wants of this folder alone: their own line for a file, no line, no file."""
    record.theirs = {**record.theirs, **found.lines.theirs}
    for file in found.lines.titles:
        if file not in found.lines.theirs:
            record.theirs.pop(file, None)
    unlisted = (file for file in (*record.unlisted, *found.lines.gone) if file not in found.lines.theirs)
    record.unlisted = list(dict.fromkeys(unlisted))
    if not target.ours:
        taken = (record.pages[file].memory for file in found.gone)
        record.left_out = list(dict.fromkeys((*record.left_out, *taken)))
    for file in found.gone:
        record.pages.pop(file)
