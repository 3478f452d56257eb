"""What this archive holds beyond what Central has acknowledged, as frames. The archive itself is the outbox.

Receipts say how far Central is. They are hints: without them, or with wrong ones, Central's answers say what it holds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec

from memlane.archive.arrival import NOTHING
from memlane.archive.frame import LARGEST_PIECE, FrameHead, Part, ShipFrame, frame
from memlane.archive.journal_copies import last_line, lines_held
from memlane.archive.layout import METADATA, SIDE_FOLDER, Layout, patch_name
from memlane.archive.metadata import Metadata, decode
from memlane.archive.read import added
from memlane.archive.shelf import RunHolding
from memlane.domain.delta import Generation
from memlane.errors import DamagedError
from memlane.system.disk import Disk

_Bytes = Annotated[int, msgspec.Meta(ge=0)]


class RunReceipt(msgspec.Struct, omit_defaults=True):
    """What the other side holds of a run. `seen` is the state of its `metadata.json` when all of it was there."""

    held: dict[int, tuple[_Bytes, str]] = {}  # generation → bytes and their SHA-256
    files: list[str] = []  # digests of side files and patches that are there
    begun: dict[str, _Bytes] = {}  # of a side file or patch that is only partly there, by its path in the run's folder
    seen: str = ""
    told: bool = False  # by Central, and not yet compared with our own bytes
    apart: list[
        int
    ] = []  # generations of which Central holds other bytes for good; ours went there under another number


def receipt_of(kept: RunHolding) -> RunReceipt:
    """For what is held here."""
    patches = [g.stored_sha256 for g in kept.generations if g.stored_sha256]
    return RunReceipt({g.n: (g.size, g.sha256) for g in kept.generations}, [*patches, *(f.sha256 for f in kept.files)])


def part_name(head: FrameHead) -> str:
    """The path, in the run's folder, of the side file or patch that a frame belongs to."""
    return patch_name(head.n) if head.part is Part.PATCH else f"{SIDE_FOLDER}/{head.name}"


@dataclass(frozen=True, slots=True)
class OutgoingRun:
    """A run that Central does not have all of."""

    metadata: Metadata
    folder: Path
    text: str  # of metadata.json
    seen: str

    def left(self, receipt: RunReceipt) -> int:
        """Bytes that are still to be sent."""
        sent = sum(min(g.size, receipt.held.get(g.n, (0, ""))[0]) for g in self.metadata.generations)
        return max(0, self.metadata.bytes - sent)


def outgoing(
    disk: Disk, layout: Layout, receipts: Mapping[str, RunReceipt], leave: Callable[[Metadata], str]
) -> Iterator[OutgoingRun]:
    """Runs that are not as Central acknowledged them, newest month first. `leave`: why one is not sent, or ""."""
    for folder in layout.run_folders():
        known = receipts.get(folder.name)
        found = outgoing_run(disk, folder, known.seen if known is not None else "")
        if found is not None and not leave(found.metadata):
            yield found


def outgoing_run(disk: Disk, folder: Path, known: str = "") -> OutgoingRun | None:
    """None: it is as it was `known`, or cannot be read; `lane archive verify` names it then."""
    path = folder / METADATA
    try:
        seen = disk.signature(path)
        if seen == known:
            return None
        data = disk.read_whole(path)
        return OutgoingRun(decode(data, path), folder, data.decode(), seen)
    except (FileNotFoundError, DamagedError):
        return None


