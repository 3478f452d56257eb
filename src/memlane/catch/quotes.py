"""Words of a Step as a person sees them, and where quoted words stand in them. Judges nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from memlane.domain import Step, ToolCall, Window
from memlane.domain.door import is_hidden, unquoted

_ALIKE = {ord(a): b for a, b in zip("‘’‚‛“”„‟′″‐‑‒–—−\u00a0", "''''\"\"\"\"'\"------ ", strict=True)}


_COLOURS = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")  # and other codes for a terminal


def said(step: Step) -> Iterator[str]:
    """Everything in it that can be quoted, piece by piece: its text, what a call was given, what came back."""
    if step.text:
        yield step.text
    if step.call is not None:
        yield from given(step.call)
        if step.call.result:
            yield step.call.result


def given(call: ToolCall) -> Iterator[str]:
    """What the agent wrote into a call: each text in it, and each field as `name: text`, as windows show it."""
    for key, value in call.input.items():
        yield from _texts(value)
        if isinstance(value, str | int | float):
            yield f"{key}: {value}"


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in cast(Mapping[object, object], value).values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in cast(Sequence[object], value):
            yield from _texts(each)


def verbatim(words: str, text: str) -> str | None:
    """The words as they stand in the text, whatever white space, quotation marks or dashes they were given with."""
    folded, places = _folded(text)
    for given in dict.fromkeys((words, unquoted(words))):  # a window escapes tags
        wanted, _ = _folded(given.strip())
        if wanted.strip() and (at := folded.find(wanted)) >= 0:
            return text[places[at] : places[at + len(wanted) - 1] + 1]
    return None


def standing(words: str, step: Step) -> str | None:
    return next((found for text in said(step) if (found := verbatim(words, text)) is not None), None)


def spots_of(words: str, window: Window) -> Iterator[str]:
    """Where in the Window these words do stand, for whoever named another Step."""
    return (str(spot) for spot, step in window.steps() if not step.ours and standing(words, step) is not None)


def _folded(text: str) -> tuple[str, Sequence[int]]:
    """One space for white space, plain quotation marks, nothing unseen; and where each character came from."""
    plain = text.translate(_ALIKE)  # one for one: places stay
    unseen = {place for code in _COLOURS.finditer(plain) for place in range(*code.span())} if "\x1b" in plain else ()
    kept, places = list[str](), list[int]()
    for place, character in enumerate(plain):
        if place in unseen:
            continue
        if character.isspace():
            if kept and kept[-1] == " ":
                continue
            character = " "
        elif is_hidden(character):
            continue
        kept.append(character)
        places.append(place)
    return "".join(kept), places


# Joiners are how Persian, Indic scripts and families of emoji are written; between ASCII letters they hide something.
_HIDES = re.compile(
    "[\U000e0020-\U000e007e]|[\U000e0100-\U000e01ef]{2}|[\u202d\u202e]|[\ufe00-\ufe0e]{3}"
    "|(?<=[A-Za-z])[\u200b-\u200d\u2060\u00ad\ufeff]+(?=[A-Za-z])"
)


def hides_words(text: str) -> bool:
    """Whether somebody wrote what is read but not seen, or cut a word so that it is seen but not found."""
    return not text.isascii() and _HIDES.search(text) is not None
