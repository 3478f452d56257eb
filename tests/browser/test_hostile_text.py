"""A transcript is somebody else's text: whatever stands in it is shown as text, runs nothing and loads nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser

from memlane.app import Lane
from memlane.app.control import Grant, GrantType
from memlane.domain import Mention, RunFilter, State
from memlane.domain.door import named
from memlane.errors import UsageError
from memlane.surfaces.web.routes import PAGES
from memlane.surfaces.web.texts import rendered
from tests.browser.site import Site, let_in, served, until, watched
from tests.flow.dreams import a_home, caught, dreaming, known
from tests.flow.homes import answer, called, prompt, returned, said, transcript, write

SPOKEN = "window.hit = (window.hit || 0) + 1"
HOSTILE = (
    f"<script>{SPOKEN}</script>",
    f'<img src=x onerror="{SPOKEN}">',
    f"<svg onload='{SPOKEN}'><animate onbegin='{SPOKEN}' attributeName=x dur=1s></svg>",
    f"[click](javascript:{SPOKEN})",
    f"[click](JaVaScRiPt:{SPOKEN})",
    "[data](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
    "![pixel](http://evil.example/pixel.png)",
    "<iframe src=http://evil.example></iframe><object data=http://evil.example></object>",
    "<style>body{display:none}</style><link rel=stylesheet href=http://evil.example/x.css>",
    f"<math><mtext></mtext><mglyph><style><!--</style><img src onerror={SPOKEN}></math>",
    f'"><input autofocus onfocus="{SPOKEN}">',
    f"`</code><script>{SPOKEN}</script>`",
    f"```\n</code></pre><script>{SPOKEN}</script>\n```",
    "{{ 7 * 7 }} {% for x in range(9) %}{{ x }}{% endfor %}",
    "<base href=http://evil.example><form action=http://evil.example><button>x</button></form>",
    "a\x00b\x1b[31mred\x1b]52;c;aGk=\x07 \u202egnp.exe\u202c \u2066x\u2069",
    "שלום עולם, مرحبا بالعالم, 日本語のテキスト",
    "| a | b |\n|---|---|\n" + "| x | <img src=x> |\n" * 200,
    "> " * 60 + "deep",
    "*" * 3000 + "_" * 3000 + "[" * 3000,
)
ALLOWED = {
    "p",
    "a",
    "strong",
    "em",
    "code",
    "pre",
    "ul",
    "ol",
    "li",
    "blockquote",
    "hr",
    "br",
    "s",
    "table",
    "thead",
    "tbody",
}
ALLOWED |= {"tr", "th", "td", "h1", "h2", "h3", "h4", "h5", "h6"}


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            fine = name in ("rel", "target", "class", "style", "start") or (
                name == "href" and (value or "").lower().startswith(("http://", "https://"))
            )
            if not fine:
                self.wrong.append(f"{tag} {name}={value}")
        if tag not in ALLOWED:
            self.wrong.append(tag)


@pytest.mark.fault("I5a", "L1")
@pytest.mark.parametrize("text", HOSTILE)
def test_prose_has_no_tag_but_ours(text: str) -> None:
    tags = Tags()
    tags.feed(str(rendered(text)))
    assert tags.wrong == []


SCRIPT = HOSTILE[0]
LONG = "x" * 10_000_000
MOST = 3_000_000  # characters of any page, of lines of ten
ACTIVE = """() => {
  const ours = ["script[src^='/static/']", "link[href^='/static/']"];
  const wrong = "script, link, iframe, object, embed, base, style, math, animate, img, meta[http-equiv=refresh]";
  const nodes = [...document.querySelectorAll(wrong)].filter((one) => !ours.some((fine) => one.matches(fine)));
  const led = /^(href|src|action|formaction|data|xlink:href)$/i;
  const names = [...document.querySelectorAll("*")].flatMap((one) => [...one.attributes].filter((said) =>
    /^on/i.test(said.name) || (led.test(said.name) && /^\\s*(javascript|data|vbscript):/i.test(said.value))));
  return [...nodes.map((one) => one.outerHTML), ...names.map((one) => `${one.name}=${one.value}`)];
}"""
ECHOED = quote(f'"><script>{SPOKEN}</script><img src=x onerror="{SPOKEN}">')
ASKED = (
    "/search?q=click",
    "/search/quick?q=click",
    f"/search?q={ECHOED}",
    f"/runs?q={ECHOED}",
    f"/memories?q={ECHOED}",
)
ASKED += (f"/lane/try?prompt={ECHOED}", f"/entities?q={ECHOED}", f"/search/quick?q={ECHOED}", "/memories?state=held")
ASKED += (
    f"/settings/preview?prompt={ECHOED}",
    "/calendar?year=2026&day=2026-05-01",
    "/runs?q=click",
    "/entities?all=yes",
)
SHOWN = ("/lane", "/runs", "/tree", "/memories", "/memories/review", "/entities", "/dreams/{dream}", "/m/{memory}")
SHOWN += ("/runs/{run}", "/runs/{run}/steps", "/memories/merge", "/map/near", "/entity", "/insights/work", "/search")
SHOWN += ("/shares/list", "/shares/preview", "/shares/receipt")


def said_by_everybody() -> list[dict[str, object]]:
    """In a prompt, an answer, a tool's name, its input and its result, where a run stands and on which branch."""
    records: list[dict[str, object]] = [{"type": "summary", "summary": SCRIPT, "leafUuid": "x"}]
    for n, text in enumerate(HOSTILE):
        there = {"cwd": f"/home/dev/{text[:80]}", "gitBranch": text[:80]} if n % 5 == 4 else {}
        records += [prompt(text, 3 * n + 1) | there]
        records += [answer([said(text), called(text[:60], {"command": text, text[:40]: text}, f"c{n}")], 3 * n + 2)]
        records += [returned(text, f"c{n}", 3 * n + 3, error=n % 2 == 0)]
    return [*records, prompt(LONG, 200), answer([said(LONG), called("Bash", {"command": LONG}, "long")], 201)]


