"""Files a page loads, under an address that changes with what is in them; so a browser may keep them for ever."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from memlane.errors import NotFoundError
from memlane.surfaces.api import Reply, Want

if TYPE_CHECKING:
    from memlane.app import Lane

TYPES = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}
# A worker has the policy of its own file: it may listen to us, and nothing else.
KEPT = {
    "Cache-Control": "private, max-age=31536000, immutable",
    "Content-Security-Policy": "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
}


@cache
def _read(name: str) -> tuple[bytes, str]:
    """A file beside this module, and eight characters that stand for its bytes."""
    found = files("memlane.surfaces.web").joinpath("static", name)
    if not found.is_file():
        raise NotFoundError(f"there is no file {name}")
    data = found.read_bytes()
    return data, hashlib.sha256(data).hexdigest()[:8]


def address(name: str) -> str:
    return f"/static/{_read(name)[1]}/{name}"


def file(_lane: Lane, want: Want) -> Reply:
    """Under another sha it is another file: an old page asks again."""
    name = want.named["file"]
    data, sha = _read(name)
    if want.named["sha"] != sha:
        raise NotFoundError(f"there is no such {name} any more")
    return Reply(200, data, TYPES[name.rpartition(".")[2]], headers=KEPT)
