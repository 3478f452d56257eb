"""Whether a sentence reads alone, months later, to somebody who was not there: its shape, not what it tells."""

from __future__ import annotations

import re

from memlane.catch.embedded.features import content_words, words

_SPEAKER = re.compile(r"(?<![\w`'\"/-])(?:I|I'm|I'd|I've|I'll|i|i'm|i'd|i've|me|my|mine|myself)(?![\w`/-])")
_OPENS_BADLY = re.compile(
    r"^(?:mind|will|should|must|is|are|was|were|has|have|does|did|not|to just|more that|more like"
    r"|like|especially|question|just to be|something|through|really|tell me|show me"
    r"|let me|give me|stop for|wondering|thinking|looking|regarding|about|same|previously|currently|would|could|can|may"
    r"|might|or|nor|than|that|which|who|whose|of|with|without that|at least|in that case|for the (?:first|second)|for"
    r" that|as (?:you|i|we)|you (?:can|could|may|also|said|wrote|mentioned)|once we|next|first|second|finally|maybe"
    r"|sure|technically|basically|apparently|probably|yup|yep|nope|lol|hmm+|ehh?|fml|btw|ideally we want it)\b"
    r"|^(?:created|added|moved|made|used|called|found|shown|stop) (?:by|in|at|from|to|for|with|→)\b|^\W*\(|^[a-z]+\)",
    re.IGNORECASE,
)
# What holds for this hour, names the reader, or shows a piece of output.
_OF_THE_HOUR = re.compile(
    r"\bany ?more\b|\b(?:be|is|are|was|displayed|shown|up|over|in|from) there\b|\bright now\b|\bthis time\b"
    r"|\b(?:argument|line|comment|code|function|method|test|change|part|bit|file) here\b"
    r"|\bthis (?:commit|message|error|section|paragraph|sentence|diff|comment)\b"
    r"|\b(?:above|below|earlier|just now|so far|try again)\b|\{\s*\"|\"\w+\":"
    r"|\byour (?:session|terminal|machine|shell|prompt)\b",
    re.IGNORECASE,
)
_TORN = re.compile(
    r"\b(?:is|are|was|the|an?|to|of|in|for|with) (?:and|or|but)\b|\b(?:and|or|but|the|an?|of|to|with|because|since|so)$"
    r"|→|:$|\s[,;:]\s|,\s*$|\.\.+|…|\?.*\w|[!?]{2,}|\bt$",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"\b(?:it|its|this|that|these|those|them|they|there|here|the other one|the same)\b", re.IGNORECASE
)
_A_JOINT = re.compile(
    r"\b(?:so|such|say|says|said|means?|ensure|sure|note|know|think|assume|check|not|like|is|are) that\b"
)
_THIS_THING = re.compile(
    r"\b(?:this|these|that) (?:repo\w*|project|codebase|file|package|folder|module|machine|team|app|tool|way|kind"
    r"|service)\b",
    re.IGNORECASE,
)
_NO_PRONOUN = re.compile(
    r"\bit(?:'s| is| was|'d be| would be| should be) (?:not )?(?:really |also |more |just |still |often |much )?"
    r"(?:expected|fine|ok|okay|acceptable|important|better|best|enough|worth|necessary|possible|impossible|intended"
    r"|intentional|on purpose|likely|unlikely|common|normal|allowed|required|safe|easy|easier|hard|harder|good|bad)\b"
    r"(?= (?:to|that|if|when|for|\w+ing)\b)"
    r"|\bthere (?:is|are|was|were|should be|must be|can be|will be|needs? to be|has to be)\b|\bthere's\b",
    re.IGNORECASE,
)  # "it is fine to …", "there is no …": nothing is pointed at
_REASON = re.compile(r"\b(?:because|so that|otherwise)\b", re.IGNORECASE)
_CONDITION = re.compile(
    r"^(?:if|when|whenever|since|because|as long as|unless|once|after|before|while)\b", re.IGNORECASE
)
_FULL = 5  # words that tell something
_VERB_LIST = """
do not never always only use keep make give get put add remove drop leave stop write read call run set start show let
move store take change update check create build replace ensure need needs want wants should must avoid find fix think
seems looks works person would rather prefers does did has have had been being please just still
"""
_VERBS = frozenset(_VERB_LIST.split())


def reads_alone(title: str) -> bool:
    straight = title.replace("’", "'").strip()
    if any(found.search(straight) for found in (_SPEAKER, _OPENS_BADLY, _OF_THE_HOUR, _TORN)):
        return False
    return not _points_first(straight) and straight.count("(") == straight.count(")") and not _only_when(straight)


def without_expletives(title: str) -> str:
    """ "It is fine to …" and "there is no …" point at nothing."""
    return _NO_PRONOUN.sub("as", title)


def _only_when(title: str) -> bool:
    """ "If we cannot resolve the agent": what holds then was cut off."""
    return _CONDITION.match(title) is not None and not re.search(r",|\bthen\b", title)


def _points_first(title: str) -> bool:
    """ "Do not give it a number": what "it" is was said elsewhere; in "drop a key once it is used" it was not."""
    plain = _A_JOINT.sub(" ", _THIS_THING.sub("project", without_expletives(title)))
    found = _PRONOUN.search(plain)
    if found is None:
        return False
    before = plain[: found.start()]
    if _REASON.search(plain) and len(content_words(plain)) >= _FULL:
        return False  # "we read it by hand because every library drops the comments"
    return "`" not in before and not content_words(before) - _VERBS


_SAID_BY_YOU = re.compile(
    r"\byou (?:also |just |had |have )?(?:said|wrote|mentioned|claimed|stated)\b[^:]{0,30}:", re.I
)
_SHOWN = re.compile(r":[ \t]*\n(?:[ \t]*\n)*((?:[ \t]{2,}\S.*\n?|[ \t]*\n)+)")
_RUN = 6  # words in a row that nobody repeats by chance


def quoted_lines(text: str) -> str:
    """What a person only shows: "you also said above: …", and what stands indented under "clarify this:"."""
    said = [line for line in text.split("\n") if _SAID_BY_YOU.search(line)]
    return "\n".join((*said, *(found[1] for found in _SHOWN.finditer(text))))


def is_quoted(sentence: str, before: str) -> bool:
    """A person holds the agent's own words up to it."""
    if _SAID_BY_YOU.search(sentence):
        return True
    said, heard = words(sentence), " ".join(words(before))
    runs = (" ".join(said[n : n + _RUN]) for n in range(len(said) - _RUN + 1))
    return any(run in heard for run in runs)
