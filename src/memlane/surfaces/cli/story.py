"""`lane story`: several runs as one, in the order things happened; by tree, file, entity or choice."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memlane.errors import UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.filters import chosen, filters, whole_path
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.recap import write_file
from memlane.surfaces.documents import of_story

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.handover import Story

EXAMPLES = """
lane story r_3ks7 r_9dqa
lane story --tree r_3ks7
lane story --file src/login.py --since 30d
lane story --entity "Ana Silva" -o ana.html
"""


@frame.command(examples=EXAMPLES)
@click.argument("runs", metavar="[RUN…]", nargs=-1)
@click.option("--tree", default="", metavar="RUN", help="Every run of the tree that this one is in.")
@click.option("--file", default="", metavar="PATH", help="Turns that changed this file; the end of its path is enough.")
@filters
@click.option("-o", "--output", type=click.Path(path_type=Path), default=None, help="Write it to a .md or .html file.")
def command(screen: Screen, runs: tuple[str, ...], tree: str, file: str, output: Path | None, **given: Any) -> None:
    """Tell several runs as one story: turns in the order they happened, and what a fork repeats only once.

    Choose the runs by name, by tree, by a file or by an entity. Tool calls are counted; `lane show` has them in full.
    """
    entity = given["entity"]
    if sum(map(bool, (runs, tree, file, entity))) != 1:
        raise UsageError("name what the story is about", hint="RUN…, --tree RUN, --file PATH or --entity NAME")
    with screen.lane() as lane:
        story = _story(screen, lane, runs, (tree, file, entity), given)
    from memlane.app.handover import story_page

    if output is not None:
        write_file(output, list(story_page(story)), lambda: _kept(story))
    if screen.json:
        screen.emit("lane.story/1", of_story(story), {"output": str(output) if output else None})
    elif output is not None:
        screen.say(f"written to {output}")
    else:
        screen.paged(story_page(story), pager=screen.terminal)


def _story(
    screen: Screen, lane: Lane, runs: tuple[str, ...], about: tuple[str, str, str], given: dict[str, Any]
) -> Story:
    tree, file, entity = about
    if runs:
        return lane.handovers.story([lane.runs.address(screen.meant(one)).run for one in runs])
    if tree:
        return lane.handovers.story_of_tree(lane.runs.address(screen.meant(tree)).run)
    if file:
        return lane.handovers.story_of_file(whole_path(file), chosen(screen, lane, given))
    found = lane.entities.about(entity)
    names = (found.entity.name, *found.entity.aliases)
    ids = [run.id for run in lane.entities.runs_about(found, MOST)]
    return lane.handovers.story(ids, found.entity.name, names)


def _kept(story: Story) -> str:
    from memlane.surfaces.web.html import kept_story

    return kept_story(story)


MOST = 200  # runs that name an entity
