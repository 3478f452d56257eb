"""What a page hands over: a template and what stands in it; and what an act says when it is done. Knows no HTML."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlane.surfaces.api import Want

if TYPE_CHECKING:
    from memlane.app import Lane


@dataclass(frozen=True, slots=True)
class View:
    """A template that extends `layout.html` is a page; one that does not is a part of one."""

    template: str
    title: str
    values: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Done:
    """What an act did, in a sentence; the id of what `undo` takes back; where to go now, if not back to the page."""

    says: str
    undo: str = ""
    go: str = ""


Shows = Callable[["Lane", Want], View]
Does = Callable[["Lane", Want], Done]


def view(template: str, title: str, **values: object) -> View:
    return View(template, title, values)


def field(want: Want, name: str, otherwise: str = "") -> str:
    """A field of the query or the body, as text."""
    return str(want.fields.get(name, otherwise)).strip()


def number(want: Want, name: str, otherwise: int) -> int:
    found = want.fields.get(name)
    return found if isinstance(found, int) else otherwise
