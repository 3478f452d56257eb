"""Which parts of a text are somebody's own words or code? Quotations, code, URLs and paths; these are never reworded.

When in doubt it is one: a quotation that is not closed goes on to the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

_CLOSES = {
    "“": "”", "„": "“”", "‟": "”", "”": "”", "«": "»", "»": "«", "‹": "›", "›": "‹", "「": "」", "『": "』", "｢": "｣",
    "《": "》", "〈": "〉", "〝": "〟〞", "＂": "＂", "❝": "❞", '"': '"', "‚": "‘’",
}  # fmt: skip
_BLOCKS = re.compile(
    r"^[ \t>]*(?P<fence>`{3,}|~{3,}).*?(?:^[ \t>]*(?P=fence)[`~]*[ \t]*$|\Z)"
    r"|<(?P<tag>code|pre|q|blockquote|kbd|samp)\b[^>]*>.*?(?:</(?P=tag)>|\Z)"
    r"|^ {0,3}>.*?$"
    r"|(?:\A|(?<=\n\n))(?:(?: {4}|\t)[^\n]*(?:\n|\Z)|[ \t]*\n(?= {4}|\t))+",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
_CODE = re.compile(r"(?<!`)(?P<ticks>`+)(?!`)(?:.+?(?<!`)(?P=ticks)(?!`)|[^\n]*)", re.DOTALL)
_SINGLE = re.compile(r"(?<![\w'’])'(?=\S)[^\n]*(?<=\S)'(?![\w'])|‘[^\n]*?’(?!\w)|(?<!\w)’(?=\w)[^’\n]*’(?!\w)")
_WORD, _OPTION = re.compile(r"\S+"), re.compile(r"(?<!\S)--?[A-Za-z][\w-]*(?:[= ]\S+)?")
_PLACE = re.compile(r"\w[/\\=]|[/\\=]\w|\w\.[A-Za-z]")  # of a URL, a path, a file, a setting


@dataclass(frozen=True, slots=True)
class Verbatim:
    """The parts of one text that stay as they are: from, to."""

    parts: Sequence[tuple[int, int]]
    said: bool  # one of them is a quotation or a block, and no mere name

    def touches(self, start: int, end: int) -> bool:
        return any(first < end and start < last for first, last in self.parts)


NOTHING_VERBATIM = Verbatim((), said=False)


def verbatim(text: str) -> Verbatim:
    blocks = [found.span() for found in _BLOCKS.finditer(text)]
    code = [found.span() for found in _CODE.finditer(text)]
    quotes = list(_quotations(text, [*blocks, *code]))
    singles = [found.span() for found in _SINGLE.finditer(text)]
    places = [found.span() for found in _WORD.finditer(text) if _PLACE.search(found[0])]
    places += [found.span() for found in _OPTION.finditer(text)]
    return Verbatim([*blocks, *code, *quotes, *singles, *places], said=bool(blocks or quotes or singles))


def _quotations(text: str, code: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Marks in code open and close nothing. What is quoted within a quotation is part of it."""
    inside = list(accumulate(_steps(text, code)))
    start, waiting = 0, list[str]()
    for at, letter in enumerate(text):
        if inside[at]:
            continue
        if waiting and letter in waiting[-1]:
            waiting.pop()
            if not waiting:
                yield start, at + 1
        elif letter in _CLOSES and not (letter == '"' and _measures(text, at)):
            start = start if waiting else at
            waiting.append(_CLOSES[letter])
    if waiting:
        yield start, len(text)


def _steps(text: str, code: Sequence[tuple[int, int]]) -> list[int]:
    steps = [0] * (len(text) + 1)
    for first, last in code:
        steps[first] += 1
        steps[last] -= 1
    return steps


def _measures(text: str, at: int) -> bool:
    """27": inches."""
    return at > 0 and text[at - 1].isdigit() and '"' not in text[at + 1 :]
