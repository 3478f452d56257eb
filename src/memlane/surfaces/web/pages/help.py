"""Pages with nothing of a home in them: what each key does, and every state a list can be in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memlane.surfaces.api import RouteRequest
from memlane.surfaces.web.views import PageView, view

if TYPE_CHECKING:
    from memlane.app import Lane

GROUPS = (
    (
        "Everywhere",
        (
            ("Ctrl K", "search everything, or go anywhere"),
            ("/", "search or filter this page"),
            ("↓  ↑", "in the box at the top: move through the suggestions"),
            ("g …", "go to a page of the menu, by its letter"),
            ("j  k", "next and previous in a list"),
            ("Enter  o", "open it"),
            ("T", "change the theme"),
            ("z", "undo your last change"),
            ("?", "this help"),
            ("Ctrl Enter", "in a field: send the form (⌘ Enter on a Mac)"),
            ("Esc", "leave a field; close what is open"),
        ),
    ),
    (
        "Lane",
        (
            ("u", "useful"),
            ("d", "not useful"),
            ("w", "why it was recalled"),
            ("p", "pause that memory"),
            ("X", "forget it"),
            ("L", "pause or resume new recalls"),
        ),
    ),
    (
        "A run",
        (
            ("J  K", "next and previous prompt"),
            ("e  E", "next and previous error"),
            ("r", "next recall or memory"),
            ("t", "open or fold this step"),
            ("f", "how much is folded"),
            ("n  N", "next and previous match"),
            ("y  c", "copy a link to this step, or its text"),
        ),
    ),
    (
        "Memories",
        (
            ("x", "select; p, y and X then apply to the selection"),
            ("M", "merge the selection; y on the next page confirms"),
            ("e", "edit the one that is open"),
            ("p", "pause or resume"),
            ("X", "forget"),
            ("y  n", "in review: keep, forget"),
            ("s", "in review: later"),
        ),
    ),
    (
        "Names",
        (
            ("1 … 9", "choose this one"),
            ("n", "someone new"),
            ("0", "not a name"),
            ("a", "in every project"),
            ("Space", "later"),
        ),
    ),
    (
        "Pictures",
        (
            ("←  →", "tree: fold, open; river: next week; map: next in that direction"),
            ("↑  ↓", "tree and map: the one above, below"),
            ("+  -", "map: zoom in, out"),
            ("Enter", "open it"),
            ("Esc", "map: show everything"),
        ),
    ),
)


def keys(_lane: Lane, _want: RouteRequest) -> PageView:
    return view("keys.html", "Keys", groups=GROUPS)


def gallery(_lane: Lane, _want: RouteRequest) -> PageView:
    return view("gallery.html", "Gallery")
