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
            ("/", "search or filter what is in front of you"),
            ("↓  ↑", "in the box at the top: through what fits"),
            ("g …", "go to a page of the menu, by its letter"),
            ("j  k", "next and previous in a list"),
            ("Enter  o", "open it"),
            ("T", "change the theme"),
            ("z", "take back the last thing you did here"),
            ("?", "these keys"),
            ("Esc", "out of a field; close what is open"),
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
            ("L", "hold new ones back, or not"),
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
            ("n  N", "next and previous of what find found"),
            ("y  c", "copy a link to this step, or its text"),
        ),
    ),
    (
        "Memories",
        (
            ("x", "select; p, y and X then mean all that are selected"),
            ("M", "merge what is selected; y on the next page does it"),
            ("e", "edit the one that is open"),
            ("p", "pause, or recall again"),
            ("X", "forget"),
            ("y  n", "in review: keep, forget"),
            ("s", "in review: later"),
        ),
    ),
    (
        "Names",
        (
            ("1 … 9", "this one is meant"),
            ("n", "somebody new"),
            ("0", "not a name"),
            ("a", "in every project, not only here"),
            ("Space", "later"),
        ),
    ),
    (
        "Pictures",
        (
            ("←  →", "tree: fold, open; river: a week on; map: the next one there"),
            ("↑  ↓", "tree and map: the one above, below"),
            ("+  -", "map: nearer, farther"),
            ("Enter", "what is behind it"),
            ("Esc", "map: all of it again"),
        ),
    ),
)


def keys(_lane: Lane, _want: RouteRequest) -> PageView:
    return view("keys.html", "Keys", groups=GROUPS)


def gallery(_lane: Lane, _want: RouteRequest) -> PageView:
    return view("gallery.html", "Gallery")
