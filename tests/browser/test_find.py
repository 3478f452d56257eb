"""Find in a run: what matches is marked and nothing else, the first match is in view, and all of them are counted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from memlane.domain import RunFilter
from memlane.surfaces.web.pages.transcript import PART, WHOLE
from tests.browser.site import Site, barriers, empty_home, let_in, served, until, watched
from tests.flow.homes import answer, called, prompt, returned, said, transcript, write

LOG = "[INFO] compiling\n[SUCCESS] webpack 5 done\n^> [x] Webpack: ok\n"
EDIT = {"file_path": "/home/dev/app/webpack.config.js", "old_string": "a", "new_string": "b"}
FAR = 700  # calls between the first matches and the last ones: no page has them all


def records() -> list[dict[str, object]]:
    found: list[dict[str, object]] = [
        prompt("why does the build fail?", 1),
        answer([said("I look at the **web**pack config, `[x]` and [docs](https://webpack.example/).")], 2),
        answer([called("Bash", {"command": "npm run build"}, "log")], 3),
        returned(LOG, "log", 4),
        answer([{"type": "thinking", "thinking": "maybe webpack is too old"}], 5),
        answer([called("Edit", EDIT, "edit")], 6),
        returned("ok", "edit", 7),
    ]
    for n in range(FAR):
        found += [
            answer([called("Bash", {"command": f"make {n}"}, f"c{n}")], 10 + n),
            returned("made", f"c{n}", 10 + n),
        ]
    found += [answer([called("Bash", {"command": "cat log"}, "long")], 800), returned("x\n" * 9000 + "webpack", "long")]
    for n, record in enumerate(found):
        record["uuid"] = f"00000000-0000-4000-8000-{n:012d}"
        if record["type"] == "assistant":
            record["message"]["id"] = f"msg_{n}"  # type: ignore[index]
    return found


SHOWN = [
    "webpack",
    "webpack",
    "Webpack",
    "webpack",
    "webpack",
]  # the prose, two of the log, the thought, the edited file
MATCHES = len(SHOWN) + 1  # and the end of a result that is cut, in a part that is not loaded


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("find")
    (folder / "home").mkdir()
    empty_home(folder / "home")
    write(transcript(folder), records())
    with Site(folder / "home").lane() as lane:
        lane.capture.sweep()
    with served(folder / "home") as running:
        yield running


def run_of(site: Site) -> str:
    with site.lane() as lane:
        (run,) = lane.runs.select(RunFilter(limit=2))
    assert run.steps > WHOLE > PART
    return run.id


def marked(page: Page) -> list[str]:
    """Each match as it is marked; one that reaches over two elements is one."""
    return page.locator(".step").evaluate_all("""steps => steps.flatMap((step) => {
        const found = new Map();
        for (const one of step.querySelectorAll("mark")) {
            found.set(one.dataset.n, (found.get(one.dataset.n) || "") + one.textContent);
        }
        return [...found.values()];
    })""")


def in_view(page: Page) -> bool:
    box = page.locator("mark.at-it").first.bounding_box()
    return box is not None and 60 < box["y"] < 900


def counter(page: Page) -> str:
    return page.locator("#found p .muted").first.inner_text()


def test_only_what_matches_is_marked_and_the_first_match_is_in_view(browser: Browser, site: Site) -> None:
    run = run_of(site)
    with let_in(browser, site) as context:
        seen = watched(context, site)
        seen.go(f"/runs/{run}")
        before = seen.page.locator(".step").all_text_contents()[:8]
        seen.page.keyboard.press("/")
        seen.page.keyboard.type("webpack")
        seen.page.keyboard.press("Enter")
        seen.page.wait_for_url("**find=webpack*")
        assert until(seen.page, lambda: seen.page.locator("mark.at-it").count() == 2)  # **web**pack
        assert marked(seen.page) == SHOWN
        assert counter(seen.page) == f"1 of {MATCHES} matches of “webpack” in 5 steps"
        assert until(seen.page, lambda: in_view(seen.page))
        assert seen.page.locator(".step").all_text_contents()[:8] == before  # no bracket and no letter is gone
        assert barriers(seen.page) == []
        assert seen.wrong == []


def test_next_and_previous_go_through_folds_and_parts_that_are_not_loaded(browser: Browser, site: Site) -> None:
    run = run_of(site)
    with let_in(browser, site) as context:
        seen = watched(context, site)
        page = seen.page
        seen.go(f"/runs/{run}?find=webpack")
        assert until(page, lambda: counter(page).startswith("1 of"))
        for n in range(2, MATCHES):
            page.keyboard.press("n")
            assert until(page, lambda n=n: counter(page).startswith(f"{n} of"))
            assert page.locator("mark.at-it").first.is_visible()  # its fold is open
            assert until(page, lambda: in_view(page))
        page.get_by_role("link", name="Next").click()
        page.wait_for_url("**#t1.*")
        assert until(
            page, lambda: counter(page).startswith(f"{MATCHES} of") and page.locator("mark.at-it").count() == 1
        )
        assert until(page, lambda: in_view(page))  # at the end of a result that was cut: the rest of it was fetched
        page.keyboard.press("n")
        assert until(page, lambda: counter(page).startswith("1 of") and page.locator("mark.at-it").count() == 2)
        page.keyboard.press("N")
        assert until(page, lambda: counter(page).startswith(f"{MATCHES} of") and in_view(page))
        assert seen.wrong == []


def test_what_is_not_there_is_said_to_be_missing_and_nothing_is_marked(browser: Browser, site: Site) -> None:
    run = run_of(site)
    with let_in(browser, site) as context:
        seen = watched(context, site)
        seen.go(f"/runs/{run}?find=rollup")
        assert "“rollup” is not in this run" in seen.page.locator("#found").inner_text()
        assert seen.page.locator("mark").count() == 0
        assert seen.wrong == []
