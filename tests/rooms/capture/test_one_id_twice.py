"""Two files of one native id: Gemini CLI writes a second one when it goes on with a session in a later minute."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from campaigns.disks import WatchedDisk
from campaigns.world import World
from memlane.agents import SOURCES
from memlane.app import Lane
from memlane.domain import RunFilter, RunSummary

SESSION = "0a1b2c3d-0000-4000-8000-000000000000"
FIRST, SECOND, THIRD = (f"session-2026-01-05T09-{minute}-0a1b2c3d.jsonl" for minute in ("00", "07", "09"))


def record(**fields: object) -> bytes:
    return json.dumps(fields).encode() + b"\n"


def scene(minute: int) -> bytes:
    """What stands in every file from the start, and is all that a second one ever gets."""
    at = f"2026-01-05T09:{minute:02}:00.000Z"
    words = "<session_context>\nThis is the Gemini CLI.\n</session_context>"
    message = {"id": "scene", "timestamp": at, "type": "user", "content": [{"text": words}]}
    return record(sessionId=SESSION, startTime=at, kind="main") + record(**{"$set": {"messages": [message]}})


def said(minute: int, prompt: str) -> bytes:
    at = f"2026-01-05T09:{minute:02}:30.000Z"
    return record(id=f"p{minute}", timestamp=at, type="user", content=prompt) + record(
        id=f"a{minute}", timestamp=at, type="gemini", content=f"done: {prompt}"
    )


@pytest.fixture
def gemini(world: World) -> Iterator[tuple[Lane, Path]]:
    """A Lane that knows Gemini CLI, and the folder of a project's chats."""
    lane = world.lane(WatchedDisk())
    lane.home.sources = {source.name: source for source in SOURCES if source.name == "gemini-cli"}
    chats = world.home / ".gemini" / "tmp" / "shop" / "chats"
    chats.mkdir(parents=True)
    yield lane, chats
    lane.close()


def prompts(lane: Lane, run: RunSummary) -> Sequence[str]:
    return [turn.person for turn in lane.runs.show(run.id).turns if turn.person]


def the_run(lane: Lane) -> RunSummary:
    return next(run for run in lane.runs.select(RunFilter()) if run.native_id == "shop/0a1b2c3d")


@pytest.mark.parametrize("newest", [FIRST, SECOND])
@pytest.mark.parametrize("when", ["at once", "before", "between"])
def test_a_session_resumed_in_a_later_minute_keeps_its_turns(gemini: tuple[Lane, Path], newest: str, when: str) -> None:
    lane, chats = gemini
    (chats / FIRST).write_bytes(scene(0) + said(1, "build the shop"))
    if when == "before":
        lane.capture.sweep()
    (chats / SECOND).write_bytes(scene(7))
    if when == "between":
        lane.capture.sweep()
    with (chats / FIRST).open("ab") as file:
        file.write(said(8, "now paint it"))
    for name in (FIRST, SECOND):
        os.utime(chats / name, ns=(2_000_000_000, 2_000_000_000 + (name == newest)))
    lane.capture.sweep()
    lane.capture.sweep(audit=True)
    run = the_run(lane)
    (second,) = [one for one in lane.runs.select(RunFilter()) if one.id != run.id]
    assert prompts(lane, run) == ["build the shop", "now paint it"]
    assert (run.turns, run.parent) == (2, "")
    assert (second.native_id, second.turns) == ("shop/2026-01-05T09-07-0a1b2c3d", 0)
    assert (second.parent, second.relation) == (run.id, "resume")


def test_what_is_said_in_the_second_file_is_found_beside_the_first(gemini: tuple[Lane, Path]) -> None:
    lane, chats = gemini
    (chats / FIRST).write_bytes(scene(0) + said(1, "build the shop"))
    (chats / SECOND).write_bytes(scene(7) + said(8, "now paint it"))
    (chats / THIRD).write_bytes(scene(9))
    lane.capture.sweep()
    with (chats / SECOND).open("ab") as file:
        file.write(said(10, "and open it"))
    lane.capture.sweep()
    found = sorted(prompts(lane, run) for run in lane.runs.select(RunFilter()))
    assert found == [[], ["build the shop"], ["now paint it", "and open it"]]


@pytest.mark.parametrize("held", ["all", "half"])
def test_a_copy_under_another_name_is_the_same_run(gemini: tuple[Lane, Path], held: str) -> None:
    lane, chats = gemini
    whole = scene(0) + said(1, "build the shop") + said(8, "now paint it")
    (chats / FIRST).write_bytes(whole if held == "all" else whole[: len(scene(0)) + 40])
    lane.capture.sweep()
    (chats / FIRST).unlink()
    (chats / SECOND).write_bytes(whole)
    lane.capture.sweep()
    (run,) = lane.runs.select(RunFilter())
    assert prompts(lane, run) == ["build the shop", "now paint it"]


@pytest.mark.parametrize("order", list(itertools.permutations([0, 1])))
def test_documents_of_one_session_are_runs_of_their_own(gemini: tuple[Lane, Path], order: tuple[int, ...]) -> None:
    lane, chats = gemini
    for n in order:
        message = {"id": f"m{n}", "type": "user", "content": f"part {n}"}
        document = {"sessionId": SESSION, "startTime": f"2026-01-05T09:0{n}:00Z", "messages": [message]}
        (chats / f"session-2026-01-05T09-0{n}-0a1b2c3d.json").write_text(json.dumps(document, indent=2))
    lane.capture.sweep()
    lane.capture.sweep(audit=True)
    found = lane.runs.select(RunFilter())
    assert {one.native_id: tuple(prompts(lane, one)) for one in found} == {
        "shop/0a1b2c3d.json": ("part 0",),
        "shop/2026-01-05T09-01-0a1b2c3d.json": ("part 1",),
    }
