"""The pages about a Central in its own home: its machines, people, shares and audit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from memlane.app import Lane
from memlane.app.control import AuditLine, Grant, GrantType, Joining, Reading, of_owner
from memlane.domain import WITHHELD, LentMemory, Memory, RunFilter, Scope, Type
from memlane.domain.identity import random_id
from tests.browser.site import NARROW, THEMES, WIDE, Site, barriers, let_in, served, sideways, watched

AT = "2026-11-01T09:00:00+00:00"
PAGES = ("machines", "people", "shares", "audit")
LESSON = "the till is opened with two keys"
HERS = "the shop is closed on Mondays"


@pytest.fixture(scope="module")
def central(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    home: Path = tmp_path_factory.mktemp("central")
    with served(home) as site:
        with site.lane() as lane:
            lane.home.begin()
            code, _made = lane.control.codes.invite("noor")
            joined = lane.control.machines.join(Joining(code, "noor", "laptop", fresh=True))
            lane.control.sightings.note(joined.machine.id, 3, 5 << 20)
            lane.control.groups.add("family", ["noor"], lane.config.user)
            read = AuditLine(lane.home.clock(), "noor", "search", "laptop", {"noor": [random_id("r")]}, count=1)
            lane.control.audit.write([read])
            lesson = lane.memories.remember(LESSON, home)
            lane.control.grants.give(Grant("", "noor", GrantType.PROJECT, "shop", "the shop", lane.config.user))
            lane.control.grants.give(Grant("", lane.config.user, GrantType.MEMORY, lesson.id, LESSON, "family"))
        yield site


@pytest.mark.parametrize("theme", THEMES)
def test_the_pages_of_a_central_are_whole_and_without_barriers(browser: Browser, central: Site, theme: str) -> None:
    for size in (WIDE, NARROW):
        with let_in(browser, central, theme, size) as context:
            seen = watched(context, central)
            for name in PAGES:
                seen.go(f"/{name}")
                seen.page.wait_for_selector(f"#central-{name}:not([aria-busy])", timeout=60_000)
                assert seen.page.locator("main").inner_text().count("noor") >= 1, name
                assert name != "people" or "Other projects" in seen.page.locator("main").inner_text()
                assert not sideways(seen.page), name
                assert barriers(seen.page) == [], name
            assert seen.wrong == []
    assert central.log == []


def test_a_machine_is_revoked_from_its_row(browser: Browser, central: Site) -> None:
    with let_in(browser, central, "light") as context:
        seen = watched(context, central)
        seen.page.on("dialog", lambda dialog: dialog.accept())
        seen.go("/machines")
        seen.page.get_by_role("button", name="Revoke").first.click(timeout=60_000)
        confirm = seen.page.locator("dialog[open] button.main")
        if confirm.count():
            confirm.click()
        seen.page.wait_for_selector("text=is revoked", timeout=60_000)
    with central.lane() as lane:
        assert all(one.revoked for one in lane.control.machines.of())
        assert lane.control.audit.faults() == []


def test_something_is_shared_after_its_preview_and_taken_back_with_a_receipt(browser: Browser, central: Site) -> None:
    with central.lane() as lane:
        (lesson,) = (one.id for one in lane.memories.all())
        me = lane.config.user
    with let_in(browser, central, "light") as context:
        seen = watched(context, central)
        page = seen.page
        seen.go("/shares")
        page.get_by_text("Share something").click(timeout=60_000)
        page.get_by_label("What: a project").fill(lesson)
        page.get_by_label("With whom").fill("noor")
        page.get_by_label("Last day").fill("2999-12-31")
        page.get_by_role("button", name="Preview").click()
        page.wait_for_selector("text=noor could read 1 lesson and 0 runs", timeout=60_000)
        assert LESSON in page.locator("main").inner_text()
        assert barriers(page) == []
        page.get_by_role("button", name="Share", exact=True).click()
        row = page.locator("#central-shares .row-item", has_text="with noor")
        row.wait_for(timeout=60_000)
        assert "31 Dec 2999" in row.inner_text()
        with central.lane() as lane:
            assert {(one.whom, one.name) for one in lane.control.grants.to("noor")} >= {("noor", lesson)}
        row.get_by_role("button", name="Take back").click()
        page.locator("#ask button[value=yes]").click()
        page.wait_for_selector("text=Gone from", timeout=60_000)
        assert "noor" in page.locator("main").inner_text()
        assert barriers(page) == []
        assert seen.wrong == []
    with central.lane() as lane:
        assert {one.whom for one in lane.control.grants.to("noor")} == {"family"}
        assert [one.whom for one in lane.control.grants.by(me) if one.revoked] == ["noor"]


def test_what_an_agent_suggests_is_shared_or_refused_from_its_row(browser: Browser, central: Site) -> None:
    with central.lane() as lane:
        (lesson,) = (one.id for one in lane.memories.all())
        for until in ("2998-12-31", "2999-12-31"):
            grant = lane.grant_plans.meant(lesson, "noor", Reading.LESSONS, lane.grant_plans.end_of(until))
            lane.grant_wishes.propose(grant, "codex", "noor asked for it")
    with let_in(browser, central, "light") as context:
        seen = watched(context, central)
        page = seen.page
        seen.go("/shares")
        rows = page.locator("#central-shares .row-item", has_text="suggested by codex")
        rows.nth(1).wait_for(timeout=60_000)
        assert "1 lesson and 0 runs now" in rows.first.inner_text()
        assert barriers(page) == []
        refused = rows.filter(has_text="2998")
        refused.get_by_role("button", name="Refuse").click()
        refused.wait_for(state="detached", timeout=60_000)
        rows.get_by_role("button", name="Share").click()
        page.locator("#ask button[value=yes]").click()
        given = page.locator("#central-shares .row-item", has_text="with noor")
        given.get_by_role("button", name="Take back").wait_for(timeout=60_000)
        assert rows.count() == 0
        assert seen.wrong == []
    with central.lane() as lane:
        assert [one.until[:4] for one in lane.control.grants.to("noor") if one.whom == "noor"] == ["3000"]
        assert lane.grant_wishes.all() == []


def test_a_card_says_whose_it_is_and_who_can_see_it(browser: Browser, central: Site) -> None:
    at = datetime(2026, 11, 1, 9, tzinfo=UTC)
    theirs = Memory(random_id("m"), "noor", Type.DECISION, HERS, HERS, at, at, at, at, evidence=(WITHHELD, WITHHELD))
    with central.lane() as lane:
        lane.home.lent.take("1", [LentMemory(replace(theirs, scope=Scope.GLOBAL))])
        (mine,) = (one.id for one in lane.memories.all())
    with let_in(browser, central, "light") as context:
        seen = watched(context, central)
        seen.go("/memories")
        seen.page.wait_for_selector("#shared", timeout=60_000)
        assert "visible to family" in seen.page.locator(f"#{mine}").inner_text()
        assert "shared by noor" in seen.page.locator(f"#{theirs.id}").inner_text()
        assert barriers(seen.page) == []
        for id, says, buttons in ((mine, "yours, visible to family", 1), (theirs.id, "shared by noor, 2 quotes", 0)):
            seen.go(f"/m/{id}")
            seen.page.wait_for_selector("#memory [data-whose]", timeout=60_000)
            assert says in seen.page.locator("#memory [data-whose]").inner_text()
            assert seen.page.locator("#memory [data-key-name=forget]").count() == buttons
            assert barriers(seen.page) == []
        assert seen.wrong == []
    assert central.log == []


def shared_run(central: Site, folder: Path) -> str:
    """Noor's, on this Central; its person may read it."""
    file = folder / "market.jsonl"
    turns = [{"type": "turn", "at": AT, "person": f"the quokka pays {n} times", "agent": "done"} for n in range(80)]
    told = [{"type": "run", "id": "market", "agent": "pi", "started": AT, "cwd": "/home/noor/shop"}, *turns]
    file.write_text("".join(json.dumps(line) + "\n" for line in told))
    with central.lane() as lane, Lane(of_owner(lane.config, "noor")) as noor:
        noor.home.begin()
        noor.capture.imports.take([file])
        noor.capture.take_up()
        (run,) = (one.id for one in noor.runs.select(RunFilter()))
        me = lane.config.user
        lane.control.grants.give(Grant("", "noor", GrantType.RUN, run, "market", me, reading=Reading.TRANSCRIPTS))
    return run


