"""The last arrow of the path: a prompt in, the right note or silence out, and the journal told of it afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from memlane import recall
from memlane.domain import EarlierTurn, Entry, Match, Memory, Outcome, Query, Recall, RecallMoment, State, without_words
from memlane.domain.journal import RECALL
from memlane.domain.recall import GONE_ON, RULE
from memlane.embed import EmbedderError, StillOpeningError
from memlane.flow.foreign_prompt import foreign_language, foreign_prompt
from memlane.flow.journal import write_down
from memlane.flow.tools import Tools
from memlane.storage import recall_data

if TYPE_CHECKING:
    from memlane.storage import Vector

SETTLED = 30  # recalls of a run that may say who is meant
# Source of a Match that is not told: gone, read by the agent itself, or said in this run already.
STALE, LOADED, STATED = "stale", "loaded", "stated"
MOST_STALE = 8  # times to choose anew; a checkout that has lost more than that is told nothing
COLD = "cold"
UNREAD = "the recall model does not know the letters of this prompt"
REMEMBERED = 100  # of a run that may say where its context began


def recall_for(query: Query, tools: Tools, opening: Recall | None = None) -> Recall:
    """`opening`: the standing rules that go out with it, where this prompt begins a context."""
    if (carried := _carried_on(query, tools)) is not None:
        return carried
    now, need = tools.clock(), recall.needed(query.words)
    before = tools.lately(query.run) if query.run and not need.routine else None
    if need.none(within_talk=before is not None):
        return _recalled(query, recall.RecallChoice(why=recall.NO_NEED), {}, tools)
    query, looked, extra = _looked(query, need, before, tools)
    chooser = recall.Chooser(query, need, now, tools.weights, tools.budget)
    within = "" if query.moment is RecallMoment.ASKED else query.run  # who asks for it is told, also a second time
    said = _said(within, tools, seen=query.moment is RecallMoment.ANSWER) if opening is None else _opened(opening)
    foreign = foreign_prompt(query, need, tools)
    looked, again = _looked_again(foreign.instead(looked), chooser, said, tools)
    choice = _standing(foreign.beside(looked), query, lambda left: chooser.choose(left, said), tools)
    choice = foreign.explained(choice)
    earlier = None if choice.fits or not _room(said, tools.budget) else tools.earlier(query, said.runs)
    return _recalled(query, choice, {**extra, **again}, tools, earlier)


def recall_for_answer(query: Query, tools: Tools) -> Recall | None:
    """What the agent proposes stands in the Query. Of what that surely brings up the person sees the best; nobody is
    asked who is meant. None: there is nothing this run has not seen, or nobody could tell what the words mean."""
    found = recall_for(query, tools)
    sure = [one for one in found.shown if (one.similarity if one.needed is None else one.needed) >= recall.SURER]
    if not sure or "fallback" in found.extra:
        return None
    left = (one for one in found.shown if one is not sure[0])
    return replace(found, shown=(sure[0],), near=(*left, *found.near), tokens=0)


def _carried_on(query: Query, tools: Tools) -> Recall | None:
    """A prompt that only says "go on" is told what the person saw of the answer before it, if it still stands."""
    if not query.run or query.moment is not RecallMoment.PROMPT or not recall.goes_on(query.words):
        return None
    last = next(iter(tools.storage.recalls.newest(1, tools.reader, run=query.run)), None)
    if last is None or last.query.moment is not RecallMoment.ANSWER:
        return None
    said, talk = _said(query.run, tools), _Talk(query, tools)
    fits = [match for match in _still_wanted(last, tools) if match.memory.id not in said.memories]
    shown = tuple(match for match in fits if _left_out(match, talk) is None)
    if not shown or not _room(said, tools.budget):
        return None
    return _recalled(query, recall.RecallChoice(shown=shown), {"answer": last.id}, tools)


def _still_wanted(last: Recall, tools: Tools) -> Iterator[Match]:
    """As each is said now: active, and not voted down where it was seen."""
    judged = tools.storage.recalls.judged([match.memory.id for match in last.shown], tools.reader)
    refused = {one.memory for one in judged if one.recall == last.id and not one.up}
    for match in last.shown:
        memory = tools.storage.memories.get(match.memory.id, tools.reader)
        if memory is not None and memory.state is State.ACTIVE and memory.id not in refused:
            yield replace(match, memory=memory, source=GONE_ON)


def _looked_again(
    looked: recall.Shortlist, chooser: recall.Chooser, said: recall.PriorBriefs, tools: Tools
) -> tuple[recall.Shortlist, Mapping[str, str]]:
    """With how likely each of the best few would change what the agent does; and who says so, or why nobody does."""
    few = chooser.closest(looked, said)
    texts = [recall.text_to_read(one) for one in few]
    again = tools.look_again(looked.model, chooser.query.words, texts) if few else None
    if again is None:
        return looked, {}
    skipped = {"second_look_skipped": again.skipped} if again.skipped else {}
    return recall.with_second_look(looked, few, again, said.memories), {"second_look": again.model, **skipped}


def _room(said: recall.PriorBriefs, budget: recall.Budget) -> bool:
    """For being pointed at an earlier run: it counts like a note."""
    kept = 0 if said.files else budget.for_files
    return said.count < budget.per_run - kept and said.tokens + recall.OFFERED <= budget.tokens_per_run


def _looked(
    query: Query, need: recall.Need, before: Vector | None, tools: Tools
) -> tuple[Query, recall.Shortlist, Mapping[str, str]]:
    """What was found, the Query with what it names, and how the look went."""
    if not tools.storage.memories.has([State.ACTIVE], tools.reader):
        return query, recall.Shortlist(), {}
    settled = _settled(query.run, tools) | frozenset(query.entities)  # those: the person has just said who is meant
    meant, unclear = tools.names(query.words, query.project, settled)
    query = replace(query, entities=tuple(one.entity.key for one in meant))
    asked, alone = _asked(query, before, tools)
    taken = [one.raw.casefold() for one in (*meant, *unclear)]
    people, several = tools.people(query, taken)
    gather = recall.MemoryLookup(query, need, asked, tools.reader, tools.storage, cold=COLD in alone)
    found = gather.look([*meant, *people], [*unclear, *several], tools.specificity, tools.clock())
    return query, _weighed(found, query, tools), {name: why for name, why in alone.items() if name != COLD}


def _standing(
    looked: recall.Shortlist, query: Query, choose: Callable[[recall.Shortlist], recall.RecallChoice], tools: Tools
) -> recall.RecallChoice:
    """Chosen anew without what is about something that is gone, or what the agent reads by itself, until all that is
    left to be told stands."""
    left_out = dict[str, tuple[str, Match]]()
    talk = _Talk(query, tools)
    for _again in range(MOST_STALE):
        choice = choose(looked)
        needless = {match.memory.id: out for match in choice.shown if (out := _left_out(match, talk))}
        if not needless:
            return _with(choice, left_out)
        left_out |= needless
        about, near = ([one for one in those if one.memory.id not in needless] for those in (looked.about, looked.near))
        looked = replace(looked, about=about, near=near)
    return _with(recall.RecallChoice(), left_out)


@dataclass(frozen=True)
class _Talk:
    """What this run has said, read once and only where there is something to tell."""

    query: Query
    tools: Tools

    @cached_property
    def began(self) -> datetime | None:
        newest = self.tools.storage.recalls.newest(REMEMBERED, self.tools.reader, run=self.query.run)
        return next((one.at for one in newest if one.begins), None)

    @cached_property
    def texts(self) -> Sequence[str]:
        return [*self.tools.talk(self.query, self.began), self.query.words]

    def says(self, memory: Memory) -> bool:
        """Who asks for notes by hand is told them all the same."""
        if self.query.moment is RecallMoment.ASKED or not self.query.run:
            return False
        return self._formed_here(memory) or recall.stated(memory, self.texts)

    def _formed_here(self, memory: Memory) -> bool:
        """Its words were said in this run, and its context still has them."""
        here = any(one.run == self.query.run for one in memory.evidence)
        return here and (self.began is None or memory.formed_at >= self.began)


def _left_out(match: Match, talk: _Talk) -> tuple[str, Match] | None:
    query, tools = talk.query, talk.tools
    if what := tools.gone(match.memory, query):
        return f"the match is about {what}, which no longer exists", replace(match, source=STALE)
    if file := tools.loaded(match.memory, query):
        return f"the match is already in {file}, which the agent reads itself", replace(match, source=LOADED)
    if talk.says(match.memory):
        return "already said in this run", replace(match, source=STATED)
    return None


def _with(choice: recall.RecallChoice, left_out: Mapping[str, tuple[str, Match]]) -> recall.RecallChoice:
    """It is not told, and whoever asks why sees it."""
    if not left_out:
        return choice
    missed = tuple(match for _why, match in left_out.values())
    why = "" if choice.shown or choice.asks else next(iter(left_out.values()))[0]
    return replace(choice, near=(*missed, *choice.near), why=why or choice.why)


def recall_for_file(
    query: Query, itself: Sequence[recall.PromptEntity], pages: Sequence[recall.PromptEntity], tools: Tools
) -> Recall | None:
    """The file stands in the Query. None: nothing is known about it, so there was nothing to look for."""
    words = f"{query.words}\n{query.files[0].rpartition('/')[2]}".strip()
    need = recall.needed(words)
    asked, alone = _asked(replace(query, words=words), tools.lately(query.run), tools)
    own, others = recall.MemoryLookup(query, need, asked, tools.reader, tools.storage).of_file(itself, pages)
    if not own and not others:
        return None
    weighed = _weighed(recall.Shortlist(about=own, near=others), query, tools)
    chooser = recall.Chooser(query, need, tools.clock(), tools.weights, tools.budget)
    said = _said(query.run, tools)
    choice = _standing(weighed, query, lambda left: chooser.for_file(left.about, left.near, said), tools)
    return _recalled(query, choice, alone, tools)


def recall_for_activity(query: Query, names: Sequence[str], tools: Tools) -> Recall | None:
    """Of what the agent may be about to do, the nearest first: one note for the first that has one to tell. None:
    there is none, or all were told."""
    lookup = recall.MemoryLookup(query, need := recall.needed(query.words), None, tools.reader, tools.storage)
    said = _said(query.run, tools)
    for name in names:
        doing = replace(query, activity=name)
        chooser = recall.Chooser(doing, need, tools.clock(), tools.weights, tools.budget)
        found = _weighed(recall.Shortlist(about=lookup.for_activity(name)), doing, tools)
        choice = _standing(found, doing, lambda left, by=chooser: by.for_activity(left.about, said), tools)
        if choice.shown:
            return _recalled(doing, choice, {}, tools)
    return None


def looked_before(query: Query, tools: Tools) -> bool:
    """Whether this file was looked at in this context already: one look, one note at most."""
    for before in tools.storage.recalls.newest(REMEMBERED, tools.reader, run=query.run):
        if before.begins:
            return False
        if before.query.files == query.files and before.outcome in (Outcome.SHOWN, Outcome.SILENT):
            return True
    return False


def last_words(run: str, tools: Tools) -> str:
    """What the person said last in this run, as far as it is written down."""
    before = tools.storage.recalls.newest(REMEMBERED, tools.reader, run=run)
    return next((one.query.words for one in before if one.query.moment is RecallMoment.PROMPT), "")


def _recalled(
    query: Query,
    choice: recall.RecallChoice,
    extra: Mapping[str, str],
    tools: Tools,
    earlier: EarlierTurn | None = None,
) -> Recall:
    told = Outcome.SHOWN if choice.shown or earlier else Outcome.QUESTION if choice.asks else Outcome.SILENT
    return Recall(
        id=tools.new_id("l"),
        owner=tools.machine.user,
        at=tools.clock(),
        query=query,
        outcome=told,
        why="" if earlier else choice.why,
        shown=choice.shown,
        near=choice.near,
        nonce=tools.new_id("n")[2:],
        tokens=recall.OFFERED if earlier else sum(recall.tokens_of(match.memory) for match in choice.shown),
        extra={**extra, **({"floor": f"{choice.floor:.2f}"} if choice.floor else {})},
        asks=choice.asks,
        earlier=(earlier,) if earlier else (),
    )


def _asked(query: Query, before: Vector | None, tools: Tools) -> tuple[recall.PromptVector | None, Mapping[str, str]]:
    """The prompt as the model of recall understands it, with a share of what was said just before it; or None, and why
    words and entities answer alone."""
    if tools.encodes is None:
        return None, {}
    try:
        if recall.in_other_script(foreign_language(query.words, tools)):
            return None, {"unread": UNREAD}
        tag, fitted = tools.encodes.tag, tools.encodes.calibration
        vector = tools.encodes.query(query.words)
    except StillOpeningError as error:
        return None, {"fallback": error.message, COLD: ""}
    except EmbedderError as error:
        return None, {"fallback": error.message}
    vector = vector if before is None else _unit((vector + recall.BEFORE * before).astype(vector.dtype))
    known = recall.Calibration.of(fitted) if fitted else recall.AS_IT_IS
    return recall.PromptVector(vector, tag, known), {}


def _unit(vector: Vector) -> Vector:
    return vector / float(vector @ vector) ** 0.5


def _weighed(looked: recall.Shortlist, query: Query, tools: Tools) -> recall.Shortlist:
    """With what people said about these Memories on prompts like this one."""
    ids = list(dict.fromkeys(one.memory.id for one in (*looked.about, *looked.near, *looked.asked)))
    judged = tools.storage.recalls.judged(ids, tools.reader) if ids else ()
    alike = {prompt: _alike(prompt, query.words, tools) for prompt in {one.query for one in judged}}
    return recall.weighed(looked, judged, alike)


def _alike(prompt: str, words: str, tools: Tools) -> float:
    """1: the same; 0: too little for a verdict on one to count for the other."""
    if prompt == words:
        return 1.0
    try:
        alike = float(tools.encodes.query(prompt) @ tools.encodes.query(words)) if tools.encodes and prompt else 0.0
    except EmbedderError:
        return 0.0
    return alike if alike >= tools.weights.floor else 0.0


def _settled(run: str, tools: Tools) -> frozenset[str]:
    """Who this run has already made clear: a first name later in it means the same."""
    before = tools.storage.recalls.newest(SETTLED, tools.reader, run=run) if run else ()
    return frozenset(key for one in before for key in one.query.entities)


def _said(run: str, tools: Tools, *, seen: bool = False) -> recall.PriorBriefs:
    """What this run was told since its context began or was last compacted. Who asks outside of a run asks anew.
    `seen`: also what only its person was shown, of an answer."""
    told, runs, rules, tokens, files = set[str](), set[str](), set[str](), 0, 0
    newest = tools.storage.recalls.newest(REMEMBERED, tools.reader, run=run) if run else ()
    began = next((one.at for one in newest if one.begins), None)
    for before in tools.storage.recalls.shown_in(run, tools.reader) if run else ():
        if began is not None and before.at < began:
            continue
        if before.query.moment is RecallMoment.START:  # its rules do not count against what a run may be told
            told, runs, tokens, files = set[str](), set[str](), 0, 0
            rules = {match.memory.id for match in before.shown if match.source == RULE}
        elif before.query.moment is RecallMoment.ANSWER:
            told |= {match.memory.id for match in before.shown} if seen else set()
        else:
            told |= {match.memory.id for match in before.shown}
            runs |= {one.run for one in before.earlier}
            tokens += before.tokens
            files += before.query.moment is RecallMoment.FILE
    return recall.said_before(told, tokens, files, runs, rules)


def _opened(opening: Recall) -> recall.PriorBriefs:
    return recall.said_before(set(), 0, 0, set(), {match.memory.id for match in opening.shown})


def keep_recall(answered: Recall, tools: Tools) -> None:
    """After the answer has gone out. The prompt is masked like everything that is not the raw archive; what an earlier
    run says stays there alone, so that forgetting it forgets it; so does what others lend, which they may take back."""
    words = tools.gate().mask(answered.query.words)
    places = tuple(replace(one, words="") for one in answered.earlier)
    shown, near = ([_as_kept(one, answered.owner) for one in some] for some in (answered.shown, answered.near))
    query = replace(answered.query, words=words)
    kept = replace(answered, query=query, earlier=places, shown=tuple(shown), near=tuple(near))
    write_down([Entry(RECALL, kept.id, kept.at, kept.owner, tools.machine.name, "lane", recall_data(kept))], tools)


def _as_kept(match: Match, owner: str) -> Match:
    return match if match.memory.owner == owner else replace(match, memory=without_words(match.memory))
