"""`lane why`: what the agent was told last, and why; or why it was told nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from memlane.domain import Feedback, Recall
from memlane.errors import NotFoundError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.told import told
from memlane.surfaces.documents import of_recall

RECALLS = ".recalls"  # the list that `lane why 2` counts in, also after `lane why 1`
TOLD = ".told"  # the recall on the screen: a thumb is given on that one
EXAMPLES = """
lane why
lane why 2
lane why --run r_9x2m --near-misses
"""


@frame.command(examples=EXAMPLES)
@click.argument("which", required=False, default="")
@click.option("--run", default="", metavar="RUN", help="The last recall in this run.")
@click.option("--near-misses", is_flag=True, help="All that just missed, part by part.")
def command(screen: Screen, which: str, run: str, near_misses: bool) -> None:
    """What the agent was told last, here or in RUN, and why. WHICH: a recall's id, or a number from `lane recalls`."""
    given = screen.meant(which, RECALLS) if which else ""
    with screen.lane() as lane:
        if not given and not lane.recall.newest(1):
            _nothing_yet(screen)
            return
        wanted = lane.recall.run_called(screen.meant(run)) if run else ""
        recall = lane.recall.recorded(given) if given.startswith("l_") else lane.recall.why(Path.cwd(), run=wanted)
        if given.startswith("m_"):
            recall = _only(recall, given)
        verdicts = lane.recall.feedback.on(recall)
    screen.remember_list([match.memory.id for match in recall.shown])
    screen.remember_list([recall.id], TOLD)
    if screen.json:
        screen.emit("lane.why/1", {**of_recall(recall), "verdicts": [_verdict(one) for one in verdicts]})
        return
    for line in told(screen, recall, near_misses=near_misses, verdicts=verdicts):
        screen.line(line)


def _verdict(one: Feedback) -> dict[str, object]:
    return {"memory": one.memory, "up": one.up, "by": one.by or None, "because": one.because, "at": one.at}


def _nothing_yet(screen: Screen) -> None:
    if screen.json:
        screen.emit("lane.why/1", None)
    else:
        screen.say("Nothing has been recalled yet. It happens when an agent is asked something.")


def _only(recall: Recall, memory: str) -> Recall:
    shown = tuple(match for match in recall.shown if match.memory.id.startswith(memory))
    if not shown:
        raise NotFoundError(f"{memory} was not told then", hint="lane recalls")
    return replace(recall, shown=shown)
