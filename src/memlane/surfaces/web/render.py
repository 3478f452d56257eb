"""Views as HTML: the templates, the frame around every page, and the headers that keep a page to itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, cast
from urllib.parse import urlencode

import jinja2
import msgspec

import memlane
from memlane.domain import Type
from memlane.errors import LaneError
from memlane.surfaces.api import Reply, Want
from memlane.surfaces.api.passes import carried
from memlane.surfaces.api.replies import document
from memlane.surfaces.web import look, prose, static, worded
from memlane.surfaces.web.frame import around
from memlane.surfaces.web.views import Done, View

if TYPE_CHECKING:
    from memlane.app import Lane

HTML = "text/html; charset=utf-8"
TWIN = ".json"
THEMES = ("auto", "light", "dark", "contrast")
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types lane",
    )
)


class Fields(dict[str, object]):
    """What was asked for; what was not is empty."""

    def __missing__(self, _name: str) -> str:
        return ""


KEPT: Mapping[str, str] = {"Content-Security-Policy": POLICY, "Cross-Origin-Opener-Policy": "same-origin"}


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the menu: what it is called, where it leads, and the key that leads there after `g`."""

    name: str
    path: str
    key: str


@cache
def templates() -> jinja2.Environment:
    found = jinja2.Environment(
        loader=jinja2.PackageLoader("memlane.surfaces.web", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    cast(dict[str, object], found.filters).update(look.FILTERS)
    found.filters["prose"] = prose.rendered
    cast(dict[str, object], found.globals).update(
        version=memlane.__version__, static=static.address, types=list(Type), query=_query, worded=worded.pieces
    )
    return found


def page(shown: View, lane: Lane, want: Want, menu: Sequence[Entry]) -> Reply:
    """With the frame, if the template asks for it."""
    now = lane.home.clock()
    frame = around(lane, want)
    values = {"now": now, "menu": menu, "path": want.asked.path, "fields": Fields(want.fields), "theme": theme(want)}
    text = _drawn(shown.template, {"title": shown.title, "frame": frame, **values, **shown.values})
    return Reply(200, text, HTML, headers=KEPT)


def alone(template: str, title: str, status: int = 200, **values: object) -> Reply:
    """A page without a home behind it: the door, and what went wrong."""
    return Reply(status, _drawn(template, {"title": title, "theme": "auto", **values}), HTML, headers=KEPT)


def _drawn(template: str, values: Mapping[str, object]) -> bytes:
    try:
        return templates().get_template(template).render(values).encode("utf-8", "replace")
    except (jinja2.TemplateError, TypeError) as error:  # templates have no types of their own
        raise LaneError(f"{template} could not be drawn: {error}", hint="lane logs") from error


def twin(shown: View, want: Want) -> Reply:
    """The same for a program: what stands in the page, without its frame."""
    here = want.asked.path
    return document({"title": shown.title, **shown.values}, self=here, page=here.removesuffix(TWIN))


def done(said: Done) -> Reply:
    return Reply(200, msgspec.json.encode({"says": said.says, "undo": said.undo, "go": said.go}))


def theme(want: Want) -> str:
    wanted = carried(want.asked.headers.get("cookie", ""), "lane-theme")
    return wanted if wanted in THEMES else "auto"


def _query(fields: Mapping[str, object], **changed: object) -> str:
    """This page's query with some fields changed; empty ones and the page's number are left out."""
    whole = {**{name: value for name, value in fields.items() if name not in ("page", "at", "from")}, **changed}
    return urlencode({name: value for name, value in whole.items() if value not in ("", None)})
