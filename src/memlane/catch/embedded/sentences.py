"""A person's sentences: cut apart, freed of politeness and fillers, and said as a rule where that is safe.

Rewriting only ever drops or swaps an opening; every other word stays as it was said.
"""

from __future__ import annotations

import re

from memlane.catch.embedded.features import own_words
from memlane.catch.lead_in import LEAD_IN

_BREAK = re.compile(r"(?<=[.!?…])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)[\"')\]]*\s+(?=\S)|\n+")
_LIST_MARK = re.compile(r"^\s*(?:[-*•>]|\d+[.)])\s+")
_LINK = re.compile(r"\[([^\]\n]+)\]\([^)\n]*\)")
_TERMINAL = re.compile(
    r"^\s*[⏺⎿●│├└╭╰┌❯]|\[no test files\]|\bctrl\+o\b|^\s*(?:ok|FAIL|PASS|---|===)\s|^\s+at \S+[(:]"
    r"|\w\.\w+:\d+(?::\d+)?\b|\d{4}-\d\d-\d\d[T ]\d\d:\d\d"
)
_COMMANDS = frozenset(
    {"npm", "npx", "pnpm", "yarn", "git", "gh", "cargo", "pip", "uv", "python", "node", "docker", "bun"}
)
_FEW = 4  # lines: a short message with one line of output is still a message
_SPACES = re.compile(r"\s+")
_MARKS = re.compile(r"\*\*|__|(?<![\w*])\*(?=\w)|(?<=\w)\*(?![\w*])|^#+\s*|(?<!\w)_(?=\w)|(?<=\w)_(?!\w)", re.MULTILINE)
_ENDING = re.compile(
    r"(?:[\s,;:]*(?:please|pls|thanks|thank you|thx|ok\?|okay\?|right\?|:[)|/(]|;\)|:-\)|😅|🙏|lol))+\s*[.!]*$", re.I
)

# Dropped from the front, again and again. "no" only before a comma: "no tests" is a rule.
_FILLERS = re.compile(
    r"^(?:(?:ok(?:ay)?|so|well|hmm+|hm|wait|actually|sorry|hey|hi|oh|ah|also|and|but|yeah|yep|yes|sure|great|cool|nice"
    r"|perfect|alright|btw|fyi|right|thanks|hold on|to be clear|just so you know|basically|honestly|nah|nope"
    r"|great work|good|fine|exactly|ar+g+h+|huh|quick thing|ugh|then|now|iiuc)(?:[,.:!;…-]+\s*|\s+)"
    rf"|(?:no|not quite|stop|wrong)[,.:!;…-]+\s*|please\s+|pls\s+|{LEAD_IN})",
    re.IGNORECASE,
)
_SO_THAT = re.compile(
    r"^(?:so that|so far|now that|right (?:now|after|before)|fine[- ]grained|good (?:\w+ ){0,2}(?:is|are))\b", re.I
)
_SWEARING = re.compile(r"\b(?:omfg|omg|wtf|ffs|fuck(?:ing?|in)?|goddamn|damn|bloody|for fuck'?s sake)\b[,!.]*\s*", re.I)
_HEDGES = re.compile(
    r"^(?:i (?:also |really )?(?:think|guess|feel(?: like)?|believe|suppose|mean|would (?:say|think|assume))(?: that)?"
    r"|(?:looking at|regarding) [^:,.]{3,40}:|i'd say|imo|in my opinion|maybe|perhaps"
    r"|(?:my|the) point is(?: that)?|note that|remember(?: that)?|(?:keep|have|bear) in mind(?: that)?"
    r"|make a note(?: that)?"
    r"|i just (?:noticed|realised|realized)(?: that)?)[,:]?\s+",
    re.IGNORECASE,
)
_AS_RULE = (
    (re.compile(r"^let'?s not ", re.I), "Do not "),
    (re.compile(r"^i (?:don'?t|do not) think (?:that )?(?:we|you) should ", re.I), "Do not "),
    (re.compile(r"^i (?:don'?t|do not) (?:think|see why) (?:that )?we (need|want)\b", re.I), r"We do not \1"),
    (re.compile(r"^(?:can|could|should) (?:you|we) (?:please )?not (?!just|simply)(?=[a-z])", re.I), "Do not "),
    (re.compile(r"^let'?s (?:just |maybe |please )?", re.I), ""),
    (re.compile(r"^(?:can|could|would|will) (?:you|we) (?:please |maybe |just |also )*(?=[a-z])", re.I), ""),
    (re.compile(r"^i(?:'d| would) (?:like|want) you to ", re.I), ""),
    (re.compile(r"^(?:we|you) (?:really )?(?:should ?n[o']?t|should not|must ?n[o']?t|must not) ", re.I), "Do not "),
    (re.compile(r"^(?:we|you) don'?t (?:want|need) to ", re.I), "Do not "),
    (re.compile(r"^don'?t (?!(?:we|you|they|i|the|it|forget)\b)", re.I), "Do not "),
    (
        re.compile(
            r"^(?:we|you) (?:just |really |also )*(?:should|must|need to|have to) "
            r"(?!(?:defin\w+ )?(?:be|have)\b|probably|only|already)(?=[a-z])",
            re.I,
        ),
        "",
    ),
    (re.compile(r"^you can (?!always|also|see|just)", re.I), ""),
)
_INSTEAD = re.compile(
    r"^use (?P<new>[^,.;]{2,60}?),? (?:instead of|rather than|not|over) (?P<old>[^,.;]{2,60})(?P<rest>.*)$", re.I
)
_EASILY = "(?:really |just |actually |basically |also |still |rather )*"
_I_WANT = (
    (re.compile(r"^i(?:'d| would) rather\b", re.I), "The person would rather"),
    (re.compile(r"^i(?:'d| would) prefer\b", re.I), "The person prefers"),
    (re.compile(r"^i(?:'d| would) (?:like|love|want)\b", re.I), "The person wants"),
    (re.compile(r"^i (?:rather would|would rather) like\b", re.I), "The person would rather like"),
    (re.compile(r"^i(?: would|'d) expect\b", re.I), "The person expects"),
    (re.compile(rf"^i {_EASILY}(want|need|prefer|like|hate|expect)\b", re.I), r"The person \1s"),
    (re.compile(rf"^i don'?t {_EASILY}(want|need|like)\b", re.I), r"The person does not \1"),
    (re.compile(r"^i (always|never|usually)\b", re.I), r"\1"),
    (
        re.compile(r"^([\w'’-]+(?: [A-Z][\w'’-]+)?) and i (?=are|have|know|work|talk|write)", re.I),
        r"\1 and the person ",
    ),
)


