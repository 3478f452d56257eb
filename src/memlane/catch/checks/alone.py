"""Does a Draft stand on its own, and did anybody say its figures? Knows words and the Window, judges nothing else."""

from __future__ import annotations

import re

from memlane.catch.checks.quoting import said
from memlane.domain import Window

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
