"""What a Moment looks like, as named numbers: the same from a live Window and from a labelled line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from math import log1p
from zlib import crc32

from memlane.catch.embedded import cues
from memlane.catch.embedded.paste import without_pasted
from memlane.catch.moment import Moment

_FENCED = re.compile(r"```.*?(?:```|\Z)|\"\"\".*?(?:\"\"\"|\Z)", re.DOTALL)
_ADDRESS = re.compile(r"https?://\S+")
_TAG = re.compile(r"`[^`\n]*`|<[^>\n]{1,80}>")  # what is in backticks is said, not pasted
_PLACEHOLDER = re.compile(r"<([A-Za-z][\w.:|*-]*(?: [\w.:|*-]+){0,4})>")  # `git show <commit-sha>`
_CLOSED = re.compile(r"</\s*([A-Za-z][\w.:-]*)")
_ELEMENTS = """
a b body br button code div em form h1 h2 h3 h4 head hr html i img input li ol p pre script span strong style table
tbody td th thead tr u ul
"""
_HTML = frozenset(_ELEMENTS.split())
_PASTED = re.compile(
    r"^\s*([❯$>#+|]|[-=]{3}|\d{1,4}[:|\s]\s|at |\[[\w/]+\]|\{|\}|\"|<|File |Error|\s{4,}|[\w./-]+:\d+|=== |--- |ok\s"
    r"|FAIL|WARN|INFO)"
)
_WORD = re.compile(r"[A-Za-z][A-Za-z_']+")
_ENDS = re.compile(r"[.!?](\s|$)")
_BULLET = re.compile(r"^\s*([-*•]|\d+[.)])\s", re.MULTILINE)
_PATH = re.compile(r"[\w-]+/[\w./-]+|\b\w+\.(go|py|ts|js|md|json|sh|rs|yml|yaml|toml)\b")
_SMILE = re.compile(r"[:;]-?[)(DP]|😅|🙈|🙏|😂|😄")
_SHOUTED = re.compile(r"\b[A-Z]{4,}\b")
_REVIEW = re.compile(r"severity|^\s*(high|medium|low|p[0-3])\b|consider (using|adding)|suggestion|nit", re.I | re.M)
_STOP_WORDS = """
the a an and or of to in on for is are was were be been it its this that these those i you we they he she my your our
with as at by from not no do does did so if then but can could would should will just have has had there what which who
when where how why me us them let all any some about into out up down also now here more
"""
_STOP = frozenset(_STOP_WORDS.split())
_COUNTED = ("you", "we", "not", "should", "but")  # how often, not only whether
_BEGINNING = 600  # of the reply: what it says first answers the person
_ASKED = 300  # of what the agent said before: a question stands at its end

Features = dict[str, float]


def own_words(text: str) -> str:
    """Without what was pasted: code, logs, reviews, tables, e-mails, addresses, tags."""
    prose = _without_tags(_ADDRESS.sub(" ", without_pasted(_FENCED.sub(" ", text))))
    return "\n".join(line for line in prose.split("\n") if not _PASTED.match(line))


def _without_tags(text: str) -> str:
    """A placeholder looks like a tag, but nothing closes it: without it a command is another one."""
    closed = {name.lower() for name in _CLOSED.findall(text)} | _HTML

    def kept(found: re.Match[str]) -> str:
        name = _PLACEHOLDER.fullmatch(found[0])
        return found[0] if found[0][0] == "`" or (name and name[1].lower() not in closed) else " "

    return _TAG.sub(kept, text)


def words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def content_words(text: str) -> frozenset[str]:
    return frozenset(word for word in words(text) if word not in _STOP and len(word) > 2)


def features(moment: Moment) -> Features:
    own = own_words(moment.person)
    found = _shape(moment.person, own) | _said(moment.person, own) | _before(moment) | _after(moment)
    return found | _shared(moment, own) | _together(found)


def _shape(text: str, own: str) -> Features:
    count = len(words(own))
    return {
        "length": log1p(len(text)),
        "length squared": log1p(len(text)) ** 2 / 10,
        "words": log1p(count),
        "own share": len(own.strip()) / max(1, len(text)),
        "lines": log1p(text.count("\n")),
        "short": float(count <= 3),
        "middling": float(8 <= count <= 60),
        "long": float(count > 150),
        "nothing own": float(count == 0),
        "sentences": log1p(len(_ENDS.findall(own))),
        "questions": min(own.count("?"), 3),
        "ends with a question": float(text.strip().endswith("?")),
        "exclamations": min(own.count("!"), 3),
        "names": min(text.count("`") / 2, 3),
        "fence": float("```" in text or '"""' in text),
        "address": float("http" in text),
        "path": float(_PATH.search(text) is not None),
        "bullets": min(len(_BULLET.findall(text)), 5),
        "smile": float(_SMILE.search(text) is not None),
        "shouted": float(_SHOUTED.search(own) is not None),
        "trails off": float("..." in own or "…" in own),
        "at": float("@" in text),
        "lower case": float(text[:1].islower()),
        "a review's words": float(_REVIEW.search(text) is not None),
    }


