"""Memories changed by hand: edited, merged, moved between states. Each act is one write and can be taken back."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from memlane.app.acts.forget import forget_for_good
from memlane.app.acts.life import LifeStep, gone, life_of, state_before
from memlane.app.control.holds import must_be_free
from memlane.app.home import Home
from memlane.app.home.journal import ActLine, ActWriter, memory_line, state_line
from memlane.app.home.memory_rules import SAID_YES
from memlane.app.memories import form
from memlane.app.memories.shelf import MemoryShelf
from memlane.app.runs import Runs
from memlane.domain import Memory, Project, RunFilter, State
from memlane.dream.pairs import merged
from memlane.errors import NotFoundError, UsageError
from memlane.flow.journal import catch_up
from memlane.flow.tools import Meant

if TYPE_CHECKING:
    from memlane.app.memories.proposals import Proposals
    from memlane.app.memories.spoken import TakeIn
    from memlane.app.notes import NoteImport

STANDING = (State.HELD, State.ACTIVE, State.PAUSED)


@dataclass(frozen=True, slots=True)
class ActEffect:
    """What an act by hand did: each Memory before and after, and what takes it back ("" if nothing changed)."""

    before: Sequence[Memory]
    after: Sequence[Memory]
    act: str


@dataclass(frozen=True, slots=True)
class ErasePlan:
    """What `mem forget --now` will take out for good, before it does."""

    memories: Sequence[Memory]
    lines: int  # of the journal that lose its words
    recalls: int
    runs: Sequence[str]  # they keep what was said in them
    merged_into: Sequence[str]  # they keep its evidence


class Memories(MemoryShelf):
    """The Memories of this home: what a person makes, reads, changes and takes back."""

    def __init__(self, home: Home, runs: Runs, writer: ActWriter, meant: Meant, take_in: TakeIn) -> None:
        super().__init__(home, writer, meant)
        self._runs = runs
        self._take_in = take_in

    @contextmanager
    def _alone(self) -> Generator[None, None, None]:
        """Nobody writes between our look at a Memory and our line about it."""
        with self._home.lock.held():
            catch_up(self._home.tools())
            yield

    @cached_property
    def proposals(self) -> Proposals:
        from memlane.app.memories.proposals import Proposals
        from memlane.app.memories.spoken import RunningTurn

        return Proposals(self._home, self._writer, RunningTurn(self._home, self._runs, self._take_in))

    @cached_property
    def notes(self) -> NoteImport:
        from memlane.app.notes import NoteImport

        return NoteImport(self._home, self._writer)

    # -- what it says ------------------------------------------------------------------------------------------------

    def checked(self, memory: Memory, wanted: Mapping[str, str]) -> tuple[Memory, list[str]]:
        """As it would be, masked, and all that is wrong with it."""
        made, wrong = form.edited(memory, wanted, self._project_called)
        mask = self._home.gate.mask
        masked = replace(made, title=mask(made.title), content=mask(made.content), category=mask(made.category))
        masked = replace(masked, when=mask(made.when), cues=self._home.gate.mask_values(made.cues))
        values = self._home.gate.mask_values
        about, agents = values(made.related_entities), values(made.target_agents)
        return replace(masked, related_entities=about, target_agents=agents), wrong

    def form(self, memory: Memory) -> str:
        """What an editor opens: the memory, or the text that could not be taken the last time."""
        kept = self.kept_text(memory.id)
        return form.framed(kept.read_text(), memory.id, ()) if kept.exists() else form.form(memory)

    def filled_in(self, memory: Memory, text: str) -> tuple[Mapping[str, str], Sequence[str]]:
        """What a form says, and all that is wrong with it."""
        wanted, wrong = form.read_form(text)
        return wanted, wrong or self.checked(memory, wanted)[1]

    def corrected(self, memory: Memory, text: str, wrong: Sequence[str]) -> str:
        """The person's text once more, with what is wrong above it."""
        return form.framed(text, memory.id, wrong)

    def kept_text(self, memory: str) -> Path:
        """Where a person's text lies while it is edited, and stays if it cannot be taken."""
        return self._home.run_folder / "edits" / f"{memory}.md"

    def edit(self, given: str, wanted: Mapping[str, str]) -> ActEffect:
        with self._alone():
            before = self._must_have_text(self.get(given))
            after, wrong = self.checked(before, wanted)
            if wrong:
                raise UsageError("; ".join(wrong), hint=f"lane mem edit {before.id}")
            return self._done([before], [after], [memory_line(after)] if after != before else [])

    def make_standing(self, given: Iterable[str], *, on: bool) -> ActEffect:
        """A standing rule from now on, or none any more; what it says and where it stands are left alone."""
        with self._alone():
            before = [self._must_have_text(self.get(name)) for name in given]
            after = [replace(memory, always=on) for memory in before]
            changed = [other for one, other in zip(before, after, strict=True) if one != other]
            return self._done(before, after, [memory_line(memory) for memory in changed])

    def _project_called(self, given: str) -> Project | None:
        if not given:
            return Project("", "")
        if given.startswith((".", "/", "~")):
            return self._home.project_at(str(Path(given).expanduser().resolve()))
        names = self._runs.projects_like(given)
        runs = self._runs.select(RunFilter(project=names[0], limit=1)) if len(names) == 1 else ()
        return runs[0].project if runs else None

    # -- several are one ---------------------------------------------------------------------------------------------

    def plan_merge(self, given: Sequence[str]) -> tuple[Memory, Sequence[Memory]]:
        """The first as it would be, and those it would stand for."""
        kept, *others = dict.fromkeys(self.get(name).id for name in given)
        if not others:
            raise UsageError("a merge takes two or more memories", hint="lane mem merge KEPT OTHER")
        kept, *others = [self.get(id) for id in (kept, *others)]
        for memory in (kept, *others):
            if memory.state not in STANDING:
                raise UsageError(f"{memory.id} is {memory.state.value}", hint=f"lane mem restore {memory.id}")
        return merged(kept, others), others

    def merge(self, given: Sequence[str]) -> ActEffect:
        with self._alone():
            after, others = self.plan_merge(given)
            before = self.get(after.id)
            stood = [replace(memory, state=State.SUPERSEDED, superseded_by=after.id) for memory in others]
            lines = [memory_line(after, replaces=[memory.id for memory in others])]
            lines += [
                state_line(one, other, because="merged by hand") for one, other in zip(others, stood, strict=True)
            ]
            return self._done([before, *others], [after, *stood], lines)

    # -- where it stands ---------------------------------------------------------------------------------------------

    def keep(self, given: Iterable[str]) -> ActEffect:
        """A person's yes to a held one, or to one forgotten before: recalled from now on."""
        with self._alone():
            before = [self._must_have_text(self.get(name)) for name in given]
            after = [_said_yes(memory) for memory in before]
            moved = [(one, other) for one, other in zip(before, after, strict=True) if one != other]
            lines = [memory_line(other, because="a person said yes") for _, other in moved]
            # What a forgotten one says may change and it stays forgotten; only its state brings it back.
            lines += [state_line(one, other) for one, other in moved if one.state is State.FORGOTTEN]
            return self._done(before, after, lines)

    def pause(self, given: Iterable[str]) -> ActEffect:
        with self._alone():
            return self._moved([self._standing(name) for name in given], State.PAUSED)

    def forget(self, given: Iterable[str]) -> ActEffect:
        """Out of everything we answer with; `restore` brings it back."""
        with self._alone():
            return self._moved([self.get(name) for name in given], State.FORGOTTEN)

    def resume(self, given: Iterable[str]) -> ActEffect:
        with self._alone():
            found = [self.get(name) for name in given]
            for memory in found:
                if memory.state not in (State.PAUSED, State.ACTIVE):
                    raise UsageError(
                        f"{memory.id} is {memory.state.value}, not paused", hint=f"lane mem show {memory.id}"
                    )
            return self._back(found)

    def restore(self, given: Iterable[str]) -> ActEffect:
        """A forgotten one stands where it stood; a superseded or retired one is active again: a person said so."""
        with self._alone():
            return self._back([self._must_have_text(self.get(name)) for name in given])

    def _standing(self, given: str) -> Memory:
        memory = self.get(given)
        if memory.state not in STANDING:
            raise UsageError(f"{memory.id} is {memory.state.value}", hint=f"lane mem restore {memory.id}")
        return memory

    def _moved(self, before: Sequence[Memory], state: State) -> ActEffect:
        return self._stand(before, [memory if memory.state is state else _in(memory, state) for memory in before])

    def _back(self, before: Sequence[Memory]) -> ActEffect:
        return self._stand(before, [self._as_it_stood(memory) for memory in before])

    def _as_it_stood(self, memory: Memory) -> Memory:
        if memory.state in (State.ACTIVE, State.HELD):
            return memory
        if memory.state in (State.FORGOTTEN, State.PAUSED):
            stood = state_before(life_of(self._home, memory.id), memory.state)
            if stood is not None:
                return replace(memory, state=stood.state, superseded_by=stood.superseded_by)
        return _in(memory, State.ACTIVE)

    def _stand(self, before: Sequence[Memory], after: Sequence[Memory]) -> ActEffect:
        lines = [state_line(one, other) for one, other in zip(before, after, strict=True) if one != other]
        return self._done(before, after, lines)

    # -- for good ----------------------------------------------------------------------------------------------------

    def plan_gone(self, given: Iterable[str]) -> ErasePlan:
        found = [self.get(id) for id in dict.fromkeys(self.get(n).id for n in given)]
        lives = [life_of(self._home, memory.id) for memory in found]
        kinds = [moved.entry.kind for life in lives for moved in life]
        runs = dict.fromkeys(e.run for memory in found for e in memory.evidence if e.run)
        into = dict.fromkeys(m.superseded_by for m in found if m.state is State.SUPERSEDED and m.superseded_by)
        return ErasePlan(found, len(kinds), kinds.count("recall"), list(runs), list(into))

    def forget_for_good(self, plan: ErasePlan) -> None:
        """The text leaves journal and index; an empty, forgotten Memory stays, so that it is never made again."""
        with self._alone():
            for memory in plan.memories:  # before anything changes
                must_be_free(self._home, memory.id)
            standing = [memory for memory in plan.memories if memory.state is not State.FORGOTTEN]
            self._moved(standing, State.FORGOTTEN)
            for memory in plan.memories:
                self.kept_text(memory.id).unlink(missing_ok=True)
                forget_for_good(self._home, memory.id)

    # -- its past ----------------------------------------------------------------------------------------------------

    def history(self, given: str) -> Sequence[LifeStep]:
        return life_of(self._home, self.read(given).id)

    def replaced_by(self, memory: Memory) -> Sequence[Memory]:
        """Those this one stands for."""
        stood = self.all([State.SUPERSEDED])
        return [other for other in stood if other.superseded_by == memory.id]

    # -- both --------------------------------------------------------------------------------------------------------

    def _must_have_text(self, memory: Memory) -> Memory:
        if gone(memory):
            raise NotFoundError(f"the text of {memory.id} was deleted", hint="lane mem list")
        return memory

    def _done(self, before: Sequence[Memory], after: Sequence[Memory], lines: Sequence[ActLine]) -> ActEffect:
        act = self._writer.write(lines) if lines else ""
        return ActEffect(before, [self.get(memory.id) for memory in after], act)


def _said_yes(memory: Memory) -> Memory:
    if memory.state is State.ACTIVE:
        return memory
    return replace(_in(memory, State.ACTIVE), confidence=max(memory.confidence, SAID_YES))


def _in(memory: Memory, state: State) -> Memory:
    return replace(memory, state=state, superseded_by="")
