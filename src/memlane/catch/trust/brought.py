"""Who brought which words into a Window: the person, the agent, a tool, or somebody whom nobody here knows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memlane.catch.checks.quoting import given
from memlane.claims import meaning
from memlane.domain import Author, Kind, Step, ToolCall, Trust, Window
from memlane.domain.ours import is_our_tool

_FETCHING = re.compile(
    r"web|fetch|browse|navigate|url|http|crawl|scrape|search_(?:query|web|online)|online|screenshot|playwright|puppeteer",
    re.IGNORECASE,
)
_FETCHES = re.compile(
    r"(?:^|[\n;&|(`]\s*|\bsudo )(?:curl|wget|https?|xh|lynx|w3m|aria2c|gh|glab|hub)\s"
    r"|\b(?:pip|npm|yarn|pnpm|cargo|gem)\s+(?:view|info|search|docs?)\b"
    r"|https?://(?!localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])"
)
_READING = re.compile(r"read|view|open|grep|glob|search|cat\b|notebook", re.IGNORECASE)
_SHOWS = re.compile(r"\s*(?:\w+=\S*\s+)*(?:cat|bat|head|tail|less|more|sed|awk|grep|rg|nl|jq|strings|xxd)\s")
_PROSE = re.compile(
    r"\.(?:md|mdx|markdown|txt|rst|adoc|org|html?|pdf|docx?|eml|ipynb|mdc)\b"
    r"|\b(?:readme|contributing|agents|claude|changelog|notes|todo|license|cursorrules)\b",
    re.IGNORECASE,
)
_NOT_THEIRS = re.compile(
    r"(?:^|/)(?:node_modules|site-packages|dist-packages|vendor|third_party|\.venv|venv|\.cargo|\.npm|\.cache|go/pkg"
    r"|downloads?|\.gradle|\.m2|bower_components|external|submodules|attachments?|uploads?)/",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of one author, as they came."""

    trust: Trust
    text: str
    terms: frozenset[str]
    deed: bool = False  # what an agent passed to a tool
    read: bool = False  # what somebody wrote into a file for people


def pieces(window: Window) -> Iterator[Piece]:
    for _spot, step in window.steps():
        if step.ours:
            continue
        if step.text:
            yield Piece(writer(step, window), step.text, meaning(step.text))
        if step.call is not None:
            passed = "\n".join(given(step.call))
            yield Piece(Trust.AGENT, passed, meaning(passed), deed=True)
            if result := step.call.result:
                yield Piece(bringing(step.call), result, meaning(result), read=is_for_people(step.call))


def writer(step: Step, window: Window) -> Trust:
    """Of a Step's text. A summary is of everything there was, also of what was read."""
    if step.kind in (Kind.SUMMARY, Kind.ERROR, Kind.META):
        return Trust.TOOL
    if step.author is Author.PERSON:
        return Trust.AGENT if window.headless else Trust.PERSON
    return Trust.AGENT if step.author in (Author.AGENT, Author.PROGRAM) else Trust.TOOL


def bringing(call: ToolCall) -> Trust:
    """Whose words a call brings back."""
    if is_our_tool(call.name) or call.changes:
        return Trust.TOOL
    passed = list(given(call))
    fetched = call.name.startswith(("mcp__", "mcp_", "mcp.")) or _FETCHING.search(call.name)
    if fetched or any(map(_FETCHES.search, passed)):
        return Trust.OUTSIDE
    theirs = _looks(call) and any(map(_NOT_THEIRS.search, (*call.files, *(word for p in passed for word in p.split()))))
    return Trust.OUTSIDE if theirs else Trust.TOOL


def _looks(call: ToolCall) -> bool:
    return _READING.search(call.name) is not None or any(map(_SHOWS.match, given(call)))


def is_for_people(call: ToolCall) -> bool:
    """Code is full of sentences that tell nobody anything."""
    return _looks(call) and any(map(_PROSE.search, (*call.files, *given(call))))