def remembered(lane: Lane) -> None:
    """By hand, caught, held, merged in a dream, about somebody, told for a prompt."""
    for text in HOSTILE:
        lane.memories.remember(text[:7000], Path("/"), title=text[:400])
        lane.recall.keep(lane.recall.asked(text[:3000] * 2, Path("/")))
        with suppress(UsageError):
            lane.entities.add(text[:60], "person")
    about = (Mention("person", SCRIPT, "script", resolved=False),)
    fields = {"category": SCRIPT, "project": SCRIPT, "reasoning": SCRIPT, "source_chunk": SCRIPT}
    known(
        lane,
        caught(f"Deploy on Fridays is fine {SCRIPT}", days_ago=80, related_entities=about, **fields),
        caught(f"Never deploy on Fridays {SCRIPT}", days_ago=2, runs=("r_a", "r_b", "r_c"), related_entities=about),
        caught(f"Ask first {SCRIPT}", state=State.HELD, **fields),
    )
    assert dreaming(lane).run().done


def shared(lane: Lane) -> None:
    """With somebody else on this Central."""
    lane.control.codes.invite("noor")
    one = next(one for one in lane.memories.all() if "<script>" in one.title)
    lane.control.grants.give(Grant("", lane.config.user, GrantType.MEMORY, one.id, one.title, "noor"))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("x")
    write(transcript(folder), said_by_everybody())
    write(
        transcript(folder, "22222222-2222-4333-8444-555555555555", "-long"), [prompt(LONG, 1), answer([said("short")])]
    )
    with a_home(folder) as lane:
        lane.capture.sweep()
        remembered(lane)
        shared(lane)
    (folder / "home" / ".memlane").symlink_to(folder / "lane")
    (folder / "lane" / "config.toml").write_text('user = "ann"\nmachine = "desk"\n')
    with served(folder / "home") as site:
        yield site


