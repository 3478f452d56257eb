"""What programs read about us is what answers them."""

from __future__ import annotations

from tools.protocols import OPENAPI, http_page, mcp_page, openapi_text

REFERENCE = OPENAPI.parent


def test_the_description_of_the_routes_is_of_these_routes() -> None:
    assert OPENAPI.read_text() == openapi_text(), "run: python -m tools.protocols"


def test_every_tool_and_every_route_has_its_line_on_a_page() -> None:
    assert mcp_page() in (REFERENCE / "mcp.md").read_text(), "run: python -m tools.pages"
    assert http_page() in (REFERENCE / "http.md").read_text(), "run: python -m tools.pages"
