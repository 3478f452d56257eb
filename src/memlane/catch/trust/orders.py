"""Does a text tell its reader what to do or to remember? The words are in `orders.toml`; its author is not known.

`orders` is for text that an agent came across. `planted` is narrower: it is meant to be kept by a machine that
remembers. `directs` is wider: a sentence, as a Memory says it, that asks for an action.
"""

from __future__ import annotations

import re

from memlane.catch.worded import worded

_FILE = "trust/orders.toml"
_MARKS = re.compile(r"[*_`\"“”]+")
_SPACE = re.compile(r"[ \t]+")


def orders(text: str) -> bool:
    return planted(text) or worded(_FILE)["orders"].search(_plain(text)) is not None


def planted(text: str) -> bool:
    return worded(_FILE)["planted"].search(_plain(text)) is not None


def directs(text: str) -> bool:
    return orders(text) or worded(_FILE)["directs"].search(_plain(text)) is not None


def _plain(text: str) -> str:
    """Without the marks of markup that stand between two words of one sentence."""
    return _SPACE.sub(" ", _MARKS.sub("", text.replace("’", "'")))
