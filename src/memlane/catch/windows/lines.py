"""Which pieces of a long text tell something: its ends, its first new line, the lines that name trouble.

Pieces are never reworded. The words are English ones; text in other languages keeps more than it needs, never less.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

GAP = " […] "
CUT = "[… "  # begins the note where a Step was cut (`steps.cut`)
LINE = 160  # characters of one line
CODE = 8  # lines of a block of code, with its fence
TELLING = 3  # lines of output
_HEAD = 0.6  # the beginning says what it is, the end how it came out
_POINT = 0.4  # of the room, for the sentence in the middle that says why

_TROUBLE = re.compile(
    r"error|\bfail|fatal|exception|panic|denied|refused|rejected|not found|no such|cannot|can't|unable|undefined"
    r"|unexpected|invalid|missing|conflict|timed out|timeout|unknown|warning|✗|✘|❌",
    re.IGNORECASE,
)
_ANNOUNCES = re.compile(
    r"(?:(?:now|next|then|first|good|great|perfect|ok|okay|also|and)\b[,.!: ]*){0,3}"
    r"(?:let me|let['’]s|i['’]ll|i will|i['’]m \w+ing|i am \w+ing|i need to|(?:add|check|fix|run|read|updat|remov)\w*)"
    r"\b[^\n]*$",
    re.IGNORECASE,
)
_REASONS = re.compile(
    r"[.!?;] +\S|—|\b(?:because|since|instead|actually|not|no|never|always|wrong|error|but|so|only|prefer)\b|n['’]t\b",
    re.IGNORECASE,
)
_WHY = re.compile(
    r"\b(?:because|root cause|turns out|which means|that means|instead of|must|never|always|cannot|only works?"
    r"|the (?:real |actual |underlying )?(?:problem|issue|bug|reason|cause) (?:is|was))\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^\n]+?(?:[.!?](?=\s)|(?=\n)|\Z)")
_BLOCK = re.compile(r"^[ \t]*```.*?^[ \t]*```", re.MULTILINE | re.DOTALL)
_LETTERS = re.compile(r"[^\W\d_]{2,}")


def shorter(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    head = int(most * _HEAD)
    return f"{text[:head].rstrip()}{GAP}{text[len(text) - most + head :].lstrip()}"


def gist(text: str, most: int) -> str:
    """Its ends, and between them the first sentence that says why something is so, if one was cut out."""
    ends = shorter(text, most)
    if ends == text or (why := _point(text, int(most * _HEAD), len(text) - most + int(most * _HEAD))) is None:
        return ends
    room = most - len(why)
    head = int(room * _HEAD)
    return f"{text[:head].rstrip()}{GAP}{why}{GAP}{text[len(text) - room + head :].lstrip()}"


def _point(text: str, start: int, end: int) -> str | None:
    """Between these places, cut to a part of the room."""
    most = int((start + len(text) - end) * _POINT)
    sentences = (found[0].strip() for found in _SENTENCE.finditer(text, start, end))
    return next((shorter(sentence, most) for sentence in sentences if _WHY.search(sentence)), None)


def trouble(text: str, room: int, *, failed: bool) -> str:
    """The first lines that name what went wrong. Of what failed without naming it: how it begins and how it ends."""
    lines = [line.strip()[:LINE] for line in text.splitlines() if _tells(line)]
    telling = [line for line in lines if _TROUBLE.search(line)][:TELLING]
    if failed:
        telling = list(dict.fromkeys([*(telling or lines[:TELLING]), *lines[-1:]]))
    return shorter("\n".join(telling), room)


def announces(text: str) -> bool:
    """One short sentence that only says which call comes next."""
    return len(text) <= LINE and bool(_ANNOUNCES.match(text)) and not _REASONS.search(text)


def without_code(text: str) -> str:
    """Long blocks of code keep how they begin and how they end."""
    return _BLOCK.sub(_ends, text)


def _ends(block: re.Match[str]) -> str:
    lines = block[0].splitlines()
    return block[0] if len(lines) <= CODE else "\n".join([*lines[:3], GAP.strip(), *lines[-2:]])


def first_new(lines: Sequence[str], old: Sequence[str]) -> str:
    known = {line.strip() for line in old}
    return next((line.strip() for line in lines if line.strip() not in known and _tells(line)), "")


def _tells(line: str) -> bool:
    """No bar, no bare figures, and not our own note that something was cut."""
    return _LETTERS.search(line) is not None and not line.startswith(CUT)
