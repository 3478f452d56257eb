"""A Run as one HTML page: no script, no font, no picture from elsewhere, and no markup of the Run's own."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from html import escape
from typing import Any
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from memlane.domain import Address, Author, Kind, RunSummary, Step, ToolCall, Turn
from memlane.export.markdown import facts, gist, heading, name_of, title

_STYLE = """
:root { color-scheme: light dark; --muted: light-dark(#565d6b, #a6adbb); --line: light-dark(#e3e6eb, #2a2f38);
  --card: light-dark(#f6f7f9, #1c2027); }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 50rem; margin: 3rem auto; padding: 0 1.25rem;
  color: light-dark(#1c1e21, #e8eaed); background: light-dark(#fff, #14161a); overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0 0 .5rem; }
h2, h3, h4 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; }
.runs { list-style: none; padding: 0; } .runs li { padding: .6rem 0; border-bottom: 1px solid var(--line); }
a { color: light-dark(#0b57d0, #8ab4f8); text-decoration: none; } a:hover, a:focus { text-decoration: underline; }
header p, .who, .turn, summary { color: var(--muted); font-size: .8125rem; margin: 0; }
.turn { font-weight: 600; margin: 2.5rem 0 1rem; padding-top: .6rem; border-top: 1px solid var(--line); }
.person { background: light-dark(#eef3fd, #1d2838); border-radius: .5rem; padding: .6rem 1rem; margin-bottom: 1.25rem; }
.person pre { margin: .2rem 0 0; }
pre { white-space: pre-wrap; font: inherit; margin: .2rem 0 1rem; }
details { margin: .15rem 0; }
details pre, div > pre:has(code) { font: .8125rem/1.5 ui-monospace, monospace; background: var(--card);
  padding: .6rem .75rem; border-radius: .4rem; }
summary { cursor: pointer; padding: .1rem 0; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
summary b { font-weight: 600; color: light-dark(#1c1e21, #e8eaed); }
.failed { color: light-dark(#b3261e, #ff9a8f); }
code { font: .85em ui-monospace, monospace; }
table { border-collapse: collapse; } td, th { border: 1px solid var(--line); padding: .2rem .5rem; }
@media print { body { margin: 0 auto; } details { break-inside: avoid; } }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def contents(files: Sequence[tuple[RunSummary, str]]) -> Iterator[str]:
    """The page that leads to the others, each linked by its path from here."""
    yield from _head("Runs", f"{len(files):,} runs")
    yield '<ul class="runs">\n'
    for run, path in files:
        yield f'<li><a href="{escape(path)}">{escape(title(run))}</a><p class="who">{escape(facts(run))}</p></li>\n'
    yield "</ul></body></html>\n"


def pieces(run: RunSummary, turns: Iterable[Turn]) -> Iterator[str]:
    yield from _head(title(run), facts(run))
    for turn in turns:
        yield f'<h2 class="turn" id="t{turn.n}">{heading(turn)}</h2>\n'
        for step in turn.steps:
            yield _step(run.id, turn, step)
    yield "</body></html>\n"


def _head(named: str, below: str) -> Iterator[str]:
    yield (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(named)}</title>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head>\n'
        f"<body><header><h1>{escape(named)}</h1><p>{escape(below)}</p></header>\n"
    )


def _step(run: str, turn: Turn, step: Step) -> str:
    place = f't{turn.n}.{step.n}" title="{escape(str(Address(run, turn.n, step.n)))}'
    said = _said(step) if step.text.strip() else ""
    if step.call is not None:
        return f'<div id="{place}">{said}{_called(step.call)}</div>\n'
    if step.kind is Kind.THINKING:
        return f'<details id="{place}"><summary>Thinking</summary>{said}</details>\n'
    if not said:
        return ""
    kind = ' class="person"' if step.author is Author.PERSON else ""
    return f'<div id="{place}"{kind}><p class="who">{name_of(step)}</p>{said}</div>\n'


def _said(step: Step) -> str:
    """The agent writes Markdown; what a person typed is shown as they typed it."""
    if step.author is Author.AGENT and step.kind is Kind.TEXT:
        return _markdown().render(step.text)
    return f"<pre>{escape(step.text)}</pre>"


class _AnswerRenderer(RendererHTML):
    def link_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        """A link into the agent's checkout leads nowhere from here: its words stay, with the path as their title."""
        opened = tokens[idx]
        address = str(opened.attrs.get("href", ""))
        if not address.lower().startswith(("http://", "https://")):
            closed = next(one for one in tokens[idx:] if one.type == "link_close" and one.level == opened.level)
            opened.tag = closed.tag = "span"
            opened.attrs = {"title": unquote(address)}
        return self.renderToken(tokens, idx, options, env)


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("js-default", {"html": False, "linkify": False}, renderer_cls=_AnswerRenderer).disable("image")


def _called(call: ToolCall) -> str:
    failed = ' <span class="failed">failed</span>' if call.error else ""
    given = escape(json.dumps(dict(call.input), ensure_ascii=False, indent=1))
    return (
        f"<details><summary><b>{escape(call.name)}</b> {escape(gist(call))}{failed}</summary>"
        f"<pre>{given}</pre><pre>{escape(call.result)}</pre></details>"
    )
