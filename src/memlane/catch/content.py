"""Is what a Draft says worth keeping? It stands alone, its figures were said, nothing else says it."""

from __future__ import annotations

import re

from memlane.catch.phrases import patterns
from memlane.catch.quotes import said
from memlane.claims import claimed
from memlane.domain import Window

SHARE_OF_LOG = 0.5  # of the lines: an error quoted in a lesson is less
SHORT = 4  # lines: fewer have to be a log from the first to the last
_FILE = "unstored.toml"
_RULES = ("code-structure", "history", "task-state", "report")
_SENTENCES = re.compile(r"(?<=[.!?])[)\"'’”]*\s+|\n+|;\s+")
_SAYING = re.compile(
    r"^(?:the )?(?:person|user|agent|assistant|they|he|she)(?: \w+)? (?:said|says|wrote|asked|typed|noted|reported)"
    r"(?: that)?[:,]? +(?=[\"'“‘`]|\w)",
    re.IGNORECASE,
)
_EDGES = " \t-*#>\"'“”‘’.!?:,()"


def unstored(title: str, content: str) -> str | None:
    """The name of the rule that says no."""
    if _is_log(title, content):
        return "log"
    text = claimed(f"{title}\n{content}")
    if lasts(text):
        return None
    rules = [_rule(sentence) for sentence in _SENTENCES.split(text) if re.search(r"\w", sentence)]
    return rules[0] if rules and None not in rules else None


def lasts(text: str) -> bool:
    """Whether it gives a reason or a rule."""
    return patterns(_FILE)["lasts"].search(text) is not None


def _rule(sentence: str) -> str | None:
    plain = sentence.strip(" \t-*#>")
    said = (plain.strip(_EDGES), _SAYING.sub("", plain).strip(_EDGES))
    return next((rule for rule in _RULES if any(map(patterns(_FILE)[rule].search, said))), None)


def _is_log(title: str, content: str) -> bool:
    logged = patterns(_FILE)["log"]
    lines = [line for line in content.splitlines() if line.strip() and not line.lstrip().startswith(("```", "~~~"))]
    printed = sum(logged.search(line) is not None for line in lines)
    if len(lines) < SHORT:
        return bool(lines) and printed == len(lines) and (title in content or logged.search(title) is not None)
    return printed > SHARE_OF_LOG * len(lines)


_QUOTED = re.compile(r'"[^"\n]*"|“[^”\n]*”|«[^»\n]*»|`[^`\n]*`')
# What points at a place only whoever was there can see.
_ELSEWHERE = re.compile(
    r"\bas (?:already )?(?:discussed|mentioned|described|explained|noted|shown|stated)(?: (?:above|before|earlier))?\b"
    r"|\b(?:see|in|from) the above\b|\bsee above\b",
    re.IGNORECASE,
)
# "User corrected the tone": that something happened, not what.
_HAPPENED = re.compile(
    r"^(?:the )?(?:user|person|human) (?:corrected|rejected|interrupted|complained|objected|disagreed|approved"
    r"|confirmed)\b(?:\W+\w+){0,4}\W*$",
    re.IGNORECASE,
)
_DATE = re.compile(r"\b\d{4}-\d\d-\d\d\b|\b(?:19|20)\d\d\b")
_SEPARATED = re.compile(r"(?<=\d)[,' _](?=\d{3}\b)")
_FIGURE = re.compile(r"\d{3,}")


def stands_alone(title: str, content: str) -> bool:
    written = _QUOTED.sub("", f"{title}\n{content}")
    return not _ELSEWHERE.search(written) and not _HAPPENED.match(title.strip())


def unsaid_figure(title: str, content: str, window: Window) -> str:
    """A number, three digits or more, that stands nowhere in what was read; "" when all of them do."""
    figures = _FIGURE.findall(_DATE.sub("", _plain(f"{title}\n{content}")))
    if not figures:
        return ""
    read = _plain("\n".join(text for _spot, step in window.steps() for text in said(step)))
    return next((figure for figure in figures if figure not in read), "")


def _plain(text: str) -> str:
    return _SEPARATED.sub("", text)
