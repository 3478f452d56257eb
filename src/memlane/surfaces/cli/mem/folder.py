"""`lane mem folder | agents-md`: what is known as files, for people to read and change and for agents to load."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memlane.app.home import save_settings
from memlane.domain import Finding, Level
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.findings import acted, done, told
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.mem.group import command
from memlane.surfaces.cli.text import many, one_line

if TYPE_CHECKING:
    from memlane.app.folder import AgentsFileReport, FolderChange, FolderReport, FolderSize

SCHEMA = "lane.mem.folder/1"
YOURS, PAUSED = "yours", "paused"
SETTING = "memory.claude_code"
EXAMPLES = """
lane mem folder
lane mem folder --write
lane mem folder --claude-code      (Claude Code loads Lane's lines here itself)
lane mem folder --no-claude-code   (removes them)
"""


@frame.command("folder", of=command, examples=EXAMPLES)
@click.option("--write", is_flag=True, help="Import your changes and rewrite the folder. The timer does this too.")
@click.option("--claude-code/--no-claude-code", default=None, help="Also in Claude Code's own memory of this project.")
def folder(screen: Screen, write: bool, claude_code: bool | None) -> None:
    """Memory folders: an index and a page per memory. Your edits there are kept and win."""
    if claude_code is not None:
        _also_in_claude_code(screen, yes=claude_code)
        return
    with screen.lane() as lane:
        if write:
            tell(screen, lane.folder.write())
            return
        found = lane.folder.standing()
    if screen.json:
        from memlane.app.folder import FolderReport

        _emitted(screen, found, FolderReport())
        return
    rows = [done(one.project or "you", f"{one.folder}: {_size(one.topics, one.lines)}") for one in found]
    if not rows:
        screen.say("Nothing is written yet. Write it: lane mem folder --write")
    told(screen, SCHEMA, rows)


def _also_in_claude_code(screen: Screen, *, yes: bool) -> None:
    here, named = str(Path.cwd()), screen.config.names(SETTING)
    if yes:
        save_settings(screen.config, {SETTING: (*named, *([here] if here not in named else []))})
        with screen.again().lane() as lane:
            tell(screen.again(), lane.folder.write())
            if not lane.folder.claude_loads():
                screen.note("Claude Code's own memory is off or in a single folder here: nothing was added to it")
        return
    with screen.lane() as lane:
        out, stays = lane.folder.without_claude(here)
    save_settings(screen.config, {SETTING: tuple(stays)})
    tell(screen.again(), out)


def tell(screen: Screen, written: FolderReport) -> None:
    if screen.json:
        _emitted(screen, written.folders, written)
        return
    found = findings_of(written)
    taken = [one for one in found if one.kind in (YOURS, PAUSED)]
    acted(screen, SCHEMA, taken, "undo")
    told(screen, SCHEMA, [one for one in found if one not in taken])


def _emitted(screen: Screen, folders: Sequence[FolderSize], written: FolderReport) -> None:
    """The folders, and in `meta` what people changed in them."""
    data = [
        {
            "folder": str(one.folder),
            "project": one.project,
            "pages": one.topics,
            "lines": one.lines,
            "wrote": one.wrote,
            "trouble": one.trouble,
        }
        for one in folders
    ]
    meta = {
        "edits": [_of_change(one) for one in written.edits],
        "paused": [_of_change(one) for one in written.paused],
        "left_out": [str(path) for path in written.left_out],
        "kept": [{"path": str(one.path), "why": one.why, "at": str(one.at)} for one in written.kept],
        "late": [str(path) for path in written.late],
        "enabled": screen.config.switch("memory.folder"),
        "claude_code": list(screen.config.names(SETTING)),
    }
    screen.emit(SCHEMA, data, meta)


def _of_change(one: FolderChange) -> Mapping[str, object]:
    return {"memory": one.memory.id, "title": one.memory.title, "path": str(one.path), "undo": f"lane undo {one.act}"}


def findings_of(written: FolderReport) -> list[Finding]:
    """What was taken over first: it is what a person wants to know."""
    rows = [
        done(YOURS, f'"{one_line(c.memory.title)}" is as you wrote it in {c.path}', f"lane undo {c.act}")
        for c in written.edits
    ]
    rows += [
        done(PAUSED, f'"{one_line(c.memory.title)}": its file is gone', f"lane undo {c.act}") for c in written.paused
    ]
    rows += [
        Finding("left-out", Level.NOTE, f"{path} is no longer in any index, as you asked") for path in written.left_out
    ]
    rows += [Finding("not-read", Level.WARN, f"{k.path}: {k.why}", f"your text is in {k.at}") for k in written.kept]
    rows += [
        Finding("later", Level.NOTE, f"{path} changed during the write: the next one imports it")
        for path in written.late
    ]
    for one in written.folders:
        if one.trouble:
            rows.append(Finding("not-written", Level.WARN, f"{one.folder}: {one.trouble}", "lane mem folder --write"))
        elif one.wrote:
            rows.append(done(one.project or "you", f"{one.folder}: {_size(one.topics, one.lines)}"))
    return rows


def _size(topics: int, lines: int) -> str:
    return f"{many(topics, 'page')}, {lines} in the index"


@frame.command("agents-md", of=command)
@click.argument("project", default=".", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--off", is_flag=True, help="Remove Lane's lines.")
def agents_md(screen: Screen, project: Path, off: bool) -> None:
    """Put this project's best memories into its AGENTS.md, between two markers. Only happens when you run this."""
    with screen.lane() as lane:
        file = lane.folder.agents_file
        put = file.take_out(project.resolve()) if off else file.write(project.resolve())
    if screen.json:
        data = {"path": str(put.path), "lines": list(put.lines), "changed": put.changed}
        screen.emit("lane.mem.agents-md/1", data, {"undo": None if off else f"lane mem agents-md {project} --off"})
    else:
        told(screen, "lane.mem.agents-md/1", [_told_of(put, off=off)])


def _told_of(put: AgentsFileReport, *, off: bool) -> Finding:
    if off or not put.lines:
        there = "has no lines from Lane" if off else "no memories here yet"
        return done("agents-md", f"{put.path}: {'lines removed' if put.changed else there}")
    hint = "everyone with this project will read it; to remove: lane mem agents-md --off"
    return done("agents-md", f"{put.path}: {many(len(put.lines), 'line')}", hint)
