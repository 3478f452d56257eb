"""`lane edits`: which steps changed a file, in which runs; `--all` also those that only looked at it."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import click

from memlane.domain import Address, Touch
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.filters import chosen, filters, named
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.runs import run_title
from memlane.surfaces.cli.text import ago, iso, many, one_line, padded, width
from memlane.surfaces.documents import of_run

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.runs import FileEdits
    from memlane.domain import RunFilter

EXAMPLES = """
lane edits Dockerfile
lane edits src/app/server.py --since "last month" --agent codex
lane edits ./README.md --all
"""
A_FEW = 5  # steps of one run on a person's screen, and near names


@dataclass(frozen=True, slots=True)
class PathEdits:
    """What was found for a path; `only_read` counts the runs that looked at it without changing it."""

    path: str
    found: Sequence[FileEdits]
    only_read: int = 0
    near: Sequence[str] = ()


@frame.command(lists=True, examples=EXAMPLES)
@click.argument("path")
@filters
@click.option("--all", "looks", is_flag=True, help="Include steps that only read it, and every step of a run.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=20, show_default=True, help="At most this many runs.")
def command(screen: Screen, path: str, looks: bool, limit: int, **given: Any) -> None:
    """List the steps that changed the file PATH, newest first. The end of the path is enough."""
    with screen.lane() as lane:
        looked = _look(lane, path, chosen(screen, lane, given), looks=looks)
        shown = looked.found[:limit]
        ids = lane.runs.short_ids([edits.run.id for edits in shown] if screen.terminal else [])
    meta = {"path": looked.path, "runs": len(looked.found), "changed": not looks, "near": looked.near}
    if screen.json or screen.form.asked:
        screen.remember_list([edits.run.id for edits in shown])
        screen.listing("lane.edits/1", shown, _document, (), meta)
        return
    touches = [(edits, touch) for edits in shown for touch in (edits.touches if looks else edits.touches[:A_FEW])]
    screen.remember_list([_address(touch) for _edits, touch in touches])
    if screen.terminal:
        screen.paged(_drawn(screen, shown, ids, len(looked.found) - len(shown), whole=looks))
    else:
        for edits in shown:
            for touch in edits.touches:
                _record(screen, edits, touch)
    if not shown:
        _nobody(screen, looked, named(given))


# -- which file is meant -----------------------------------------------------------------------------------------------


def _look(lane: Lane, path: str, which: RunFilter, *, looks: bool) -> PathEdits:
    """The file that is here under this name; else any whose path ends like this."""
    paths = list(_meant(path))
    for meant in paths:
        if found := lane.runs.edits(meant, which, changed=not looks):
            return PathEdits(meant, found)
    read = next((found for meant in paths if (found := lane.runs.edits(meant, which, changed=False))), ())
    return PathEdits(path, [], len(read), [] if read else _near(lane, path))


def _meant(path: str) -> Iterator[str]:
    typed = path.strip().replace("\\", "/")
    yield os.path.abspath(Path(typed).expanduser())  # noqa: PTH100 - as agents write it: links are not followed
    parts = [part for part in PurePosixPath(typed).parts if part not in ("/", ".", "..", "~")]
    if parts and not typed.startswith(("/", "~", "./", "../")):
        yield "/".join(parts)


def _near(lane: Lane, path: str) -> list[str]:
    """Files somebody touched whose names are like this one."""
    from memlane.domain import RunFilter

    names: dict[str, list[str]] = {}
    for run in lane.runs.select(RunFilter()):
        for file in run.files:
            names.setdefault(_name(file), []).append(file)
    alike = difflib.get_close_matches(_name(path), list(names), n=A_FEW, cutoff=0.6)
    files = (file for name in alike for file in sorted(set(names[name]), key=lambda file: (len(file), file)))
    return list(files)[:A_FEW]


def _name(path: str) -> str:
    return PurePosixPath(path.strip().replace("\\", "/")).name.lower()


# -- how it looks ------------------------------------------------------------------------------------------------------


def _document(edits: FileEdits) -> Mapping[str, object]:
    return {**of_run(edits.run), "steps": [_step(touch) for touch in edits.touches]}


def _step(touch: Touch) -> Mapping[str, object]:
    return {
        "turn": touch.turn,
        "step": touch.step,
        "address": _address(touch),
        "tool": touch.tool,
        "changed": touch.changed,
        "at": touch.at,
        "path": touch.path,
    }


def _address(touch: Touch) -> str:
    return str(Address(touch.run, touch.turn, touch.step))


def _record(screen: Screen, edits: FileEdits, touch: Touch) -> None:
    did = "changed" if touch.changed else "looked"
    run = edits.run
    screen.record(
        _address(touch), iso(touch.at), did, touch.tool, touch.path, run.agent, run.project.name, run_title(run)
    )


def _drawn(
    screen: Screen, shown: Sequence[FileEdits], ids: Mapping[str, str], more: int, *, whole: bool
) -> Iterator[str]:
    number = 0
    for edits in shown:
        yield _head(screen, edits, ids[edits.run.id])
        touches = edits.touches if whole else edits.touches[:A_FEW]
        for touch in touches:
            number += 1
            yield _line(screen, touch, number)
        if left := len(edits.touches) - len(touches):
            yield screen.styled(f"      {screen.ellipsis} {many(left, 'more step')} of this run (--all)", "dim")
        yield ""
    if shown:
        yield (f"{many(more, 'more run')} (--limit).  " if more else "") + "Read: lane show 1"


def _head(screen: Screen, edits: FileEdits, short: str) -> str:
    run = edits.run
    about = f"{run.agent}  {one_line(run.project.name)}  {ago(run.ended, screen.now)}  {short}"
    about = screen.cut(about, screen.columns // 2 + 8)
    room = screen.columns - width(about) - 2
    words = padded(screen.cut(run_title(run) or "(no words yet)", room), room)
    return f"{screen.styled(words, 'bold')}  {screen.styled(about, 'dim')}"


def _line(screen: Screen, touch: Touch, number: int) -> str:
    """What was done, where it stands, and the path."""
    did = f"{number:>3}  {one_line(touch.tool)}{'' if touch.changed else ' (read)'}"
    place = f"{touch.turn}.{touch.step}"
    when = ago(touch.at, screen.now)
    lead = f"{padded(screen.cut(did, 22), 22)}  {padded(screen.cut(f'#t{place}', 9), 9)}  {when:>4}  "
    return lead + screen.styled(_end(screen, touch.path, screen.columns - width(lead)), "green")


def _end(screen: Screen, path: str, columns: int) -> str:
    """As much of the end as there is room for: it tells files apart."""
    shown = one_line(path)
    while width(shown) > columns:
        shown = screen.ellipsis + shown.removeprefix(screen.ellipsis)[1:]
    return shown


def _nobody(screen: Screen, looked: PathEdits, filtered: str) -> None:
    among = f" with {filtered}" if filtered else ""
    if looked.only_read:
        screen.say(f"No step changed {one_line(looked.path)}{among}.")
        screen.say(f"  {many(looked.only_read, 'run')} read it: add --all")
        return
    screen.say(f"No step touched {one_line(looked.path)}{among}.")
    if looked.near:
        screen.say("  Did you mean:")
        for path in looked.near:
            screen.say(f"    {_end(screen, path, screen.columns - 4) if screen.terminal else one_line(path)}")
    else:
        screen.say(f'  Search for mentions instead: lane search "{one_line(_name(looked.path))}"')
