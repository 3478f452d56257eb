"""What do the words of a prompt or a Memory say? Likeness from 0 to 1, and the names of code in a note."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import lru_cache

from memlane.domain.tokenizer import terms
from memlane.recall.weights import Specificity

_IDENTIFIER = re.compile(r"[a-z]+[_./:@-][a-z0-9]|\d[a-z]|[a-z]\d|^[a-z]+[A-Z]")
_TECHNICAL = re.compile(
    r"`|\w/\w|\w\.\w{1,5}\b|\w_\w|[a-z][A-Z]|\b[A-Z][a-z]+(?:Error|Exception)\b|\b[A-Z]{2,}\d{2,}\b"
)
_TOOL = re.compile(
    r"\b(?:mcp|api|sql|css|html|json|yaml|regex|pytest|pyright|mypy|ruff|eslint|webpack|vite|npm|pnpm|yarn|pip|uv|cargo|git|"
    r"docker|kubernetes|kubectl|helm|terraform|ansible|nginx|redis|kafka|postgres(?:ql)?|sqlite|mysql|graphql|grpc|"
    r"typescript|javascript|python|rust|golang|react|django|flask|fastapi|stack ?trace|traceback|segfault|exit code)\b",
    re.IGNORECASE,
)

# Words that say nothing about what a prompt is about: grammar, politeness, and what every prompt to an agent asks.
EMPTY = frozenset(
    re.findall(
        r"\w+",
        """
        a about above after again all also am an and another any are as ask at away back be because been before
        being below best better between both bring but by call came can cannot check code come could create did do
        doe doesn doing don done down each else even ever every everything explain few file find fine first fix
        folder for from full function gave get give go going good got great had ha have having he help her here him
        his how i idea if in instead into is isn it just keep kind know last later least left let like line list
        little ll long look lot made make many may maybe me mean might more most much must my need never new next
        nice no not nothing now of off ok okay old on once one only open or other our out over own part please point
        possible probably problem put quite rather re read really right run said same say see seem seen set should
        show since so some something start still stop such sure take tell test than thank thanks that the their them
        then there these they thing think this those through time to today together tomorrow too took toward tried
        try trying two under until up update us use used using ve very wa want was way we well went were what when
        where whether which while who whole why will with without won work working would write wrong yes yesterday
        yet you your
        """,
    )
)


@lru_cache(maxsize=8192)  # a daemon compares the same memories with every prompt: 1,000 of them take 30 ms to read
def content_terms(text: str) -> frozenset[str]:
    """The terms that could tell what a text is about."""
    return frozenset(term for term in terms(text) if term not in EMPTY and not (len(term) < 2 and term.isascii()))


def is_technical(prompt: str) -> bool:
    return _TECHNICAL.search(prompt) is not None or _TOOL.search(prompt) is not None


def is_identifier(term: str) -> bool:
    """A name no sentence has by chance: `max_retries`, `e4021`, `send.py`."""
    return _IDENTIFIER.search(term) is not None


def likeness(
    prompt: frozenset[str], memory: frozenset[str], shares: Mapping[str, float] | None, specificity: Specificity
) -> float:
    """`shares`: the part of all Chunks each term stands in; None while there are too few to tell."""
    weight = sum(_says(term, shares, specificity) for term in prompt & memory)
    return 1.0 - math.exp(-weight)


def _says(term: str, shares: Mapping[str, float] | None, specificity: Specificity) -> float:
    if shares is None:
        return specificity.identifier if _IDENTIFIER.search(term) else specificity.uncommon
    share = shares.get(term, 0.0)
    if share > specificity.common_share:
        return specificity.everywhere
    if share > specificity.uncommon_share:
        return specificity.common
    if _IDENTIFIER.search(term):
        return specificity.identifier
    return specificity.rare if share <= specificity.rare_share else specificity.uncommon


MOST_SYMBOLS = 8
_QUOTED = re.compile(r"`([^`\n]{2,120})`")
_SYMBOL = re.compile(r"(?:[A-Za-z_]\w*(?:\.|::|#|->))*([A-Za-z_]\w{2,})(\(.*\))?$")
_CODE = re.compile(r"_|[a-z0-9][A-Z]|\(|\.|::")  # as no word of a sentence is written
_PATH = re.compile(
    r"/|\.(?:py|pyi|[jt]sx?|[cm]js|go|rs|rb|java|kt|[ch]|cpp|hpp|cs|php|swift|sh|sql|md|rst|txt|toml|ya?ml|json|html|css|"
    r"lock|cfg|conf|ini|env|xml|csv)$"
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
# What should be, should not be, or is not any more, in the languages we can say it in: nothing about what is there.
_WISHED = re.compile(
    r"\b(?:not?|never|none|nor|cannot|without|instead|rather|avoid\w*|forbid\w*|forbidden|ban(?:ned)?|stop\w*|"
    r"remov\w*|delet\w*|drop\w*|renam\w*|replac\w*|mov(?:e|ed|ing)|gone|missing|lacks?|was|were|used to|add\w*|"
    r"creat\w*|introduc\w*|implement\w*|writ(?:e|ing)|use|using|prefer\w*|call|want\w*|wish\w*|need\w*|should|must|shall|"
    r"will|would|may|might|plan\w*|propos\w*|todo|"
    r"nie|nicht|kein\w*|statt|ohne|jamais|pas|sans|nunca|sin|non|mai|senza|não|sem|niet|nooit|geen|zonder)\b|n['’]t\b",
    re.IGNORECASE,
)


def symbols(text: str) -> tuple[str, ...]:
    """Bare names: of `Mailer.send()` it is `send`."""
    found = (name for sentence in _SENTENCE.split(text) if not _wished(sentence) for name in _named(sentence))
    return tuple(dict.fromkeys(found))[:MOST_SYMBOLS]


def _wished(sentence: str) -> bool:
    return _WISHED.search(_QUOTED.sub(" ", sentence)) is not None


def _named(sentence: str) -> list[str]:
    found = [(quoted, _SYMBOL.match(quoted)) for quoted in _QUOTED.findall(sentence) if not _PATH.search(quoted)]
    return [match[1] for quoted, match in found if match and _CODE.search(quoted)]
