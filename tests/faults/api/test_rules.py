"""A crowd that says nothing."""

from __future__ import annotations

import socket

import pytest

from memlane.surfaces.api.listener import MOST_CONNECTIONS
from tests.acceptance.hooks import until
from tests.rooms.api.http_home import Http


def test_a_crowd_that_says_nothing_is_kept_small_and_the_rest_are_answered_when_it_has_left(
    http: Http, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memlane.surfaces.api.http.PATIENCE", 1.0)
    crowd = [socket.create_connection(("127.0.0.1", http.port)) for _ in range(3 * MOST_CONNECTIONS)]
    try:
        closed = 0
        for line in crowd:
            line.settimeout(5)
            closed += line.recv(1) == b""  # a refusal has words, a closed door has none
    finally:
        for line in crowd:
            line.close()
    assert closed >= MOST_CONNECTIONS
    assert until(lambda: http.ask("GET", "/api/openapi.json").status == 200)
