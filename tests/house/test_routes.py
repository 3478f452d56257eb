"""No door without a lock: every route has its rule, and every rule asks for all that it must."""

from __future__ import annotations

import ast
import dataclasses

import pytest

from memlane.app import Lane
from memlane.surfaces.api import central_routes
from memlane.surfaces.api.router import Route
from memlane.surfaces.api.rules import MESSAGE, SHIP, Check
from memlane.surfaces.daemon.http import table
from memlane.surfaces.mcp.tools import TOOLS
from memlane.surfaces.serve.process import table as central
from tests.house.tree import modules

WHO = {Check.TOKEN, Check.PASS, Check.KNOWN}
FOR_ANYBODY = {"GET /enter", "POST /enter", "GET /static/{sha}/{file}"}  # they say nothing about a home


def nobody() -> Lane:
    raise AssertionError("a table is made without a home")


ROUTES = table("0" * 64, nobody)


def test_every_route_asks_for_host_and_origin_and_then_who_it_is() -> None:
    wrong = [
        route.path
        for route in ROUTES
        if route.rule.checks[:2] != (Check.HOST, Check.ORIGIN)
        or (f"{route.method} {route.path}" not in FOR_ANYBODY and route.rule.checks[2] not in WHO)
        or Check.LENGTH not in route.rule.checks
    ]
    assert wrong == []


def test_a_browser_and_a_program_have_doors_of_their_own() -> None:
    """A cookie is the host's, not the port's: whoever else is visited there has seen it."""
    for route in ROUTES:
        program = route.path.startswith(("/api/", "/mcp"))
        assert (Check.TOKEN in route.rule.checks) == program, route.path


def test_a_get_takes_no_body_and_a_post_takes_json_up_to_a_size() -> None:
    for route in ROUTES:
        if route.method == "GET":
            assert route.rule.largest == 0, route.path
        else:
            assert Check.JSON in route.rule.checks, route.path
            assert 0 < route.rule.largest <= MESSAGE, route.path


def test_central_lets_only_a_code_or_a_sign_in_in_without_a_token_and_a_shipper_only_to_what_ships() -> None:
    routes = central_routes()
    assert [route.path for route in routes if Check.TOKEN not in route.rule.checks] == [
        "/api/join",
        "/api/sign-in",
        "/api/sign-in",
        "/api/join/rules",
    ]
    assert {route.path for route in routes if route.rule.right == SHIP} == {"/api/ship", "/api/rules"}
    assert all(route.rule.checks[:2] == (Check.HOST, Check.ORIGIN) for route in routes)
    assert all(0 < route.rule.largest <= 16 << 20 for route in routes if route.method == "POST")


def test_a_route_cannot_be_made_without_a_rule() -> None:
    (rule,) = [field for field in dataclasses.fields(Route) if field.name == "rule"]
    assert rule.default is dataclasses.MISSING
    assert rule.default_factory is dataclasses.MISSING


def test_routes_are_made_in_tables() -> None:
    made = {
        module.name
        for module in modules()
        for node in module.nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Route"
    }
    assert {name for name in made if not name.endswith("routes.py")} == set()


@pytest.mark.fault("J4")
def test_only_one_place_listens_on_a_network_and_only_at_home() -> None:
    binds = [
        module.name
        for module in modules()
        for node in module.nodes
        if isinstance(node, ast.Attribute) and node.attr == "AF_INET" and module.name.startswith("surfaces/")
    ]
    assert set(binds) <= {"surfaces/api/listener.py"}


def test_no_tool_and_no_route_is_given_a_path() -> None:
    """What names a thing has a pattern; what is free text is never opened."""
    named = {"run", "memory", "recall", "token", "project"}
    fields = [
        (where, name, schema)
        for where, takes in [
            *((name, tool.takes) for name, tool in TOOLS.items()),
            *((route.path, route.takes) for route in ROUTES if route.takes),
        ]
        for name, schema in takes["properties"].items()  # type: ignore[attr-defined]
    ]
    assert [(where, name) for where, name, schema in fields if name in named and "pattern" not in schema] == []
    assert [(where, name) for where, name, _ in fields if name in ("path", "file", "cwd", "folder", "url")] == []


def test_central_writes_down_every_answer_that_hands_out_runs_or_memories() -> None:
    """The others: one's own machine ships, saves or judges; Central's own records have a witness of
    their own, and a mark says no more than whether something changed."""
    silent = {f"{route.method} {route.path}" for route in central() if not (route.audit or route.own)}
    assert silent == {
        "POST /api/memories",
        "POST /api/feedback",
        "POST /api/outcomes",
        "GET /api/openapi.json",
        "POST /api/ship",
        "GET /api/ship",
        "POST /api/lines",
        "POST /api/shares/mark",
    }
