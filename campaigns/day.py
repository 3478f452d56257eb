"""A day's work for the kill and the power campaigns, and how to tell afterwards whether anything of it went wrong.

Faults are counted apart: lost (acknowledged or still in its file, and not there), duplicated, gap (not a beginning of
what the file was), phantom (never written, or forgotten and back), unclean (the home does not open or verify),
unregistered (there, and the register does not know it after the next sweep).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from campaigns.disks import WatchedDisk
from campaigns.plain import line
from campaigns.world import World, everything
from memlane import archive
from memlane.app import Lane
from memlane.domain import RunFilter, State
from memlane.system.disk import Disk

FAULTS = ("lost", "duplicated", "gap", "phantom", "unclean", "unregistered")
BEFORE = line("before the rewrite") * 3
GOES = line("the words of goes")
NOTES = ("the first note", "the second note", "the third note")
SIDE = b"side one\n"
GROWN = b"row 1\nrow 2\n"

Told = Sequence[Sequence[object]]  # acknowledgements: what, and of what
Fault = tuple[str, str]


def begin(world: World) -> None:
    """Three Runs, one with side files."""
    world.prepare()
    world.path("grows").write_bytes(line("the first of grows", at="2026-11-01T10:00:00Z"))
    world.path("rewritten").write_bytes(BEFORE)
    world.path("goes").write_bytes(GOES)
    world.side_path("grows", "result.txt").write_bytes(SIDE)
    world.side_path("grows", "rows.txt").write_bytes(GROWN[:6])


def first_work(lane: Lane, world: World, done: Callable[..., None]) -> None:
    sweep(lane, done)
    done("note", lane.memories.remember(NOTES[0], world.home).id)


def prepare(world: World) -> None:
    """A home with a past."""
    begin(world)
    with world.lane(WatchedDisk()) as lane:
        first_work(lane, world, lambda *_what: None)


def change(world: World, dice: random.Random) -> None:
    """What the agents did since: grown, rewritten, new, half a line; side files changed and grown."""
    with world.path("grows").open("ab") as file:
        file.write(b"".join(line(f"more {dice.random()} {n}") for n in range(dice.randint(1, 6))) + b'{"te')
    world.path("rewritten").write_bytes(line(f"after the rewrite {dice.random()}") * dice.randint(1, 5))
    world.path("goes").unlink()  # its agent has cleaned up: ours is the only copy
    world.path("new").write_bytes(line(f"a new run {dice.random()}") * dice.randint(1, 3))
    if dice.random() < 0.2:
        more_than_one_piece = b"x" * (1 << 20)  # and no line yet, so nothing to index
        world.path("large").write_bytes(line(f"large {dice.random()}") + more_than_one_piece)
    world.side_path("grows", "result.txt").write_bytes(f"side two {dice.random()}\n".encode())
    world.side_path("grows", "rows.txt").write_bytes(GROWN)


def work(lane: Lane, world: World, done: Callable[..., None], again: str = "") -> None:
    """Each `done` is an acknowledgement: from then on it must survive anything. `again` tells its notes from others."""
    sweep(lane, done)
    done("note", lane.memories.remember(NOTES[1] + again, world.home).id)
    run = world.run("goes")
    lane.archive.forget_run(run)
    done("forgotten", run)
    lane.archive.forget_for_good(lane.archive.plan_forget(run))
    done("gone", run)
    done("note", lane.memories.remember(NOTES[2] + again, world.home).id)
    later(world)
    sweep(lane, done)


def later(world: World) -> None:
    path, more = world.path("new"), line("and later still")
    if not path.read_bytes().endswith(more):
        with path.open("ab") as file:
            file.write(more)


def sweep(lane: Lane, done: Callable[..., None]) -> None:
    for one in lane.capture.sweep().changes:
        done("captured", one.run.native_id, one.generation)


# -- the verdict -------------------------------------------------------------------------------------------------------


def judge(world: World, told: Told, *, rebuild: bool = True) -> list[Fault]:
    """Opened again and swept: what is not as it must be."""
    lane = world.lane(WatchedDisk())
    try:
        aside = [("unclean", f"{one.path}: {one.reason}") for one in lane.capture.sweep().set_aside]
        complaints = [("unclean", complaint) for complaint in world.complaints()]
        found = [*aside, *complaints, *_registered(world), *_runs(world), *_forgotten(world, lane, told)]
        found += [*_side_files(world), *_notes(world, lane, told), *_index(lane, rebuild=rebuild)]
    except Exception as error:  # noqa: BLE001 - whatever it is: the home did not open
        return [("unclean", f"{type(error).__name__}: {error}")]
    finally:
        lane.close()
    return found


def _registered(world: World) -> Iterator[Fault]:
    """After one sweep the register knows all that is there."""
    for finding in archive.verify(Disk(), world.layout):
        if finding.kind in ("unregistered", "register"):
            yield "unregistered", finding.what


def _runs(world: World) -> Iterator[Fault]:
    for name in ("grows", "rewritten", "new", "large"):
        source = world.path(name).read_bytes() if world.path(name).exists() else b""
        wanted = [*([BEFORE] if name == "rewritten" and source != BEFORE else []), *([source] if source else [])]
        kept = world.archived(name)
        if any(content not in kept for content in wanted):
            yield "lost", f"{name}: what is in the file, or was, is in no generation"
        if len(kept) > len(wanted):
            yield "duplicated", f"{name}: {len(kept)} generations, {len(wanted)} are right"
        if any(content not in wanted for content in kept):
            yield "gap", f"{name}: a generation the file never was"


def _forgotten(world: World, lane: Lane, told: Told) -> Iterator[Fault]:
    run = world.run("goes")
    said = {str(what[0]) for what in told if what[-1] == run}
    if "gone" in said and world.layout.find(run):
        yield "phantom", "bytes of a run that is gone for good"
    if said and run in {one.id for one in lane.runs.select(RunFilter())}:
        yield "phantom", "a forgotten run is listed"
    if said and run not in lane.home.storage().bars.barred(lane.home.reader):
        yield "lost", "a tombstone"
    if run not in lane.home.storage().bars.barred(lane.home.reader) and world.archived("goes") != [GOES]:
        yield "lost", "bytes of a run nobody has forgotten"


def _side_files(world: World) -> Iterator[Fault]:
    now = world.side_path("grows", "result.txt").read_bytes()
    changed = {} if now == SIDE else {"result.txt~2": now}
    wanted = {"result.txt": SIDE, **changed, "rows.txt": world.side_path("grows", "rows.txt").read_bytes()}
    kept = world.side_files("grows")
    for name in wanted.keys() | kept.keys():
        if name not in kept:
            yield "lost", f"side file {name}"
        elif name not in wanted:
            yield "duplicated", f"side file {name}"
        elif kept[name] != wanted[name]:
            yield "gap", f"side file {name}"


def _notes(world: World, lane: Lane, told: Told) -> Iterator[Fault]:
    memories = lane.home.storage().memories.listed(list(State), lane.home.reader)
    written, contents = world.journaled(), [memory.content for memory in memories]
    acknowledged = [str(what[1]) for what in told if what[0] == "note"]
    for note in acknowledged:
        if note not in written or note not in {memory.id for memory in memories}:
            yield "lost", f"note {note}"
    notes = [id for id in written if id.startswith("m_")]
    if len(notes) != len(set(notes)) or len(contents) != len(set(contents)):
        yield "duplicated", "a note"
    if not all(content.startswith(NOTES) for content in contents) or set(notes) != {memory.id for memory in memories}:
        yield "phantom", "a note nobody wrote, or one the journal has and storage has not"


def _index(lane: Lane, *, rebuild: bool) -> Iterator[Fault]:
    storage, reader = lane.home.storage(), lane.home.reader
    if storage.work.pending():
        yield "lost", "bytes are archived and not indexed"
    if not storage.runs.listed(RunFilter(), reader):
        yield "lost", "nothing is indexed"
    if rebuild:
        live = everything(lane)
        lane.archive.rebuild()
        again = everything(lane)
        for name in live:
            if live[name] != again[name]:
                yield "unclean", f"{name}: rebuilt from the archive, the index says something else"
