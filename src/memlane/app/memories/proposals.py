"""What an agent asks to have remembered or forgotten: the person decides, unless it is what they have just said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from memlane import archive
from memlane.app.home import Home
from memlane.app.home.journal import AGENT, PERSON, ActLine, ActWriter, actor_of, memory_line
from memlane.app.home.memory_rules import LONGEST_CONTENT, LONGEST_TITLE, title_of
from memlane.app.memories.form import matters, too_long
from memlane.app.memories.spoken import AgentPlace, RunningTurn, SpokenWords
from memlane.catch.improvement import with_occasion
from memlane.claims import meaning
from memlane.domain import (
    ANY_OCCASION,
    PROPOSED,
    Memory,
    Occasion,
    Project,
    Scope,
    State,
    Trust,
    Type,
    derived_id,
)
from memlane.domain.journal import MEMORY, STATE, WISH
from memlane.errors import NotFoundError, UsageError

UNSURE = 60  # an agent says so
SAID = 80  # the person said so, in the agent's words
STANDING = (State.HELD, State.ACTIVE, State.PAUSED)
MOST_WISHES = 100  # that wait for the person at one time
LONGEST_REASON = 200  # characters of their words
FEWEST = 2  # words that carry something, before they can be the reason for anything
SHARE = 2 / 3  # of a note's words that the person has to have said


@dataclass(frozen=True, slots=True)
class MemoryProposal:
    """What an agent wants remembered, for which project, and the person's words it goes by ("" if none)."""

    text: str
    project: Project
    title: str = ""
    type: Type = PROPOSED
    scope: Scope = Scope.PROJECT
    said: str = ""
    by: str = ""  # the agent, as it calls itself
    folder: Path | None = None  # where it works, if that is known
    run: str = ""  # and in which Run
    occasion: Occasion = ANY_OCCASION


@dataclass(frozen=True, slots=True)
class ProposalOutcome:
    """The Memory as it stands now, and whether it was there before."""

    memory: Memory
    known: bool


@dataclass(frozen=True, slots=True)
class ForgetWish:
    """That a Memory be forgotten: by which agent, when, and why."""

    memory: str
    by: str
    at: datetime
    because: str = ""

    @property
    def id(self) -> str:
        return derived_id("w", self.memory)


