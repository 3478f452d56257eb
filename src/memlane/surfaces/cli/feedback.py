"""`lane feedback`, `lane up` and `lane down`: whether a note that was told helped, on prompts like that one."""

from __future__ import annotations

from pathlib import Path

import click

from memlane.surfaces.cli import frame
from memlane.surfaces.cli.findings import acted, done
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import cut, one_line

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
        judged = lane.judging.judge(given, up=verdict == "up", recall=recall, because=because, cwd=Path.cwd())
    undo = f"lane undo {judged.act}"
    asked = cut(one_line(judged.feedback.query), 50)
    said = f'{judged.memory.id} "{cut(one_line(judged.memory.title), 60)}", on prompts like "{asked}"'
    findings = [done(f"thumb-{verdict}", f"{said}: its score there x {judged.before:g} -> x {judged.after:g}", undo)]
    meta = {
        "feedback": judged.feedback.id,
        "memory": judged.memory.id,
        "recall": judged.recall.id,
        "up": judged.feedback.up,
        "factor": {"before": judged.before, "after": judged.after},
        "undo": undo,
    }
    acted(screen, "lane.feedback/1", findings, "undo", meta)
