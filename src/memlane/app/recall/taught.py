"""What a person teaches in a prompt: said back in the hook's answer, and written down once that has gone out.

Nothing here waits: until the rules and the gate are in memory, a Teaching is kept without being said back. Taking one
back in prose is only proposed; the person confirms it.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from memlane.app.home import Home
from memlane.app.home.journal import OURS, ActLine, ActWriter, memory_line
from memlane.app.recall.card import CardMemory
from memlane.app.recall.place import FolderView
from memlane.domain import Memory, Query, RecallMoment, Selection, State, derived_id
from memlane.domain.door import FencedText, fenced, one_line
from memlane.domain.journal import REFUSAL
from memlane.flow.journal import catch_up, understand
from memlane.storage import same_place
from memlane.system.lazy_module import LazyModule

if TYPE_CHECKING:
    from memlane.app.memories.proposals import Proposals
    from memlane.catch import observation, teachings
    from memlane.catch.teachings import TaughtAt, Teaching
    from memlane.embed import VectorModel
    from memlane.flow.tools import Tools
else:  # a prompt that teaches nothing is answered without them
    teachings = LazyModule("memlane.catch.teachings")
    observation = LazyModule("memlane.catch.observation")

QUIET_START = 1.0  # seconds: the first answers have the processor to themselves
NOTE = (
    "The user has just taught this, and Memory Lane has kept it for later runs. It holds from now on; "
    "there is no need to note it anywhere else."
)
FORGET = "The user wants this forgotten. Memory Lane asks them to confirm it; it is not forgotten yet."
IN_A_PROMPT = "your prompt"  # who proposes to forget something
SHOWN = 100  # characters of each title in the line that a person sees
MOST_SHOWN = 3
LOOKED_BACK = 20  # recalls of a run, for what was asked before
MOST_ALIKE = 50  # Memories looked at for each word of what is to be forgotten
SHARE = 0.5  # of those words that a Memory has to have
# A word that most Teachings have: while the rules are not read yet, no other prompt is looked at a second time.
_MAYBE = re.compile(
    r"remember|forget|never|always|from now|forward|future|prefer|decid|agreed|rule|note|stop|only|instead|, not|merk"
    r"|immer|\bnie|jetzt|künftig|toujours|jamais|retiens|siempre|nunca|recuerda|partir|sempre|lembr|prefir|[^\x00-\x7f]",
    re.IGNORECASE,
)
_STANDING = (State.ACTIVE, State.HELD)


@dataclass(frozen=True, slots=True)
class TaughtPrompt:
    """A prompt that teaches or takes back something, or may."""

    query: Query
    at: datetime


@dataclass(frozen=True, slots=True)
class TaughtAnswer:
    """What the agent and the person are told about it."""

    context: FencedText
    line: str
    prompt: TaughtPrompt | None  # None: nothing to write down
    kept: tuple[CardMemory, ...] = ()


NOTHING = TaughtAnswer(FencedText(), "", None)


class TaughtPrompts:
    def __init__(
        self,
        home: Home,
        writer: ActWriter,
        model: Callable[[], VectorModel | None],
        proposals: Callable[[], Proposals],
        place: FolderView,
    ) -> None:
        self._home, self._writer, self._model, self._proposals = home, writer, model, proposals
        self._place = place
        self._ready = threading.Event()
        self._waits = False

    def prepare(self) -> None:
        """In the background: the rules are read and the gate is built before anybody teaches something."""
        self._waits = True
        threading.Thread(target=self._prepare, name="teachings", daemon=True).start()

    def _prepare(self) -> None:
        if not self._ready.wait(QUIET_START):
            teachings.read_all()
            self._home.gate.mask("")
            self._ready.set()

    def answer(self, query: Query, nonce: str) -> TaughtAnswer:
        """At once. The gate has passed what is said here."""
        if not self._home.config.switch("catch.teachings") or not query.words.strip():
            return NOTHING
        prompt = TaughtPrompt(query, self._home.clock())
        if self._waits and not self._ready.is_set():
            return replace(NOTHING, prompt=prompt) if _MAYBE.search(query.words) else NOTHING
        found, about = teachings.teachings(query.words), teachings.retractions(query.words)
        if not found and not about:
            return NOTHING
        plain = [one for one in found if one.plainness is teachings.Plainness.PLAIN and not self._secret(one)]
        kept, gone = [one.title for one in plain], [m for one in about if (m := self._meant(one, query)) is not None]
        notes = tuple(CardMemory(self._id(one, prompt), _short(one.title)) for one in plain)
        return TaughtAnswer(_context(kept, gone, nonce), _line(kept, gone), prompt, notes)

    def _id(self, taught: Teaching, prompt: TaughtPrompt) -> str:
        """That it will have; it is written down once the answer has gone out."""
        return teachings.memory_of_teaching(taught, self._where(prompt)).id

    def _where(self, prompt: TaughtPrompt) -> TaughtAt:
        return teachings.TaughtAt(self._home.config.user, prompt.query.run, prompt.query.project, prompt.at)

    def _asked(self, query: Query) -> str:
        """What the person had asked for before; the prompt itself may be written down by now."""
        recalls = (
            self._home.storage().recalls.newest(LOOKED_BACK, self._home.reader, run=query.run) if query.run else ()
        )
        prompts = (one.query.words for one in recalls if one.query.moment is RecallMoment.PROMPT)
        return next((words for words in prompts if words != query.words), "")

    # -- afterwards --------------------------------------------------------------------------------------------------

    def keep(self, prompt: TaughtPrompt) -> Sequence[Memory]:
        """One act: `lane undo` takes all of it back. What is known already is seen once more."""
        query, home = prompt.query, self._home
        found = teachings.teachings(query.words)
        lines, made = list[ActLine](), list[Memory]()
        with home.lock.held():
            if found:
                catch_up(home.tools())
            for one in found:
                if rule := self._secret(one):
                    lines.append(_refusal(rule, prompt))
                elif (memory := self._memory(one, prompt)) is not None:
                    made.append(memory)
            lines += [memory_line(self._as_filed(memory, query)) for memory in made]
            if lines:
                self._writer.write(lines)
        if made:
            understand(self._tools())
        for about in teachings.retractions(query.words):
            if memory := self._meant(about, query):
                because = f"you asked to forget what you said about {about}"
                self._proposals().forget(memory.id, IN_A_PROMPT, because)
        return made

    def _tools(self) -> Tools:
        return replace(self._home.tools(), meaning=self._model())

    def _memory(self, taught: Teaching, prompt: TaughtPrompt) -> Memory | None:
        """As it is to be written; None: these very words are known."""
        at, tools = replace(self._where(prompt), asked=self._asked(prompt.query)), self._tools()
        memory = teachings.memory_of_teaching(taught, at)
        if tools.storage.memories.get(memory.id, tools.reader) is not None:
            return None
        known = self._noted_by_its_agent(memory) or observation.same_lesson(
            memory, observation.near(memory.text, (), tools.meaning, tools.storage, tools.reader)
        )
        if known is None or known.state is State.FORGOTTEN:  # taught again: they want it again
            return memory
        said = memory.evidence[0]
        if not any(same_place(one, said) or observation.same_saying(one, said) for one in known.evidence):
            return _seen_again(known, memory)
        sure = known.state is State.HELD and memory.state is State.ACTIVE
        return replace(known, state=State.ACTIVE, held_because="") if sure else None

    def _as_filed(self, memory: Memory, query: Query) -> Memory:
        known = self._home.storage().memories.get(memory.id, self._home.reader)
        own = self._place.filed(query.cwd, query.project)
        return memory if known is not None else replace(memory, project=own.name, project_key=own.key)

    def _noted_by_its_agent(self, memory: Memory) -> Memory | None:
        """What the agent made of these very words while we had not written them down yet."""
        here = self._home.storage().memories.from_run(memory.evidence[0].run, _STANDING, self._home.reader)
        return observation.same_words(memory, [one for one in here if not teachings.is_taught(one)])

    def _secret(self, taught: Teaching) -> str:
        """The rule of the gate that its words break, or ""."""
        found = self._home.gate.findings(f"{taught.title}\n{taught.quote}")
        return found[0].rule if found else ""

    def _meant(self, about: str, query: Query) -> Memory | None:
        """The Memory that has most of these words and holds here."""
        from memlane.claims import meaning

        words = sorted(meaning(about)) or about.casefold().split()
        scores = dict[str, int]()
        memories = dict[str, Memory]()
        for word in words:
            which = Selection(word, _STANDING, limit=MOST_ALIKE)
            for memory in self._home.storage().memories.found(which, self._home.reader):
                if observation.holds_in(memory, query.project.key):
                    memories[memory.id] = memory
                    scores[memory.id] = scores.get(memory.id, 0) + 1
        best = max(scores, key=lambda id: (scores[id], memories[id].last_observed_at), default="")
        return memories[best] if best and scores[best] >= SHARE * len(words) else None


def _seen_again(known: Memory, seen: Memory) -> Memory:
    return replace(
        known,
        evidence=(*known.evidence, *seen.evidence),
        times_observed=known.times_observed + 1,
        last_observed_at=max(known.last_observed_at, seen.last_observed_at),
        confidence=max(known.confidence, seen.confidence),
        state=seen.state if known.state is State.HELD else known.state,
    )


def _refusal(rule: str, prompt: TaughtPrompt) -> ActLine:
    run = prompt.query.run
    data = {
        "by": "gate",
        "rule": rule,
        "place": "content",
        "run": run,
        "generation": 0,
        "step": "",
        "extractor": teachings.MAKER,
    }
    return ActLine(REFUSAL, derived_id("w", run, prompt.at.isoformat(), rule), data, OURS)


def _context(kept: Sequence[str], gone: Sequence[Memory], nonce: str) -> FencedText:
    """Each in a fence of its own kind; nothing where nothing was kept."""
    parts = list[FencedText]()
    if kept:
        parts.append(fenced("\n".join(map(one_line, kept)), nonce, note=NOTE, marks=['kept="yes"']))
    if gone:
        lines = "\n".join(f"[{memory.id}] {one_line(memory.title)}" for memory in gone)
        parts.append(fenced(lines, nonce, note=FORGET, marks=['forget="asked"']))
    return FencedText("\n".join(parts))


def _line(kept: Sequence[str], gone: Sequence[Memory]) -> str:
    return "\n".join(_lines(kept, gone))


def _lines(kept: Sequence[str], gone: Sequence[Memory]) -> Iterator[str]:
    if kept:
        more = f"; and {len(kept) - MOST_SHOWN} more" if len(kept) > MOST_SHOWN else ""
        yield f"Lane kept: {'; '.join(map(_short, kept[:MOST_SHOWN]))}{more} (undo: lane undo)"
    for memory in gone[:MOST_SHOWN]:
        yield f'Lane: forget "{_short(memory.title)}"? (yes: lane mem forget {memory.id})'


def _short(title: str) -> str:
    said = one_line(title)
    return said if len(said) <= SHOWN else said[: SHOWN - 1].rstrip() + "…"
