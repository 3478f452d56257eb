"""A Run in two sentences: what was asked for, and what came of it. Rules alone, no model. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memlane.domain.door import one_line

LONGEST_ASKED, LONGEST_CAME = 200, 240  # characters
ANSWERS = 2  # of the last: what came of it may be said before a last word about something small
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
    r"|(?:now )?let me\b|i(?:'ll| will) (?:now )?(?:start|begin|take a look|check|look)\b"
    r"|your name is\b|you are (?:an?|the|now|\w+ing|\w+,) |all (?:done|green|good|set)\b)",
    re.IGNORECASE,
)
# What somebody reports who is through with it.
_REPORTS = re.compile(
    r"\b(?:added|adds|fixed|fixes|created|updated|removed|deleted|implemented|committed|pushed|merged|replaced|moved"
    r"|renamed|restored|wrote|written|built|resolved|refactored|changed|installed|configured|completed|extracted"
    r"|published|bumped|reverted|rebased|split|switched|opened|closed|found|confirmed|caused|because|due to|root cause"
    r"|is now|are now|now (?:\w+s|have|has|use|works?)\b|pass(?:es|ed)?|succeed(?:s|ed)|fail(?:s|ed)"
    r"|hinzugefügt|behoben|erstellt|entfernt|geändert|ergänzt|aktualisiert|gelöscht)\b",
    re.IGNORECASE,
)
# It leans on a sentence before it, asks, or says what comes: alone it tells little.
_LEANS = re.compile(
    r"(?:that|this|these|those|its?|they|their|both|but|so|and|or|however|actually|instead|then|also|no|yes|because|each|here"
    r"|would you|do you|want me|should i|if you|let me|let's|next|now (?:let|i)|i(?:'ll| will)|i(?:'m| am) )\b|[—–-]",
    re.IGNORECASE,
)
_PLAIN_WORD = re.compile(r"[^\W\d_]+(?=[\s,;:'’]|$)")
_HEADING = re.compile(r"\s*#{1,6}\s+(?P<words>.*?)[\s#:]*$")
_TABLE = re.compile(r"\s*(?:\||-{3,}|={3,})")
FEW_LEFT = 40  # characters of prose: less, and it was nearly all code
_WORD = re.compile(r"\S*\w\S*")
_CJK = re.compile(r"[぀-ヿ㐀-鿿가-힯]")


def two_sentences(asked: str, answers: Sequence[str]) -> str:
    """Of the first request and of the last answers, the newest first; each as it was written."""
    both = (telling_sentence(asked, LONGEST_ASKED), _outcome(answers[:ANSWERS]))
    return " ".join(_begun(part) for part in both if part)


def without_title(summary: str, title: str) -> str:
    """Below its title: a title that was made of the same words is not said twice."""
    named = title.strip().rstrip(".!?")
    if not named or not summary.casefold().startswith(named.casefold()):
        return summary
    end, _space, rest = summary[len(named) :].partition(" ")
    return rest if rest and end in (".", "!", "?") else summary


def prose(text: str) -> str:
    """In one line, without code and tables; a heading ends with a colon, one with nothing below it is left out."""
    said, heading = list[str](), ""
    for line in _CODE.sub(" ", text).splitlines():
        if _TABLE.match(line) or not line.strip():
            continue
        if found := _HEADING.match(line):
            heading = f"{found['words']}:"
            continue
        item = _ITEM.match(line)
        said += [heading, f"• {line[item.end() :]}" if item else line]
        heading = ""
    words = one_line(" ".join(filter(None, said)).replace("**", ""))
    return words if len(words) >= FEW_LEFT else one_line(text)


def _outcome(answers: Sequence[str]) -> str:
    """The first sentence that reports something and stands alone, else the first of the last answer that tells."""
    for answer in answers:
        found = [part for part in _sentences(answer) if _REPORTS.search(part) and not _LEANS.match(part)]
        for words in (FEW_WORDS, 2):
            if best := next((part for part in found if _tells(part, words)), ""):
                return _ended(best, LONGEST_CAME)
    return telling_sentence(answers[0], LONGEST_CAME) if answers else ""


def _begun(part: str) -> str:
    """With a capital, unless it begins with a name of code."""
    return part[:1].upper() + part[1:] if _PLAIN_WORD.match(part) else part


def telling_sentence(text: str, longest: int) -> str:
    """The first sentence that says something, ended and cut between words; "" of a text without words."""
    found = list(_sentences(text))
    return _ended(next((part for part in found if _tells(part)), found[0] if found else ""), longest)


def _ended(sentence: str, longest: int) -> str:
    best = sentence.rstrip(" ,;:–—")
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


def _tells(part: str, words: int = FEW_WORDS) -> bool:
    """More than a greeting, praise, "Done.", or the line above a list."""
    if part.endswith(":") or _NOTHING.match(part):
        return False
    return len(_WORD.findall(part)) >= words or len(_CJK.findall(part)) >= FEW_SIGNS
