"""Which blocks of a page are an instruction or a lesson? Each is one note. Listings, commands and greetings are not.

The cues are English; a list item in another language is kept, a paragraph is not: silence over noise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memlane.app.home.memory_rules import TITLE_WANTED, title_of
from memlane.domain import Type
from memlane.system.markdown import MarkdownBlock, blocks, front_matter

LONGEST = 2000  # characters; more than that is a chapter
LONGEST_TOPIC = 4000  # of an agent's own memory page
FEWEST_WORDS = 3
MOSTLY_CODE = 0.5  # of the characters stand in code spans
_CODE = re.compile(r"`[^`]+`")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|https?://\S+")
_WORDS = re.compile(r"[^\W\d_]{2,}")
_EMPHASIS = re.compile(r"\*\*|__")
_TELLING = re.compile(  # in a paragraph: somebody is told something, or why
    r"\b(?:must|should|shall|never|always|do(?: not|n['’]t)|avoid|make sure|ensure|instead of|rather than|because)\b"
    r"|(?:^|[.!?:]\s+)(?:use|keep|write|ask|run|follow|remember|prefer|only|before|after|when|whenever|unless|note)\b",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"\b(?:must|should|shall|never|always|do(?: not|n['’]t)|avoid|prefer|ensure|make sure|only|use|keep|ask|follow"
    r"|remember)\b",
    re.IGNORECASE,
)
_LISTING = re.compile(r"(?:\*\*)?`[^`]+`(?:\*\*)?(?:\s*\([^)]*\))?\s*(?:[:=\u2013\u2014]|->|→|-\s|is\b|$)")
_COMMAND = re.compile(r"(?:\*\*)?[\w /&-]{1,40}(?:\*\*)?:\s*`[^`]+`[.,;]?$")
_POINTER = re.compile(r"(?:\*\*)?\[[^\]]+\]\([^)]+\)(?:\*\*)?\s*(?:[:\u2013\u2014-]|$)")
_TASK = re.compile(r"\[[ xX]\]\s")
_GREETING = re.compile(
    r"this (?:file|document) (?:provides|contains|describes|is)|provides? guidance to"
    r"|not yet (?:configured|established|mapped)|do not edit manually|instructions for (?:claude|agents)"
    r"|^see (?:also )?[\[`@]|^@\S+$|^for more (?:information|details)",
    re.IGNORECASE,
)
_OVERVIEW = re.compile(
    r"overview|architecture|structure|layout|stack|commands?|scripts?|director(?:y|ies)|dependenc|install"
    r"|getting started|quick ?start|links?|resources|contents|changelog|about|files|api reference",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class NoteLesson:
    """One thing a page says, on its own."""

    line: int
    title: str
    content: str
    quote: str  # as it stands there
    heading: str
    type: Type


def notes_in(text: str, *, topic: bool = False) -> Sequence[NoteLesson]:
    """Each once, in order. `topic`: an agent's own page about one thing, with front matter that says what it is."""
    fields, first = front_matter(text)
    body = "\n".join(text.split("\n")[first:]).strip()
    if topic and (title := fields.get("description") or fields.get("name")) and 0 < len(body) <= LONGEST_TOPIC:
        return [NoteLesson(first + 1, title_of(title), body, body, "", _type(body))]
    found: dict[str, NoteLesson] = {}
    for block in blocks(text):
        if is_one(block):
            found.setdefault(_plain(block.text), _note(block))
    return list(found.values())


def is_one(block: MarkdownBlock) -> bool:
    """Whether somebody could act on it."""
    text = block.text
    bare = _LINK.sub("", _CODE.sub(" ", text))
    if len(text) > LONGEST or len(_WORDS.findall(bare)) < FEWEST_WORDS or _GREETING.search(text) or text.endswith(":"):
        return False
    if _POINTER.match(text) or _TASK.match(text) or _COMMAND.match(text):
        return False
    coded = sum(map(len, _CODE.findall(text))) / len(text)
    if (_LISTING.match(text) or coded > MOSTLY_CODE or "://" in text) and not _ORDER.search(bare):
        return False
    plain = block.item and not _OVERVIEW.search(block.heading)
    return plain or bool(_TELLING.search(bare) or (block.item and _ORDER.search(bare)))


def _note(block: MarkdownBlock) -> NoteLesson:
    text = _EMPHASIS.sub("", block.text)
    lead = block.intro or (f"{block.heading}:" if block.heading and block.level > 1 else "")
    content = f"{_EMPHASIS.sub('', lead)} {text}" if lead else text
    whole = " ".join(content.split())
    title = whole if len(whole) <= TITLE_WANTED else title_of(text)
    return NoteLesson(block.line, title, content, block.text, block.heading, _type(content))


def _type(text: str) -> Type:
    return Type.COMMITMENT if _ORDER.search(text) else Type.LEARNING


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
