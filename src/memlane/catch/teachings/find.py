"""Finds what a person teaches in a prompt, sentence by sentence: no language model, no storage, in linear time.

A sentence is looked at with what stands around it; `likelihood` says how likely it is a Teaching. Questions and jokes
are none. Pasted and quoted text is never looked at. What is announced ("from now on", "remember:") is plain, unless its
words speak clearly against it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memlane.catch.embedded.vetoes import written_by_a_program
from memlane.catch.moment import Moment
from memlane.catch.teachings.clause import TaughtClause, clause_of, parts
from memlane.catch.teachings.language import compile_all, language_of, rules_for
from memlane.catch.teachings.lesson import Plainness, Teaching
from memlane.catch.teachings.likelihood import likelihoods, teaching_line
from memlane.catch.teachings.once import said_once
from memlane.catch.teachings.own_text import FILLER
from memlane.catch.teachings.rules import CompiledRules
from memlane.catch.teachings.sentence import PromptSentence, sentences
from memlane.catch.teachings.signs import SentenceSight, has_a_key, is_announced, is_bare, is_none, is_torn
from memlane.catch.teachings.title import CUT, worded
from memlane.domain import Scope, Type
from memlane.embed import teaching_look

ANNOUNCED = 1.0  # how much lower the bar is for what is announced
BARE = 3.0  # and for a standing order that is all of a prompt
MOST = 12  # Teachings of one prompt: who sends more has pasted them
_SIGNS, _BEGINNING = re.compile(r"\W{9,}"), 6000
_APOSTROPHES = str.maketrans("’‘ʼ´", "''''")


def teachings(prompt: str) -> list[Teaching]:
    found = list[Teaching]()
    some = [seen for seen in sights(prompt) if not seen.rules.forget.search(seen.one.text)]  # that takes one back
    for seen, said in zip(some, likelihoods(some), strict=True):
        announced, bare = is_announced(seen), is_bare(seen)
        if said.score >= said.held - max(ANNOUNCED * announced, BARE * bare):
            sure = said.score >= said.active and not is_torn(seen) and not has_a_key(seen)
            plain = Plainness.PLAIN if announced or bare or sure else Plainness.UNCLEAR
            found += _taught(seen, prompt, plain, (*teaching_line().why(seen), *said.why))
    once = said_once(found)
    return once if len(once) <= MOST else []


def read_all() -> None:
    """Tables and weights are ready: whoever is waited for does it beforehand."""
    compile_all()
    teaching_line()
    teaching_look()


def sights(prompt: str) -> Iterator[SentenceSight]:
    """The sentences that may teach something; none of a command or of what a program wrote."""
    if prompt.lstrip().startswith("/") or _is_a_programs(prompt):
        return
    said = sentences(prompt.translate(_APOSTROPHES))
    language = language_of(" ".join(one.text.replace(FILLER, "") for one in said))
    for n in range(len(said)):
        seen = _sight(said, n, rules_for(said[n].text, language))
        if seen is not None and not is_none(seen):
            yield seen


def _sight(said: Sequence[PromptSentence], n: int, rules: CompiledRules) -> SentenceSight | None:
    clause = clause_of(said[n], rules)
    if clause is None:
        return None
    before = said[n - 1] if n else None
    after = said[n + 1] if n + 1 < len(said) else None
    return SentenceSight(said[n], clause, before, after, len(said), rules)


def _is_a_programs(prompt: str) -> bool:
    """By its beginning; long runs of signs say nothing, and searching them takes long."""
    return written_by_a_program(Moment(person=_SIGNS.sub("\n", prompt[:_BEGINNING])))


def _taught(seen: SentenceSight, prompt: str, plainness: Plainness, why: tuple[str, ...]) -> Iterator[Teaching]:
    for part in parts(seen.clause, seen.one, seen.rules):
        start = seen.one.start + part.offset
        quote = prompt[start : start + len(part.text)].rstrip()
        if title := worded(quote, seen.rules):
            whole = not title.endswith(CUT)
            yield Teaching(
                title=title,
                quote=quote,
                start=start,
                end=start + len(quote),
                type=_type(seen.one.text, seen.rules),
                scope=_scope(part, seen.rules),
                plainness=plainness if whole else Plainness.UNCLEAR,
                language=seen.rules.language,
                why=why,
            )


def _scope(part: TaughtClause, rules: CompiledRules) -> Scope:
    return Scope.PERSON if rules.person.search(part.text) else Scope.PROJECT


def _type(sentence: str, rules: CompiledRules) -> Type:
    if rules.decision.search(sentence):
        return Type.DECISION
    return Type.CORRECTION if rules.correction.search(sentence) else Type.COMMITMENT