def is_pasted(text: str) -> bool:
    """Mostly what a terminal showed, not what a person said."""
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) > _FEW and sum(_TERMINAL.search(line) is not None for line in lines) > len(lines) / 3


def sentences(text: str) -> list[str]:
    """In order, as they stand in the text; what was pasted is not among them."""
    parts = (_LIST_MARK.sub("", part).strip() for part in _BREAK.split(own_words(_LINK.sub(r"\1", text))))
    return [part for part in parts if re.search(r"\w{2}", part) and not _TERMINAL.search(part)]


def is_question(sentence: str) -> bool:
    return sentence.rstrip(" )\"'”").endswith("?")


def plain(text: str) -> str:
    """On one line, without markdown."""
    return _SPACES.sub(" ", _MARKS.sub("", text)).strip()


def as_rule(sentence: str) -> str:
    """ "no, can you please use tabs" → "Use tabs"."""
    said = _SWEARING.sub("", _ENDING.sub("", plain(sentence))).strip(" ,;-")
    said = said[1:-1] if said.startswith("(") and said.endswith(")") else said
    for _ in range(6):
        shorter = said if _SO_THAT.match(said) else _FILLERS.sub("", said, count=1)
        shorter = _HEDGES.sub("", shorter, count=1).lstrip(" ,;:-–—")
        if shorter == said or not re.search(r"\w{2}", shorter):
            break
        said = shorter
    for pattern, instead in _AS_RULE:
        changed = pattern.sub(instead, said, count=1)
        if changed != said:
            said = changed.rstrip("?").strip()
            break
    if found := _INSTEAD.match(said):
        said = f"Use {found['new'].strip()}, not {found['old'].strip()}{found['rest']}"
    return capital(_third_person(said))


def _third_person(said: str) -> str:
    return next((pattern.sub(who, said) for pattern, who in _I_WANT if pattern.match(said)), said)


def capital(text: str) -> str:
    """Names in code and commands stay as they are written."""
    first, *rest = text.split(" ")
    is_name = any(c in first for c in "`._/()-0123456789") or first[1:] != first[1:].lower()
    is_command = first in _COMMANDS or any(word.startswith("--") for word in rest[:3])
    return text if is_name or is_command else text[:1].upper() + text[1:]


def clipped(text: str, most: int) -> str:
    """At a word, with a sign that there is more."""
    text = plain(text)
    if len(text) <= most:
        return text
    return text[: most - 1].rsplit(" ", 1)[0].rstrip(" ,;:-(`") + "…"


def ended(text: str) -> str:
    return text if not text or text.rstrip("”\"'")[-1:] in tuple(".!?…:") else text + "."
