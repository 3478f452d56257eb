"""`lane feedback`, `lane up` and `lane down`: whether a note that was told helped, on prompts like that one."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memlane.errors import NotFoundError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.findings import acted, done
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import cut, one_line
from memlane.surfaces.cli.why import TOLD

if TYPE_CHECKING:
    from memlane.app import Lane

EXAMPLES = """
lane feedback m_7f3k down --because "we do not use npm any more"
"""


@frame.command(examples=EXAMPLES)
@click.argument("memory")
@click.argument("verdict", type=click.Choice(["up", "down"]))
@click.option("--recall", default="", metavar="ID", help="The recall it was told in; else the last that told it.")
@click.option("--because", default="", metavar="TEXT", help="Why, in your own words.")
def command(screen: Screen, memory: str, verdict: str, recall: str, because: str) -> None:
    """Whether MEMORY helped when it was told last. A number is a line of `lane why`."""
    judge(screen, memory, verdict, recall, because)


def judge(screen: Screen, memory: str, verdict: str, recall: str, because: str) -> None:
    given = screen.meant(memory)
    with screen.lane() as lane:
        recall = recall or (_on_screen(screen, lane, given) if memory.isdigit() else "")
        by = lane.home.agent
        judged = lane.recall.feedback.judge(
            given, up=verdict == "up", recall=recall, because=because, cwd=Path.cwd(), by=by
        )
    undo = f"lane undo {judged.act}"
    asked = one_line(judged.feedback.query)
    where = f'on prompts like "{cut(asked, 50)}"' if asked else "wherever it is told so"
    title = f'{judged.memory.id[:6]} "{cut(one_line(judged.memory.title), 60)}"'
    effect = f"{_ranks(judged.after)} (x {judged.before:g} -> x {judged.after:g})"
    half = f"; said by {by}, so it counts half" if by else ""
    findings = [done(f"thumb-{verdict}", f"{title}: {where} it ranks {effect}{half}", undo)]
    meta = {
        "feedback": judged.feedback.id,
        "memory": judged.memory.id,
        "recall": judged.recall.id,
        "up": judged.feedback.up,
        "by": judged.feedback.by or None,
        "factor": {"before": judged.before, "after": judged.after},
        "undo": undo,
    }
    acted(screen, "lane.feedback/1", findings, "undo", meta)


def _on_screen(screen: Screen, lane: Lane, memory: str) -> str:
    """The recall that `lane why` showed last, if it told this memory on a prompt."""
    with suppress(NotFoundError):
        recall = lane.recall.recorded(screen.meant("1", TOLD))
        if recall.query.words and any(match.memory.id == memory for match in recall.shown):
            return recall.id
    return ""


def _ranks(factor: float) -> str:
    if factor == 1:
        return "as if nobody had voted"
    return f"{abs(factor - 1):.0%} {'higher' if factor > 1 else 'lower'}"
