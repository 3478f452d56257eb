"""What words sound like: a correction, delight, dismay, an order. The rules are in TOML files beside."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import cast

from memlane.domain import Signal

SPOKEN = (Signal.CORRECTION, Signal.ENTHUSIASM, Signal.DISMAY, Signal.REMEMBER)
READ = 300  # characters: what is pasted behind the first words is not the person speaking
FEWEST, MOST = 3, 80  # words with which a person turns an agent they stopped
_QUOTED = re.compile(r"```.*?(?:```|$)|`[^`]*`|“[^”]*”|\"[^\"]*\"|«[^»]*»|^\s*[>|+].*?$", re.DOTALL | re.MULTILINE)


def said(text: str) -> tuple[Signal, ...]:
    """Signals in what one person typed once, in the order of `Signal`."""
    words = plain(text)
    return tuple(signal for signal in SPOKEN if _sounds(signal, words))


def plain(text: str) -> str:
    """Their own words in lower case: no quotations, no code, no pasted lines."""
    return " ".join(_QUOTED.sub(" … ", text[: READ * 4]).lower().replace("’", "'").split())[:READ]


def drops_it(text: str) -> bool:
    return _sounds("drops-it", plain(text))


def redirects(text: str) -> bool:
    """After an interruption: what to do, not "go on", not one word, and not a page that would have come anyway."""
    return FEWEST <= len(text.split()) <= MOST and not _sounds("goes-on", plain(text))


def affirms(text: str) -> bool:
    """A yes, a thank-you or "go on" to what was said before."""
    return _sounds("affirms", plain(text))


def denies(text: str) -> bool:
    """Of an agent's words, which end with what matters."""
    return _sounds("denies", text[-4 * READ :].lower().replace("’", "'"))


def concedes(text: str, *, denied: bool) -> bool:
    """`denied`: the agent had just said that it is not so; then polite words are enough."""
    words = plain(text)
    return _sounds("concedes", words) or (denied and _sounds("agrees", words))


def _sounds(sentence: str, words: str) -> bool:
    return patterns("phrases.toml")[sentence].search(words) is not None


_COMMA, _ESCAPED = re.compile(r"(?<!\\),"), "\\,"
_NAME = re.compile(r"\{([a-z_]+)\}")


@cache
def patterns(file: str) -> Mapping[str, re.Pattern[str]]:
    """One pattern for each list of sentences in the file; `{name}` in them is any of the words of that name."""
    told = tomllib.loads(files("memlane.catch").joinpath(*file.split("/")).read_text(encoding="utf-8"))
    words = {name: _any(listed) for name, listed in cast(Mapping[str, str], told["words"]).items()}
    sentences = cast(Mapping[str, Sequence[str]], told["sentences"])
    return {name: re.compile(_either(some, words), re.IGNORECASE) for name, some in sentences.items()}


def _any(listed: str) -> str:
    return f"(?:{'|'.join(word.strip().replace(_ESCAPED, ',') for word in _COMMA.split(listed))})"


def _either(sentences: Sequence[str], words: Mapping[str, str]) -> str:
    return "|".join(f"(?:{_filled(sentence, words)})" for sentence in sentences)


def _filled(sentence: str, words: Mapping[str, str]) -> str:
    while _NAME.search(sentence):
        sentence = _NAME.sub(lambda name: words[name[1]], sentence)
    return sentence


_ORDERS = "orders.toml"
_MARKS = re.compile(r"[*_`\"“”]+")
_SPACE = re.compile(r"[ \t]+")


def orders(text: str) -> bool:
    return planted(text) or patterns(_ORDERS)["orders"].search(_unmarked(text)) is not None


def planted(text: str) -> bool:
    return patterns(_ORDERS)["planted"].search(_unmarked(text)) is not None


def directs(text: str) -> bool:
    return orders(text) or patterns(_ORDERS)["directs"].search(_unmarked(text)) is not None


def _unmarked(text: str) -> str:
    """Without the marks of markup that stand between two words of one sentence."""
    return _SPACE.sub(" ", _MARKS.sub("", text.replace("’", "'")))
