"""When do those Memories matter of which nobody has said it? Asked of whoever reads, when no Window is open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from memlane.app.catch.claims import Claims, QuestionClaim, nobody
from memlane.app.catch.windows import CatchWindows
from memlane.app.home import Home
from memlane.catch.improvement import with_occasion
from memlane.catch.model.occasions import MOST_ASKED, asked, occasions_prompt, occasions_schema
from memlane.domain import STANDING, Entry, Memory, Occasion, Project, State, random_id
from memlane.domain.journal import MEMORY
from memlane.flow.journal import catch_up, write_down
from memlane.storage import memory_data

BECAUSE = "a reader said when it matters"


@dataclass(frozen=True, slots=True)
class MemoryQuestion:
    """Memories to say something about, with all that is needed for it."""

    token: str
    until: datetime
    memories: Sequence[Memory]
    kind: Literal["memories"] = "memories"

    @property
    def instructions(self) -> str:
        return occasions_prompt()

    @property
    def text(self) -> str:
        return asked(self.memories)

    @property
    def schema(self) -> Mapping[str, object]:
        return occasions_schema()


class MemoryQuestions:
    def __init__(self, home: Home, catch: CatchWindows, claims: Claims) -> None:
        self._home, self._catch, self._claims = home, catch, claims

    def next(self, by: str = "") -> MemoryQuestion | None:
        """The same again for whoever has one; else Memories that nobody else is asked about."""
        with self._claims.tidied() as claims:
            now = self._home.clock()
            open_ = {token: claim for token, claim in claims.questions.items() if not claim.done and claim.until > now}
            mine = next((token for token, claim in open_.items() if claim.by == by), "")
            if mine and (found := self._still(open_[mine].memories)):
                claims.questions[mine].until = self._claims.until
                return MemoryQuestion(mine, self._claims.until, found)
            busy = {memory for claim in open_.values() for memory in claim.memories} | set(claims.asked)
            found = [memory for memory in self.waiting() if memory.id not in busy][:MOST_ASKED]
            if not found:
                return None
            token = random_id("w")
            names = [memory.id for memory in found]
            claims.questions[token] = QuestionClaim(by or nobody(), self._claims.until, names)
        return MemoryQuestion(token, self._claims.until, found)

    def waiting(self) -> list[Memory]:
        """Active ones first, of projects that may be read. Without cues only a note's own words find it."""
        listed = self._home.storage().memories.listed([State.ACTIVE, State.HELD], self._home.reader)
        skipped = self._home.called_any(self._home.config.names("catch.skip_projects"))
        bare = (one for one in listed if not one.cues and not skipped(Project(one.project, one.project_key)))
        return sorted(bare, key=lambda memory: memory.state.value)

    def keep(self, occasions: Mapping[str, Occasion], actor: str) -> list[Memory]:
        """As edits by the reader; only what is still unsaid is filled in."""
        home, made = self._home, list[Memory]()
        with self._catch.alone(), home.lock.held():
            catch_up(home.tools())
            for memory in self._standing(list(occasions)):
                after = with_occasion(memory, occasions[memory.id])
                made += [after] if after != memory else []
            user, machine, now = home.config.user, home.config.machine, home.clock()
            lines = [
                Entry(MEMORY, m.id, now, user, machine, actor, {**memory_data(m), "because": BECAUSE}) for m in made
            ]
            if lines:
                write_down(lines, home.tools())
        return made

    def _still(self, ids: Sequence[str]) -> list[Memory]:
        return [memory for memory in self._standing(ids) if not memory.cues]

    def _standing(self, ids: Sequence[str]) -> list[Memory]:
        memories, reader = self._home.storage().memories, self._home.reader
        found = (memories.get(id, reader) for id in ids)
        return [memory for memory in found if memory is not None and memory.state in STANDING]
