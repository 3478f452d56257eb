"""Every page as a program reads it: the same data, behind the same door."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memlane.domain import Scope
from memlane.surfaces.web.routes import PAGES, twins
from tests.flow.homes import a_lane, answer, prompt, said, transcript, write
from tests.rooms.api.http_home import Http, served

NOTE = "Deploys of the shop go through make ship, never kubectl apply"


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Http]:
    folder = tmp_path_factory.mktemp("h")
    write(transcript(folder), [prompt("how do ferries go?"), answer([said("over water")])])
    with a_lane(folder) as lane:
        lane.capture.sweep()
        lane.memories.remember(NOTE, Path("/"), scope=Scope.GLOBAL)
        lane.recall.keep(lane.recall.asked("how do deploys of the shop go, make ship or kubectl?", Path("/")))
    with served(folder) as running:
        yield running


def test_every_page_has_one(http: Http) -> None:
    told = http.ask("GET", "/api/openapi.json").document["paths"]
    pages = {page.path for page in PAGES} - {"/", "/_gallery"}  # `/` is the lane
    assert {f"{path}.json" for path in pages} <= set(told)
    alone = [route.path for route in twins() if "{" not in route.path]
    answers = {path: http.ask("GET", path).status for path in alone}
    assert {path for path, status in answers.items() if status not in (200, 400, 404)} == set()
    assert {path for path, status in answers.items() if status == 200} >= {"/lane.json", "/runs.json", "/memories.json"}


def test_it_says_what_the_page_shows(http: Http) -> None:
    memories = http.ask("GET", "/memories.json?q=kubectl").document
    (found,) = memories["data"]["memories"]
    assert (memories["data"]["title"], memories["_links"]["page"]["href"]) == ("Memories", "/memories")
    assert NOTE in str(found)
    assert http.ask("GET", "/memories.json?q=nothing").document["data"]["total"] == 0
    (run,) = http.ask("GET", "/api/runs").document["data"]
    read = http.ask("GET", f"/runs/{run['id']}.json").document
    assert "how do ferries go?" in str(read["data"]["lines"])


def test_a_program_and_a_browser_may_ask_and_nobody_else(http: Http) -> None:
    assert http.ask("GET", "/memories.json", cookie=None).status == 200
    assert http.ask("GET", "/memories.json", authorization=None).status == 200
    assert http.ask("GET", "/memories.json", cookie=None, authorization=None).status == 401
    assert http.ask("GET", "/memories.json?owner=bob").status == 400
    assert http.ask("GET", "/runs/r_abcdefgh23456.json").status == 404
    assert http.ask("GET", "/runs/.json").status == 404


@pytest.mark.fault("J11")
def test_no_password_in_an_address_is_read_back(tmp_path: Path) -> None:
    with a_lane(tmp_path) as lane:
        lane.home.begin()
    (tmp_path / "lane" / "config.toml").write_text('[catch]\nurl = "http://ann:hunter2@127.0.0.1:1/v1"\n')
    with served(tmp_path) as http:
        for path in ("/settings", "/settings.json"):
            told = http.ask("GET", path).body
            assert (b"http://ann:" in told, b"hunter2" in told) == (True, False), path
