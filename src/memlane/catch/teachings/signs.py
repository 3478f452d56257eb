"""What a sentence shows of how it is meant: named signs, and its words and pieces of words as hashes.

Weighs nothing. The patterns of a language are signs like others here: none of them decides alone.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memlane.catch.teachings.clause import TaughtClause, only_announces, past_padding, points_back
from memlane.catch.teachings.own_text import FILLER
from memlane.catch.teachings.rules import CompiledRules, Pattern
from memlane.catch.teachings.sentence import PromptSentence

SIZE = 1 << 17  # places of the hashes
WORDS, PIECES, HEADING = 3.0, 3.0, 2.0  # how much all words of a sentence weigh together, however many they are
_CJK = "\u3040-\u30ff\u4e00-\u9fff々"
_TOKEN = re.compile(
    rf"[^\W{_CJK}][\w'./<>#@-]*(?<![.'/-])|[{_CJK}]|[?？!！,，、;；:：.。…()（）\"“”„«»「」—–]|{FILLER}+"
)
_CODE = re.compile(r"[_/<>#@\d]|\.\w|[a-z][A-Z]")
_IS_CJK = re.compile(rf"[{_CJK}]")
_LONGEST_GRAM, _LONGEST_CJK_GRAM, _PIECE_LENGTHS = 3, 4, (3, 4, 5)
_CLAUSE_SIGNS = (
    *("strong", "once", "narrows", "foreign", "polite", "person", "decision", "correction", "choice", "trouble"),
    *("several", "chatter", "tail"),
)
_BEFORE_SIGNS, _AFTER_SIGNS = ("corrects", "carries", "hands_over", "once"), ("points_back", "order", "once")
FORM = ("sentences ", "length ", "language ", "first", "last")  # signs that tell a reader nothing
# An announcement and a word for this once decide by themselves: such a sentence is read by no transformer.
DECIDED = ("announced", "announced around", "once", "after: once")
_CLOSES = re.compile(r"(?<![:;-])\)")  # no smiley
_LAUGHTER = re.compile(
    r"\b(?:lol|lmao|rofl|ha(?:ha)+h?|(?:ja){2,}j?|k{3,}|mdr|ptdr|rs{2,}|hihi|kidding|scherz|spaß beiseite)\b"
    r"|哈哈|笑$|[wｗ]{2,}\s*$|（笑）|\(笑\)|[😂🤣😄😆😜]",
    re.IGNORECASE,
)
_NOT_MEANT = re.compile(
    r"\W*(?:(?:just |only )?(?:kidding|joking)|jk\b|(?:nur |kleiner )?(?:ein )?(?:scherz|spaß)|je (?:rigole|plaisante)"
    r"|(?:es |era )?(?:una )?broma|(?:é |tô )?brincadeira|brincando|冗談|なんて(?:ね|な)|开玩笑|开个玩笑)",
    re.IGNORECASE,
)
_A_PHRASE = re.compile(
    r"\W*(?:something|anything|everything|things|stuff) (?:that|which|you|we)\b"
    r"(?!.*\b(?:must|should|shall|needs?|has to|have to|goes?|belongs?|gets?|comes?|stays?)\b)[^,;:]*$",
    re.IGNORECASE,
)
_FEW_SENTENCES = 2
_BRACKETS = ("()", "[]", "{}")
_STANDING = re.compile(
    r"(?:please,? )?(?:always|never) (?!mind|seen|been|again|had|heard|worked|fail|return)[a-z]"
    r"|i (?:really |strongly )?prefer (?!the |th(?:is|at|ese|ose)\b|not |it\b)\w"
    r"|(?:no,? )?use (?!the |an? |my |this|that|it\b)[a-z][\w.@/+-]*,? (?:not|instead of|rather than) [a-z][\w.@/+-]*"
    r"(?: here| everywhere)?\W*$",
    re.IGNORECASE,
)
_PRAISE = re.compile(
    r"\byou(?:'re| are| r) (?:(?:an?|the|my|such an?|so|just|really) )*(?:monster|genius|star|legend|hero|beast|champ"
    r"|champion|wizard|magician|angel|saviou?r|best|amazing|awesome|brilliant|incredible|great)\W*$",
    re.IGNORECASE,
)
_OPAQUE = re.compile(r"\b(?=\w*\d|\w*[A-Z]{4})\w{24,}")  # a key, a digest
_MANNER = "casual|formal|informal|direct|close|friends|on (?:casual|formal|friendly|first[- ]name) terms|on first names"
_WITH_SOMEBODY = re.compile(
    rf"(?:[Nn]o,? )?(?:[A-Z]\w+(?: [A-Z]\w+)? and I are|I and [A-Z]\w+ are|[Ww]ith [A-Z]\w+,? I(?:'m| am))"
    rf" (?:very |quite |always )?(?:{_MANNER})[,;:]? (?:so )?(?:please )?[a-z]"
)
_TAG = re.compile(
    r",?\s*(?:ok(?:ay)?|alright|please|got it|understood|deal|verstanden|alles klar|d'accord|compris|vale"
    r"|entendido|dale|tá"
    r"|tá bom|beleza|combinado|好吗|好么|行吗|可以吗|いい)\s*[?？]+\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SentenceSight:
    """A sentence of a prompt with the part that would be taught, and what stands around it."""

    one: PromptSentence
    clause: TaughtClause
    before: PromptSentence | None
    after: PromptSentence | None
    count: int  # sentences of the prompt
    rules: CompiledRules


# -- what says no by itself ------------------------------------------------------------------------------------------


def is_none(seen: SentenceSight) -> bool:
    """A question, a joke, praise, the end of something in brackets, or an item that states nothing ("anything that
    helps")."""
    clause, one, rules = seen.clause, seen.one, seen.rules
    if _is_a_joke(one, seen.after) or _PRAISE.search(one.text):
        return True
    if len(_CLOSES.findall(clause.text)) > clause.text.count("("):
        return True
    if one.item and _A_PHRASE.match(one.text):
        return True
    whole = one.text[past_padding(one.text, 0, rules) :]
    return _asks(clause, one, rules) and not rules.polite.search(clause.text) and not rules.polite.search(whole)


def _asks(clause: TaughtClause, one: PromptSentence, rules: CompiledRules) -> bool:
    said = _TAG.sub("", one.text.rstrip(" )\"'"))  # "call me Jo, ok?" asks nothing
    return said.endswith(("?", "？")) or rules.question.search(clause.text) is not None


def _is_a_joke(one: PromptSentence, after: PromptSentence | None) -> bool:
    if after is not None and _NOT_MEANT.match(after.text):
        return True
    return any(found.start() > len(one.text) / 3 for found in _LAUGHTER.finditer(one.text))


# -- what leaves no doubt ---------------------------------------------------------------------------------------------


def is_announced(seen: SentenceSight) -> bool:
    """ "From now on", "remember:", with nothing in it that speaks of this once, of others or of a choice."""
    if not seen.clause.opened and not announced_around(seen):
        return False
    rules, text = seen.rules, seen.clause.text if seen.clause.alone else seen.one.text
    if any(pattern.search(text) for pattern in (rules.once, rules.foreign, rules.choice)):
        return False
    return seen.after is None or not (rules.narrows.search(seen.after.text) or rules.hands_over.search(seen.after.text))


def is_with_somebody(said: str) -> bool:
    """How the person is with one they name, and what follows from it. English."""
    return _WITH_SOMEBODY.match(said) is not None


def is_bare(seen: SentenceSight) -> bool:
    """ "Never push to main.", "Use uv not pip", "No, Ada and I are casual, be friendly": a short prompt that is a
    standing order, or says how the person is with somebody they name and what follows from it. English."""
    rules, text = seen.rules, seen.one.text
    if seen.one.item or seen.count > _FEW_SENTENCES or not (_STANDING.match(text) or is_with_somebody(text)):
        return False
    return not any(pattern.search(text) for pattern in (rules.once, rules.foreign, rules.choice))


# -- what leaves some ------------------------------------------------------------------------------------------------


def is_torn(seen: SentenceSight) -> bool:
    """An item of a list that announces no rules, or a bracket that stays open: the rest of it is elsewhere."""
    text = seen.one.text
    open_ = any(text.count(begin) > text.count(end) for begin, end in _BRACKETS)
    return open_ or (seen.one.item and not seen.rules.heading.search(seen.one.heading))


def has_a_key(seen: SentenceSight) -> bool:
    """Or a digest: what nobody says aloud is seldom meant to last."""
    return _OPAQUE.search(seen.one.text) is not None


# -- named signs -----------------------------------------------------------------------------------------------------


def signs(seen: SentenceSight) -> Iterator[str]:
    rules, one, clause = seen.rules, seen.one, seen.clause
    yield f"language {rules.language}"
    if clause.opened:
        yield "announced"
    if announced_around(seen):
        yield "announced around"
    yield from _found(rules, _CLAUSE_SIGNS, clause.text, "")
    if not clause.opened:  # "from now on add …" hands over no work
        yield from _found(rules, ("order",), clause.text, "")
    for strength, patterns in (("medium", rules.medium), ("weak", rules.weak)):
        count = sum(pattern.search(clause.text) is not None for pattern in patterns)
        yield f"{strength} {min(count, 2)}"
    if one.item:
        yield "item under rules" if rules.heading.search(one.heading) else "item"
        if one.heading.endswith((":", "：")):
            yield "item under a colon"
    if seen.before is not None:
        yield from _found(rules, _BEFORE_SIGNS, seen.before.text, "before: ")
    if seen.after is not None:
        yield from _found(rules, _AFTER_SIGNS, seen.after.text, "after: ")
    yield from _form(seen)


def _found(rules: CompiledRules, names: Sequence[str], text: str, where: str) -> Iterator[str]:
    for name in names:
        pattern: Pattern = getattr(rules, name)
        if pattern.search(text):
            yield where + name


def _form(seen: SentenceSight) -> Iterator[str]:
    one = seen.one
    yield f"sentences {min(seen.count, 6)}"
    yield f"length {min(len(one.text) // 20, 8)}"
    if seen.after is None:
        yield "last"
    if seen.before is None:
        yield "first"
    if FILLER in one.text:
        yield "quotes"
    around = (seen.before, seen.after)
    if any(other is not None and other.text.rstrip().endswith(("?", "？")) for other in around):
        yield "beside a question"


def announced_around(seen: SentenceSight) -> bool:
    one, before, after, rules = seen.one, seen.before, seen.after, seen.rules
    if one.item and one.heading and rules.heading.search(one.heading):
        return True
    if before is not None and not one.item and only_announces(before, rules):
        return True
    return after is not None and not after.item and points_back(after, rules)


# -- words -----------------------------------------------------------------------------------------------------------


def grams(seen: SentenceSight) -> Iterator[tuple[float, dict[str, None]]]:
    """Words in a row, and pieces of words: what each of them is worth, and which they are."""
    tokens = ["^", *_tokens(seen.one.text), "$"]
    yield _worth(WORDS, dict.fromkeys(_rows(tokens)))
    yield _worth(PIECES, dict.fromkeys(piece for token in tokens if token.isalpha() for piece in _pieces(token)))
    if seen.one.item:
        yield _worth(HEADING, dict.fromkeys(f"# {row}" for row in _rows(_tokens(seen.one.heading)[:20])))


def _worth(together: float, found: dict[str, None]) -> tuple[float, dict[str, None]]:
    """The length of a sentence makes no difference."""
    return together / max(1, len(found)) ** 0.5, found


def place(gram: str) -> int:
    return zlib.crc32(gram.encode()) % SIZE


def _tokens(text: str) -> list[str]:
    return [_plain(token) for token in _TOKEN.findall(text)]


def _plain(token: str) -> str:
    if token[0] == FILLER:
        return "<quote>"
    return "<code>" if _CODE.search(token) else token.casefold()


def _rows(tokens: Sequence[str]) -> Iterator[str]:
    cjk = sum(_IS_CJK.match(token) is not None for token in tokens) > 2
    for length in range(1, (_LONGEST_CJK_GRAM if cjk else _LONGEST_GRAM) + 1):
        for start in range(len(tokens) - length + 1):
            yield " ".join(tokens[start : start + length])


def _pieces(token: str) -> list[str]:
    word = f"~<{token}>"
    return ["~" + word[n : n + length] for length in _PIECE_LENGTHS for n in range(1, len(word) - length + 1)]
