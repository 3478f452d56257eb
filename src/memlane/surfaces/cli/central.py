"""Where a command about Central's records is answered: on Central's own home, or by the Central this machine joined."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from memlane.errors import NotSetUpError, UsageError
from memlane.surfaces.cli.screen import Screen

if TYPE_CHECKING:
    from memlane.app import Lane

Row = Mapping[str, object]
HERE = "lane serve, on the computer that shall be Central; or lane join URL"


def must_be_central(lane: Lane) -> None:
    if not lane.control.is_central:
        raise NotSetUpError("this home is no Central and has joined none", hint=HERE)


def must_be_on_central(lane: Lane, what: str, hint: str) -> None:
    if lane.shipment.member is not None:
        raise UsageError(f"{what} is done on Central's own computer", hint=hint)
    must_be_central(lane)


def asked(lane: Lane, path: str, fields: Mapping[str, object] | None = None) -> object:
    """Of the Central this machine joined; None: it has joined none, so this home must be one."""
    if lane.shipment.member is not None:
        return lane.shipment.ask(path, fields)
    must_be_central(lane)
    return None


def changed(screen: Screen, schema: str, row: Row, words: str) -> None:
    if screen.json:
        screen.emit(schema, row)
    else:
        screen.line(words)


def as_row(found: object) -> Row:
    return cast(Row, found)