@pytest.mark.parametrize("theme", THEMES)
def test_a_run_that_somebody_shares_is_read_as_long_as_it_is(
    browser: Browser, central: Site, tmp_path: Path, theme: str
) -> None:
    run = shared_run(central, tmp_path)
    with let_in(browser, central, theme, NARROW) as context:
        seen = watched(context, central)
        page = seen.page
        seen.go("/tree")
        row = page.locator(f"#tree-there #{run}")
        row.wait_for(timeout=60_000)
        assert "shared by noor" in row.inner_text()
        assert barriers(page) == []
        row.get_by_role("link").click()
        page.wait_for_selector("#steps >> text=the quokka pays 0 times", timeout=60_000)
        assert page.locator("#facts").inner_text().startswith("shared by noor, with ")
        assert page.locator(".who").first.inner_text() == "noor"
        assert (sideways(page), barriers(page)) == (False, [])
        page.locator(".edge").scroll_into_view_if_needed()  # the rest is fetched
        page.wait_for_selector("#steps >> text=the quokka pays 79 times", timeout=60_000)
        assert seen.wrong == []
        with central.lane() as lane:
            (grant,) = (one for one in lane.control.grants.to(lane.config.user) if one.name == run)
            lane.control.grants.revoke(grant.id, "noor")
        page.reload()
        assert f"there is no {run}" in page.locator("main").inner_text()
