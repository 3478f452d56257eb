"""`lane ui` as a person types it: a port that stays, a daemon that answers there, a code that lets one browser in."""

from __future__ import annotations

import http.client
import json
import re
import socket
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import pytest

from memlane.surfaces.api.listener import MOST_CONNECTIONS
from tests.acceptance.command_line import misfits, schema_of
from tests.acceptance.hooks import NOTE, HookHome, installed
from tests.conftest import LaneHome


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: str


@pytest.fixture
def hooked(lane_home: LaneHome) -> Iterator[HookHome]:
    made = installed(lane_home.home, lane_home.path)
    with made.lane() as lane:
        lane.memories.remember(NOTE, made.project)
    yield made
    made.end()


def at_a_port_of_its_own(hooked: HookHome) -> None:
    """Other tests may choose one at the same moment."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    assert hooked.command("config", "set", "http.port", str(port)).returncode == 0


def opened(hooked: HookHome) -> tuple[str, str]:
    """Where, as a browser says it, and the code."""
    done = hooked.command("ui", "--no-open", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert misfits(document, schema_of(document)) == []
    base, _, code = document["data"]["address"].partition("/enter#")
    assert re.fullmatch(rf"http://lane-[0-9a-f]{{20}}\.localhost:{document['data']['port']}", base)
    assert document["data"]["opened"] is False
    return base.removeprefix("http://"), code


def asked(place: str, method: str, path: str, body: object = None, cookie: str = "") -> Answer:
    line = http.client.HTTPConnection("127.0.0.1", port_of(place), timeout=20)
    headers = {"Host": place, "Accept": "text/html", **({"Cookie": cookie} if cookie else {})}
    if body is not None:
        headers["Content-Type"] = "application/json"
    line.request(method, path, json.dumps(body) if body is not None else None, headers)
    answer = line.getresponse()
    found = Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read().decode())
    line.close()
    return found


def port_of(place: str) -> int:
    return int(place.rpartition(":")[2])


@pytest.mark.fault("J10")
def test_a_code_is_good_for_one_browser_and_its_pass_outlives_the_daemon(hooked: HookHome) -> None:
    at_a_port_of_its_own(hooked)
    place, code = opened(hooked)
    assert asked(place, "GET", "/memories").status == 401
    entered = asked(place, "POST", "/enter", {"code": code})
    cookie = entered.headers["set-cookie"]
    assert (entered.status, "HttpOnly" in cookie, "SameSite=Strict" in cookie) == (200, True, True)
    assert asked(place, "POST", "/enter", {"code": code}).status == 400
    carried = cookie.partition(";")[0]
    assert NOTE in asked(place, "GET", "/memories", cookie=carried).body
    assert asked(place, "GET", "/api/runs", cookie=carried).status == 401
    assert hooked.command("daemon", "restart").returncode == 0
    again, other = opened(hooked)
    assert (again, other != code) == (place, True)
    assert NOTE in asked(place, "GET", "/memories", cookie=carried).body


def test_nobody_signs_in_under_a_name_that_other_servers_have_too(hooked: HookHome) -> None:
    at_a_port_of_its_own(hooked)
    place, code = opened(hooked)
    for host in ("127.0.0.1", "localhost"):
        refused = asked(f"{host}:{port_of(place)}", "POST", "/enter", {"code": code})
        assert (refused.status, "lane ui" in refused.body, "set-cookie" in refused.headers) == (400, True, False)
    assert asked(place, "POST", "/enter", {"code": code}).status == 200  # the code was not used up


def test_a_pass_ends_with_the_token_it_was_made_from(hooked: HookHome) -> None:
    at_a_port_of_its_own(hooked)
    place, code = opened(hooked)
    carried = asked(place, "POST", "/enter", {"code": code}).headers["set-cookie"].partition(";")[0]
    assert asked(place, "GET", "/memories", cookie=carried).status == 200
    (hooked.run / "token").unlink()
    assert hooked.command("daemon", "restart").returncode == 0
    former, (place, code) = place, opened(hooked)
    assert asked(former, "GET", "/memories", cookie=carried).status == 421  # its name has changed as well
    assert asked(place, "GET", "/memories", cookie=carried).status == 401
    assert asked(place, "POST", "/memories/add", {"text": "Replayed"}, cookie=carried).status == 401
    fresh = asked(place, "POST", "/enter", {"code": code}).headers["set-cookie"].partition(";")[0]
    assert asked(place, "GET", "/memories", cookie=fresh).status == 200


def test_a_crowd_at_the_port_keeps_no_hook_and_no_browser_waiting(hooked: HookHome) -> None:
    at_a_port_of_its_own(hooked)
    place, code = opened(hooked)
    crowd = [socket.create_connection(("127.0.0.1", port_of(place))) for _ in range(3 * MOST_CONNECTIONS)]
    try:
        for line in crowd:
            with suppress(OSError):
                line.sendall(b"GET /enter HT")
        assert NOTE in hooked.told()
        assert asked(place, "POST", "/enter", {"code": code}).status == 200
    finally:
        for line in crowd:
            line.close()


def test_codes_are_their_owners_alone_and_no_file_says_one(hooked: HookHome) -> None:
    _place, code = opened(hooked)
    folder = hooked.run / "codes"
    (place,) = folder.iterdir()
    assert (stat.S_IMODE(folder.stat().st_mode), stat.S_IMODE(place.stat().st_mode)) == (0o700, 0o600)
    assert code not in place.name
    assert place.read_bytes() == b""


@pytest.mark.fault("J9")
def test_a_port_that_is_taken_is_left_to_whoever_has_it(hooked: HookHome) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        assert hooked.command("config", "set", "http.port", str(taken)).returncode == 0
        done = hooked.command("ui", "--no-open")
        assert (done.returncode, str(taken) in done.stderr.decode()) == (1, True)
        other.settimeout(0)
        with pytest.raises(BlockingIOError):
            other.accept()  # nobody has told it anything


def test_without_a_home_it_says_how_to_get_one(lane_home: LaneHome) -> None:
    made = HookHome(lane_home.home, lane_home.path / "none", lane_home.path)
    done = made.command("ui", "--no-open")
    assert (done.returncode, b"lane init" in done.stderr) == (3, True)
