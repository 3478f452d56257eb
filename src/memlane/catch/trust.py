"""Whose word a Draft is: the lowest in its lineage, of what it quotes and of what else its words can only come from.

Words are followed, not intentions: a term that a person wrote anywhere in the Window is theirs; any other belongs to
whoever brought it up first, so that an agent repeating a page it read does not make the page its own. Text that tells
its reader what to do is somebody else's word wherever it was read, also in a tool's output.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memlane.catch.meaning import meaning
from memlane.catch.orders import directs, orders, planted
from memlane.catch.quoting import given, verbatim
from memlane.domain import Author, Draft, Kind, Quote, Step, ToolCall, Trust, Window
from memlane.domain.ours import is_our_tool

FOREIGN_SHARE = 0.5  # of the words that have an author: from here on the lesson is theirs who wrote most of it
SUPPORTED_SHARE = 0.5  # of a title's words that a person or the agent brought up
FOREIGN_ORDER = 2  # words out of an order, or one that nobody types by chance
FEWEST = 3  # words that a passage has to share before a lesson can be said to come from it
ECHO_SHARE = 0.4  # of an order's words, or of the title's
_RANK = {trust: rank for rank, trust in enumerate(Trust)}
_FETCHING = re.compile(
    r"web|fetch|browse|browser|navigate|url|http|crawl|scrape|search_(?:query|web|online)|online|screenshot"
    r"|playwright|puppeteer",
    re.IGNORECASE,
)
_FETCHES = re.compile(
    r"(?:^|[\s;&|(`$])(?:curl|wget|http|https|xh|lynx|w3m|links|aria2c|gh|glab|hub|tea|ssh|scp|rsync|ftp|nc|telnet)\s"
    r"|https?://|\bgit\s+(?:clone|fetch|pull|show|log)\b|\b(?:pip|npm|yarn|pnpm|cargo|gem|go)\s+(?:view|info|search"
    r"|show|docs?)\b"
)
_READING = re.compile(r"read|view|open|grep|glob|search|cat\b|notebook", re.IGNORECASE)
_SHOWS = re.compile(r"\s*(?:\w+=\S*\s+)*(?:cat|bat|head|tail|less|more|sed|awk|grep|rg|nl|jq|strings|xxd)\s")
_PROSE = re.compile(
    r"\.(?:md|mdx|markdown|txt|rst|adoc|org|html?|pdf|docx?|eml|ipynb|mdc)\b"
    r"|\b(?:readme|contributing|agents|claude|changelog|notes|todo|license|cursorrules)\b",
    re.IGNORECASE,
)
_NOT_THEIRS = re.compile(
    r"(?:^|/)(?:node_modules|site-packages|dist-packages|vendor|third_party|\.venv|venv|\.cargo|\.npm|\.cache"
    r"|go/pkg|downloads?"
    r"|tmp|\.gradle|\.m2|bower_components|external|submodules|attachments?|uploads?)(?:/|$)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"\n+|\\n|(?<=[.!?])\s+(?=\W*[A-Z])")
_DISTINCT = re.compile(r"\w[._/:@+-]+\w|\d")


@dataclass(frozen=True, slots=True)
class _Piece:
    """Words of one author, as they came."""

    trust: Trust
    text: str
    terms: frozenset[str]
    deed: bool = False  # what an agent passed to a tool
    read: bool = False  # what somebody wrote into a file for people


@dataclass(frozen=True, slots=True)
class _Stretch:
    text: str
    sentence: frozenset[str]
    terms: frozenset[str]  # also of the sentence before


def trust_of(draft: Draft, window: Window) -> Trust:
    best = Trust.AGENT if window.headless else Trust.PERSON
    pieces = list(_pieces(window))
    title, words = meaning(draft.title), meaning(f"{draft.title}\n{draft.content}")
    quoted = (_of_quote(quote, window) for quote in draft.quotes)
    return lowest([best, *quoted, *_of_words(words, title, pieces), *_of_nobody(title, pieces)])


def lowest(trusts: Sequence[Trust]) -> Trust:
    return max(trusts, key=_RANK.__getitem__)


def may_be_active(draft: Draft, window: Window, trust: Trust) -> bool:
    """Without a person's yes. Text from outside never; a tool's output only as long as nobody is told to do anything,
    unless the agent of this Window did it itself, and not because a file said so."""
    if trust is Trust.OUTSIDE:
        return False
    if trust is not Trust.TOOL or (not directs(draft.title) and not orders(draft.content)):
        return True
    pieces = list(_pieces(window))
    done = frozenset[str]().union(*(piece.terms for piece in pieces if piece.deed))
    read = frozenset[str]().union(*(piece.terms for piece in pieces if piece.read))
    told = _foreign(meaning(draft.title), pieces)
    return not orders(f"{draft.title}\n{draft.content}") and told <= done and told.isdisjoint(read)


# -- what a Window is made of -----------------------------------------------------------------------------------------


def _pieces(window: Window) -> Iterator[_Piece]:
    for _spot, step in window.steps():
        if step.ours:
            continue
        if step.text:
            yield _Piece(_writer(step, window), step.text, meaning(step.text))
        if step.call is not None:
            passed = "\n".join(given(step.call))
            yield _Piece(Trust.AGENT, passed, meaning(passed), deed=True)
            if step.call.result:
                result = step.call.result
                yield _Piece(_bringing(step.call), result, meaning(result), read=_reads(step.call))


def _writer(step: Step, window: Window) -> Trust:
    if step.kind in (Kind.SUMMARY, Kind.ERROR, Kind.META):  # of everything there was, also of what was read
        return Trust.TOOL
    if step.author is Author.PERSON:
        return Trust.AGENT if window.headless else Trust.PERSON
    return Trust.AGENT if step.author in (Author.AGENT, Author.PROGRAM) else Trust.TOOL


def _bringing(call: ToolCall) -> Trust:
    """Whose words a call brings back: the computer's, or somebody's whom nobody here knows."""
    if is_our_tool(call.name):
        return Trust.TOOL
    if call.name.startswith(("mcp__", "mcp_", "mcp.")) or _FETCHING.search(call.name):
        return Trust.OUTSIDE
    passed = "\n".join(given(call))
    if _FETCHES.search(passed) or any(map(_NOT_THEIRS.search, (*call.files, *passed.split()))):
        return Trust.OUTSIDE
    return Trust.TOOL


def _reads(call: ToolCall) -> bool:
    """A file for people; code is full of sentences that tell nobody anything."""
    passed = list(given(call))
    looks = _READING.search(call.name) is not None or any(map(_SHOWS.match, passed))
    return looks and any(map(_PROSE.search, (*call.files, *passed)))


# -- lineage ----------------------------------------------------------------------------------------------------------


def _of_quote(quote: Quote, window: Window) -> Trust:
    step = next((step for spot, step in window.steps() if spot == quote.spot), None)
    if step is None:
        return Trust.OUTSIDE  # nobody's: checks refuse it
    if step.call is None or (step.text and verbatim(quote.words, step.text) is not None):
        return _writer(step, window)
    if step.call.result and verbatim(quote.words, step.call.result) is not None:
        found = _bringing(step.call)
        return Trust.OUTSIDE if found is Trust.TOOL and orders(_passage(quote.words, step.call.result)) else found
    return Trust.AGENT


def _passage(words: str, text: str) -> str:
    found = verbatim(words, text)
    at = text.find(found) if found else 0
    start, end = text.rfind("\n", 0, at) + 1, at + len(found or "")
    return text[start : (text.find("\n", end) + 1 or len(text) + 1) - 1]


def _of_words(words: frozenset[str], title: frozenset[str], pieces: Sequence[_Piece]) -> Iterator[Trust]:
    """Words scattered over many outputs are no lineage; a passage that holds most of them is."""
    foreign = _foreign(words, pieces)
    known = words & frozenset[str]().union(*(piece.terms for piece in pieces))
    for piece in pieces:
        if _RANK[piece.trust] < _RANK[Trust.TOOL] or not piece.terms & foreign:
            continue
        for passage in _passages(piece.text, foreign):
            here = foreign & passage.terms
            if len(here) >= max(FEWEST, FOREIGN_SHARE * len(known)):
                yield piece.trust
            tells = directs if piece.read else orders  # programs print hints, files are written to be followed
            if _echoes(here, words, title, passage) and tells(passage.text):
                yield Trust.OUTSIDE


def _echoes(here: frozenset[str], words: frozenset[str], title: frozenset[str], passage: _Stretch) -> bool:
    """Enough of it to be it: two words at least, or one that nobody types by chance."""
    if len(here) < FOREIGN_ORDER and not any(map(_DISTINCT.search, here)):
        return False
    whole = len(words & passage.sentence) >= max(FEWEST, ECHO_SHARE * len(passage.sentence))
    return whole or len(here & title) >= ECHO_SHARE * len(title)


def _passages(text: str, foreign: frozenset[str]) -> Iterator[_Stretch]:
    """Each sentence with one of these words, and the one before it, which may say what it is."""
    sentences = [sentence for sentence in _SENTENCE.split(text) if sentence.strip()]
    for n, sentence in enumerate(sentences):
        terms = meaning(sentence)
        if terms & foreign:
            both = f"{sentences[n - 1]}\n{sentence}" if n else sentence
            yield _Stretch(both, terms, meaning(both))


def _of_nobody(title: frozenset[str], pieces: Sequence[_Piece]) -> Iterator[Trust]:
    """Where a text asks to be remembered, a title in words that nobody here used may be that text in disguise."""
    said = frozenset[str]().union(*(piece.terms for piece in pieces if _RANK[piece.trust] < _RANK[Trust.TOOL]))
    if len(title & said - _foreign(title, pieces)) >= SUPPORTED_SHARE * len(title):
        return
    if any(_RANK[piece.trust] >= _RANK[Trust.TOOL] and planted(piece.text) for piece in pieces):
        yield Trust.OUTSIDE


def _foreign(terms: frozenset[str], pieces: Sequence[_Piece]) -> frozenset[str]:
    """Those no person wrote, and no agent before a tool did."""
    theirs = frozenset[str]().union(*(piece.terms for piece in pieces if piece.trust is Trust.PERSON))
    first = {term: piece for piece in reversed(pieces) for term in (terms - theirs) & piece.terms}
    return frozenset(term for term, piece in first.items() if _RANK[piece.trust] >= _RANK[Trust.TOOL])