def _said(text: str, own: str) -> Features:
    count = len(words(own))
    often = {f"how often {name}": 10 * len(cues.SAYS[name].findall(own)) / (count + 10) for name in _COUNTED}
    raw = _seen("opens", cues.OPENS_RAW, text)
    return _seen("says", cues.SAYS, own) | _seen("opens", cues.OPENS, own) | raw | often


def _before(moment: Moment) -> Features:
    text, errors = moment.before_agent, " ".join(moment.before_errors)
    return {
        **_seen("before", cues.AGENT_ASKED, text[-_ASKED:]),
        **_seen("before", cues.AGENT_SAID, text),
        **_calls("before", moment.before_tools),
        **_seen("before", cues.ERRORS, errors),
        "before: asks": float(text.strip().endswith("?")),
        "before: a question": float("?" in text[-_ASKED:]),
        "before: nothing": float(not text.strip()),
        "before: length": log1p(len(text)),
        "before: errors": min(len(moment.before_errors), 4),
    }


def _after(moment: Moment) -> Features:
    text = moment.next
    return {
        **_seen("after", cues.REPLY, text[:_BEGINNING]),
        **_seen("after", cues.REPLY_ANYWHERE, text),
        **_calls("after", moment.next_tools),
        "after: nothing": float(not text.strip()),
        "after: length": log1p(len(text)),
        "after: names": log1p(text.count("`")),
    }


def _calls(side: str, calls: tuple[str, ...]) -> Features:
    kinds = {f"{side}: {name}": float(any(c.startswith(start) for c in calls)) for name, start in cues.TOOLS.items()}
    together = _seen(f"{side}: runs", cues.CALLS, " ".join(calls))
    return kinds | together | {f"{side}: calls": log1p(len(calls)), f"{side}: no calls": float(not calls)}


def _shared(moment: Moment, own: str) -> Features:
    person, before, after = map(content_words, (own, moment.before_agent, moment.next))
    return {
        "shared with before": len(person & before) / (len(person) + 3),
        "shared with after": len(person & after) / (len(person) + 3),
        "before shared with after": len(before & after) / (len(before) + 5),
    }


def _together(f: Mapping[str, float]) -> Features:
    """Signs that say more side by side."""
    against = any(f[name] for name in ("opens: no", "says: but", "says: wrong", "says: not convinced"))
    conceded = any(f[f"after: {name}"] for name in ("you are right", "good point", "my mistake"))
    rule = any(f[f"says: {name}"] for name in ("should", "do not", "always", "never"))
    reasoned = any(f[f"says: {name}"] for name in ("reason", "opinion", "prefer"))
    question = bool(f["ends with a question"])
    return {
        "against what was done": float(against and f["before: done"] > 0),
        "against, and conceded": float(against and conceded),
        "answers with a reason": float(f["before: a question"] > 0 and reasoned and f["words"] > log1p(8)),
        "question, and conceded": float(question and conceded),
        "question, not conceded": float(question and not conceded),
        "rule": float(rule and not question),
        "our rule": float(rule and not question and f["says: we"] > 0),
        "reason, no question": float(f["says: reason"] > 0 and not question),
        "conceded": float(conceded),
    }


def _seen(where: str, patterns: Mapping[str, re.Pattern[str]], text: str) -> Features:
    return {f"{where}: {name}": float(pattern.search(text) is not None) for name, pattern in patterns.items()}


BITS = 15
SIZE = 1 << BITS

_TOKEN = re.compile(r"[a-z']+|[?!]")


def grams(text: str, most: int) -> Counter[int]:
    """How often each word and each run of up to `most` words stands there."""
    tokens = _TOKEN.findall(text.lower())
    runs = (" ".join(tokens[i : i + n]) for n in range(1, most + 1) for i in range(len(tokens) - n + 1))
    return Counter(crc32(run.encode()) & (SIZE - 1) for run in runs)
