"""`lane recall`: what would be recalled for a prompt, and why. Nothing is written down."""

from __future__ import annotations

from pathlib import Path

import click

from memlane.domain import Outcome
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.told import told, would_be
from memlane.surfaces.documents import of_earlier, of_match

EXAMPLES = """
lane recall "add a package to the worker"
lane recall "make it more robust" --file src/mail/send.py
"""


@frame.command(examples=EXAMPLES)
@click.argument("prompt", nargs=-1, required=True)
@click.option("--cwd", type=click.Path(path_type=Path, file_okay=False), default=".", help="The project's folder.")
@click.option("--file", "file", default="", metavar="PATH", help="As if the agent had just touched this file.")
def command(screen: Screen, prompt: tuple[str, ...], cwd: Path, file: str) -> None:
    """What would be recalled for PROMPT in this folder, and why. Nothing is written down."""
    folder = cwd.expanduser().resolve()
    with screen.lane() as lane:
        found = lane.recall.asked(" ".join(prompt), folder, file=file)
        off = lane.recall.off(str(folder))
    screen.remember_list([match.memory.id for match in found.shown])
    if screen.json:
        meta = {
            "silent": found.outcome is not Outcome.SHOWN,
            "why": found.why,
            "ms": found.milliseconds,
            "tokens": found.tokens,
            "off": off,
            "near": [of_match(match) for match in found.near],
            "asks": [{"raw": one.raw, "choices": one.choices} for one in found.asks],
            "earlier": [of_earlier(one) for one in found.earlier],
        }
        screen.emit("lane.recall/1", [{"memory": m.memory.id, **of_match(m)} for m in found.shown], meta)
        return
    if screen.terminal:
        for line in told(screen, found, recorded=False):
            screen.line(line)
    else:
        if not found.shown:
            screen.say(would_be(found))  # an empty answer has a reason, in a pipe too
        for match in found.shown:
            screen.record(
                match.memory.id, f"{match.score:.4f}", match.source, match.memory.type.value, match.memory.title
            )
    if off:
        screen.flush()
        screen.note(f"agents are told nothing here: {off}")
