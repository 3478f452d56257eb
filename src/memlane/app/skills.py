"""Skills out of what people keep asking for: found in the index, drafted on request, installed only by a person."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import lru_cache
from pathlib import Path

from memlane import catch
from memlane.app.home import Home
from memlane.app.runs.library import RunLibrary
from memlane.domain import Author, Relation, RunFilter, RunSummary, State
from memlane.dream.folder.page import UnreadablePageError, read_head
from memlane.dream.skill_draft import FILE, Deed, did, draft, problems
from memlane.dream.skills import OFTEN, PersonRequest, RequestGroup, repeated
from memlane.errors import LaneError, NotFoundError, UsageError

LONGEST = 400  # characters of a request: more is pasted, and nobody pastes the same twice
OFFERED_FOR = timedelta(days=180)  # since it was last asked for: an old habit is none
MOST_CHUNKS = 20_000  # of one Run
COMMANDS = ("/", "<", "!")  # what is no request in words
_PASTED = re.compile(r"\b\w*(?:Error|Exception)\b:|^Traceback|^\s+at \S", re.MULTILINE)  # what a program said
SHARED = ".agents/skills"  # where agents of any maker look


@dataclass(frozen=True, slots=True)
class Habit:
    """Something people keep asking for; `kept`: there is a Skill for it already."""

    found: RequestGroup
    kept: bool


class Skills:
    def __init__(self, home: Home, runs: RunLibrary) -> None:
        self._home = home
        self._runs = runs

    def habits(self, least: int = OFTEN) -> Sequence[Habit]:
        """The most frequent first, as far as anybody still asks. Nothing is written."""
        standing = (State.ACTIVE, State.HELD, State.PAUSED)
        memories = self._home.storage().memories.listed(standing, self._home.reader)
        mine = [memory for memory in memories if memory.owner == self._home.config.user]
        same = lru_cache(maxsize=1 << 16)(catch.repeats)
        kept = list(self._skills())
        found = [self._told(one) for one in repeated(self._requests(), mine, same, least)]
        return [
            Habit(one, any(one.name == name or same(one.wish, what) for name, what in kept))
            for one in found
            if self._live(one)
        ]

    def _live(self, found: RequestGroup) -> bool:
        return found.last is None or self._home.clock() - found.last <= OFFERED_FOR

    def _told(self, found: RequestGroup) -> RequestGroup:
        """With what is known of Runs that only a memory named."""
        runs = {one.run: self._home.storage().runs.get(one.run, self._home.reader) for one in found.requests}
        return replace(found, requests=tuple(_known(one, runs[one.run]) for one in found.requests))

    def _requests(self) -> Iterator[PersonRequest]:
        storage, reader = self._home.storage(), self._home.reader
        for run in self._runs.select(RunFilter()):
            if run.headless or not run.person_turns or run.relation == Relation.SUBAGENT:
                continue
            for chunk in storage.chunks.of_run(run.id, reader, MOST_CHUNKS):
                text = chunk.text.strip()
                if chunk.author == Author.PERSON and not chunk.part and _is_request(text):
                    yield _known(PersonRequest(run.id, chunk.turn, text, chunk.at), run)

    def _skills(self) -> Iterator[tuple[str, str]]:
        """Name and description of those that are there."""
        notes = (agent.own_notes for agent in self._home.agents.with_part("own_notes"))
        for place in (SHARED, *(place for one in notes if one is not None for place in one.skills)):
            for file in sorted((self._home.config.person_home / place).glob(f"*/{FILE}")):
                with suppress(OSError, UnicodeDecodeError, UnreadablePageError):
                    fields, _body = read_head(file.read_text())
                    yield fields.get("name", ""), fields.get("description", "")

    # -- a draft -----------------------------------------------------------------------------------------------------

    def chosen(self, given: str, least: int = OFTEN) -> RequestGroup:
        """By its number in the list, or its name."""
        found = [habit.found for habit in self.habits(least)]
        if given.isdecimal() and 1 <= int(given) <= len(found):
            return found[int(given) - 1]
        named = [one for one in found if one.name == given]
        if not named:
            raise NotFoundError(f"there is no {given} in that list", hint="lane skills")
        return named[0]

    def draft(self, found: RequestGroup, into: Path) -> Path:
        """A folder with a SKILL.md in it. One that somebody has changed is not written over."""
        text = self._home.gate.mask(draft(found, {run: self._did(run, found) for run in found.runs}))
        wrong = problems(text.encode(), found.name)
        if wrong:
            raise LaneError(f"the draft is not a valid skill: {'; '.join(wrong)}", hint="lane logs")
        path = into / found.name / FILE
        if path.exists() and path.read_text() != text:
            raise UsageError(f"{path} already exists", hint="move it away, or give another folder: -o DIR")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def _did(self, run: str, found: RequestGroup) -> Sequence[Deed]:
        """In answer to these requests, in this Run. A Run that is forgotten did nothing."""
        turns = {one.turn for one in found.requests if one.run == run}
        with suppress(NotFoundError):
            shown = self._runs.show(run)
            return did([step for turn in shown.turns if turn.n in turns for step in turn.steps])
        return []


def _is_request(text: str) -> bool:
    if len(text) > LONGEST or text.startswith(COMMANDS) or _PASTED.search(text):
        return False
    return catch.repeats(text, text)


def _known(one: PersonRequest, run: RunSummary | None) -> PersonRequest:
    if run is None:
        return one
    return replace(one, agent=run.agent, machine=run.machine, project=run.project.name, at=one.at or run.started)
