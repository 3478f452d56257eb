"""`lane search -i`: filters, hits and preview on one screen, looked up while a person types."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from memlane.errors import UsageError

if TYPE_CHECKING:
    from memlane.surfaces.cli.frame import Screen

INTERRUPTED = 130


def pick(screen: Screen, words: str, given: Mapping[str, object]) -> None:
    """Until they leave; the question is then printed as a command, the screen is as it was."""
    needs_a_terminal(screen)
    from memlane.surfaces.cli.picker.lookup import PickerLookup
    from memlane.surfaces.cli.picker.loop import PickerLoop
    from memlane.surfaces.cli.picker.terminal import Terminal
    from memlane.surfaces.cli.picker.view import opened

    with screen.lane() as lane:
        lane.search.indexed_share()  # where nothing is set up it is said before anything is drawn
    terminal = Terminal()
    looking = PickerLookup(screen, terminal.wake)
    loop = PickerLoop(screen, terminal, looking, opened(words, given))
    try:
        with terminal.taken():
            left = loop.run()
    finally:
        looking.close()
    if left == "stop":
        screen.leave(INTERRUPTED)
    screen.line(loop.view.command_line)


def needs_a_terminal(screen: Screen, option: str = "-i") -> None:
    hint = f"without {option} it prints the same as a list"
    if screen.json or screen.form.asked:
        raise UsageError(f"{option} is for people, --json and the like for programs", hint=hint)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(f"{option} needs an interactive terminal", hint=hint)
    if screen.config.variables.get("TERM", "dumb") in ("", "dumb"):
        raise UsageError("this terminal cannot show a picker (TERM=dumb)", hint=hint)