def frames_of(disk: Disk, one: OutgoingRun, receipt: RunReceipt) -> Iterator[ShipFrame]:
    """Generations first, in order, then side files: what Central commits is always a whole beginning."""
    base = FrameHead(Part.RAW, one.metadata.run, metadata=one.text)
    sent = 0
    for generation in one.metadata.generations:
        size, digest = receipt.held.get(generation.n, (0, NOTHING))
        if generation.n in receipt.apart:
            continue
        ours = generation.size, generation.sha256
        if size >= generation.size and (size, digest) != ours:
            size, digest = 0, NOTHING  # this disk was put back: whether ours is the beginning of theirs, they say
        if (size, digest) != ours or generation.size == 0:
            if generation.stored == "patch":
                size = receipt.begun.get(patch_name(generation.n), 0)
            for piece in _pieces(disk, one.folder, generation, (size, digest), base):
                sent += 1
                yield piece
    for file in one.metadata.files:
        if file.sha256 not in receipt.files:
            head = msgspec.structs.replace(base, part=Part.SIDE, name=file.name)
            for piece in _file_pieces(disk, one.folder, head, receipt.begun.get(part_name(head), 0)):
                sent += 1
                yield piece
    if not sent:  # only what is told about it has changed
        newest = next((g for g in reversed(one.metadata.generations) if g.stored == "raw"), None)
        if newest is not None:
            end = {"n": newest.n, "start": newest.size, "before": newest.sha256, "after": newest.sha256}
            yield frame(msgspec.structs.replace(base, **end), b"")


def _pieces(
    disk: Disk, folder: Path, generation: Generation, held: tuple[int, str], base: FrameHead
) -> Iterator[ShipFrame]:
    start, before = held
    head = msgspec.structs.replace(base, n=generation.n)
    if generation.stored == "patch":
        yield from _file_pieces(disk, folder, msgspec.structs.replace(head, part=Part.PATCH), start)
        return
    whole = hashlib.sha256()
    if start and generation.size - start > LARGEST_PIECE:  # the digest of a middle: from the beginning
        read = 0
        for piece in added(disk, folder, generation, 0):
            whole.update(piece[: max(0, start - read)])
            read += len(piece)
    for data in _gathered(added(disk, folder, generation, start)):
        whole.update(data)
        end = start + len(data)
        after = generation.sha256 if end == generation.size else whole.hexdigest()
        yield frame(msgspec.structs.replace(head, start=start, before=before, after=after), data)
        start, before = end, after


def _file_pieces(disk: Disk, folder: Path, head: FrameHead, begun: int) -> Iterator[ShipFrame]:
    """A side file or a patch, from where the other side is."""
    descriptor = disk.open_to_read(folder / part_name(head))
    try:
        total = disk.stat(descriptor).size
        for start in range(begun if begun < total else 0, max(1, total), LARGEST_PIECE):
            piece = disk.read(descriptor, min(LARGEST_PIECE, total - start), start)
            yield frame(msgspec.structs.replace(head, start=start, total=total), piece)
    finally:
        disk.close(descriptor)


def _gathered(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Of the largest size that a frame may have."""
    waiting, some = b"", False
    for piece in pieces:
        waiting += piece
        while len(waiting) >= LARGEST_PIECE:
            some = True
            yield waiting[:LARGEST_PIECE]
            waiting = waiting[LARGEST_PIECE:]
    if waiting or not some:
        yield waiting


def journal_frames(disk: Disk, layout: Layout, held: Mapping[str, tuple[int, str]]) -> Iterator[ShipFrame]:
    """Lines behind what is held, of all machines, oldest month first."""
    for path in layout.journal_files():
        name = layout.journal_name(path)
        size, last = held.get(name, (0, ""))
        if disk.size(path) < size:
            continue  # they send what they have beyond ours
        content = lines_held(disk, layout, name)
        if last_line(content[:size]) != last:  # also where other lines are just as long
            size, last = 0, ""
        while size < len(content):
            end = content.rfind(b"\n", size, size + LARGEST_PIECE) + 1
            end = end or content.find(b"\n", size) + 1 or len(content)
            yield frame(FrameHead(Part.JOURNAL, name=name, start=size, before=last), content[size:end])
            size, last = end, last_line(content[:end])


def journals_held(disk: Disk, layout: Layout) -> Mapping[str, tuple[int, str]]:
    """How far each file of the journal is here."""
    found = dict[str, tuple[int, str]]()
    for path in layout.journal_files():
        content = lines_held(disk, layout, layout.journal_name(path))
        found[layout.journal_name(path)] = (len(content), last_line(content))
    return found