class Proposals:
    def __init__(self, home: Home, writer: ActWriter, turn: RunningTurn) -> None:
        self._home = home
        self._writer = writer
        self._turn = turn

    def remember(self, note: MemoryProposal) -> ProposalOutcome:
        """Masked before anything is written. The same words in the same project are the same Memory."""
        mask = self._home.gate.mask
        clean = replace(note, text=mask(note.text.strip()), title=mask(" ".join(note.title.split())))
        if not clean.text:
            raise UsageError("the note is empty", hint="say it in one or two sentences")
        if len(clean.text) > LONGEST_CONTENT or len(clean.title) > LONGEST_TITLE:
            raise UsageError(f"a note is at most {LONGEST_CONTENT} characters", hint="keep it to one lesson")
        if wrong := too_long(note.occasion):
            raise UsageError("; ".join(wrong), hint="say less, or leave it out")
        self._home.begin()
        made = self._memory(clean, self._said_by_the_person(clean))
        with self._home.lock.held():
            known = self._home.storage().memories.get(made.id, self._home.reader) or self._taught(made)
            after = made if known is None else _confirmed(with_occasion(known, made.occasion), made)
            if after != known:
                self._writer.write([memory_line(after, actor_of(note.by) if note.by else AGENT)])
        return ProposalOutcome(after, known is not None)

    def _taught(self, made: Memory) -> Memory | None:
        """What the person's prompt has taught by itself, in these very words."""
        from memlane.catch.observation import same_words
        from memlane.catch.teachings import is_taught

        if not made.evidence:
            return None
        here = self._home.storage().memories.from_run(made.evidence[0].run, list(STANDING), self._home.reader)
        return same_words(made, [memory for memory in here if is_taught(memory)])

    def forget(self, given: str, by: str, because: str = "") -> Memory:
        """Kept until the person has looked at it in `lane mem review`; the Memory stays as it is."""
        memories = self._home.storage().memories
        memory = memories.get(self._home.whole_id(given, memories.starting_with), self._home.reader)
        if memory is None:
            raise NotFoundError(f"there is no memory {given}", hint="search, recall")
        wish = ForgetWish(memory.id, by, self._home.clock(), self._home.gate.mask(because))
        with self._home.lock.held():
            waiting = self._waiting()
            if memory.state in STANDING and memory.id not in waiting and len(waiting) < MOST_WISHES:
                self._writer.write([_wish_line(wish, actor_of(by) if by else AGENT)])
        return memory

    def make_standing(self, given: str, said: str, place: AgentPlace, *, on: bool) -> tuple[Memory, str]:
        """The Memory, and the act that takes it back: "" where nothing was changed. Done at once if these are the
        person's own words of this turn; otherwise only they can."""
        memories = self._home.storage().memories
        memory = memories.get(self._home.whole_id(given, memories.starting_with), self._home.reader)
        if memory is None:
            raise NotFoundError(f"there is no memory {given}", hint="search, recall")
        spoken = self._turn.spoken(said, place) if len(meaning(said)) >= FEWEST else None
        if spoken is None or memory.always is on or memory.state not in STANDING:
            return memory, ""
        with self._home.lock.held():
            after = replace(memory, always=on)
            because, actor = (
                f"you said: {spoken.quote[:LONGEST_REASON]}",
                actor_of(place.agent) if place.agent else AGENT,
            )
            act = self._writer.write([memory_line(after, actor, because=because)])
        return after, act

    def to_forget(self) -> Mapping[str, ForgetWish]:
        """By Memory; only of those that still stand."""
        waiting = self._waiting()
        memories = self._home.storage().memories
        found = {name: memories.get(name, self._home.reader) for name in waiting}
        return {name: waiting[name] for name, memory in found.items() if memory and memory.state in STANDING}

    def settled(self, memory: str) -> None:
        """The person has said what becomes of it: if nothing else says so, their no to the wish is written down."""
        if wish := self._waiting().get(memory):
            self._writer.write([_wish_line(wish, PERSON, answer="kept")])

    def _waiting(self) -> Mapping[str, ForgetWish]:
        """Asked for, and not a word of the person about that Memory since."""
        disk, layout, asks = self._home.disk, self._home.layout, f'"kind":"{WISH}"'
        wished = {str(line.data["memory"]) for line in archive.entries_with(disk, layout, asks) if line.kind == WISH}
        waiting = dict[str, ForgetWish]()
        for line in archive.entries_with(disk, layout, *wished) if wished else ():
            if line.kind == WISH and not line.data["answer"]:
                wish = ForgetWish(str(line.data["memory"]), str(line.data["by"]), line.at, str(line.data["because"]))
                waiting[wish.memory] = wish
            elif line.actor == PERSON and line.kind in (MEMORY, STATE, WISH):
                waiting.pop(str(line.data["memory"]) if line.kind != MEMORY else line.id, None)
        return waiting

    def _memory(self, note: MemoryProposal, spoken: SpokenWords | None) -> Memory:
        quote = spoken.quote if spoken else ""
        now, user, key = self._home.clock(), self._home.config.user, note.project.key
        memory = Memory(
            id=derived_id("m", user, key, AGENT, " ".join(note.text.split())),
            owner=user,
            type=note.type,
            title=note.title or title_of(note.text),
            content=note.text,
            formed_at=now,
            saved_at=now,
            first_observed_at=now,
            last_observed_at=now,
            source_chunk=quote,
            evidence=spoken.evidence if spoken else (),
            scope=note.scope,
            project=note.project.name,
            project_key=key,
            confidence=SAID if quote else UNSURE,
            reasoning="You said so when the agent noted it." if quote else "An agent asked for it.",
            trust=Trust.PERSON if quote else Trust.AGENT,
            maker=f"mcp/{note.by}" if note.by else "mcp",
            state=State.ACTIVE if quote else State.HELD,
            held_because="" if quote else "an agent asked for it without quoting your words",
        )
        return matters(memory, self._home.gate.mask_values(note.occasion))

    def _said_by_the_person(self, note: MemoryProposal) -> SpokenWords | None:
        """Their words, if they stand in the turn that is being worked on and carry most of the note."""
        if note.folder is None or len(meaning(note.said)) < FEWEST:
            return None
        spoken = self._turn.spoken(note.said, AgentPlace(note.by, note.folder, note.run))
        told = meaning(f"{note.title}\n{note.text}")
        carried = spoken is not None and len(told & meaning(spoken.turn)) >= SHARE * len(told)
        return spoken if carried else None


def _confirmed(known: Memory, made: Memory) -> Memory:
    """What a prompt may have taught waits for a yes; an agent that quotes the same words is one."""
    if known.state is not State.HELD or made.state is not State.ACTIVE or made.id == known.id:
        return known
    return replace(known, state=State.ACTIVE, held_because="", confidence=max(known.confidence, made.confidence))


def _wish_line(wish: ForgetWish, actor: str, answer: str = "") -> ActLine:
    data = {"memory": wish.memory, "by": wish.by, "because": wish.because, "answer": answer}
    return ActLine(WISH, wish.id, data, actor)
