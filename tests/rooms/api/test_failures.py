"""One question that fails in a way nobody thought of: it is answered, said in the log, and the next one is answered."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from campaigns.agents import until
from memlane.errors import DamagedError
from memlane.surfaces.api import HttpAddress, HttpListener, HttpReply, RouteRequest
from memlane.surfaces.api.router import Route
from memlane.surfaces.api.rules import reads
from memlane.surfaces.web import in_html
from tests.rooms.api.http_home import TOKEN, Http


class ForeignError(Exception):
    """Of a library, known to nobody here."""


def fails(*_given: object) -> HttpReply:
    raise ForeignError("secret words of /some/path")


def fails_later(*_given: object) -> HttpReply:
    def pieces() -> Iterator[bytes]:
        yield b"the first half"
        raise DamagedError("bytes do not match their digest")

    return HttpReply(200, pieces=pieces())


def works(*_given: object) -> HttpReply:
    return HttpReply(200, b"whole")


def fails_beside(_want: RouteRequest) -> HttpReply:
    raise ForeignError("over there")


ROUTES = [
    Route("GET", "/fails", "", reads(), fails),
    Route("GET", "/later", "", reads(), fails_later),
    Route("GET", "/works", "", reads(), works),
    Route("GET", "/beside", "", reads(), works, beside=True),
]


@pytest.fixture
def served() -> Iterator[tuple[Http, list[str]]]:
    log: list[str] = []
    place = HttpAddress(0, TOKEN)
    serving = HttpListener(
        place,
        ROUTES,
        lambda: None,
        lambda _level, text: log.append(text),
        in_html,
        fails_beside,  # type: ignore[arg-type, return-value]
    )
    yield Http(serving.place.port), log
    serving.close()


@pytest.mark.parametrize("path", ["/fails", "/beside"])
def test_an_error_nobody_thought_of_is_answered_named_and_followed_by_the_next(
    served: tuple[Http, list[str]], path: str
) -> None:
    http, log = served
    for _ in range(3):
        told = http.ask("GET", path)
        assert told.status == 500
        assert b"secret words" not in told.body
        assert str(told.document["error"]["id"]) in log[-1]
    assert http.ask("GET", "/works").body == b"whole"


def test_a_page_that_failed_says_what_to_do_and_under_which_name_the_log_has_it(
    served: tuple[Http, list[str]],
) -> None:
    http, log = served
    told = http.ask("GET", "/fails", accept="text/html")
    named = log[-1].split()[1].rstrip(":").encode()
    assert told.status == 500
    assert (b"lane logs" in told.body, named in told.body) == (True, True)


def test_an_answer_that_breaks_off_ends_its_line_and_nothing_else(served: tuple[Http, list[str]]) -> None:
    http, log = served
    assert http.ask("GET", "/later").body == b"the first half"
    assert until(lambda: any("DamagedError" in line for line in log)), "after its line was closed"
    assert http.ask("GET", "/works").body == b"whole"
