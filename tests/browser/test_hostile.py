"""A transcript is somebody else's text: whatever stands in it is shown as text, runs nothing and loads nothing."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from memlane.lane import RunFilter
from memlane.surfaces.web.prose import rendered
from tests.browser.site import Site, empty_home, let_in, served, watched
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


@pytest.mark.parametrize("text", HOSTILE)
def test_prose_has_no_tag_but_ours(text: str) -> None:
    tags = Tags()
    tags.feed(str(rendered(text)))
    assert tags.wrong == []


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder = tmp_path_factory.mktemp("x")
    (folder / "home").mkdir()
    empty_home(folder / "home")
    records: list[dict[str, object]] = [{"type": "summary", "summary": HOSTILE[0], "leafUuid": "x"}]
    for n, text in enumerate(HOSTILE):
        records += [
            prompt(text, 3 * n + 1),
            answer([said(text), called("Bash", {"command": text}, f"c{n}")], 3 * n + 2),
        ]
        records += [returned(text, f"c{n}", 3 * n + 3, error=n % 2 == 0)]
    records += [prompt("x" * 10_000_000, 200), answer([said("short")], 201)]
    write(transcript(folder), records)
    site = Site(folder / "home")
    with site.lane() as lane:
        lane.capturing.sweep()
        for text in HOSTILE:
            lane.remembering.remember(text[:7000], Path("/"), title=text[:400])
    return site


def test_nothing_of_it_runs_or_loads(browser: Browser, hostile: Site) -> None:
    with served(hostile.home) as site, let_in(browser, site) as context:
        seen = watched(context, site)
        with site.lane() as lane:
            (run,) = lane.reading.runs(RunFilter(limit=10))
            memories = lane.remembering.memories()
        for address in ("/runs", f"/runs/{run.id}", "/memories", "/search?q=click", *(f"/m/{m.id}" for m in memories)):
            seen.go(address)
            for fold in seen.page.locator("details").all():
                fold.evaluate("fold => { fold.open = true; }")
            assert seen.page.evaluate("window.hit") is None, address
            assert (
                seen.page.locator("main script, main iframe, main object, main img, main style, main base").count() == 0
            )
            assert (
                seen.page.evaluate("document.querySelectorAll('main [onerror], main [onload], main [onfocus]').length")
                == 0
            )
        seen.go(f"/runs/{run.id}")
        assert seen.page.get_by_text(f"<script>{SPOKEN}</script>").count() > 0
        assert len(seen.page.content()) < 3_000_000  # of a line of ten
        assert seen.wrong == []