def everywhere(site: Site) -> Iterator[tuple[str, str]]:
    """Each page and part there is, with something hostile in it; the page it is of, and its address."""
    with site.lane() as lane:
        run = max(lane.runs.select(RunFilter(limit=10)), key=lambda run: run.steps)
        bad = [one.id for one in lane.memories.all() if "<script>" in one.title]
        entity = next(one.entity.key for one in lane.entities.entities() if "script" in one.entity.name)
        (dream,) = [told.dream.id for told in lane.dream.reports()]
        (grant,) = lane.control.grants.by(lane.config.user)
    parts = {"{run}": run.id, "{memory}": bad[0], "{dream}": dream}
    given = {"/memories/merge": f"?ids={bad[0]},{bad[1]}", "/entity": f"?of={quote(entity)}", "/search": "?q=script"}
    given |= {"/map/near": f"?memory={bad[0]}", "/map/said": f"?memory={bad[0]}", "/search/quick": "?q=script"}
    given |= {"/shares/preview": f"?what={grant.name}&whom=noor", "/shares/receipt": f"?share={grant.id}"}
    for page in PAGES:
        address = page.path + given.get(page.path, "")
        for name, value in parts.items():
            address = address.replace(name, value)
        yield page.path, address
    for address in (
        *ASKED,
        f"/runs/{run.id}?at=t18.1",
        f"/runs/{run.id}?find={ECHOED}",
        f"/runs/{run.id}?find=window.hit",
        f"/runs/{run.id}/inside",
        f"/tree?run={run.id}",
        f"/runs/{run.id}/steps?from=50&whole=1",
    ):
        yield address.partition("?")[0], address


@pytest.mark.fault("I5a", "L1", "L3")
def test_nothing_of_it_runs_or_loads_on_any_page_and_it_is_there_to_be_read(browser: Browser, hostile: Site) -> None:
    shown = set[str]()
    with let_in(browser, hostile) as context:
        seen = watched(context, hostile)
        context.route("**/favicon.ico", lambda route: route.fulfill(status=204))  # a part alone names no icon
        for path, address in everywhere(hostile):
            seen.go(address)
            until(seen.page, lambda: not seen.page.locator("main [aria-busy=true]").count())
            for fold in seen.page.locator("details").all():
                fold.evaluate("fold => { fold.open = true; }")
            assert seen.page.evaluate(ACTIVE) == [], address
            assert seen.page.evaluate("window.hit") is None, address
            assert len(seen.page.content()) < MOST, address
            if "window.hit" in str(seen.page.evaluate("document.body.textContent")):
                shown.add(path)
        assert [path for path in SHOWN if path not in shown] == []
        assert "\n".join(seen.wrong) == ""
    assert hostile.log == []


FOUND = ("<script>", "onerror", "javascript:", '"><input autofocus', "{{ 7 * 7 }}", "evil.example", "</code>", "\u202e")


@pytest.mark.fault("L1", "L3")
@pytest.mark.parametrize("words", [words for words in FOUND if named(words)])
def test_what_is_found_in_a_hostile_run_is_marked_as_text(browser: Browser, hostile: Site, words: str) -> None:
    """Marks are put into the page by a script: the only place where text of a transcript goes through one."""
    with hostile.lane() as lane:
        run = max(lane.runs.select(RunFilter(limit=10)), key=lambda run: run.steps)
    with let_in(browser, hostile) as context:
        seen = watched(context, hostile)
        page = seen.page
        seen.go(f"/runs/{run.id}?find={quote(words)}")
        assert until(page, lambda: page.locator("mark.at-it").count() > 0), "it is on the page, and in view"
        for fold in page.locator("details").all():
            fold.evaluate("fold => { fold.open = true; }")
        page.keyboard.press("n")
        page.keyboard.press("N")
        assert page.evaluate(ACTIVE) == []
        assert page.evaluate("window.hit") is None
        marked = "".join(page.locator(".step mark.at-it").all_text_contents())
        assert marked.casefold() == str(named(words)).casefold()
        assert "\n".join(seen.wrong) == ""
    assert hostile.log == []
