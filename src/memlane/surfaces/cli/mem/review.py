"""`lane mem review`: memories nobody was sure of, one key each. Not at a terminal it is a plain list."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import click

from memlane.domain import Memory, State
from memlane.errors import UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.keyboard import Keyboard
from memlane.surfaces.cli.mem.card import card_of, drawn
from memlane.surfaces.cli.mem.edit import in_editor
from memlane.surfaces.cli.mem.group import command, persons_word, told
from memlane.surfaces.cli.mem.table import columns
from memlane.surfaces.cli.text import many, one_line
from memlane.surfaces.documents import of_memory

if TYPE_CHECKING:
    from memlane.app import Lane

KEYS = "y keep  n forget  e edit  p pause  s skip  u undo  q quit"
DONE = {"y": "kept", "n": "forgotten", "p": "paused"}


@frame.command("keep", of=command)
@click.argument("memories", nargs=-1, required=True)
def keep(screen: Screen, memories: tuple[str, ...]) -> None:
    """Approve a held memory, so that it is recalled."""
    names = [screen.meant(name) for name in memories]
    with screen.lane() as lane:
        persons_word(lane, "keep", names)
        acted = lane.memories.keep(names)
    told(screen, "lane.mem.keep/1", acted, "Kept")


@frame.command("review", of=command)
@click.option("--limit", type=click.IntRange(min=1), default=None, help="At most this many.")
def review(screen: Screen, limit: int | None) -> None:
    """Review held memories, most confident first: keep, forget, edit or pause with one key."""
    with screen.lane() as lane:
        held = sorted(lane.memories.all([State.HELD]), key=lambda m: (-m.confidence, m.id))
        wanted_gone = [lane.memories.get(id) for id in lane.memories.proposals.to_forget()]
        found = [*held, *(memory for memory in wanted_gone if memory.state is not State.HELD)][:limit]
        if screen.json:
            screen.emit("lane.mem.review/1", [of_memory(memory) for memory in found], {"memories": len(found)})
        elif not found:
            screen.say("Nothing to review.")
        elif screen.terminal and sys.stdin.isatty():
            _MemoryReview(screen, lane, found).all()
        else:
            screen.remember_list([memory.id for memory in found])
            screen.listing("lane.mem.review/1", found, of_memory, columns(screen, found, lane.config.user))


@dataclass(slots=True)
class _MemoryReview:
    """What lies before the person: one memory at a time, and the way back."""

    screen: Screen
    lane: Lane
    found: list[Memory]
    pressing: Keyboard = field(default_factory=Keyboard)
    at: int = 0
    answered: list[tuple[int, str, str]] = field(default_factory=list[tuple[int, str, str]])  # where, key, act

    def all(self) -> None:
        while self.at < len(self.found):
            self._show()
            if not self._answer():
                break
        counted = Counter(DONE[key] for _at, key, _act in self.answered)
        told = ", ".join(f"{count} {what}" for what, count in counted.items()) or "nothing changed"
        left = len(self.lane.memories.all([State.HELD]))
        self.screen.line(f"{told}; {many(left, 'memory', 'memories')} held.")

    def _show(self) -> None:
        memory = self.lane.memories.get(self.found[self.at].id)
        self.screen.line()
        for line in drawn(self.screen, card_of(self.lane, memory)):
            self.screen.line(line)
        if wish := self.lane.memories.proposals.to_forget().get(memory.id):
            because = f": {one_line(wish.because)}" if wish.because else ""
            self.screen.line(f"{one_line(wish.by) or 'an agent'} suggests forgetting it{because}")
        self.screen.line()

    def _answer(self) -> bool:
        """False: enough for today."""
        self.screen.flush()  # what is asked stands below what it is asked about
        self.screen.say(f"{self.at + 1} of {len(self.found)}   {KEYS}")
        key = self.pressing.one_of(("u", "e", "s", *DONE))
        if key:
            self._do(key)
        return bool(key)

    def _do(self, key: str) -> None:
        memory = self.found[self.at].id
        if key == "u":
            self._undo()
        elif key == "e":
            self._edit(memory)
        else:
            if key != "s":
                self._move(key, memory)
            self.at += 1

    def _edit(self, memory: str) -> None:
        """What went wrong in the editor ends the edit, not the review."""
        try:
            in_editor(self.screen, self.lane, self.lane.memories.get(memory))
        except UsageError as error:
            self.screen.say(f"{error.message}: {error.hint}")

    def _move(self, key: str, memory: str) -> None:
        editing = self.lane.memories
        act = {"y": editing.keep, "n": editing.forget, "p": editing.pause}[key]([memory]).act
        self.lane.memories.proposals.settled(memory)
        self.answered.append((self.at, key, act))
        self.screen.line(f"{DONE[key].capitalize()}.")

    def _undo(self) -> None:
        if not self.answered:
            self.screen.say("Nothing to undo.")
            return
        self.at, _key, act = self.answered.pop()
        if act:
            self.lane.acts.undo(self.lane.acts.get(act))
        self.screen.line("Undone.")
