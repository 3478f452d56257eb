"""Words that point at something only whoever was there could see, and what they meant if one fits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from memlane.claims.agreement import root
from memlane.claims.verbatim import verbatim
from memlane.claims.words import GRAMMAR

_THINGS = (
    "server|machine|host|box|cluster|node|database|table|bucket|queue|service|endpoint|branch|repository|repo|project"
    "|folder|directory|script|tool|library|package|module|model|theme|channel|page|ticket|function|class|component"
    "|device|printer|customer|client|supplier|room|domain|job|workflow|pipeline"
)
# "The current branch" is whichever is current, "the same file" the one just named: neither is vague.
_VAGUE = re.compile(
    r"\b(?P<which>the (?:new|old)|that|this)"
    rf" (?P<thing>{_THINGS}|file)\b(?! (?:`|\"|“|„|«|»|「|called|named|(?-i:[A-Z])))",
    re.IGNORECASE,
)
_WHERE_ONE_IS = re.compile(
    r"this (?:repo|repository|project|machine|branch|folder|directory|host|box|device)", re.IGNORECASE
)
_ANY = re.compile(r"\b(?:always|never|every|each|when|whenever|if|any|before|after|until)\b", re.IGNORECASE)
# "Make sure that page titles are short", "the file that project uses": no thing is pointed at.
_THAT_CLAUSE = re.compile(
    r"\b(?:so|sure|ensure|check|checks|means?|such|know|knows|say|says|said|think|assume|verify|note|see|shows?|find|found"
    r"|believe|decided|agreed|require|requires|given|provided|except|now|all|everything|anything|something|way|one|is|was"
    r"|than|fact|like|\w+s|\w+ed) $",
    re.IGNORECASE,
)
_FOLLOWS = re.compile(r" *(?:$|[.,;:!?)\n])| ([a-z]+)\b", re.IGNORECASE)
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
_AFTER_IT = frozenset(
    ("must", "should", "needs", "has", "had", "next", "last", "now", "again", "first", "never", "only")
)
_NOUNS = frozenset(("time", "times", "way", "thing", "things"))
_DECIDED = frozenset(map(root, ("decide", "agree", "plan", "ask", "said", "promise", "week", "month")))


def made_exact(title: str, content: str, said: Callable[[], str]) -> tuple[str, str]:
    """Both with the names of what they point at. `said` is asked only if they point at anything outside of them."""
    own = f"{title}\n{content}"

    def named(text: str) -> str:
        kept = verbatim(text)

        def one(found: re.Match[str]) -> str:
            sure = not kept.touches(*found.span()) and _points(found) and not _one_of_two(found, own)
            return _named(found, said()) if sure and not _fitting(found["thing"], own) else found[0]

        return _VAGUE.sub(one, text)

    title = named(title)
    pronoun, kept = _IT.search(title), verbatim(title)
    if pronoun and _opens(title[: pronoun.start()]) and not kept.touches(*pronoun.span()):
        title = title[: pronoun.start()] + _with_object(pronoun, said()) + title[pronoun.end() :]
    return title, named(content)


def _one_of_two(found: re.Match[str], own: str) -> bool:
    """The old server and the new one: a name that was said could be either's."""
    which = re.findall(rf"\b(new|old|other) {found['thing']}\b", own, re.IGNORECASE)
    return len({one.lower() for one in which}) > 1


def _points(found: re.Match[str]) -> bool:
    """At one thing, not at any new one, at where one is, or at nothing."""
    which, text = found["which"].lower(), found.string
    if which.startswith("the "):
        return _ANY.search(re.split(r"[.!?;\n]", text[: found.start()])[-1]) is None
    if _WHERE_ONE_IS.match(found[0]) or (which == "that" and _THAT_CLAUSE.search(text, 0, found.start())):
        return False
    follows = _FOLLOWS.match(text, found.end())
    return follows is not None and (not follows[1] or follows[1].lower() in (GRAMMAR - _NOUNS | _AFTER_IT))


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
    the = "The" if found[0][0].isupper() else "the"
    return f"`{name}`" if found["thing"].lower() == "file" else f"{the} {found['thing']} `{name}`"


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
