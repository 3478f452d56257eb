"""Every state a list can be in, side by side: what the eye and the tests look at. Nothing of a home is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlane.surfaces.api import Want
from memlane.surfaces.web.views import View, view

if TYPE_CHECKING:
    from memlane.app import Lane


def page(_lane: Lane, _want: Want) -> View:
    return view("gallery.html", "Gallery")
