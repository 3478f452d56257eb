"""A Run in two sentences: what was asked for, and what came of it. Rules alone, no model. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memlane.domain.door import one_line

LONGEST_ASKED, LONGEST_CAME = 200, 240  # characters
FEW_WORDS = 4  # "Done." and "That's it exactly." say less than what follows them
FEW_SIGNS = 8  # of a text without spaces between its words
_CODE = re.compile(r"```.*?(?:```|$)|<[^<>\n]{1,200}>", re.DOTALL)
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_URL = re.compile(r"https?://\S+")
_SENTENCE = re.compile(r"(?<!\b\d\.)(?<!\b\d\d\.)(?<!\be\.g\.)(?<!\bi\.e\.)(?<=[.!?])\s+|(?<=[。！？])")
_ASIDE = re.compile(r"\s*(?:#|>|\||-{3}|={3})")  # headings, quotes, tables, rules
_ITEM = re.compile(r"\s*(?:[-*•+]|\d+[.)])\s+")
_MARKS = re.compile(r"[*`]{1,3}(?=\S)|(?<=\S)[*`]{1,3}|(?<!\w)__?(?=\w)|(?<=\w)__?(?!\w)")
_NOTHING = re.compile(
    r"(?:(?:hi|hello|hey|good (?:morning|evening|afternoon|day)|welcome|thanks?|thank you|hallo|guten (?:tag|morgen))\b"
    r"|(?:great|good|excellent) (?:question|catch|point|idea)\b|you'?re (?:absolutely |completely )?right\b"
    r"|(?:now )?let me\b|i(?:'ll| will) (?:now )?(?:start|begin|take a look|check|look)\b)",
    re.IGNORECASE,
)
_WORD = re.compile(r"\S*\w\S*")
_CJK = re.compile(r"[぀-ヿ㐀-鿿가-힯]")


def two_sentences(asked: str, came: str) -> str:
    """Of the first request and the last answer, each as it was written."""
    both = (telling_sentence(asked, LONGEST_ASKED), telling_sentence(came, LONGEST_CAME))
    return " ".join(part[:1].upper() + part[1:] for part in both if part)


def telling_sentence(text: str, longest: int) -> str:
    """The first sentence that says something, ended and cut between words; "" of a text without words."""
    found = list(_sentences(text))
    best = next((part for part in found if _tells(part)), found[0] if found else "").rstrip(" ,;:–—")
    if len(best) > longest:
        return f"{best[: longest - 1].rsplit(' ', 1)[0]}…"
    return best if not best or best.endswith((".", "!", "?", "…", "。", "！", "？")) else f"{best}."


def _sentences(text: str) -> Iterator[str]:
    """Those of its prose, then its lists, then what is left."""
    plain = _URL.sub("", _LINK.sub(r"\1", _CODE.sub(" ", text)))
    lines = [line for line in plain.splitlines() if line.strip()]
    prose = [line for line in lines if not _ASIDE.match(line) and not _ITEM.match(line)]
    items = [_ITEM.sub("", line, count=1) for line in lines if _ITEM.match(line)]
    for line in (*prose, *items, *(line.lstrip(" #>|") for line in lines if _ASIDE.match(line))):
        for part in _SENTENCE.split(line):
            if words := one_line(_MARKS.sub("", part)).strip():
                yield words


def _tells(part: str) -> bool:
    """More than a greeting, praise, "Done.", or the line above a list."""
    if part.endswith(":") or _NOTHING.match(part):
        return False
    return len(_WORD.findall(part)) >= FEW_WORDS or len(_CJK.findall(part)) >= FEW_SIGNS
