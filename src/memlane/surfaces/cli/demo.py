"""`lane demo`: the whole loop on sample runs that ship with the package, in a home that is thrown away afterwards."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import click

from memlane.app import Lane
from memlane.app.setup import lasting_command, own_command
from memlane.config import load
from memlane.demo import RUNS, write_home
from memlane.errors import UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.demo_scenes import DemoLoop, Scene
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import lasted, many, wrapped

INDENT = 3
WIDEST = 100  # longer lines are hard to read, however wide the screen


@frame.command()
@click.option("--keep", type=click.Path(path_type=Path, file_okay=False), help="Keep the demo home in this folder.")
def command(screen: Screen, keep: Path | None) -> None:
    """Try Lane on sample runs; your own data is not read or changed."""
    began = time.perf_counter()
    scenes: list[Scene] = []
    with _home(keep) as home:
        if not screen.json:
            where = f"a home of its own: {home}" if keep else "a temporary home; yours is not touched"
            _paragraph(screen, f"Memory Lane on {many(len(RUNS), 'sample run')}, in {where}")
        written = write_home(home, screen.now)
        with Lane(load({"HOME": str(home), "LANE_HOME": str(home / ".memlane")})) as lane:
            for scene in DemoLoop(lane, home, written).scenes():
                scenes.append(scene)
                if not screen.json:
                    _print(screen, len(scenes), scene)
    _end(screen, scenes, time.perf_counter() - began, keep)


@contextmanager
def _home(keep: Path | None) -> Generator[Path, None, None]:
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="lane-demo-") as folder:
            yield Path(folder).resolve()
        return
    if keep.exists() and any(keep.iterdir()):
        raise UsageError(f"{keep} is not empty", hint="--keep needs a new or empty folder")
    keep.mkdir(mode=0o700, parents=True, exist_ok=True)
    yield keep.resolve()


def _room(screen: Screen) -> int:
    return min(screen.columns, WIDEST) - INDENT


def _paragraph(screen: Screen, text: str) -> None:
    for line in wrapped(text, _room(screen)):
        screen.line(line)


def _print(screen: Screen, number: int, scene: Scene) -> None:
    room = _room(screen)
    screen.line()
    command = scene.title.startswith(("lane ", "rm "))
    first, *rest = wrapped(("$ " if command else "") + scene.title, room)
    screen.line(f"{number}  " + screen.styled(first, "bold"))
    for line in rest:
        screen.line(" " * INDENT + screen.styled(line, "bold"))
    for line in scene.lines:
        for part in wrapped(line, room):
            screen.line(" " * INDENT + part)
    for line in scene.quoted.splitlines():
        for part in wrapped(line, room - 2):
            screen.line(" " * INDENT + screen.styled("| " + part, "dim"))
    if not scene.good:
        screen.line(" " * INDENT + screen.styled("FAIL: not the expected result", "red"))


def _end(screen: Screen, scenes: list[Scene], seconds: float, keep: Path | None) -> None:
    failed = [scene.name for scene in scenes if not scene.good]
    if screen.json:
        data = {scene.name: {**scene.data, "good": scene.good} for scene in scenes}
        meta = {"scenes": len(scenes), "failed": failed, "seconds": round(seconds, 2), "kept": keep}
        screen.emit("lane.demo/1", data, meta)
    else:
        _goodbye(screen, seconds, keep)
    if failed:
        screen.leave(1)


def _goodbye(screen: Screen, seconds: float, keep: Path | None) -> None:
    screen.line()
    if keep is None:
        _paragraph(screen, f"Done in {lasted(seconds)}; the demo home is deleted. Nothing was sent anywhere.")
    else:
        lane = own_command(sys.executable, screen.config.variables)
        screen.line(f"Done in {lasted(seconds)}. Look around:  LANE_HOME={keep.resolve() / '.memlane'} {lane} runs")
    screen.line(f"Your own runs:  {lasting_command(sys.executable, screen.config.variables)} init")
