"""Which few are worth saying, and in which order? Pure: what was found and what was already said in, Matches out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memlane.claims import names_of, paraphrase
from memlane.domain import Match, Memory, NameQuestion, Query, Scope
from memlane.recall.brief import body
from memlane.recall.earlier_runs import about_the_past
from memlane.recall.gather import AmbiguousName, Shortlist, covers, for_agent
from memlane.recall.need import Need
from memlane.recall.score import THUMBS_DOWN, LikelyMemory, felt, score
from memlane.recall.second_look import FROM, LOOKED_AT
from memlane.recall.small_talk import SURER
from memlane.recall.weights import Budget, RecallWeights

CHARACTERS_PER_TOKEN = 4
_SCOPE_ORDER = (Scope.PROJECT, Scope.PERSON, Scope.TOOL, Scope.GLOBAL)
ENOUGH = "this run has reached its limit"
NO_NEED = "the prompt asks for nothing in particular"


@dataclass(frozen=True, slots=True)
class PriorBriefs:
    """What this run was already told, since its context began or was compacted."""

    memories: frozenset[str]
    count: int
    tokens: int
    files: int = 0  # of these, on a touched file
    runs: frozenset[str] = frozenset()  # earlier ones it was pointed at


@dataclass(frozen=True, slots=True)
class RecallChoice:
    """What to show or to ask, what just missed, and why it is not more."""

    shown: tuple[Match, ...] = ()
    near: tuple[Match, ...] = ()
    why: str = ""
    asks: tuple[NameQuestion, ...] = ()
    fits: bool = False  # whether anything does, told now or before
    floor: float = 0.0  # what it had to reach


@dataclass(frozen=True, slots=True)
class Chooser:
    """The numbers of one home, for one prompt at one time."""

    query: Query
    need: Need
    now: datetime
    weights: RecallWeights
    budget: Budget

    def choose(self, looked: Shortlist, said: PriorBriefs) -> RecallChoice:
        if asks := self._asks(looked.unclear, said):
            return RecallChoice(asks=asks, fits=True)
        about = self._named(looked)
        if about:
            return self._told(self._ranked(looked.about), about, said, self.weights.entity_floor)
        floor = self.weights.technical_floor if self.need.technical else self.weights.floor
        near = self._clear(looked)
        ranked, good = self._ranked([*near, *looked.about]), self._good(near, floor)
        asked = [] if good else self._good(looked.asked, floor)
        return self._told(ranked, good or asked, said, floor)

    def closest(self, looked: Shortlist, said: PriorBriefs) -> list[LikelyMemory]:
        """The few a second look is worth: the nearest that were not told yet. None where it has no say: the agent is to
        ask, something the prompt names is known, what is asked for are notes, or nobody could tell what they mean."""
        if not looked.model or about_the_past(self.query.words) or self._asks(looked.unclear, said):
            return []
        if self._named(looked):
            return []
        clear = [one for one in self._clear(looked) if self._may_be_told(one)]
        worth = [one for one in clear if one.similarity >= FROM or one.downs < 0]
        nearest = sorted(worth, key=lambda one: (one.downs >= 0, -one.similarity, one.memory.id))
        return [one for one in nearest if one.memory.id not in said.memories][:LOOKED_AT]

    def _named(self, looked: Shortlist) -> list[Match]:
        """What is about the named and fits; where one fits well, what is far behind it does not."""
        judged = [one.similarity for one in looked.about if one.judged and self._may_be_told(one)]
        least = max(self.weights.entity_floor, self.weights.entity_share * max(judged, default=0.0))
        return self._good(looked.about, least)

    def _clear(self, looked: Shortlist) -> list[LikelyMemory]:
        unclear = {one.memory.id for _name, found in looked.unclear for one in found}
        return [one for one in looked.near if one.memory.id not in unclear]

    def for_file(self, own: Sequence[LikelyMemory], others: Sequence[LikelyMemory], said: PriorBriefs) -> RecallChoice:
        """One note at most. What is about the file itself needs no likeness: to touch it is to need it."""
        floor = self.weights.entity_floor
        good = [*self._good(own, 0.0), *self._good(others, floor)]
        choice = self._told(self._ranked([*own, *others]), good, said, floor)
        return replace(
            choice, shown=choice.shown[:1], near=(*choice.shown[1:], *choice.near)[: self.budget.near_misses]
        )

    def for_activity(self, found: Sequence[LikelyMemory], said: PriorBriefs) -> RecallChoice:
        """One note at most, of those that were not told yet."""
        choice = self._told([], self._good(found, 0.0), said, 0.0)
        return replace(choice, shown=choice.shown[:1], near=())

    def _asks(
        self, unclear: Sequence[tuple[AmbiguousName, Sequence[LikelyMemory]]], said: PriorBriefs
    ) -> tuple[NameQuestion, ...]:
        """Only where the answer would change what is said."""
        return tuple(
            NameQuestion(name.raw, tuple(_called(one.entity.name, one.entity.key) for one in name.fitting))
            for name, found in unclear
            if self._matters(name, [one for one in found if one.memory.id not in said.memories])
        )

    def _matters(self, name: AmbiguousName, found: Sequence[LikelyMemory]) -> bool:
        """There are notes about more than one of those it fits, or one that would be told about the only one."""
        told = [one.memory for one in found if self._may_be_told(one)]
        known = [one for one in name.fitting if any(covers(memory, [one]) for memory in told)]
        return len(known) > 1 or bool(self._good(found, self.weights.entity_floor))

    def _good(self, found: Sequence[LikelyMemory], floor: float) -> list[Match]:
        return self._ranked([one for one in found if self._may_be_told(one) and self._passes(one, floor)])

    def _passes(self, one: LikelyMemory, floor: float) -> bool:
        """Where a second look was taken it decides, else the floor."""
        if self.weights.not_wanted(one.downs):
            return False
        if one.asked or not one.judged:
            return True
        least = SURER if self.need.personal or (self.need.says_little and one.cue) else 0.0
        if one.needed is not None:
            return felt(one.needed, one.downs, self.weights) >= max(self.weights.needed, least)
        return felt(one.similarity, one.downs, self.weights) >= max(floor, least)

    def _may_be_told(self, one: LikelyMemory) -> bool:
        return one.memory.confidence >= self.weights.least_confidence and for_agent(one.memory, self.query)

    def _ranked(self, found: Sequence[LikelyMemory]) -> list[Match]:
        """What is about everything the prompt names comes first; then by score."""
        most = {one.memory.id: one for one in sorted(found, key=lambda one: one.covers)}
        matched = [(one.covers, score(one, self.need, self.now, self.weights)) for one in most.values()]
        return [match for _covers, match in sorted(matched, key=lambda one: (-one[0], *_order(one[1])))]

    def _told(self, ranked: Sequence[Match], good: Sequence[Match], said: PriorBriefs, floor: float) -> RecallChoice:
        good = _said_once(good, said.memories)
        passed = {match.memory.id for match in good}
        near = tuple(match for match in ranked if match.memory.id not in passed)[: self.budget.near_misses]
        if not good:
            return RecallChoice(near=near, why=self._why(ranked, floor), floor=floor)
        fresh = [match for match in good if match.memory.id not in said.memories]
        if not fresh:
            return RecallChoice(near=near, why="already shown in this run", fits=True, floor=floor)
        shown = _within(fresh, said, self.budget, kept=0 if self._by_sign or said.files else self.budget.for_files)
        return RecallChoice(tuple(shown), near, "" if shown else ENOUGH, fits=True, floor=floor)

    @property
    def _by_sign(self) -> bool:
        """It may take what is kept for files."""
        return bool(self.query.files or self.query.activity)

    def _why(self, ranked: Sequence[Match], floor: float) -> str:
        others = [m.memory for m in ranked if m.similarity >= floor and not for_agent(m.memory, self.query)]
        if others:
            return f"the match is only for {', '.join(others[0].target_agents)}"
        if any(self._voted_down(match, floor) for match in ranked):
            return f"the match has {THUMBS_DOWN}"
        if judged := [match.needed for match in ranked if match.needed is not None]:
            return f"nothing relevant (best {max(judged):.0%})"
        return f"nothing relevant (best is below {floor:.0%})" if ranked else "no memory is similar"

    def _voted_down(self, match: Match, floor: float) -> bool:
        sure, least = (match.similarity, floor) if match.needed is None else (match.needed, self.weights.needed)
        return sure >= least and match.because.startswith(THUMBS_DOWN)


def _said_once(good: Sequence[Match], told: Collection[str]) -> list[Match]:
    """Without what says the same as a better one of them, or as one that was told before."""
    kept = [match for match in good if match.memory.id in told]
    for match in good:
        if not any(_says_the_same(match.memory, other.memory) for other in kept):
            kept.append(match)
    chosen = {match.memory.id for match in kept}
    return [match for match in good if match.memory.id in chosen]


def _says_the_same(one: Memory, other: Memory) -> bool:
    return one.id == other.id or paraphrase(one.title, one.text, other.title, other.text, names_of(one.project))


def _called(name: str, key: str) -> str:
    return f"{name} ({key})"


def _order(match: Match) -> tuple[float, int, str]:
    return (-match.score, _SCOPE_ORDER.index(match.memory.scope), match.memory.id)


def _within(matches: Sequence[Match], said: PriorBriefs, budget: Budget, kept: int) -> list[Match]:
    """`kept`: so many of this run's notes are not for prompts."""
    room = min(budget.per_prompt, budget.per_run - kept - said.count)
    tokens, shown = said.tokens, list[Match]()
    for match in matches:
        cost = tokens_of(match.memory)
        if len(shown) >= room:
            break
        if tokens + cost <= budget.tokens_per_run:
            shown.append(match)
            tokens += cost
    return shown


def tokens_of(memory: Memory) -> int:
    return len(body(memory)) // CHARACTERS_PER_TOKEN + 30


def said_before(
    ids: Collection[str], tokens: int, files: int = 0, runs: Collection[str] = (), rules: Collection[str] = ()
) -> PriorBriefs:
    """`rules`: standing ones, given when the context began; they are not counted."""
    return PriorBriefs(frozenset((*ids, *rules)), len(ids) + len(runs), tokens, files, frozenset(runs))
