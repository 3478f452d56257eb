"""An agent's Markdown as HTML that can do nothing: no raw HTML, no images, links to http and https alone.

The renderer writes every tag that comes out; what it does not know is text.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from markupsafe import Markup, escape

from memlane.surfaces.web.look import visible

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
        return Markup('<pre class="plain">%s%s</pre>') % (visible(text[:MOST]), rest)
    return Markup(_markdown().render(visible(text)))  # only tags the renderer writes
