"""Whether a text is ours, asked so that a hostile one costs no more than its length."""

from __future__ import annotations

from memlane.domain.ours import FENCE, holds_a_brief, is_our_command

LONGEST_COMMAND_LINE = 2000


def is_brief(said: str) -> bool:
    return FENCE in said and holds_a_brief(said)


def runs_us(command: str) -> bool:
    """Line by line and cut, for patterns search a long line again from every `;` in it."""
    return "lane" in command and any(
        is_our_command(line.strip()[:LONGEST_COMMAND_LINE]) for line in command.split("\n") if "lane" in line
    )
