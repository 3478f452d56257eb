"""What a sentence tells beyond its moment: a rule, a reason, a contrast. Each with the words that say so.

Which sentence of several becomes a title is chosen by this; whether the moment is worth it was decided before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Told:
    """`sort`: rule, reason or contrast; `words` as they stand in the sentence."""

    sort: str
    words: str
    weight: int


_VERBS = (r"\bis", r"\bare", r"\bwas", r"\bdo", r"\bdoes", r"\bdid", r"\bam", r"\bbe", r"\bhas", r"\bhave", r"\bwill")
_NO_VERB = "".join(
    f"(?<!{verb})" for verb in (*_VERBS, "'s", "'re", "'m", "'ve", "'ll")
)  # "is not so" contrasts little
_WORD = r"(?:(?:the|an?|in|on|to|as|by|for|from|with) )?[\w`\"'./-]+"
_SIGNS = tuple(
    (sort, weight, re.compile(pattern, re.IGNORECASE))
    for sort, weight, pattern in (
        ("rule", 3, r"\bnever\b(?! mind)|\b(?:always|avoid|from now on|going forward|as a rule|whenever|every time)\b"),
        ("rule", 3, r"\b(?:prefer\w*|(?:i'd|i would|would|i) rather)\b"),
        ("rule", 2, r"\b(?:we|you) (?:don'?t|do not|shouldn'?t|should not|must not|can'?t|cannot|won'?t)\b"),
        ("rule", 2, r"(?:^|[,;:.-] )(?:and |but |so |please |just )*(?:do not|don'?t|stop|no need)\b"),
        ("rule", 2, r"\b(?:must|should|shouldn'?t|needs? to|ha(?:s|ve) to|supposed to|make sure|ensure|no longer)\b"),
        ("rule", 2, r"\b(?:convention|policy|principle|by default|the point (?:is|of)|remember(?: that)?)\b"),
        (
            "rule",
            2,
            r"\b(?:tone|wording|spelling|emojis?|ellips[ei]s|(?:in)?formal|casual|friendly|polite|verbose|concise)\b",
        ),
        ("rule", 1, r"\b(?:only|not be|isn'?t needed|unnecessary|consistent\w*|at all|no \w+s\b)"),
        ("reason", 3, r"\b(?:because|so that|otherwise|the reason|in order to|to avoid|due to)\b"),
        ("reason", 3, r"\bsince (?:it|we|you|the|they|that)\b"),
        (
            "reason",
            2,
            r", (?:so|as) (?:we|it|they|you|i|the|that|a|this|there)\b|\b(?:that way|which means|that means)\b",
        ),
        ("contrast", 3, r"\b(?:instead(?: of)?|rather than|as opposed to|whereas|not just)\b"),
        ("contrast", 2, rf"{_NO_VERB},? (?:but )?(?:not|never) {_WORD}|, no \w+"),
        ("contrast", 1, r"\bnot\b|\w+n't\b"),
    )
)
_OF_THE_MOMENT = re.compile(
    r"\b(?:yet|for now|right now|this time|again|have a look|look at|let me know|can you|could you|help me|go ahead"
    r"|next step|at the moment|today|not sure|i (?:don'?t|do not) (?:know|see|understand|get)|wondering|might|maybe"
    r"|seems?|looks like|propose|these \w+s|those \w+s|(?:what|where|which|how) [^,.]{0,40}should|i have a feeling"
    r"|i suppose|i guess)\b|^(?:looking|and|or|which|then|now|first)\b",
    re.IGNORECASE,
)


def told(sentence: str) -> list[Told]:
    """The signs in it, the weightiest first; each sort of sign once."""
    found = [
        Told(sort, hit[0].strip(" ,;:.-"), weight) for sort, weight, sign in _SIGNS if (hit := sign.search(sentence))
    ]
    ranked = sorted(found, key=lambda each: -each.weight)
    return [each for n, each in enumerate(ranked) if each.sort not in {other.sort for other in ranked[:n]}]


def weight(sentence: str) -> int:
    """How much it tells; words that tie it to its moment take some of that away."""
    return sum(each.weight for each in told(sentence)) - 2 * len(_OF_THE_MOMENT.findall(sentence))
