"""Texts on a page: an agent's Markdown as HTML that can do nothing, and what differs between two. No raw HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache
from typing import Any

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
        tokens[idx].attrs = {
            "href": tokens[idx].attrs.get("href", ""),
            "rel": "noopener noreferrer",
            "target": "_blank",
        }
        return self.renderToken(tokens, idx, options, env)


@cache
def _markdown() -> MarkdownIt:
    made = MarkdownIt("js-default", {"html": False, "linkify": False}, renderer_cls=_Renderer)
    made.validateLink = lambda url: url.strip().lower().startswith(ALLOWED)
    return made


def rendered(text: str) -> Markup:
    if len(text) > LONGEST:
        rest = f" … ({len(text):,} characters)" if len(text) > MOST else ""
        return Markup('<pre class="plain">%s%s</pre>') % (named(text[:MOST]), rest)
    return Markup(_markdown().render(named(text)))  # only tags the renderer writes


KEPT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title><style>
:root {{ color-scheme: light dark; --muted: light-dark(#565d6b, #a6adbb); --line: light-dark(#e3e6eb, #2a2f38); }}
body {{ max-width: 46rem; margin: 3rem auto; padding: 0 1.25rem; font: 1rem/1.6 system-ui, sans-serif;
  color: light-dark(#1c1e21, #e8eaed); background: light-dark(#fff, #14161a); overflow-wrap: anywhere; }}
h1 {{ font-size: 1.75rem; line-height: 1.25; }}
h2 {{ font-size: .875rem; font-weight: 600; color: var(--muted); margin: 2.25rem 0 .75rem; padding-top: .6rem;
  border-top: 1px solid var(--line); }}
blockquote {{ margin: 0 0 1rem; padding: .1rem 1rem; background: light-dark(#eef3fd, #1d2838); border-radius: .4rem; }}
code {{ font: .85em ui-monospace, monospace; }} h2 code, li code, em code {{ color: var(--muted); font-weight: 400; }}
pre {{ padding: .75rem; background: light-dark(#f6f7f9, #1c2027); border-radius: .4rem; white-space: pre-wrap; }}
table {{ border-collapse: collapse; }} td, th {{ border: 1px solid var(--line); padding: .2rem .5rem; }}
em {{ color: var(--muted); font-style: normal; font-size: .875rem; }}
</style></head>
<body>{body}</body></html>
"""


def kept_page(parts: Iterable[str], title: str) -> str:
    """One file to keep: it loads nothing and runs nothing. A fence left open ends with its part."""
    return KEPT.format(title=escape(title), body=Markup("").join(map(rendered, parts)))


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
