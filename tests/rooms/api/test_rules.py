"""Who is refused, on every route there is: the grid is made from the table that answers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from memlane.app import Lane
from memlane.surfaces.api.http import RefusedError, understood
from memlane.surfaces.api.router import Route
from memlane.surfaces.api.rules import IDLE, BrowserSign, Check, issued
from memlane.surfaces.daemon.http import table
from tests.examples import examples
from tests.rooms.api.http_home import HOST, PARTS, TOKEN, Http, served


def nobody() -> Lane:
    raise AssertionError("a table is made without a home")


ROUTES = table(TOKEN, nobody)
BODY = b'{"a":1}'
FORGED_HOSTS = (
    *("evil.example", "127.0.0.1", "localhost", "127.0.0.1.evil:{port}", "127.0.0.1:{port}.", "LOCALHOST:{port}"),
    *("x@127.0.0.1:{port}", "127.0.0.1:1", "127.0.0.1:{port}, evil.example", "[::1]", "0.0.0.0:{port}", ""),
)
FORGED_ORIGINS = (
    *("null", "http://evil.example", "file://", "https://127.0.0.1:{port}", "http://127.0.0.1", "http://127.0.0.1:1"),
    *("http://127.0.0.1:{port}.evil.example", "http://127.0.0.1:{port}/", "", "chrome-extension://abc"),
)
TOKENS = (None, "", f"Bearer {'8' * 64}", f"Bearer {TOKEN}x", f"bearer {TOKEN}", TOKEN, f"Basic {TOKEN}", "Bearer ")
TRAVERSALS = (
    *("..", "../../etc/passwd", "%2e%2e", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "..%5c..%5cx", "r_%00abcd", "r_abcd%2f.."),
    *("//etc/passwd", "r_abcd/../../../etc", ".", "r_ABCDEFGH23456", "r_" + "a" * 5000, "file:", "~", "*", "r_abcd;x"),
)


HERE = BrowserSign(HOST)
PASSES = (
    *(
        None,
        "",
        "lane=",
        "lane=1.2",
        f"lane={TOKEN}",
        f"lane={issued('8' * 64, HERE)}",
        f"lane={issued(TOKEN, HERE, 0)}",
    ),
    *(
        f"lane={issued(TOKEN, HERE)}; lane={issued(TOKEN, HERE)}",
        f"Lane={issued(TOKEN, HERE)}",
        f"lane={issued(TOKEN, HERE)}0",
    ),
)


def path_of(route: Route, **parts: str) -> str:
    path = "/events?nothing=1" if route.path == "/events" else route.path  # it would never end
    for name, value in {**PARTS, **parts}.items():
        path = path.replace(f"{{{name}}}", value)
    return path


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Http]:
    with served(tmp_path_factory.mktemp("h")) as running:
        yield running


@pytest.fixture(params=ROUTES, ids=lambda route: f"{route.method} {route.path}")
def route(request: pytest.FixtureRequest) -> Route:
    found: Route = request.param
    return found


def asked(http: Http, route: Route, **headers: str | None) -> int:
    body = BODY if route.method == "POST" else None
    return http.ask(route.method, path_of(route), body, **headers).status


@pytest.mark.fault("J1")
def test_a_forged_host_is_refused_before_anything_else(http: Http, route: Route) -> None:
    for host in FORGED_HOSTS:
        assert asked(http, route, host=host.format(port=http.port)) == 421, host
    assert asked(http, route, host=None) == 421
    both = f"{route.method} {path_of(route)} HTTP/1.1\r\nHost: 127.0.0.1:{http.port}\r\nHost: evil.example\r\n"
    assert http.send(f"{both}Authorization: Bearer {TOKEN}\r\n\r\n".encode()).status == 421


@pytest.mark.fault("J2")
def test_a_page_from_elsewhere_is_refused_even_with_the_token(http: Http, route: Route) -> None:
    for origin in FORGED_ORIGINS:
        assert asked(http, route, origin=origin.format(port=http.port)) == 403, origin
    for site in ("cross-site", "same-site"):
        assert asked(http, route, sec_fetch_site=site) == 403


def test_without_the_token_no_program_and_without_a_pass_no_browser_is_answered(http: Http, route: Route) -> None:
    if Check.TOKEN in route.rule.checks:
        for token in TOKENS:
            assert asked(http, route, authorization=token) == 401, token
    elif Check.PASS in route.rule.checks:
        for carried in PASSES:
            assert asked(http, route, cookie=carried) == 401, carried
    elif Check.KNOWN in route.rule.checks:
        for token, carried in product(TOKENS, PASSES):
            assert asked(http, route, authorization=token, cookie=carried) == 401, (token, carried)


@pytest.mark.fault("J10")
def test_a_token_or_a_pass_in_the_address_opens_nothing(http: Http, route: Route) -> None:
    if {Check.TOKEN, Check.PASS, Check.KNOWN} & set(route.rule.checks):
        address = f"{route.path}?token={TOKEN}&lane={issued(TOKEN, HERE)}"
        for name, value in PARTS.items():
            address = address.replace(f"{{{name}}}", value)
        assert http.ask(route.method, address, None, authorization=None, cookie=None).status == 401


def test_what_is_not_there_is_nobodys_business_but_who_is_known(http: Http) -> None:
    assert http.ask("GET", "/nothing", authorization=None, cookie=None).status == 401
    assert http.ask("GET", "/nothing", authorization=None).status == 404
    assert http.ask("GET", "/nothing", cookie=None).status == 404


def test_a_pass_ends_with_its_time_and_is_no_token(http: Http) -> None:
    old = issued(TOKEN, HERE, time.time() - IDLE - 1)
    assert http.ask("GET", "/runs", cookie=f"lane={old}").status == 401
    assert http.ask("GET", "/api/runs", authorization=None).status == 401
    assert http.ask("GET", "/api/runs", authorization=f"Bearer {issued(TOKEN, HERE)}").status == 401


def test_what_is_too_large_is_refused_before_it_is_read(http: Http, route: Route) -> None:
    length = str(route.rule.largest + 1)
    kind = "application/json"
    assert http.ask(route.method, path_of(route), None, content_length=length, content_type=kind).status == 413


@pytest.mark.fault("E9")
def test_a_post_is_json_with_its_length(http: Http, route: Route) -> None:
    if route.method == "POST":
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", None, "text/json"):
            assert asked(http, route, content_type=kind) == 415, kind
        assert asked(http, route, content_length=None) == 411
        assert asked(http, route, transfer_encoding="chunked") == 411


@pytest.mark.fault("J2", "L4")
def test_no_answer_lets_a_page_read_it(http: Http, route: Route) -> None:
    told = http.ask(route.method, path_of(route), BODY if route.method == "POST" else None)
    assert not [name for name in told.headers if name.startswith("access-control")]
    assert told.headers["x-content-type-options"] == "nosniff"
    if not route.path.startswith("/static/"):
        assert told.headers["cache-control"] == "no-store"
    assert "frame-ancestors 'none'" in told.headers["content-security-policy"]


@pytest.mark.fault("J2")
def test_other_methods_have_no_effect(http: Http, route: Route) -> None:
    known = {each.method for each in ROUTES if each.path == route.path}
    for method in {"GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE"} - known:
        told = http.ask(method, path_of(route), None)
        assert (told.status, "allow" in told.headers) == (405, True), method


@pytest.mark.fault("J5")
@pytest.mark.parametrize("name", TRAVERSALS)
def test_no_path_leads_out(http: Http, name: str) -> None:
    for route in ROUTES:
        if "{" in route.path:
            path = path_of(route, **dict.fromkeys(PARTS, name))
            assert http.ask(route.method, path).status in (400, 404), path
    assert http.ask("GET", f"/{name}").status in (400, 404)
    assert http.ask("GET", f"/api/{name}").status in (400, 404)


@pytest.mark.fault("J5")
@pytest.mark.parametrize("name", TRAVERSALS)
def test_no_name_in_a_body_leads_out(http: Http, name: str) -> None:
    for path, fields in (
        ("/api/outcomes", {"run": name, "outcome": "success"}),
        ("/api/feedback", {"memory": name, "verdict": "up"}),
    ):
        assert http.ask("POST", path, fields).status == 400
    told = http.ask("POST", "/api/search", {"query": "x", "project": name})
    assert told.status in (400, 404, 409)


@pytest.mark.fault("J7")
@pytest.mark.parametrize(
    "raw",
    [
        b"GET /api/runs\r\n\r\n",
        b"GET http://127.0.0.1/api/runs HTTP/1.1\r\n\r\n",
        b"get /api/runs HTTP/1.1\r\n\r\n",
        b"GET /api/runs HTTP/1.1\r\nX : y\r\n\r\n",
        b"GET /api/runs HTTP/1.1\r\nA: b\r\n folded\r\n\r\n",
        b"GET /api/runs HTTP/1.1\nHost: x\n\r\n\r\n",
        b"GET /api/runs HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"GET /api/runs HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"GET /api/runs HTTP/1.1\r\nContent-Length: 0x5\r\n\r\n",
        b"GET /api/runs HTTP/1.1\r\nA\0: b\r\n\r\n",
        b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03\r\n\r\n",
    ],
)
def test_what_two_readers_could_read_differently_is_not_read(http: Http, raw: bytes) -> None:
    assert http.send(raw).status == 400


@pytest.mark.fault("J7")
def test_a_second_request_behind_the_first_is_never_answered(http: Http) -> None:
    one = f"GET /api/openapi.json HTTP/1.1\r\nHost: 127.0.0.1:{http.port}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
    told = http.send((one + one).encode())
    assert (told.status, told.body.count(b'"openapi"')) == (200, 1)


def test_who_does_not_say_what_they_want_is_not_waited_for(http: Http, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memlane.surfaces.api.http.PATIENCE", 0.1)
    assert http.send(b"GET /api/runs HTTP/1.1\r\nHost: ").status == 408
    line = f"POST /api/search HTTP/1.1\r\nHost: 127.0.0.1:{http.port}\r\nAuthorization: Bearer {TOKEN}\r\n"
    assert http.send(f"{line}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{{".encode()).status == 408


@pytest.mark.fault("E9")
def test_a_head_that_never_ends_is_refused(http: Http) -> None:
    assert http.send(b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 5000 + b"\r\n").status == 431


@pytest.mark.fault("E9")
@given(some.binary(max_size=200))
@settings(max_examples=examples(75), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_bytes_are_more_than_refused(raw: bytes) -> None:
    for head in (raw, b"GET /api/runs HTTP/1.1\r\n" + raw):
        assert 200 <= status_of(head) < 500


def status_of(head: bytes) -> int:
    try:
        understood(head)
    except RefusedError as refused:
        return refused.status
    return 200


@pytest.mark.fault("J8")
def test_what_goes_wrong_inside_says_nothing_of_the_inside(tmp_path: Path) -> None:
    def broken(*_given: object) -> object:
        raise OSError(5, "secret words", "/some/path")

    from memlane.surfaces.api import HttpAddress, HttpListener

    log: list[str] = []
    routes = table(TOKEN, nobody)
    serving = HttpListener(HttpAddress(0, TOKEN), routes, broken, lambda _level, text: log.append(text))  # type: ignore[arg-type]
    try:
        told = Http(serving.place.port).ask("GET", "/api/runs")
    finally:
        serving.close()
    assert (told.status, b"secret words" in told.body, b"/some/path" in told.body) == (500, False, False)
    assert told.document["error"]["id"] in log[0]
