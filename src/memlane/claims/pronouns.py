"""Words that point at something only whoever was there could see, and what they meant if one fits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from memlane.claims.agreement import root
from memlane.claims.words import GRAMMAR

_THINGS = (
    "server|machine|host|box|cluster|node|database|table|bucket|queue|service|endpoint|branch|repository|repo|project"
    "|folder|directory|script|tool|library|package|module|model|theme|channel|page|ticket|function|class|component"
    "|device|printer|customer|client|supplier|room|domain|job|workflow|pipeline"
)
_VAGUE = re.compile(
    r"\b(?P<which>the (?:new|old|other|same|right|current|first|second)|that|this(?! (?:repo|project|machine)))"
    rf" (?P<thing>{_THINGS}|file)\b(?! (?:`|\"|“|called|named|(?-i:[A-Z])))",
    re.IGNORECASE,
)
_NAME = (
    r"(?:`(?P<code>[^`\n]{2,60})`|[\"“](?P<quoted>[\w./-]{2,60})[\"”]"
    r"|(?P<plain>(?<=[a-z,] )[A-Z][\w-]*|[\w-]*[\d_.-][\w.-]*\w))"
)
_IT = re.compile(r"\b(?P<verb>[a-z]{3,}) it\b(?!')")
_ENDS = r"(?= (?:to|from|on|in|onto|into|at|for|by|with|and|or|next|last|now)\b|[.,;:!?)\n]|$)"
_OBJECT = r"\b{verb}\w* (?:the|our|my) (?P<object>[a-zA-Z][\w-]+(?: [a-z][\w-]+)??)" + _ENDS
_DEFINITE = re.compile(r"\b(?:the|our|my) (?P<object>[a-zA-Z][\w-]{2,})\b", re.IGNORECASE)
_PATH = re.compile(r"(?<![\w/@:.-])(?:[\w.~+-]+/)*[\w+-]+\.[A-Za-z][A-Za-z0-9]{0,5}\b(?![\w/@-])")
_TIMES = re.compile(
    r"(?:day|week|month|year|morning|evening|afternoon|weekend|time|moment|way|end|rest|new|old|next|last)$"
)
_DECIDED = frozenset(map(root, ("decide", "agree", "plan", "ask", "said", "promise", "week", "month")))


def made_exact(title: str, content: str, said: Callable[[], str]) -> tuple[str, str]:
    """Both with the names of what they point at. `said` is asked only if they point at anything outside of them."""
    own = f"{title}\n{content}"

    def named(found: re.Match[str]) -> str:
        return found[0] if _fitting(found["thing"], own) else _named(found, said())

    title = _VAGUE.sub(named, title)
    pronoun = _IT.search(title)
    if pronoun and _opens(title[: pronoun.start()]):
        title = title[: pronoun.start()] + _with_object(pronoun, said()) + title[pronoun.end() :]
    return title, _VAGUE.sub(named, content)


def _opens(before: str) -> bool:
    """Nothing that "it" could mean stands before it in its own sentence."""
    return all(word.lower() in GRAMMAR or root(word) in _DECIDED for word in re.findall(r"[^\W\d_]+", before))


def _fitting(thing: str, text: str) -> set[str]:
    return set(_PATH.findall(text)) if thing.lower() == "file" else set(_names(thing.lower(), text))


def _named(found: re.Match[str], said: str) -> str:
    names = _fitting(found["thing"], said)
    if len(names) != 1:
        return found[0]
    (name,) = names
    return f"`{name}`" if found["thing"].lower() == "file" else f"the {found['thing']} `{name}`"


def _names(thing: str, said: str) -> Iterator[str]:
    for pattern in (rf"(?i:\b{thing})s? (?:called |named |is )?{_NAME}", rf"(?<![\w`]){_NAME} (?i:{thing})\b"):
        for found in re.finditer(pattern, said):
            name = found["code"] or found["quoted"] or found["plain"]
            if name.lower() not in GRAMMAR and root(name) != root(thing) and not name[0].isdigit():
                yield name.rstrip(".")


def _with_object(found: re.Match[str], said: str) -> str:
    verb = found["verb"]
    if verb in GRAMMAR or len(root(verb)) < 3:
        return found[0]
    objects = {match["object"].lower() for match in re.finditer(_OBJECT.format(verb=root(verb)), said, re.IGNORECASE)}
    objects = objects or {match["object"].lower() for match in _DEFINITE.finditer(said)}
    objects = {one for one in objects if not _TIMES.match(one) and not re.fullmatch(_THINGS, one)}
    return f"{verb} the {objects.pop()}" if len(objects) == 1 else found[0]


_POINTS = re.compile(
    r"\b(?:this|that|these|those|the (?:new|old|other|same|current|previous|next|last|above)) \w+|"
    r"\b(?:it|they|them|he|she|him|here|there|above|below|yesterday|today|tomorrow|last week|next week)\b",
    re.IGNORECASE,
)


def stands_alone(title: str) -> bool:
    return _POINTS.search(title) is None
