"""The page of runs: what one asks by is seen, taken away by a click, and still there after the next search."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.flow.homes import a_lane, answer, called, prompt, transcript, write
from tests.rooms.api.http_home import Http, served


@pytest.fixture
def http(tmp_path: Path) -> Iterator[Http]:
    """One run that went well and touched a file."""
    write(transcript(tmp_path), [prompt("fix it"), answer([called("Edit", {"file_path": "/home/dev/app/send.py"})])])
    with a_lane(tmp_path) as lane:
        lane.capture.sweep()
        (run,) = lane.runs.select()
        lane.runs.outcomes.outcome(run.id, success=True, by="person")
    with served(tmp_path) as opened:
        yield opened


def page(http: Http, query: str) -> str:
    return http.ask("GET", f"/runs?{query}").body.decode()


def total(html: str) -> str:
    return re.findall(r'<p class="summary muted">([^<]*?)(?: · <a|</p>)', html)[0]


@pytest.mark.parametrize(
    ("query", "runs"),
    [
        ("outcome=success", "1 run"),
        ("outcome=failure", "0 runs"),
        ("touched=send.py", "1 run"),
        ("touched=other.py", "0 runs"),
        ("entity=project:app", "1 run"),
    ],
)
def test_runs_are_chosen_by_their_columns(http: Http, query: str, runs: str) -> None:
    assert total(page(http, query)) == runs


def test_what_is_chosen_is_seen_and_a_search_keeps_it(http: Http) -> None:
    html = page(http, "outcome=success&touched=send.py&entity=project:app")
    chips = re.findall(r'<a class="chip" href="([^"]*)"><span class="muted">(.*?)</span> (.*?) <', html)
    fields = ("entity", "touched", "outcome")
    assert [chip[1:] for chip in chips] == [("entity", "project:app"), ("file", "send.py"), ("outcome", "went well")]
    assert [[one for one in fields if f"{one}=" in href] for href, _name, _value in chips] == [
        ["touched", "outcome"],
        ["entity", "outcome"],
        ["entity", "touched"],
    ]
    kept = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', html))
    assert kept == {"entity": "project:app", "touched": "send.py"}
    assert '<option value="success" selected>' in html


def test_a_file_of_a_run_leads_to_the_others_that_touched_it(http: Http) -> None:
    (run,) = http.ask("GET", "/api/runs").document["data"]
    (link,) = re.findall(r'href="(/runs\?touched=[^"]*)"', http.ask("GET", f"/runs/{run['id']}").body.decode())
    assert total(http.ask("GET", link).body.decode()) == "1 run"
