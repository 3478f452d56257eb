"""Patterns made of words that stand in a file beside this one, where they can be read and mended."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import cast

_COMMA, _ESCAPED = re.compile(r"(?<!\\),"), "\\,"
_NAME = re.compile(r"\{([a-z_]+)\}")


@cache
def worded(file: str) -> Mapping[str, re.Pattern[str]]:
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
