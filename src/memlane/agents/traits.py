"""What is known about an agent as plain text: the variables it sets and reads, and when its model is given notes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Variables:
    """The environment variables of an agent; an export has none."""

    shell: tuple[str, ...] = ()  # set for the commands it runs, never in a person's terminal
    run: tuple[str, ...] = ()  # which of its runs calls
    project: str = ""  # the folder it works in, told to programs it starts
    homes: tuple[str, ...] = ()  # where a person moved its files
    borrows: str = ""  # set in hooks that it runs though they were made for Claude Code
    inherited: tuple[str, ...] = ()  # patterns: what makes an agent started by it take itself for a part of its run


@dataclass(frozen=True, slots=True)
class ToldAt:
    """When its model is given notes, in a word or two for the table in the README; "" for never.

    tests/acceptance/test_every_agent.py runs the real clients through each.
    """

    start: str = "yes"
    prompt: str = "yes"
    file: str = "yes"
    compaction: str = "yes"
