"""Answering an agent: what it should know now, or nothing; and telling a person afterwards what was said and why."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from memlane import __version__, recall
from memlane.agents.agent import HookCall, HookMoment, Hooks
from memlane.app.entities.book import EntityBook
from memlane.app.home import Home
from memlane.app.home.journal import ActWriter
from memlane.app.home.last_words import LastWords
from memlane.app.recall.agent_text import agent_text
from memlane.app.recall.card import CardMemory, PromptCard, card_of
from memlane.app.recall.earlier import EarlierTurns
from memlane.app.recall.hook_answer import NOTHING, HookAnswer
from memlane.app.recall.lines import line, rules_line
from memlane.app.recall.past import PastRecalls
from memlane.app.recall.people import people_named
from memlane.app.recall.place import FolderView
from memlane.app.recall.run_words import RunWords
from memlane.app.recall.start_rules import BEGUN, COMPACTED, NONE, StandingRules
from memlane.app.recall.switches import COMMANDS, OFF, OFF_HERE, SWITCHES, RecallSwitches
from memlane.app.recall.taught import NOTHING as NOTHING_TAUGHT
from memlane.app.recall.taught import TaughtPrompt, TaughtPrompts
from memlane.app.recall.unheard import UNHEARD, UnheardPrompts
from memlane.app.runs.outcomes import SaidOutcome
from memlane.domain import Memory, Outcome, Query, Recall, RecallMoment, State, run_id
from memlane.domain.activity import Activity, shown_by_command, shown_by_path
from memlane.domain.door import FencedText
from memlane.domain.recall import PROBE
from memlane.errors import LaneError
from memlane.flow import recall as telling

if TYPE_CHECKING:
    from memlane.app.memories.proposals import Proposals
    from memlane.app.recall.feedback import Verdicts
    from memlane.app.vectors import VectorUpkeep
    from memlane.flow.tools import Tools

Found = TypeVar("Found")
FOREMOST = 60  # that a second look may be taken at in this run, read beforehand


class Recalls(PastRecalls):
    def __init__(
        self,
        home: Home,
        entities: EntityBook,
        vectors: VectorUpkeep,
        writer: ActWriter,
        proposals: Callable[[], Proposals],
        place: FolderView,
    ) -> None:
        super().__init__(home)
        self._writer, self._place = writer, place
        self._earlier = EarlierTurns(home, vectors)
        self._entities = entities
        self._live = LastWords(home)
        self._standing = StandingRules(home, place)
        self._unheard = UnheardPrompts(place, self._standing.since_start)
        self._talk = RunWords(home)
        self._switches = RecallSwitches(home, place)
        self._taught = TaughtPrompts(home, writer, vectors.understands, proposals, place)
        self._somebody_waits = False  # for as long as they should and no longer; who asks by hand waits for all of it
        self.keep_by: Callable[[Recall], None] | None = None  # somebody else writes it down: nobody waits for the lock

    @cached_property
    def feedback(self) -> Verdicts:
        from memlane.app.recall.feedback import Verdicts

        return Verdicts(self._home, self._writer)

    def prepare(self) -> None:
        """The index is open and the model on its way before anybody asks. Where nothing is known, none is needed."""
        self._somebody_waits = True
        self._taught.prepare()
        home, memories = self._home, self._home.recalled().memories

        def bring_to_mind(tag: str) -> None:
            with suppress(LaneError, OSError):  # whoever asks meets it again
                memories.prepare(tag, home.reader)
                home.second_look.prepare(tag)

        if home.recall_model.spec:
            home.recall_model.prepare(bring_to_mind, now=memories.has([State.ACTIVE], home.reader))

    def understands(self) -> bool:
        """Whether the model is open, or cannot be. From now on it is opened for whoever waits."""
        return self._home.recall_model.hurry()

    def look_around(self) -> None:
        """After an answer has gone out: who and what there is, for the next."""
        self._entities.look_again()

    # -- an agent asks ---------------------------------------------------------------------------------------------

    def hooked(
        self,
        agent: str,
        event: str,
        given: Mapping[str, object],
        *,
        off: bool = False,
        meant: Sequence[str] = (),
        until: float = math.inf,
    ) -> HookAnswer:
        """One hook call, answered. The Recall is not written down yet: the agent waits for nothing but this, and not
        longer than `until`. `meant`: entities that the person has just chosen for this very prompt."""
        source = self._hooks(agent)
        if source is None:
            return NOTHING
        call = source.hook_call(event, given)
        if call is None or self._is_ours(call):
            return NOTHING
        match call.moment:
            case HookMoment.RUN_STARTED:
                return self._started(source, event, call, off=off)
            case HookMoment.PROMPT_SUBMITTED:
                return self._prompted(source, event, call, meant, until, off=off)
            case HookMoment.FILE_TOUCHED | HookMoment.COMMAND_RUN:
                return self._tool_used(source, event, call, until, off=off)
            case HookMoment.RUN_JUDGED:
                run = run_id(self._place.machine, source.name, call.parent_id or call.native_id)
                return HookAnswer({}, outcome=SaidOutcome(run, call.success, source.name))
            case HookMoment.RUN_STOPPED | HookMoment.RUN_ENDED:
                return self._stopped(source, event, call, off=off)

    def probed(self, agent: str, event: str, given: Mapping[str, object]) -> HookAnswer:
        """All that a prompt brings about, up to the answer, which only proves that it was. Nothing is written down."""
        recall = self.hooked(agent, event, {**given, PROBE: ""}).recall
        said = {"outcome": recall.outcome, "why": recall.why} if recall else {}
        here = {"nonce": given[PROBE], "home": str(self._home.config.home), "version": __version__}
        return HookAnswer({PROBE: {**here, **said}})

    def _hooks(self, agent: str) -> Hooks | None:
        known = self._home.agents.get(agent)
        return known.hooks if known is not None else None

    def too_late(self, agent: str, event: str, given: Mapping[str, object], why: str) -> HookAnswer:
        """For a call nobody waits for any more: what it tells us about the run, and what to write down."""
        source = self._hooks(agent)
        call = source.hook_call(event, given) if source is not None else None
        if source is None or call is None or self._is_ours(call):
            return NOTHING
        if call.moment is not HookMoment.PROMPT_SUBMITTED:
            ended = call.moment in (HookMoment.RUN_STOPPED, HookMoment.RUN_ENDED)
            return HookAnswer({}, self._forgotten(source, call), capture=call.transcript_path if ended else "")
        return self._missed(source, call, why, Outcome.TOO_SLOW)

    def _missed(self, source: Hooks, call: HookCall, why: str, outcome: Outcome) -> HookAnswer:
        """A prompt that can be told nothing any more; what it teaches is kept."""
        query = self._query(source.name, call, RecallMoment.PROMPT)
        missed = replace(self._silent(query, why), outcome=outcome)
        quiet = call.parent_id or self._switches.why_off(query, query.run, off=False)
        return HookAnswer({}, missed, taught=None if quiet else self._taught.answer(query, missed.nonce).prompt)

    def _is_ours(self, call: HookCall) -> bool:
        """An agent that reads for us: it is told nothing, and nothing of it is written down."""
        return any(call.cwd == folder or call.cwd.startswith(f"{folder}/") for folder in self._home.ours)

    def _started(self, source: Hooks, event: str, call: HookCall, *, off: bool) -> HookAnswer:
        """Standing rules, wherever a context begins; nothing else that is known here."""
        query = self._query(source.name, call, RecallMoment.START)
        goes_on = "" if call.fresh_context else "a resumed run still has its earlier notes"
        if call.first and self._standing.has_begun(query.run):
            goes_on = BEGUN
        why_not = self._switches.why_off(query, self._main(query, call), off=off)
        new = self._silent(query, why_not or goes_on or self._standing.loaded_already(query))
        new = replace(new, extra={**new.extra, **({} if goes_on else {"context": "new"})})
        if new.why:
            return HookAnswer({}, new)
        self._read_soon(query)
        text, told = self._rules(query, new)
        return HookAnswer(self._output(source, event, text, rules_line(told)) if text else {}, told)

    def _rules(self, query: Query, new: Recall) -> tuple[FencedText, Recall]:
        """The standing rules, and what to write down about them; no text where none are told."""
        text, shown = self._again(lambda one: self._standing.block(one, new.nonce), query)
        if not shown:
            return FencedText(), replace(new, outcome=Outcome.SILENT, why=NONE)
        held_out = self._switches.held_out(query.run)
        told = replace(new, outcome=Outcome.SHOWN, shown=shown, tokens=len(text) // 4, holdout=held_out)
        return FencedText() if held_out else text, told

    def _forgotten(self, source: Hooks, call: HookCall) -> Recall | None:
        """An agent that is about to compact and will not say when it has: its next prompt begins a context."""
        if not call.forgets or call.moment is not HookMoment.RUN_STOPPED:
            return None
        query = self._query(source.name, call, RecallMoment.START)
        why = self._switches.why_off(query, self._main(query, call), off=False) or COMPACTED
        silent = self._silent(query, why)
        return replace(silent, extra={**silent.extra, "context": "new"})

    def _late_rules(self, query: Query, call: HookCall) -> tuple[FencedText, Recall | None]:
        """With a prompt that begins a context."""
        start = replace(query, moment=RecallMoment.START, words="")
        due = not call.parent_id and self._standing.are_due(query.run, call.remind_after)
        if not due or self._standing.loaded_already(start):
            return FencedText(), None
        rules, told = self._rules(start, replace(self._silent(start, ""), extra={"context": "new"}))
        return rules, told if told.shown or self._standing.knows(query.run) else None

    def _read_soon(self, query: Query) -> None:
        """What prompts of this run are likely to bring up, so that a second look need not read it first."""
        memories, reader = self._home.recalled().memories, self._home.reader
        foremost = memories.foremost(query.project.key, query.agent, reader, FOREMOST)
        self._home.second_look.read_soon(text for memory in foremost for text in recall.texts_to_read(memory))

    def _prompted(
        self, source: Hooks, event: str, call: HookCall, meant: Sequence[str], until: float, *, off: bool
    ) -> HookAnswer:
        query = replace(self._query(source.name, call, RecallMoment.PROMPT), entities=tuple(meant))
        if switch := SWITCHES.get(call.prompt.strip()):
            return self._switched(source, event, query, switch)
        if call.prompt.startswith(COMMANDS):
            return NOTHING
        why_not = self._switches.why_off(query, self._main(query, call), off=off)
        if why_not:
            return HookAnswer({}, self._silent(query, why_not))
        rules, start = self._late_rules(query, call)
        found = self._again(partial(self.recall, opening=start, until=until), query)
        told = found.outcome in (Outcome.SHOWN, Outcome.QUESTION) and not found.holdout
        taught = self._taught.answer(query, found.nonce) if not call.parent_id else NOTHING_TAUGHT
        texts = [text for text in (rules, self.told(found) if told else "", taught.context) if text]
        said = (rules_line(start) if start and rules else "", line(found) if told else "", taught.line)
        if not texts:
            return HookAnswer({}, found, taught=taught.prompt, ahead=start)
        output = self._output(source, event, FencedText("\n".join(texts)), "\n".join(filter(None, said)))
        card = self._card(found, taught.kept)
        return HookAnswer(output, found, taught=taught.prompt, ahead=start, card=card)

    def _tool_used(self, source: Hooks, event: str, call: HookCall, until: float, *, off: bool) -> HookAnswer:
        """If no hook was called for the prompt before it, what that prompt brings comes first."""
        prompt = self._unheard.of(source.name, call)
        late = self._prompted(source, event, replace(call, prompt=prompt), (), until, off=off) if prompt else NOTHING
        look = self._touched if call.moment is HookMoment.FILE_TOUCHED else self._ran
        if late.output:
            return late
        return replace(look(source, event, call, off=off), ahead=late.recall, taught=late.taught)

    def _touched(self, source: Hooks, event: str, call: HookCall, *, off: bool) -> HookAnswer:
        """A file was read or changed: at most one note about it, before the agent goes on."""
        query = replace(self._query(source.name, call, RecallMoment.FILE), files=(call.file,))
        tools = self._home.tools()
        why_not = self._switches.why_off(query, self._main(query, call), off=off)
        if not call.file or why_not or telling.looked_before(query, tools):
            return NOTHING
        query = replace(query, words=telling.last_words(self._main(query, call), tools))
        found = self._again(self._of_file, query)
        if found is None or found.outcome is not Outcome.SHOWN:
            found = self._about_to(query, shown_by_path(call.file)) or found
        return self._noted(source, event, found)

    def _ran(self, source: Hooks, event: str, call: HookCall, *, off: bool) -> HookAnswer:
        """A command shows what comes next: at most one note about that, before the agent goes on."""
        doing = shown_by_command(call.command)
        query = self._query(source.name, call, RecallMoment.COMMAND)
        run = self._main(query, call)
        if not (doing or call.file) or self._switches.why_off(query, run, off=off):
            return NOTHING
        words = telling.last_words(run, self._home.tools())
        found = self._about_to(replace(query, words=words), doing)
        if call.file and (found is None or found.outcome is not Outcome.SHOWN):
            return self._touched(source, event, call, off=off)
        return self._noted(source, event, found)

    def _noted(self, source: Hooks, event: str, found: Recall | None) -> HookAnswer:
        if found is None or found.outcome is not Outcome.SHOWN or found.holdout:
            return HookAnswer({}, found)
        text = recall.brief(found.shown, found.nonce, found.owner, found.at)
        return HookAnswer(self._output(source, event, text, line(found)), found, card=self._card(found))

    def _stopped(self, source: Hooks, event: str, call: HookCall, *, off: bool) -> HookAnswer:
        """New bytes to capture; and what the agent proposes is looked at: the person sees it, the agent not yet."""
        told = HookAnswer({}, self._forgotten(source, call), capture=call.transcript_path)
        if prompt := self._unheard.of(source.name, call):
            missed = self._missed(source, replace(call, prompt=prompt), UNHEARD, Outcome.NOT_LOOKED)
            told = replace(told, ahead=missed.recall, taught=missed.taught)
        query = replace(self._query(source.name, call, RecallMoment.ANSWER), words=recall.proposed(call.said))
        off = off or not query.words or not self._home.config.switch("recall.answers")
        why_not = self._switches.why_off(query, query.run, off=off)
        found = None if why_not else self._again(self._of_answer, query)
        if found is None or found.holdout:
            return told
        return replace(told, output=self._output(source, event, "", line(found)), recall=found, card=self._card(found))

    def _of_answer(self, query: Query) -> Recall | None:
        began, again = self._home.clock(), self._home.second_look
        look = partial(again.look, until=again.soon() if self._somebody_waits else math.inf)
        found = telling.recall_for_answer(query, replace(self._tools(), look_again=look))
        return self._timed(found, began) if found else None

    def _output(self, source: Hooks, event: str, context: FencedText | str, said: str) -> Mapping[str, object]:
        return source.hook_answer(event, context, said if self._home.config.switch("recall.line") else "")

    def _card(self, found: Recall, kept: Sequence[CardMemory] = ()) -> PromptCard | None:
        return card_of(found, kept) if self._home.config.switch("recall.card") else None

    def _about_to(self, query: Query, doing: Sequence[Activity]) -> Recall | None:
        began = self._home.clock()
        found = telling.recall_for_activity(query, [one.name for one in doing], self._tools()) if doing else None
        return self._timed(found, began) if found else None

    def _again(self, look: Callable[[Query], Found], query: Query) -> Found:
        found, project = look(query), self._place.still(query.cwd, query.project)
        return found if project == query.project else look(replace(query, project=project))

    def _of_file(self, query: Query) -> Recall | None:
        began = self._home.clock()
        itself, pages = self._entities.touched(query.files[0], self._place.top(query.cwd), query.project)
        found = telling.recall_for_file(query, itself, pages, self._tools())
        return self._timed(found, began) if found else None

    def _tools(self) -> Tools:
        tools, place = self._home.tools(self._home.recalled()), self._place
        return replace(tools, lately=self._live.of, gone=place.gone, loaded=place.loaded, talk=self._talk.since)

    def recall(self, query: Query, opening: Recall | None = None, until: float = math.inf) -> Recall:
        began = self._home.clock()
        again = self._home.second_look
        waits = self._somebody_waits and query.moment is RecallMoment.PROMPT
        earlier = partial(self._earlier.offered, until=min(until, self._earlier.soon()) if waits else until)
        look = partial(again.look, until=min(until, again.soon()) if waits else until)
        tools = self._tools()
        people = partial(people_named, reader=tools.reader, storage=tools.storage)
        tools = replace(tools, names=self._entities.named, people=people, earlier=earlier, look_again=look)
        return self._timed(telling.recall_for(query, tools, opening), began)

    def _timed(self, found: Recall, began: datetime) -> Recall:
        took = round((self._home.clock() - began).total_seconds() * 1000, 1)
        return replace(found, milliseconds=took, holdout=self._switches.held_out(found.query.run))

    def asked(self, prompt: str, cwd: Path, agent: str = "", *, file: str = "") -> Recall:
        """What would be recalled for this prompt here, or when this file is touched. Nothing is written down."""
        project = self._place.project(str(cwd))
        query = Query(prompt, project, str(cwd), agent, "", "", RecallMoment.ASKED)
        if not file:
            return self.recall(query)
        touched = replace(query, files=(str(cwd / file),))
        return self._of_file(touched) or replace(
            self._silent(touched, "no memories about this file"), outcome=Outcome.SILENT
        )

    def told(self, found: Recall) -> FencedText:
        """The Brief of it, or what to ask; empty for silence, and where only the person saw it."""
        return agent_text(found, self._home.tools().budget)

    def keep(self, answered: Recall) -> None:
        if self.keep_by is not None:
            self.keep_by(answered)
        else:
            telling.keep_recall(answered, self._home.tools())
            self._place.arrive(answered.query.cwd)

    def keep_taught(self, prompt: TaughtPrompt) -> Sequence[Memory]:
        """What was taught in it, after the answer has gone out."""
        return self._taught.keep(prompt)

    def _query(self, agent: str, call: HookCall, moment: RecallMoment) -> Query:
        run = run_id(self._place.machine, agent, call.native_id)
        return Query(call.prompt, self._place.project(call.cwd), call.cwd, agent, call.native_id, run, moment)

    def _main(self, query: Query, call: HookCall) -> str:
        """The run a person speaks in: a subagent's is the one that started it."""
        return run_id(self._place.machine, query.agent, call.parent_id) if call.parent_id else query.run

    def _silent(self, query: Query, why: str) -> Recall:
        tools = self._home.tools()
        return Recall(
            id=tools.new_id("l"),
            owner=self._home.config.user,
            at=self._home.clock(),
            query=query,
            outcome=Outcome.NOT_LOOKED,
            why=why,
            nonce=tools.new_id("n")[2:],
            extra={"switch": OFF} if why == OFF_HERE else {},
        )

    def _switched(self, source: Hooks, event: str, query: Query, to: str) -> HookAnswer:
        """`/lane:off`, typed by the person: it holds for the rest of this run."""
        why = OFF_HERE if to == OFF else "recall was switched on for this run"
        told = f"Lane: {to} for this run{' (/lane:on switches it on)' if to == OFF else ''}"
        switched = replace(self._silent(query, why), extra={"switch": to})
        return HookAnswer(source.hook_answer(event, told, told), switched)

    # -- a person asks ---------------------------------------------------------------------------------------------

    def off(self, cwd: str) -> str:
        """Why agents are told nothing in this folder, or ""."""
        return self._switches.why_off_in(cwd, "", off=self._home.config.switched_off)
