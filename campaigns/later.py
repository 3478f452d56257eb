"""A later version on one side: it says things that this one does not know. Nothing may fail or be lost for that.

It adds fields to the heads of frames, to every answer and to the metadata of runs, and writes journal lines of a kind
of its own.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from contextlib import ExitStack, contextmanager
from importlib import import_module

import msgspec
import zstandard

from campaigns.mutants import put_in_place_of
from memlane import archive
from memlane.app import Lane
from memlane.archive import ShipFrame
from memlane.archive.metadata import Metadata
from memlane.domain import Entry
from memlane.flow.journal import write_down
from memlane.surfaces.api import central, policy, retention
from memlane.surfaces.api.http import HttpReply, document

UNKNOWN: Mapping[str, object] = {"tomorrow": {"weather": ["fine", 3]}}
KIND = "forecast"  # of a journal line
_APPEND = import_module("memlane.archive.append")  # the package has a function of that name


@contextmanager
def later_machine() -> Generator[None]:
    with put_in_place_of(archive, "packed", _packed), put_in_place_of(_APPEND, "encode", _encoded):
        yield


@contextmanager
def later_central() -> Generator[None]:
    with ExitStack() as stack:
        stack.enter_context(put_in_place_of(archive, "packed", _packed))
        for answers in (central, policy, retention):
            stack.enter_context(put_in_place_of(answers, "document", _document))
        yield


def note(lane: Lane, name: str) -> None:
    """A line of a kind that only the later version has."""
    home = lane.home
    entry = Entry(KIND, name, home.clock(), home.config.user, home.config.machine, "agent:x", dict(UNKNOWN))
    write_down([entry], home.tools())


def _packed(frames: Iterable[ShipFrame]) -> bytes:
    pieces = list[bytes]()
    for one in frames:
        head = msgspec.json.encode({**msgspec.to_builtins(one.head), **UNKNOWN})
        pieces += [len(head).to_bytes(4, "big"), head, one.data]
    return zstandard.ZstdCompressor(write_checksum=True).compress(b"".join(pieces))


def _encoded(metadata: Metadata) -> bytes:
    return msgspec.json.encode({**msgspec.to_builtins(metadata), **UNKNOWN})


def _document(data: list[dict[str, object]] | dict[str, object], status: int = 200, **links: str) -> HttpReply:
    grown = [{**one, **UNKNOWN} for one in data] if isinstance(data, list) else {**data, **UNKNOWN}
    return document(grown, status, **links)
