"""What went wrong, as a page, for a browser that asked for one; everybody else gets JSON."""

from __future__ import annotations

from memlane.surfaces.api import Reply, Wrong, in_json
from memlane.surfaces.api.asked import Asked
from memlane.surfaces.web import render

PROGRAMS = ("/api/", "/mcp", "/events", "/static/")
TITLES = {
    400: "That was not understood",
    401: "This browser was not let in",
    403: "Not from there",
    404: "There is nothing here",
    409: "Nothing is set up here yet",
    503: "Busy",
}


def in_html(asked: Asked | None, wrong: Wrong) -> Reply:
    wants = asked is not None and asked.method == "GET" and "text/html" in asked.headers.get("accept", "")
    if asked is None or not wants or asked.path.startswith(PROGRAMS):
        return in_json(asked, wrong)
    title = TITLES.get(wrong.status, "That did not work")
    return render.alone("wrong.html", title, wrong.status, wrong=wrong)
