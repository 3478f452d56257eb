"""Texts on a page: an agent's Markdown as HTML that can do nothing, and what differs between two. No raw HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache
from typing import Any
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from markupsafe import Markup, escape

from memlane.domain.door import named

LONGEST = 40_000  # characters; beyond that it is shown as it stands
MOST = 200_000  # and beyond that, only so much of it
ALLOWED = ("http://", "https://")


class _Renderer(RendererHTML):
    def image(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:  # noqa: ARG002
        """Named, never loaded."""
        return str(escape(f"[image: {tokens[idx].content or 'no name'}]"))

    def link_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        """One into the agent's checkout leads nowhere from here: its words stay, with the path as their title."""
        opened = tokens[idx]
        address = str(opened.attrs.get("href", ""))
        if address.lower().startswith(ALLOWED):
            opened.attrs = {"href": address, "rel": "noopener noreferrer", "target": "_blank"}
        else:
            closed = next(one for one in tokens[idx:] if one.type == "link_close" and one.level == opened.level)
            opened.tag = closed.tag = "span"
            opened.attrs = {"title": unquote(address)}
        return self.renderToken(tokens, idx, options, env)


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("js-default", {"html": False, "linkify": False}, renderer_cls=_Renderer)


def rendered(text: str) -> Markup:
    if len(text) > LONGEST:
        rest = f" … ({len(text):,} characters)" if len(text) > MOST else ""
        return Markup('<pre class="plain">%s%s</pre>') % (named(text[:MOST]), rest)
    return Markup(_markdown().render(named(text)))  # only tags the renderer writes


Piece = tuple[str, str]  # "-", "+" or " ", and its words
COMPARED = 6000  # characters of each that are compared
AROUND = 8  # words on either side of a change that are shown
UNLIKE = 0.3  # below this the two are shown whole, one after the other
_WORDS = re.compile(r"\S+\s*")


def pieces(before: str, after: str) -> Sequence[Piece]:
    old, new = _WORDS.findall(before[:COMPARED]), _WORDS.findall(after[:COMPARED])
    compared = SequenceMatcher(None, [word.strip() for word in old], [word.strip() for word in new])
    if compared.ratio() < UNLIKE:
        return [("-", before), ("+", after)]
    found = list[Piece]()
    steps = compared.get_opcodes()
    for n, (_what, i, j, k, m) in enumerate(steps):
        if (same := old[i:j]) and _what == "equal":
            found.append((" ", "".join(_shortened(same, first=n == 0, last=n == len(steps) - 1))))
        else:
            found += [(sign, "".join(words)) for sign, words in (("-", old[i:j]), ("+", new[k:m])) if words]
    return found


def _shortened(words: Sequence[str], *, first: bool, last: bool) -> Iterator[str]:
    head, tail = 0 if first else AROUND, 0 if last else AROUND
    if len(words) <= head + tail + 3:
        yield from words
        return
    yield from words[:head]
    yield "… "
    yield from words[len(words) - tail :]
