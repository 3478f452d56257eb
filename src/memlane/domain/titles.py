"""What a Run is called when nobody named it. Rules alone, no model. Pure."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from memlane.domain.door import one_line

LONGEST_TITLE = 72  # characters
LONGEST_LINK = 40
SHOWN_PARTS = 2  # of a link's path
# How people begin before they say what they want.
_OPENING = re.compile(
    r"^(?:(?:hi|hello|hey|ok(?:ay)?|so|now|right|well|please|pls|thanks?|great|alright|bitte|hallo|also)\b[,.!:]*\s+|"
    r"(?:can|could|would|will) you (?:please |kindly )?|(?:i'?d like|i want|i need) (?:you )?to |"
    r"implement the following plan:?[\s#*]*|plan:\s+|let'?s |we (?:need|have|want) to |"
    r"(?:(?:additional |some )?context|almost forgot(?: this)?|re|fyi|btw|one more thing|quick question):\s+|"
    r"kannst du (?:bitte )?|ich möchte,? )",
    re.IGNORECASE,
)
_SCRIPT = re.compile(r"```.*?(?:```|$)|<(?!https?:)[^<>\n]{1,200}>|\[\[ ## .{1,80} ## \]\]|[┃│║].*", re.DOTALL)
_LABELLED = re.compile(r"!?\[([^\[\]\n]+)\]\([^()\s]*\)")
_URL = re.compile(r"<?(https?://[^\s<>()\[\]\"'`]*[^\s<>()\[\]\"'`.,;:!?])>?")
_LINK_BEFORE = re.compile(r"^\s*https?://\S+\s+(?=(?:\S+\s+){3}\S)")  # a whole request follows it
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])|\n+|\s+(?=#{1,6}\s+\w)")  # headings stand in one line too
_MARKS = re.compile(r"^\s*(?:[#>*\-•]+\s+|\d+[.)]\s+)+|[*`]{1,3}|(?<!\w)__?(?=\w)|(?<=\w)__?(?!\w)")
_SMALL = re.compile(
    r"^(?:yes|no|ok(?:ay)?|sure|thanks?|thank you|good|great|perfect|nice|y|n|ja|nein|danke)\b", re.IGNORECASE
)
FEW_WORDS = 6  # a yes with more of them may ask for something
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_CJK = re.compile(r"[぀-ヿ㐀-鿿가-힯]")
FEW_SIGNS = 4  # of a text without spaces between its words
_COMMAND = re.compile(r"[/!?][^/\s]*")  # without words behind it
# A greeting or a "go on" is made of these alone; one word more, and it says with what.
_LIGHT_WORDS = """
    a about again agent ahead all and are assistant at back begin can carry chat claude clear codex continue
    continuing conversation copilot could day did do everything evening exit for from gemini get go going good
    guten hallo have hello help hey hi i i'm in is it just keep know last left let let's me morning moving my next
    now of off ok okay on our paused pick please previous proceed quit ready resume resuming right session should
    so start started status still stopped task tasks test that the then there thing this time to today together
    tomorrow tried try up us was we welcome were what what's where with work working would yesterday you your
    aufgehört bitte da dem der die du gehts ich kannst los mach machen mal morgen noch stehen tag wann waren was
    weiter weitermachen wieder wir wo zuletzt"""
_LIGHT = frozenset(_LIGHT_WORDS.split())


def short_title(text: str) -> str:
    """The first sentence that asks for something, without its opening words, cut between words."""
    asked = _sentences(text)
    return _cut(next(filter(_tells, asked), asked[0] if asked else "")) or one_line(text)[:LONGEST_TITLE]


def tells(text: str) -> bool:
    """Whether a title made of it says what a Run is about."""
    return any(map(_tells, _sentences(text)))


def _sentences(text: str) -> list[str]:
    shown = _LABELLED.sub(r"\1", _LINK_BEFORE.sub("", _SCRIPT.sub(" ", text)))
    said = (_MARKS.sub("", one_line(part)) for part in _SENTENCE.split(_URL.sub(_link, shown)))
    return [short for part in said if (short := _without_opening(part))]


def _link(found: re.Match[str]) -> str:
    """Where it leads, and what its last parts say: example.org/…/pull/7."""
    try:
        address = urlsplit(found[1])
        host, parts = (address.hostname or "").removeprefix("www."), [part for part in address.path.split("/") if part]
    except ValueError:  # no address at all
        return found[1]
    shown = "/".join((host, *(["…"] if len(parts) > SHOWN_PARTS else []), *parts[-SHOWN_PARTS:]))
    return shown if len(shown) <= LONGEST_LINK else f"{shown[: LONGEST_LINK - 1]}…"


def _tells(part: str) -> bool:
    """More than one word, or a link; no greeting, no "go on", no command without words."""
    if is_small(part):
        return False
    return " " in part or "/" in part or len(_CJK.findall(part)) >= FEW_SIGNS


def _without_opening(part: str) -> str:
    before = ""
    while before != part:
        before, part = part, _OPENING.sub("", part, count=1)
    return part.strip(" .,;:!–—")


def _cut(words: str) -> str:
    if len(words) <= LONGEST_TITLE:
        return words
    whole = words[: LONGEST_TITLE - 1]
    kept = whole.rsplit(" ", 1)[0].rstrip(" ,;:(–—")
    return f"{kept if len(kept) > LONGEST_TITLE // 2 else whole}…"


def is_small(text: str) -> bool:
    """A greeting, a yes, a no, a "pick up where we left off", a command alone: it asks for nothing by itself."""
    words = one_line(text)
    if _COMMAND.fullmatch(words) or all(word.replace("’", "'") in _LIGHT for word in _WORD.findall(words.casefold())):
        return True
    return _SMALL.match(words) is not None and len(words.split()) < FEW_WORDS and "?" not in words
