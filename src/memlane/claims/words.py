"""The words a text says something with: without grammar, without what it only reports, what it adds."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from memlane.domain.tokenizer import terms

# Grammar, and what every sentence about work is made of. Words that turn a sentence around (not, never, before, …) are
# grammar here too: who needs them looks for them.
GRAMMAR = frozenset(
    re.findall(
        r"\w+",
        """
        a about above after again all almost already also always am among an and another any anything are as at away
        back be became because become been before being below best better between both but by came can cannot come
        could did didn do doe does doesn doing don done down during each either else enough even ever every everything
        few first for from further get give given go goe going gone good got great had ha has have haven having he her
        here hers him his how however i if in indeed instead into is isn it its itself just keep kept kind know known
        last later least left less let like likely little ll long look lot made make making many may maybe me mean
        might mine more most much must my need never new next no nor not nothing now of off often ok okay on once one
        only onto or other our ours out over own part per perhaps please possible put quite rather re really right
        said same say second see seem seen set several shall she should since so some something soon still such sure
        take taken tell than thank thanks that the their theirs them then there therefore these they thing think this
        those though through time to together told too took toward tried try trying two under until up upon us use
        used using usually ve very via wa want wanted was wasn way we well went were weren what whatever when where
        whether which while who whole whose why will with within without won would wouldn yes yet you your yours
        person user human agent assistant claude codex
        aber alle als also am an auch auf aus bei beim bin bis bitte da damit dann das dass dem den der des die dies
        diese doch ein eine einem einen einer er es fur gibt habe haben hat hier ich ihr im immer in ist ja jetzt kann
        kein keine man mehr mein mit muss nach nicht noch nun nur ob oder ohne schon sehr sein sich sie sind so soll
        uber um und uns unter vom von vor war was wenn werden wie wir wird wo zu zum zur
        """,
    )
)


SHORT = 2000  # characters of a text that is worth remembering the terms of: a whole log is read once


def meaning(text: str) -> frozenset[str]:
    return _remembered(text) if len(text) <= SHORT else _terms(text)


@lru_cache(maxsize=2048)
def _remembered(text: str) -> frozenset[str]:
    return _terms(text)


def _terms(text: str) -> frozenset[str]:
    return frozenset(term for term in terms(text) if term not in GRAMMAR and not (len(term) < 2 and term.isascii()))


_OPENS, _CLOSES = '“"«„', '”"»“'
_SAID = r"(?:said|says|asked|asks|wrote|answered|replied|noted|typed|reported|added|proposed|suggested)"
_QUOTED = rf"[:,]? *[{_OPENS}](?P<words>[^{_CLOSES}]*)[{_CLOSES}]\.?"
_AGENT = re.compile(
    rf"(?:[A-Z][\w ]{{0,20}} )?\b(?:the agent|the assistant|agent|assistant|it)(?: had| then| later)? {_SAID}{_QUOTED}",
    re.I,
)
_PERSON = re.compile(rf"\b(?:the )?(?:person|user|human)(?: had| then| later)? {_SAID}{_QUOTED}", re.I)


def claimed(text: str) -> str:
    return _PERSON.sub(lambda said: said["words"], _AGENT.sub("", text))


# As a reader would copy them: `code`, --flags, paths, anything with a digit or an inner capital.
_EXACT = re.compile(r"`[^`\n]+`|--?\w[\w-]*|[\w.@-]*[/\\][\w./\\@-]+|\w*\d[\w.:%-]*|\b\w+[a-z][A-Z]\w*|\b\w+_\w+")


def added(text: str, sources: Iterable[str]) -> list[str]:
    said = "\n".join(sources).casefold()
    exact = (found[0].strip("`.:-") for found in _EXACT.finditer(text))
    return [word for word in exact if word.casefold() not in said]
