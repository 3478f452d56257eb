"""The door: a browser shows its one-time code and is given a pass. What the code opens, the rules decide."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from memlane.errors import UsageError
from memlane.surfaces.api import Reply, Want
from memlane.surfaces.api.passes import cookie, issued
from memlane.surfaces.api.router import Handler
from memlane.surfaces.web import render
from memlane.surfaces.web.views import field

if TYPE_CHECKING:
    from memlane.app import Lane


def door(_lane: Lane, _want: Want) -> Reply:
    return render.alone("enter.html", "Come in")


def enters(token: str) -> Handler:
    """With the token that passes are made from."""

    def enter(lane: Lane, want: Want) -> Reply:
        if not lane.access.accept(field(want, "code")):
            raise UsageError("this code is used up, too old or wrong", hint="lane ui")
        given = {"Set-Cookie": cookie(issued(token))}
        return Reply(200, msgspec.json.encode({"says": "", "undo": "", "go": "/"}), headers=given)

    return enter
