"""Acts by hand, and taking one back: by lines that restore what was before. An undo is an act too: its undo is a redo.

What changed again since the act stays as it is now; nothing that was observed in between is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import cast

import msgspec

from memlane import archive
from memlane.app.acts.life import gone, life_of, names_in
from memlane.app.home import Home
from memlane.app.home.journal import (
    AGENT,
    BY_INIT,
    DREAM,
    OURS,
    PERSON,
    ActLine,
    ActWriter,
    act_id,
    memory_line,
    state_line,
)
from memlane.domain import Entry, Memory, NameAnswer, State
from memlane.domain import journal as kinds
from memlane.errors import NotFoundError, UsageError
from memlane.flow.index import index_run
from memlane.storage.projection import changed
from memlane.storage.reversal import (
    Data,
    entity_back,
    feedback_back,
    mark_back,
    mentions_back,
    outcome_back,
    project_back,
    taken_back,
    wish_back,
)

OF_MEMORIES = frozenset({kinds.MEMORY, kinds.STATE, kinds.MENTIONS})
REVERSIBLE = OF_MEMORIES | {
    kinds.MARK,
    kinds.TOMBSTONE,
    kinds.OUTCOME,
    kinds.ENTITY,
    kinds.FEEDBACK,
    kinds.WISH,
    kinds.SHARE_WISH,
    kinds.PROJECT,
}
OF_AGENTS = {kinds.MEMORY, kinds.FEEDBACK, kinds.OUTCOME}  # what holds without a person's yes, or may
OF_OURS = (kinds.PROJECT, kinds.MENTIONS)  # what Lane does by itself and a person may take back
STATE_ALONE = {"state", "superseded_by"}
Key = tuple[str, datetime]


@dataclass(frozen=True, slots=True)
class Act:
    """What one command of a person wrote, or one Dream, or what an agent asked for by itself."""

    id: str
    at: datetime
    machine: str
    entries: tuple[Entry, ...]
    undone: bool = False

    @property
    def key(self) -> Key:
        return self.machine, self.at

    @property
    def undoes(self) -> Key | None:
        """The act that this one took back."""
        for entry in self.entries:
            if entry.kind == kinds.UNDO and "at" in entry.data:
                return str(entry.data["machine"]), _time(entry.data["at"])
        return None

    @property
    def partly(self) -> bool:
        """It took back some of an act; the rest of that still holds."""
        return any(entry.kind == kinds.UNDO and "only" in entry.data for entry in self.entries)

    @property
    def dream(self) -> str:
        """The Dream that did it, or ""."""
        return next((entry.id for entry in self.entries if entry.kind == kinds.DREAM), "")

    @property
    def agent(self) -> str:
        """The agent that did it by itself, or ""."""
        who = (entry.actor for entry in self.entries if _by_an_agent(entry))
        return next(who, "").removeprefix(f"{AGENT}:")

    @property
    def of_init(self) -> bool:
        """`lane init` did it on its way: not what the person did last."""
        return any(entry.kind == kinds.MEMORY and entry.data.get("because") == BY_INIT for entry in self.entries)

    @property
    def ours(self) -> bool:
        """Lane joined two projects by what it saw, or found whom notes name: not what the person did."""
        return any(_is_ours(entry) for entry in self.entries)

    @property
    def answers(self) -> Sequence[Entry]:
        """What it said about what names mean."""
        return [entry for entry in self.entries if "mention" in entry.data]

    @property
    def names(self) -> Sequence[str]:
        """The Memories and Runs it touched."""
        touched = (name for entry in self.entries if _is_reversible(entry) for name in (*names_in(entry), entry.id))
        return list(dict.fromkeys(touched))


@dataclass(frozen=True, slots=True)
class UndoEffect:
    """What was taken back, by which act; what had changed again since was left."""

    act: Act
    by: str
    names: Sequence[str]
    left: Sequence[str]


class Acts:
    def __init__(self, home: Home, writer: ActWriter) -> None:
        self._home = home
        self.writer = writer

    def all(self) -> Sequence[Act]:
        """Newest first."""
        grouped: dict[Key, list[Entry]] = {}
        whose = [f'"actor":"{actor}' for actor in (PERSON, DREAM, AGENT)]
        ours = [f'"kind":"{kind}"' for kind in OF_OURS]
        for entry in archive.entries_with(self._home.disk, self._home.layout, *whose, *ours):
            if entry.actor in (PERSON, DREAM) or _by_an_agent(entry) or _is_ours(entry):
                grouped.setdefault((entry.machine, entry.at), []).append(entry)
        acts = [Act(act_id(*key), key[1], key[0], tuple(lines)) for key, lines in grouped.items()]
        acts.sort(key=lambda act: act.at)
        undone = _undone(acts)
        return [replace(act, undone=undone.get(act.key, False)) for act in reversed(acts) if act.names]

    def get(self, given: str = "") -> Act:
        """The one meant: by its own id, as the last on a Memory or Run, or the last by hand that still holds."""
        acts = self.all()
        if given.startswith(("a_", "d_")):
            found = [act for act in acts if act.id.startswith(given) or act.dream.startswith(given)]
            if len(found) > 1:
                raise UsageError(f"{given} could be any of: {', '.join(a.id for a in found)}", hint="lane undo --list")
        else:
            found = [act for act in acts if _holds(act) and (_touches(act, given) if given else _by_hand(act))]
        if not found:
            others = not given and any(map(_holds, acts))
            hint = "lane undo --list (init, dreams, agents and joins: by their ids)" if others else "lane undo --list"
            raise NotFoundError(f"nothing to undo{f' on {given}' if given else ''}", hint=hint)
        if found[0].undone:
            raise UsageError(f"{found[0].dream or found[0].id} is already undone", hint="lane undo --list")
        return found[0]

    def undo(self, act: Act, only: Collection[str] = ()) -> UndoEffect:
        """All of it, or what it did with these."""
        with self._home.lock.held():  # nobody writes between our look and our lines
            return self._undo(act, only)

    def _undo(self, act: Act, only: Collection[str]) -> UndoEffect:
        whole, left = self._whole(act), list[str]()
        lines = [] if only else [line for entry in whole.answers for line in self._answer_back(entry, act)]
        done = {line.id for line in lines} | {entry.id for entry in whole.answers}
        for name in (name for name in whole.names if (not only or name in only) and not _is_only_answered(name, whole)):
            made = [] if name.startswith("m_") and name in done else self._taken_back(name, act)
            lines += made
            left += [] if made or name in done else [name]
        if not lines:
            about = f"lane mem history {left[0]}" if left else "lane entity list"
            raise UsageError("it cannot be undone: it changed since", hint=about)
        of = [{"kind": entry.kind, "id": entry.id} for entry in act.entries if not only or entry.id in only]
        data: dict[str, object] = {"of": of, "at": act.at.isoformat(), "machine": act.machine}
        data |= {"dream": act.dream} if act.dream else {}
        data |= {"only": sorted(only)} if only else {}
        by = self.writer.write([ActLine(kinds.UNDO, act.id, data), *lines])
        for line in lines:
            if line.kind == kinds.TOMBSTONE and line.data.get("restored"):
                self._index_again(line.id)
        return UndoEffect(act, by, list(dict.fromkeys(line.id for line in lines)), left)

    def _whole(self, act: Act) -> Act:
        """With what a rule of ours wrote in the same breath: Memories credited by an outcome."""
        at = act.at.astimezone(UTC).isoformat().replace("+00:00", "")
        found = archive.entries_with(self._home.disk, self._home.layout, f'"at":"{at}')
        return replace(act, entries=tuple(entry for entry in found if (entry.machine, entry.at) == act.key))

    def _taken_back(self, name: str, act: Act) -> list[ActLine]:
        if linked := [entry for entry in act.entries if entry.id == name and entry.kind == kinds.MENTIONS]:
            return [line for entry in reversed(linked) for line in self._mentions_back(entry)]
        if name.startswith("m_"):
            return self._memory_back(name, act)
        mine = {entry.kind for entry in act.entries if entry.id == name}
        found = list[ActLine]()
        backs = {
            kinds.MARK: mark_back,
            kinds.OUTCOME: outcome_back,
            kinds.ENTITY: entity_back,
            kinds.FEEDBACK: feedback_back,
            kinds.WISH: wish_back,
            kinds.SHARE_WISH: wish_back,
            kinds.PROJECT: project_back,
        }
        for kind, back in {**backs, kinds.TOMBSTONE: self._bar_back}.items():
            if kind in mine:
                found += self._line_back(kind, name, act, back)
        return found

    def _line_back(
        self, kind: str, name: str, act: Act, back: Callable[[str, Data, Data, Data], Data | None]
    ) -> list[ActLine]:
        """For kinds of which the newest line is all that holds."""
        before, after, now = dict[str, object](), dict[str, object](), dict[str, object]()
        for entry in archive.entries_with(self._home.disk, self._home.layout, name):
            if entry.kind == kind and entry.id == name and "mention" not in entry.data:
                if (entry.machine, entry.at) == act.key:
                    before, after = (now if not after else before), dict(entry.data)
                now = dict(entry.data)
        data = back(name, before, after, now)
        return [ActLine(kind, name, data)] if data is not None else []

    def _answer_back(self, entry: Entry, act: Act) -> list[ActLine]:
        """The answer that held before it, or none; and each Memory with that name as it was."""
        said, before, now = _answer(entry), None, None
        for other in archive.entries_with(self._home.disk, self._home.layout, f'"kind":"{kinds.ENTITY}"'):
            answer = _answer(other) if "mention" in other.data and other.owner == entry.owner else None
            if answer is not None and _is_about_the_same(answer, said):
                before = now if (other.machine, other.at) == act.key else before
                now = answer
        if now != said:
            return []
        back = before or replace(said, taken_back=True)
        line = ActLine(kinds.ENTITY, back.entity or back.raw, {"mention": cast(object, msgspec.to_builtins(back))})
        named = self._home.storage().memories.naming(said.raw, self._home.reader)
        return [line, *(each for memory in named for each in self._memory_back(memory.id, act))]

    def _mentions_back(self, entry: Entry) -> list[ActLine]:
        """By what the line itself says: one look at the directory may have changed thousands of Memories."""
        memory, data = self._home.storage().memories.get(entry.id, self._home.reader), mentions_back(entry.data)
        line = ActLine(kinds.MENTIONS, entry.id, data)
        after = changed(memory, replace(entry, data=data)) if memory is not None else None
        return [] if after == memory else [line]

    def _memory_back(self, memory: str, act: Act) -> list[ActLine]:
        life = life_of(self._home, memory)
        mine = [n for n, moved in enumerate(life) if (moved.entry.machine, moved.entry.at) == act.key]
        if not mine or (now := life[-1].after) is None or (after := life[mine[-1]].after) is None or gone(now):
            return []
        restored = taken_back(life[mine[0]].before, after, now)
        if restored == now:
            return []
        changed = {f.name for f in fields(Memory) if getattr(restored, f.name) != getattr(now, f.name)}
        lines = [memory_line(restored)] if changed - STATE_ALONE else []
        back = changed <= STATE_ALONE or ("state" in changed and now.state is State.FORGOTTEN)
        return [*lines, state_line(now, restored)] if back else lines

    def _bar_back(self, run: str, before: Data, after: Data, now: Data) -> Data | None:
        was, became = bool(before) and not before.get("restored"), not after.get("restored")
        if now != after or was == became or self._home.layout.find(run) is None:
            return None
        return {"run": run} if was else {"run": run, "restored": True}

    def _index_again(self, run: str) -> None:
        folder = self._home.layout.find(run)
        metadata = archive.load(self._home.disk, folder) if folder else None
        if metadata is not None:
            tools = self._home.tools()
            tools.storage.work.archived(run, metadata.newest.n, metadata.newest.size)
            with self._home.lock.held():
                index_run(run, tools)


def _answer(entry: Entry) -> NameAnswer:
    return msgspec.convert(entry.data["mention"], NameAnswer)


def _is_about_the_same(one: NameAnswer, other: NameAnswer) -> bool:
    return (one.raw.casefold(), one.project_key) == (other.raw.casefold(), other.project_key)


def _is_only_answered(name: str, act: Act) -> bool:
    """It stands in an answer, and the act changed nothing about it."""
    return all("mention" in entry.data for entry in act.entries if entry.id == name) and not name.startswith("m_")


def _holds(act: Act) -> bool:
    return act.undoes is None and not act.undone


def _by_hand(act: Act) -> bool:
    return not act.dream and not act.agent and not act.of_init and not act.ours


def _is_reversible(entry: Entry) -> bool:
    """A yes to a share is taken back as every share is: on Central, with `lane unshare`."""
    return entry.kind in REVERSIBLE and not (entry.kind == kinds.SHARE_WISH and entry.data["answer"] == "shared")


def _by_an_agent(entry: Entry) -> bool:
    """Not what it read in our windows: those lines have no name of an agent."""
    return entry.actor.startswith(f"{AGENT}:") and entry.kind in OF_AGENTS


def _is_ours(entry: Entry) -> bool:
    return entry.actor == OURS and entry.kind in OF_OURS


def _touches(act: Act, given: str) -> bool:
    return any(name.startswith(given) for name in act.names)


def _undone(acts: Sequence[Act]) -> Mapping[Key, bool]:
    """Which acts do not hold any more. An undo that was undone lets what it took back hold again, and so on."""
    targets = {act.key: target for act in acts if (target := act.undoes) is not None and not act.partly}
    undone: dict[Key, bool] = {}

    def settle(key: Key, *, taken: bool) -> None:
        undone[key] = taken
        if key in targets:
            settle(targets[key], taken=not taken)

    for act in acts:
        if act.key in targets:
            settle(targets[act.key], taken=True)
    return undone


def _time(value: object) -> datetime:
    return datetime.fromisoformat(str(value)).astimezone(UTC)
