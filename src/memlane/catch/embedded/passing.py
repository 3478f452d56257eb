"""What holds for this task alone: an order to be carried out once, a word for something of this one conversation.

Such a sentence may still teach something, so it is not refused: it waits for a person's yes, or a second run.
"""

from __future__ import annotations

import re

_STANDING = re.compile(
    r"\b(?:always|never|ever|every|each|whenever|anywhere|everywhere|from now on|by default|usually|generally"
    r"|in general|going forward|must|should|make sure|ensure|rules?)\b",
    re.IGNORECASE,
)
_LEAD = r"^(?:(?:please|do not|now|then|also|okay|ok),? )*"
_ONLY_THIS = re.compile(r"(?:^|[,;:] |\band )(?:please )?just (?!because\b|so\b|like\b|as\b|in\b)\w+", re.IGNORECASE)
_PIECE_OF_WORK = re.compile(
    rf"{_LEAD}(?:create|open|make|raise|send|post|push|write|submit|file|start|publish|draft|do|give)"
    r" (?:me )?(?:an?|the|this|that|another|one|your) (?:\w+ ){0,2}(?:pr|pull request|mr|commit|branch|issue|comment"
    r"|release|reply|summary|plan|report|ticket|review|analysis|proposal|explanation)\b",
    re.IGNORECASE,
)
_ONCE = (
    "copy|move|rename|delete|remove|revert|create|add|implement|fix|update|change|replace|merge|push|explain"
    "|investigate|give|show|get|post|extract|refactor"
)
_DONE_ONCE = re.compile(rf"^(?:(?:please|now|then|also),? )*(?:{_ONCE})\b", re.IGNORECASE)
_OF_A_LIST = re.compile(
    r"\b(?:option|approach|bullet|point|item|step|phase|variant|edge case|scenario|alternative|rev)s? "
    r"(?:\(?\d+\)?|[A-H])(?![\w'-])|\(\d+\)",
    re.IGNORECASE,
)
_AS_IT_STANDS = re.compile(
    r"\bthe (?:old|new|other|previous|current|simplest|above) (?:one|solution|approach|version|way|plan|idea|fix"
    r"|design|stuff|thing)s?\b|\bthis (?:edge case|case|problem|issue|approach|scenario|bug)\b",
    re.IGNORECASE,
)
_ONE_COMMIT = re.compile(r"\b(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b")
_INTENDED = re.compile(
    rf"^we (?:can|could) |^we (?:should|need to|have to|will) (?:\w+ly )?(?:{_ONCE})\b", re.IGNORECASE
)
_MEANT_HERE = (_OF_A_LIST, _AS_IT_STANDS, _ONE_COMMIT)
_ORDERED_ONCE = (_ONLY_THIS, _PIECE_OF_WORK, _DONE_ONCE)


def passing(title: str) -> bool:
    """ "Do not create a pr, just a commit"; "Option B, because users load lazily"; whatever names one commit."""
    if any(pattern.search(title) for pattern in _MEANT_HERE):
        return True
    return _STANDING.search(title) is None and any(pattern.search(title) for pattern in _ORDERED_ONCE)


def intended(reply: str) -> bool:
    """ "We should add a switch": what an agent will do next, though it says "we"."""
    return _INTENDED.match(reply) is not None
