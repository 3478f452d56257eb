"""Views as HTML: templates, the frame around every page, the files it loads, the headers that keep it to itself."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, cast
from urllib.parse import urlencode

import jinja2
import msgspec
from markupsafe import Markup

import memlane
from memlane.domain import SAID, Type
from memlane.domain.door import named
from memlane.errors import LaneError, NotFoundError
from memlane.surfaces.api import HttpReply, RouteRequest
from memlane.surfaces.api.http import document
from memlane.surfaces.api.rules import carried
from memlane.surfaces.web import formats, texts
from memlane.surfaces.web.stylesheet import stylesheet
from memlane.surfaces.web.views import ActReport, PageView

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.handover import Story, Wrapped

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


PAGE_HEADERS: Mapping[str, str] = {"Content-Security-Policy": POLICY, "Cross-Origin-Opener-Policy": "same-origin"}


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """A line of the menu: its name, where it leads, and the key that leads there after `g`."""

    name: str
    path: str
    key: str


def _shown(value: object) -> object:
    """Every value of every template passes here, so that none has to remember it."""
    if isinstance(value, Markup):
        return Markup(named(str(value)))  # its tags are ours already
    return named(value) if isinstance(value, str) else value


@cache
def templates() -> jinja2.Environment:
    found = jinja2.Environment(
        loader=jinja2.PackageLoader("memlane.surfaces.web", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        finalize=_shown,
    )
    cast(dict[str, object], found.filters).update(formats.FILTERS)
    found.filters["prose"] = texts.rendered
    cast(dict[str, object], found.globals).update(
        version=memlane.__version__,
        static=static_address,
        types=list(Type),
        said=SAID,
        query=_query,
        worded=texts.pieces,
    )
    return found


def kept_wrapped(wrapped: Wrapped) -> str:
    """One file to keep: it loads nothing and runs nothing."""
    return templates().get_template("wrapped_kept.html").render(wrapped=wrapped)


def kept_story(story: Story) -> str:
    """The same of a story, each run linked to its heading."""
    return templates().get_template("story_kept.html").render(story=story)


def page(shown: PageView, lane: Lane, want: RouteRequest, menu: Sequence[MenuEntry]) -> HttpReply:
    """With the frame, if the template asks for it."""
    now = lane.home.clock()
    frame = around(lane, want)
    values = {"now": now, "menu": menu, "path": want.asked.path, "fields": Fields(want.fields), "theme": theme(want)}
    template, part = (PART_ALONE, shown.template) if _is_opened_alone(shown.template, want) else (shown.template, "")
    text = _drawn(template, {"title": shown.title, "part_alone": part, "frame": frame, **values, **shown.values})
    return HttpReply(200, text, HTML, headers=PAGE_HEADERS)


PART_ALONE = "part.html"


def _is_opened_alone(template: str, want: RouteRequest) -> bool:
    """A part of a page, asked for by a person's browser itself and not by a page it belongs to."""
    return want.asked.headers.get("sec-fetch-mode", "") == "navigate" and not _has_frame(template)


@cache
def _has_frame(template: str) -> bool:
    source = files("memlane.surfaces.web").joinpath("templates", template).read_text(encoding="utf-8")
    return source.startswith("{% extends")


def alone(template: str, title: str, status: int = 200, **values: object) -> HttpReply:
    """A page without a home behind it: the door, and what went wrong."""
    return HttpReply(status, _drawn(template, {"title": title, "theme": "auto", **values}), HTML, headers=PAGE_HEADERS)


def _drawn(template: str, values: Mapping[str, object]) -> bytes:
    try:
        return templates().get_template(template).render(values).encode("utf-8", "replace")
    except (jinja2.TemplateError, TypeError) as error:  # templates have no types of their own
        raise LaneError(f"{template} could not be drawn: {error}", hint="lane logs") from error


def twin(shown: PageView, want: RouteRequest) -> HttpReply:
    """The same for a program: what stands in the page, without its frame."""
    here = want.asked.path
    return document({"title": shown.title, **shown.values}, self=here, page=here.removesuffix(TWIN))


def done(said: ActReport) -> HttpReply:
    return HttpReply(200, msgspec.json.encode({"says": named(said.says), "undo": said.undo, "go": said.go}))


def theme(want: RouteRequest) -> str:
    wanted = carried(want.asked.headers.get("cookie", ""), "lane-theme")
    return wanted if wanted in THEMES else "auto"


def _query(fields: Mapping[str, object], **changed: object) -> str:
    """This page's query with some fields changed; empty ones and the page's number are left out."""
    whole = {**{name: value for name, value in fields.items() if name not in ("page", "at", "from")}, **changed}
    return urlencode({name: value for name, value in whole.items() if value not in ("", None)})


@dataclass(frozen=True, slots=True)
class Frame:
    """Counted, never listed: it stands on every page."""

    user: str
    machine: str
    runs: int
    indexed: int
    memories: int
    held: int
    names: int  # nobody was sure of
    recall_off: str  # why, or ""
    told: tuple[str, ...]  # agents whose hooks bring them notes
    paused: bool


def around(lane: Lane, _want: RouteRequest) -> Frame:
    indexed, runs = lane.search.indexed_share()
    memories, held = lane.memories.counts()
    config = lane.config
    return Frame(
        config.user,
        config.machine,
        runs,
        indexed,
        memories,
        held,
        len(lane.entities.waiting()),
        lane.recall.off(""),
        tuple(one.title for one in lane.health.hooks.agents() if one.told),
        lane.capture.pause() is not None,
    )


STATIC_TYPES = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}
# A worker has the policy of its own file: it may listen to us, and nothing else.
STATIC_HEADERS = {
    "Cache-Control": "private, max-age=31536000, immutable",
    "Content-Security-Policy": "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
}


MADE: Mapping[str, Callable[[], str]] = {"types.css": stylesheet}


@cache
def _static_bytes(name: str) -> tuple[bytes, str]:
    """A file beside this module or one that is made, and eight characters that stand for its bytes."""
    if name in MADE:
        data = MADE[name]().encode()
        return data, hashlib.sha256(data).hexdigest()[:8]
    found = files("memlane.surfaces.web").joinpath("static", name)
    if not found.is_file():
        raise NotFoundError(f"there is no file {name}")
    data = found.read_bytes()
    return data, hashlib.sha256(data).hexdigest()[:8]


def static_address(name: str) -> str:
    return f"/static/{_static_bytes(name)[1]}/{name}"


def static_file(_lane: Lane, want: RouteRequest) -> HttpReply:
    """Under another sha it is another file: an old page asks again."""
    name = want.named["file"]
    data, sha = _static_bytes(name)
    if want.named["sha"] != sha:
        raise NotFoundError(f"this {name} no longer exists")
    return HttpReply(200, data, STATIC_TYPES[name.rpartition(".")[2]], headers=STATIC_HEADERS)
