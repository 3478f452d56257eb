"""`lane up`: a thumb up on a note that was told."""

from __future__ import annotations

import click

from memlane.surfaces.cli import frame
from memlane.surfaces.cli.feedback import judge
from memlane.surfaces.cli.frame import Screen


@frame.command()
@click.argument("memory", default="1")
@click.option("--recall", default="", metavar="ID", help="The recall it was told in; else the last that told it.")
@click.option("--because", default="", metavar="TEXT", help="Why, in your own words.")
def command(screen: Screen, memory: str, recall: str, because: str) -> None:
    """A thumb up for MEMORY: a number of `lane why`, or an id."""
    judge(screen, memory, "up", recall, because)
