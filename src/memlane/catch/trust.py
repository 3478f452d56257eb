"""Whose word a Draft is: the lowest in its lineage, of what it quotes and of what else its words can only come from.

Words are followed, not intentions: a term that a person wrote anywhere in the Window is theirs; any other belongs to
whoever brought it up first, so that an agent repeating a page it read does not make the page its own. Text that tells
its reader what to do is somebody else's word wherever it was read, also in a tool's output.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memlane.catch.phrases import directs, orders, planted
from memlane.catch.quotes import given, verbatim
from memlane.claims import claimed, meaning
from memlane.domain import Author, Draft, Kind, Quote, Step, ToolCall, Trust, Window
from memlane.domain.fence import is_our_tool

FOREIGN_SHARE = 0.5  # of the words that have an author: from here on the lesson is theirs who wrote most of it
SUPPORTED_SHARE = 0.5  # of a title's words that a person or the agent brought up
FOREIGN_ORDER = 2  # words out of an order, or one that nobody types by chance
FEWEST = 3  # words that a passage has to share before a lesson can be said to come from it
ECHO_SHARE = 0.4  # of an order's words, or of the title's
REPORT_SHARE = 0.6  # of an order's words, where they are only reported
_RANK = {trust: rank for rank, trust in enumerate(Trust)}
_SENTENCE = re.compile(r"\n+|\\n|(?<=[.!?])\s+(?=\W*[A-Z])")
_DISTINCT = re.compile(r"\w[._/:@+-]+\w|\d")


@dataclass(frozen=True, slots=True)
class _SentencePair:
    """A sentence and the one before it."""

    text: str
    before: str
    sentence: frozenset[str]
    terms: frozenset[str]  # of both


def trust_of(draft: Draft, window: Window) -> Trust:
    best = Trust.AGENT if window.headless else Trust.PERSON
    pieces = list(pieces_of(window))
    title, words = meaning(draft.title), meaning(claimed(f"{draft.title}\n{draft.content}"))
    quoted = (trust_of_quote(quote, window) for quote in draft.quotes)
    shown = _of_reports(meaning(draft.content) - words, pieces)
    return lowest([best, *quoted, *_of_words(words, title, pieces), *_of_nobody(title, pieces), *shown])


def lowest(trusts: Sequence[Trust]) -> Trust:
    return max(trusts, key=_RANK.__getitem__)


def may_be_active(draft: Draft, window: Window, trust: Trust) -> bool:
    """Without a person's yes. Text from outside never; a tool's output only as long as nobody is told to do anything,
    unless the agent of this Window did it itself, and not because a file said so."""
    if trust is Trust.OUTSIDE:
        return False
    if trust is not Trust.TOOL or (not directs(draft.title) and not orders(draft.content)):
        return True
    pieces = list(pieces_of(window))
    done = frozenset[str]().union(*(piece.terms for piece in pieces if piece.deed))
    read = frozenset[str]().union(*(piece.terms for piece in pieces if piece.read))
    told = _foreign(meaning(draft.title), pieces)
    return not orders(f"{draft.title}\n{draft.content}") and told <= done and told.isdisjoint(read)


# -- lineage ----------------------------------------------------------------------------------------------------------


def trust_of_quote(quote: Quote, window: Window) -> Trust:
    step = next((step for spot, step in window.steps() if spot == quote.spot), None)
    if step is None:
        return Trust.OUTSIDE  # nobody's: checks refuse it
    if step.call is None or (step.text and verbatim(quote.words, step.text) is not None):
        return writer(step, window)
    if step.call.result and verbatim(quote.words, step.call.result) is not None:
        tells = directs if is_for_people(step.call) else orders
        return Trust.OUTSIDE if tells(_passage(quote.words, step.call.result)) else bringing(step.call)
    return Trust.AGENT


def _passage(words: str, text: str) -> str:
    found = verbatim(words, text)
    at = text.find(found) if found else 0
    start, end = text.rfind("\n", 0, at) + 1, at + len(found or "")
    return text[start : (text.find("\n", end) + 1 or len(text) + 1) - 1]


def _of_words(words: frozenset[str], title: frozenset[str], pieces: Sequence[Piece]) -> Iterator[Trust]:
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
            if _echoes(foreign & passage.sentence, words, title, passage) and _tells(passage, piece):
                yield Trust.OUTSIDE


def _echoes(here: frozenset[str], words: frozenset[str], title: frozenset[str], passage: _SentencePair) -> bool:
    """Enough of it to be it: two words at least, or one that nobody types by chance."""
    if len(here) < FOREIGN_ORDER and not any(map(_DISTINCT.search, here)):
        return False
    whole = len(words & passage.sentence) >= max(FEWEST, ECHO_SHARE * len(passage.sentence))
    return whole or len(here & title) >= ECHO_SHARE * len(title)


def _tells(passage: _SentencePair, piece: Piece) -> bool:
    """Programs print hints; files are written to be followed. What stands before may ask for it to be kept."""
    return (directs if piece.read else orders)(passage.text) or planted(passage.before)


def _passages(text: str, foreign: frozenset[str]) -> Iterator[_SentencePair]:
    """Each sentence with one of these words."""
    sentences = [sentence for sentence in _SENTENCE.split(text) if sentence.strip()]
    for n, sentence in enumerate(sentences):
        terms = meaning(sentence)
        if terms & foreign:
            before = sentences[n - 1] if n else ""
            yield _SentencePair(sentence, before, terms, terms | meaning(before))


def _of_reports(words: frozenset[str], pieces: Sequence[Piece]) -> Iterator[Trust]:
    """What a Draft only reports is read by the next agent too: it must not be an order that was read somewhere."""
    foreign = _foreign(words, pieces)
    for piece in pieces:
        if _RANK[piece.trust] >= _RANK[Trust.TOOL] and len(piece.terms & foreign) >= FOREIGN_ORDER:
            for passage in _passages(piece.text, foreign):
                whole = len(words & passage.sentence) >= max(FEWEST, REPORT_SHARE * len(passage.sentence))
                if whole and orders(passage.text):
                    yield Trust.OUTSIDE


def _of_nobody(title: frozenset[str], pieces: Sequence[Piece]) -> Iterator[Trust]:
    """Where a text asks to be remembered, a title in words that nobody here used may be that text in disguise."""
    said = frozenset[str]().union(*(piece.terms for piece in pieces if _RANK[piece.trust] < _RANK[Trust.TOOL]))
    if len(title & said - _foreign(title, pieces)) >= SUPPORTED_SHARE * len(title):
        return
    if any(_RANK[piece.trust] >= _RANK[Trust.TOOL] and planted(piece.text) for piece in pieces):
        yield Trust.OUTSIDE


def _foreign(terms: frozenset[str], pieces: Sequence[Piece]) -> frozenset[str]:
    """Those no person wrote, and no agent before a tool did."""
    theirs = frozenset[str]().union(*(piece.terms for piece in pieces if piece.trust is Trust.PERSON))
    first = {term: piece for piece in reversed(pieces) for term in (terms - theirs) & piece.terms}
    return frozenset(term for term, piece in first.items() if _RANK[piece.trust] >= _RANK[Trust.TOOL])


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


def pieces_of(window: Window) -> Iterator[Piece]:
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


__all__ = ["may_be_active", "trust_of", "trust_of_quote"]
