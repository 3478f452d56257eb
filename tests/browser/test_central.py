"""The pages about a Central in its own home: its machines, people and audit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from memlane.app.control import AuditLine, Joining
from memlane.domain.identity import random_id
from tests.browser.site import NARROW, THEMES, WIDE, Site, barriers, let_in, served, sideways, watched

PAGES = ("machines", "people", "audit")


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
