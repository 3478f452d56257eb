"""A Run as one HTML page: no script, no font, no picture from elsewhere, and no markup of the Run's own."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from html import escape

from markdown_it import MarkdownIt

from memlane.domain import Address, Author, Kind, RunSummary, Step, ToolCall, Turn
from memlane.export.markdown import facts, gist, name_of, title

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --person: #2a6df4; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
header p, h2, .who { color: #777; font-size: .85rem; font-weight: 400; margin: 0; }
h2 { border-top: 1px solid var(--line); margin-top: 2rem; padding-top: .5rem; }
.person { border-left: 3px solid var(--person); padding-left: .8rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; margin: .2rem 0 1rem; }
details pre { font: .85rem/1.4 ui-monospace, monospace; background: #8881; padding: .6rem; border-radius: .3rem; }
summary { cursor: pointer; color: #777; font-size: .85rem; }
.failed { color: #c33; }
code, p code { font: .85em ui-monospace, monospace; }
table { border-collapse: collapse; } td, th { border: 1px solid var(--line); padding: .2rem .5rem; }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def pieces(run: RunSummary, turns: Iterable[Turn]) -> Iterator[str]:
    named = escape(title(run))
    yield (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{named}</title>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head>\n'
        f"<body><header><h1>{named}</h1><p>{escape(facts(run))}</p></header>\n"
    )
    for turn in turns:
        when = f" · {turn.at:%Y-%m-%d %H:%M}" if turn.at else ""
        yield f'<h2 id="t{turn.n}">Turn {turn.n}{when}</h2>\n'
        for step in turn.steps:
            yield _step(run.id, turn, step)
    yield "</body></html>\n"


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


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("js-default", {"html": False, "linkify": False}).disable("image")


def _called(call: ToolCall) -> str:
    failed = ' <span class="failed">failed</span>' if call.error else ""
    given = escape(json.dumps(dict(call.input), ensure_ascii=False, indent=1))
    return (
        f"<details><summary>{escape(call.name)} {escape(gist(call))}{failed}</summary>"
        f"<pre>{given}</pre><pre>{escape(call.result)}</pre></details>"
    )
