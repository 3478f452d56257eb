"""The pages of `lane ui`, drawn for a reader whose home is their part of Central: each page, with all it can be asked.

Pages on a machine ask Central's door for what is not there; the door is asked by `campaigns.reads` itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from memlane.app import Lane
from memlane.errors import LaneError
from memlane.surfaces.api.http import RefusedError, understood
from memlane.surfaces.api.router import Route, found, wanted
from memlane.surfaces.web import NewsStream, table

STREAM = "/events"  # says that something is new in one's own home, never what


class ReaderPages:
    """What one reader's browser is shown."""

    def __init__(self, lane: Lane) -> None:
        self._lane, self._routes = lane, table("0" * 64, NewsStream(lambda: lane))

    def close(self) -> None:
        self._lane.close()

    def asks(self, values: Mapping[str, Sequence[str]]) -> Iterator[str]:
        """Addresses of all pages. `values`: what a field of this name, or a part of an address, is given in turn."""
        for route in self._routes:
            if route.method == "GET" and route.path != STREAM:
                yield from _addresses(route, values)

    def shown(self, path: str) -> bytes:
        """The page, or why there is none."""
        try:
            asked = understood(f"GET {path} HTTP/1.1\r\nHost: lane".encode())
            route, named = found(self._routes, asked)
            return route.do(self._lane, wanted(route, named, asked)).body
        except LaneError as error:
            return f"{error.message} {error.hint}".encode()
        except RefusedError as refused:
            return str(refused).encode()


def _addresses(route: Route, values: Mapping[str, Sequence[str]]) -> Iterator[str]:
    paths = [route.path]
    for part, given in ((f"{{{name}}}", given) for name, given in values.items()):
        paths = [path.replace(part, one) for path in paths for one in (given if part in path else [""])]
    fields = (route.takes or {}).get("properties", {})
    assert isinstance(fields, Mapping)
    for path in paths:
        if "{" not in path:
            yield path
            yield from (f"{path}?{name}={one}" for name, given in values.items() if name in fields for one in given)
