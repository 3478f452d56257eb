"""What each route answers: the fields of the contract, and links that lead somewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from memlane.surfaces.api import agent_table, described, table
from memlane.surfaces.daemon.http import by_mcp
from memlane.surfaces.web import twins
from tests.flow.homes import a_lane, answer, prompt, said, transcript, write
from tests.rooms.api.http_home import A_RUN, Http, served

NOTE = "Deploys of the shop go through make ship, never kubectl apply"


@pytest.fixture
def http(tmp_path: Path) -> Iterator[Http]:
    records = [
        record for n in (1, 3, 5) for record in (prompt(f"question {n} about ferries", n), answer([said("yes")], n + 1))
    ]
    write(transcript(tmp_path), records)
    with a_lane(tmp_path) as lane:
        lane.capture.sweep()
    with served(tmp_path) as running:
        yield running


def run_of(http: Http) -> str:
    return str(http.ask("GET", "/api/runs").document["data"][0]["id"])


def test_runs_are_listed_with_links_that_lead_somewhere(http: Http) -> None:
    (run,) = http.ask("GET", "/api/runs?limit=5").document["data"]
    assert run["turns"] == 3
    for link in run["_links"].values():
        assert http.ask("GET", link["href"]).status == 200


def test_a_long_run_comes_in_pieces_with_a_link_to_the_next(http: Http) -> None:
    first = http.ask("GET", f"/api/runs/{run_of(http)}?limit=2").document
    assert [turn["n"] for turn in first["data"]["turns"]] == [1, 2]
    rest = http.ask("GET", first["_links"]["next"]["href"]).document
    assert [turn["n"] for turn in rest["data"]["turns"]] == [3]
    assert "next" not in rest["_links"]


def test_the_raw_bytes_are_those_the_agent_wrote(http: Http, tmp_path: Path) -> None:
    told = http.ask("GET", f"/api/runs/{run_of(http)}/raw")
    assert told.body == transcript(tmp_path).read_bytes()
    assert told.headers["content-disposition"].startswith("attachment")


def test_something_that_was_said_is_found(http: Http) -> None:
    found = http.ask("POST", "/api/search", {"query": "ferries", "limit": 2}).document["data"]
    assert len(found) == 2
    assert http.ask("GET", found[0]["_links"]["run"]["href"]).status == 200


@pytest.mark.fault("I6a")
def test_what_a_program_wants_remembered_is_held(http: Http) -> None:
    told = http.ask("POST", "/api/memories", {"text": NOTE})
    assert (told.status, told.document["data"]["state"], told.document["data"]["trust"]) == (201, "held", "agent")
    assert http.ask("GET", told.document["_links"]["self"]["href"]).document["data"]["content"] == NOTE
    assert http.ask("POST", "/api/memories", {"text": NOTE}).status == 200


def test_a_recall_is_written_down_and_can_be_judged(http: Http, tmp_path: Path) -> None:
    with a_lane(tmp_path) as lane:
        from memlane.domain import Scope

        lane.memories.remember(NOTE, tmp_path, scope=Scope.GLOBAL)
    told = http.ask("POST", "/api/recall", {"prompt": "how do deploys of the shop go, make ship or kubectl?"}).document
    (shown,) = told["data"]["shown"]
    assert abs(sum(shown["parts"].values()) - shown["score"]) < 0.001
    verdict = {"memory": shown["id"], "verdict": "up", "recall": told["data"]["recall"]}
    for _try in range(200):  # the answer goes out first; the recall is written down right after it
        given = http.ask("POST", "/api/feedback", verdict)
        if given.status != 404:
            break
        time.sleep(0.02)
    assert given.document["data"]["factor"] == {"before": 1, "after": 1}, "a program is not the person"


def test_how_a_run_went_is_taken(http: Http) -> None:
    told = http.ask("POST", "/api/outcomes", {"run": run_of(http), "outcome": "success"})
    assert (told.status, told.document["data"]["run"]) == (201, run_of(http))


def test_what_is_not_there_is_not_found_whatever_it_is(http: Http) -> None:
    for path in (f"/api/runs/{A_RUN}", f"/api/runs/{A_RUN}/raw", "/api/memories/m_abcdefgh23456"):
        assert (http.ask("GET", path).status, http.ask("GET", path).document["error"]["kind"]) == (404, "not-found")


def test_what_the_description_does_not_name_is_refused(http: Http) -> None:
    assert http.ask("GET", "/api/runs?owner=bob").status == 400
    assert http.ask("POST", "/api/search", {"query": "x", "user": "bob"}).status == 400
    assert http.ask("POST", "/api/search", b"{").status == 400
    assert http.ask("POST", "/api/search?owner=bob", {"query": "x"}).status == 400


def test_the_description_is_of_every_route(http: Http) -> None:
    told = http.ask("GET", "/api/openapi.json").document
    routes = {(route.method.lower(), route.path) for route in table(by_mcp, [*agent_table(), *twins()])}
    assert {(method, path) for path, methods in told["paths"].items() for method in methods} == routes
    assert told == described(table(by_mcp, [*agent_table(), *twins()]))


def test_mcp_is_behind_the_same_door(http: Http) -> None:
    ping = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "search", "arguments": {"query": "ferries"}},
    }
    told = http.ask("POST", "/mcp", ping).document["result"]
    assert not told["isError"]
    assert "r_" in told["content"][0]["text"]
    assert http.ask("POST", "/mcp", {"jsonrpc": "2.0", "method": "notifications/initialized"}).status == 202
    assert http.ask("GET", "/mcp").status == 405


def test_a_recall_that_says_nothing_has_an_empty_brief(http: Http, tmp_path: Path) -> None:
    with a_lane(tmp_path) as lane:
        lane.home.begin()
    told = http.ask("POST", "/api/recall", {"prompt": "how do deploys of the shop go?"}).document
    assert (told["data"]["silent"], told["data"]["brief"]) == (True, "")


def test_runs_are_asked_for_by_their_columns(http: Http) -> None:
    (run,) = http.ask("GET", "/api/runs?kind=talk&outcome=none").document["data"]
    assert http.ask("GET", "/api/runs?kind=change").document["data"] == []
    assert http.ask("GET", "/api/runs?touched=send.py").document["data"] == []
    assert [one["id"] for one in http.ask("GET", "/api/runs?entity=project:app").document["data"]] == [run["id"]]
    found = http.ask("POST", "/api/search", {"query": "ferries", "skill": "nobody-has-it"})
    assert found.document["data"] == []
    assert http.ask("GET", "/api/runs?kind=blue").status == 400
    assert http.ask("GET", "/api/runs?entity=Zed").status == 404


def test_memories_are_listed_by_what_they_are_and_one_says_since_when_it_has_a_vector(
    http: Http, tmp_path: Path
) -> None:
    with a_lane(tmp_path) as lane:
        kept = lane.memories.remember(NOTE, Path("/home/dev/app"))
    kind = kept.type.value
    (one,) = http.ask("GET", f"/api/memories?type={kind},gap&state=active&embedded=yes").document["data"]
    assert one["id"] == kept.id
    assert http.ask("GET", "/api/memories?state=retired").document["data"] == []
    assert http.ask("GET", f"/api/memories?type={kind}&observed=2").document["data"] == []
    assert http.ask("GET", "/api/memories?state=blue").status == 400
    whole = http.ask("GET", f"/api/memories/{kept.id}").document["data"]
    assert whole["saved_at"]
    assert whole["embedded_at"]
    assert whole["embedding_model"]
