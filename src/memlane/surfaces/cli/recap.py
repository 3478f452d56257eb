"""`lane recap`: what happened in a day, a week, any span; `lane wrapped`: its numbers and highlights on one page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memlane.errors import UsageError
from memlane.surfaces.cli import frame, times
from memlane.surfaces.cli.filters import project_named
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.documents import of_recap, of_wrapped

if TYPE_CHECKING:
    from memlane.app.handover import Span, Wrapped

RECAPS = """
lane recap
lane recap yesterday
lane recap "last week" --project .
lane recap 2026-10
"""
WRAPS = """
lane wrapped
lane wrapped 2026 -o 2026.html
lane wrapped "in march"
"""


@frame.command(examples=RECAPS)
@click.argument("when", nargs=-1)
@click.option("--project", default="", metavar="NAME", help="A project by name; . is the current one.")
def recap(screen: Screen, when: tuple[str, ...], project: str) -> None:
    """Show what happened WHEN (today without it): runs with a summary and how they ended, files, new memories.

    It ends with what is left to do. Made by rules on this machine, masked, every line with its run or step.
    """
    from memlane.app.handover import recap_page
    from memlane.domain import RunFilter

    with screen.lane() as lane:
        which = RunFilter(project=project_named(screen, lane, project))
        found = lane.handovers.recap(_span(screen, " ".join(when) or "today"), which=which)
    if screen.json:
        screen.emit("lane.recap/1", of_recap(found), {"runs": len(found.runs)})
        return
    screen.paged(recap_page(found), pager=screen.terminal)


@frame.command(examples=WRAPS)
@click.argument("when", nargs=-1)
@click.option("--project", default="", metavar="NAME", help="A project by name; . is the current one.")
@click.option("-o", "--output", type=click.Path(path_type=Path), default=None, help="Write it to a .md or .html file.")
def wrapped(screen: Screen, when: tuple[str, ...], project: str, output: Path | None) -> None:
    """Show a span of time on one page (this year without WHEN): numbers and highlights.

    -o writes the page to keep: Markdown, or one HTML file that needs no network.
    """
    from memlane.app.handover import wrapped_page
    from memlane.domain import RunFilter

    with screen.lane() as lane:
        which = RunFilter(project=project_named(screen, lane, project))
        found = lane.handovers.wrapped(_span(screen, " ".join(when) or "this year"), which)
    page = list(wrapped_page(found))
    if output is not None:
        write_file(output, page, lambda: _kept(found))
    if screen.json:
        screen.emit("lane.wrapped/1", of_wrapped(found), {"output": str(output) if output else None})
    elif output is not None:
        screen.say(f"written to {output}")
    else:
        screen.paged(page, pager=screen.terminal)


def _span(screen: Screen, when: str) -> Span:
    from memlane.app.handover import Span

    here = screen.now.astimezone()
    since, until = times.moment(when, here), times.moment(when, here, end=True)
    name = f"{since.year}" if when in ("this year", f"{since.year}") else when
    return Span(name, since, here if until <= since else until)  # `7d` is a moment: from then to now


def _kept(found: Wrapped) -> str:
    from memlane.surfaces.web.html import kept_wrapped

    return kept_wrapped(found)


def write_file(path: Path, lines: Sequence[str], page: Callable[[], str]) -> None:
    """Markdown, or the HTML that `page` makes."""
    if path.suffix not in (".md", ".html"):
        raise UsageError(f"{path} is neither .md nor .html", hint="-o page.html")
    if path.exists():
        raise UsageError(f"{path} exists", hint="name a new file")
    path.write_text(page() if path.suffix == ".html" else "\n".join(lines) + "\n")
