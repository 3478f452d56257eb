"""Pages without a home behind them: the door, where a one-time code becomes a pass, and what went wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from memlane.errors import UsageError
from memlane.surfaces.api import HttpFailure, HttpReply, RouteRequest, in_json
from memlane.surfaces.api.http import HttpRequest
from memlane.surfaces.api.router import Handler
from memlane.surfaces.api.rules import HttpAddress, browser_of, cookie, issued
from memlane.surfaces.web import html
from memlane.surfaces.web.fixes import fix_for
from memlane.surfaces.web.views import field

if TYPE_CHECKING:
    from memlane.app import Lane


def door(_lane: Lane, _want: RouteRequest) -> HttpReply:
    return html.alone("enter.html", "Come in")


def enters(token: str) -> Handler:
    """With the token that passes are made from."""

    def enter(lane: Lane, want: RouteRequest) -> HttpReply:
        browser = browser_of(want.asked)
        if browser.host != HttpAddress(0, token).host:
            raise UsageError(
                "this address is shared with other servers; use the one that lane ui printed", hint="lane ui"
            )
        if not lane.access.accept(field(want, "code")):
            raise UsageError("this code is used, expired or wrong", hint="lane ui")
        given = {"Set-Cookie": cookie(issued(token, browser))}
        return HttpReply(200, msgspec.json.encode({"says": "", "undo": "", "go": "/"}), headers=given)

    return enter


PROGRAMS = ("/api/", "/mcp", "/events", "/static/")
TITLES = {
    400: "Invalid request",
    401: "This browser is not signed in",
    403: "Not allowed from that page",
    404: "Page not found",
    409: "Memory Lane is not set up here yet",
    503: "Busy",
}


def in_html(asked: HttpRequest | None, wrong: HttpFailure) -> HttpReply:
    wants = asked is not None and asked.method == "GET" and "text/html" in asked.headers.get("accept", "")
    if asked is None or not wants or asked.path.startswith(PROGRAMS):
        return in_json(asked, wrong)
    title = TITLES.get(wrong.status, "That did not work")
    return html.alone("wrong.html", title, wrong.status, wrong=wrong, fix=fix_for(wrong.hint))
