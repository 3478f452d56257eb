"""Every page, part and act there is, with its rule. What is not in this table is not answered.

To add a page: a module in `pages/` with `def page(lane, want) -> View`, a template, and a line in PAGES. A line with a
name stands in the menu, and its key leads there after `g`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memlane.surfaces import schema
from memlane.surfaces.api import HttpReply, RouteRequest
from memlane.surfaces.api.answers import A_PAGE
from memlane.surfaces.api.router import Handler, Route
from memlane.surfaces.api.rules import acts, anybody, knocks, shows, tells
from memlane.surfaces.schema import Schema, given
from memlane.surfaces.web import entrance, html
from memlane.surfaces.web.fixes import FIXES
from memlane.surfaces.web.news import NewsStream
from memlane.surfaces.web.pages import (
    calendar,
    central,
    dreams,
    entities,
    health,
    help,
    insights,
    map,
    memories,
    memory,
    procedures,
    projects,
    recalls,
    recap,
    river,
    runs,
    search,
    settings,
    shares,
    story,
    transcript,
    tree,
)
from memlane.surfaces.web.pages import entities as names
from memlane.surfaces.web.pages import insights as work
from memlane.surfaces.web.pages import recalls as trying
from memlane.surfaces.web.views import Does, Shows

if TYPE_CHECKING:
    from memlane.app import Lane

Fields = Mapping[str, Schema]


@dataclass(frozen=True, slots=True)
class WebPage:
    """`name` "" keeps it out of the menu. `takes` are the fields of its query; a form sends empty ones too."""

    path: str
    what: str
    do: Shows
    takes: Fields = field(default_factory=dict[str, Schema])
    name: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class WebAct:
    """A POST by a page. `needs` are those of its fields that must be there."""

    path: str
    what: str
    do: Does
    takes: Fields = field(default_factory=dict[str, Schema])
    needs: tuple[str, ...] = ()


def words(what: str, most: int = 200) -> Schema:
    return schema.text(what, most, least=0)


_PAGED = {"page": schema.count("which page of the list", 1, 100_000)}
_IDS = words("ids of memories, comma-separated", 2000)

PAGES: Sequence[WebPage] = (
    WebPage("/", "The start page: the lane.", recalls.page, recalls.TAKES),
    WebPage("/lane", "Recalls as they happen.", recalls.page, recalls.TAKES, "Lane", "l"),
    WebPage("/lane/try", "Try a prompt.", trying.try_prompt, trying.TRY),
    WebPage("/runs", "Runs, by filters and search.", runs.page, {**runs.TAKES, **_PAGED}, "Runs", "r"),
    WebPage("/runs/{run}", "A run, step by step.", transcript.page, transcript.TAKES),
    WebPage("/runs/{run}/steps", "More of its steps.", transcript.steps, transcript.STEPS),
    WebPage("/runs/{run}/summary", "What it was about and how it ended.", transcript.summary),
    WebPage("/runs/{run}/inside", "A subagent's run, where it was called.", transcript.inside),
    WebPage("/tree", "Runs as a tree.", tree.page, {**tree.TAKES, **_PAGED}, "Tree", "t"),
    WebPage("/tree/there", "Trees that are only on Central.", tree.there, tree.TAKES),
    WebPage("/memories", "Memories, by filters.", memories.page, {**memories.TAKES, **_PAGED}, "Memories", "m"),
    WebPage("/memories/review", "Held memories to review.", memories.review),
    WebPage("/memories/merge", "Memories to merge.", memories.merge, {"ids": _IDS}),
    WebPage("/m/{memory}", "One memory.", memory.page, {"tab": words("what of it")}),
    WebPage("/m/{memory}/near", "The most similar memories.", memory.near),
    WebPage("/entities", "Entities in memories.", entities.page, {**entities.TAKES, **_PAGED}, "Entities", "e"),
    WebPage("/entities/review", "Ambiguous or unknown names.", names.review),
    WebPage("/entity", "One entity.", entities.one, entities.ONE),
    WebPage("/projects", "Projects with their names.", projects.page, {}, "Projects", "o"),
    WebPage("/procedures", "Procedures that corrections touch.", procedures.page),
    WebPage("/procedures/changes", "The changes they ask for.", procedures.changes),
    WebPage("/dreams", "Dreams and what they changed.", dreams.page, {}, "Dreams", "d"),
    WebPage("/dreams/{dream}", "The report of one dream.", dreams.one, dreams.TAKES),
    WebPage("/river", "Memories over time.", river.page, river.TAKES, "River", "v"),
    WebPage("/river/week", "Memories of one period.", river.week, river.WEEK),
    WebPage("/map", "Memories by similarity.", map.page, map.TAKES, "Map", "p"),
    WebPage("/map/said", "The memory of one dot.", map.said, map.NEAR),
    WebPage("/map/near", "One memory and the most similar ones.", map.near, map.NEAR),
    WebPage("/calendar", "A year of days.", calendar.page, calendar.TAKES, "Calendar", "c"),
    WebPage("/recap", "What happened on a day or in a week.", recap.page, recap.TAKES),
    WebPage("/recap/runs", "Its runs, with summaries.", recap.runs, recap.TAKES),
    WebPage("/wrapped", "A year on one page.", recap.year, recap.YEAR),
    WebPage("/story", "Several runs as one.", story.page, story.TAKES),
    WebPage("/story/turns", "Its turns.", story.turns, story.TAKES),
    WebPage("/insights", "Work done and what helped.", insights.page, insights.TAKES, "Insights", "i"),
    WebPage("/insights/work", "Tools, errors and recoveries.", work.work, insights.TAKES),
    WebPage("/machines", "Machines of Central.", central.page_of("machines", "Machines"), {}, "Machines", "x"),
    WebPage("/machines/list", "Its machines.", central.machines),
    WebPage("/people", "People of Central.", central.page_of("people", "People")),
    WebPage("/people/list", "Its people and groups.", central.people),
    WebPage("/shares", "What you share, and what is shared with you.", central.page_of("shares", "Shares")),
    WebPage("/shares/list", "Both lists.", shares.listed),
    WebPage("/shares/preview", "What somebody could read.", shares.preview, shares.TAKES),
    WebPage("/shares/receipt", "Where a share that ended is gone.", shares.receipt, shares.SHARE),
    WebPage("/audit", "The audit of Central.", central.page_of("audit", "Audit")),
    WebPage("/audit/list", "Its newest lines.", central.audit),
    WebPage("/health", "Status.", health.page, health.TAKES, "Health", "h"),
    WebPage("/health/look", "What doctor finds.", health.look),
    WebPage("/settings", "Settings.", settings.page, settings.TAKES, "Settings", "s"),
    WebPage("/settings/preview", "Preview of a recall.", settings.preview, settings.TAKES),
    WebPage("/search", "Search results.", search.page, {"q": words("words", 1000)}),
    WebPage("/search/quick", "The first results.", search.quick, search.QUICK),
    WebPage("/help/keys", "What each key does.", help.keys),
    WebPage("/_gallery", "Every state a page can be in.", help.gallery),
)

ACTS: Sequence[WebAct] = (
    WebAct("/lane/{recall}/judge", "A thumb.", recalls.judge, recalls.JUDGE, ("memory", "verdict")),
    WebAct("/runs/{run}/title", "Rename it.", transcript.rename, {"title": words("its title")}),
    WebAct("/runs/{run}/pin", "Pin it.", transcript.pin),
    WebAct("/runs/{run}/tags", "Set its tags.", transcript.tag, {"tags": words("with commas between them")}),
    WebAct("/m/{memory}/edit", "Edit its text.", memory.edit, memory.EDIT),
    WebAct("/m/{memory}/state", "Change its state.", memory.stand, memory.STAND, ("to",)),
    WebAct(
        "/memories/state", "Change the state of several.", memories.stand, {**memory.STAND, "ids": _IDS}, ("to", "ids")
    ),
    WebAct("/memories/merge", "Merge them.", memories.join, {"ids": _IDS}, ("ids",)),
    WebAct("/memories/add", "Add a note.", memories.add, memories.ADD, ("text",)),
    WebAct("/entities/answer", "Answer who is meant.", names.answer, names.ANSWER, ("name", "meant")),
    WebAct("/entities/add", "Add an entity.", entities.add, entities.ADD, ("name", "type")),
    WebAct("/entities/rename", "Rename it.", entities.rename, entities.NAMED, ("of", "name")),
    WebAct("/entities/merge", "Merge two entities.", entities.merge, entities.MERGE, ("of", "into")),
    WebAct("/entities/unmerge", "Undo a merge.", entities.unmerge, {"of": entities.KEY}, ("of",)),
    WebAct("/entities/split", "Split an entity.", entities.split, entities.SPLIT, ("of", "name")),
    WebAct("/entities/remove", "Remove an entity.", entities.remove, {"of": entities.KEY}, ("of",)),
    WebAct("/projects/join", "Join two projects.", projects.join, projects.JOIN, ("of", "into")),
    WebAct("/projects/split", "Let one be on its own.", projects.split, {"of": projects.OF}, ("of",)),
    WebAct("/projects/rename", "Rename a project.", projects.rename, projects.NAMED, ("of", "name")),
    WebAct("/procedures/apply", "Write a change into its file.", procedures.apply, procedures.CHANGE, ("change",)),
    WebAct("/procedures/undo", "Take it back.", procedures.undo, procedures.CHANGE, ("change",)),
    WebAct("/dreams/now", "Dream now.", dreams.start),
    WebAct("/dreams/{dream}/undo", "Undo it.", dreams.undo, dreams.UNDO),
    WebAct("/settings/set", "One setting.", settings.change, settings.SET, ("name",)),
    WebAct("/settings/agent", "A switch of an agent.", settings.agent, settings.AGENT, ("agent", "what", "to")),
    WebAct("/settings/resume", "Capture again after a pause.", settings.resume),
    WebAct("/settings/hooks", "Put our hooks into an agent.", settings.hooks, settings.HOOKS, ("agent",)),
    WebAct("/settings/project", "A switch of a project.", settings.project, settings.IN_PROJECT, ("project", "to")),
    WebAct(
        "/settings/tell-in",
        "Turn recall on again in a folder.",
        settings.tell_in,
        {"pattern": settings.PATTERN},
        ("pattern",),
    ),
    WebAct("/settings/exclude", "What is never captured.", settings.exclude, settings.EXCLUDE, ("pattern", "to")),
    WebAct("/machines/revoke", "End the token of a machine.", central.revoke, central.MACHINE, ("machine",)),
    WebAct("/machines/invite", "A one-time code for one more machine.", central.invite),
    WebAct("/shares/give", "Share something.", shares.give, shares.TAKES, ("what", "whom")),
    WebAct("/shares/answer", "Answer what an agent suggests.", shares.answer, shares.ANSWER, ("wish", "to")),
    WebAct("/shares/revoke", "Take a share back.", shares.revoke, shares.SHARE, ("share",)),
    WebAct("/undo/{act}", "Undo it.", memory.undo),
    *(WebAct(one.path, f"{one.label}.", health.mends(one)) for one in FIXES),
)

MENU: Sequence[html.MenuEntry] = [html.MenuEntry(page.name, page.path, page.key) for page in PAGES if page.name]


def table(token: str, live: NewsStream) -> Sequence[Route]:
    """`token`: what a browser's pass is made from."""
    after = {"after": words("the id of the last event", 40), "again": words("anything: the line was cut", 10)}
    return [
        Route("GET", "/enter", "The sign-in page.", anybody(), entrance.door),
        Route("POST", "/enter", "Sign in.", knocks(), entrance.enters(token), given(code=words("once", 40))),
        Route("GET", "/static/{sha}/{file}", "A file of a page.", anybody(), html.static_file),
        Route("GET", "/events", "What is new, as it happens.", shows(), live.stream, given(**after), beside=True),
        Route("GET", "/map/dots", "Where each memory is on the map.", shows(), map.dots, beside=True),
        *(Route("GET", one.path, one.what, shows(), _shown(one.do), given(**one.takes), beside=True) for one in PAGES),
        *(Route("POST", a.path, a.what, acts(), _done(a.do), given(*a.needs, **a.takes)) for a in ACTS),
    ]


def twins() -> Sequence[Route]:
    """Every page as JSON, from the same data: `/runs.json`, `/m/{memory}.json`."""
    alone = [page for page in PAGES if page.path != "/" and not page.path.startswith("/_")]
    return [
        Route(
            "GET", page.path + html.TWIN, page.what, tells(), _told(page.do), given(**page.takes), A_PAGE, beside=True
        )
        for page in alone
    ]


def _told(do: Shows) -> Handler:
    def handler(lane: Lane, want: RouteRequest) -> HttpReply:
        return html.twin(do(lane, want), want)

    return handler


def _shown(do: Shows) -> Handler:
    def handler(lane: Lane, want: RouteRequest) -> HttpReply:
        return html.page(do(lane, want), lane, want, MENU)

    return handler


def _done(do: Does) -> Handler:
    def handler(lane: Lane, want: RouteRequest) -> HttpReply:
        return html.done(do(lane, want))

    return handler
