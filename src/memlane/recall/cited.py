"""Which names of code does a note say are there? Pure: it knows no file.

Only plain statements count: "never call `foo`" and "add `foo`" are as true where there is no `foo`.
"""

from __future__ import annotations

import re

MOST_SYMBOLS = 8
_QUOTED = re.compile(r"`([^`\n]{2,120})`")
_SYMBOL = re.compile(r"(?:[A-Za-z_]\w*(?:\.|::|#|->))*([A-Za-z_]\w{2,})(\(.*\))?$")
_CODE = re.compile(r"_|[a-z0-9][A-Z]|\(|\.|::")  # as no word of a sentence is written
_PATH = re.compile(
    r"/|\.(?:py|pyi|[jt]sx?|[cm]js|go|rs|rb|java|kt|[ch]|cpp|hpp|cs|php|swift|sh|sql|md|rst|txt|toml|ya?ml|json|html|css|"
    r"lock|cfg|conf|ini|env|xml|csv)$"
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
# What should be, should not be, or is not any more, in the languages we can say it in: nothing about what is there.
_WISHED = re.compile(
    r"\b(?:not?|never|none|nor|cannot|without|instead|rather|avoid\w*|forbid\w*|forbidden|ban(?:ned)?|stop\w*|"
    r"remov\w*|delet\w*|drop\w*|renam\w*|replac\w*|mov(?:e|ed|ing)|gone|missing|lacks?|was|were|used to|add\w*|"
    r"creat\w*|introduc\w*|implement\w*|writ(?:e|ing)|use|using|prefer\w*|call|want\w*|wish\w*|need\w*|should|must|shall|"
    r"will|would|may|might|plan\w*|propos\w*|todo|"
    r"nie|nicht|kein\w*|statt|ohne|jamais|pas|sans|nunca|sin|non|mai|senza|não|sem|niet|nooit|geen|zonder)\b|n['’]t\b",
    re.IGNORECASE,
)


def symbols(text: str) -> tuple[str, ...]:
    """Bare names: of `Mailer.send()` it is `send`."""
    found = (name for sentence in _SENTENCE.split(text) if not _wished(sentence) for name in _named(sentence))
    return tuple(dict.fromkeys(found))[:MOST_SYMBOLS]


def _wished(sentence: str) -> bool:
    return _WISHED.search(_QUOTED.sub(" ", sentence)) is not None


def _named(sentence: str) -> list[str]:
    found = [(quoted, _SYMBOL.match(quoted)) for quoted in _QUOTED.findall(sentence) if not _PATH.search(quoted)]
    return [match[1] for quoted, match in found if match and _CODE.search(quoted)]
