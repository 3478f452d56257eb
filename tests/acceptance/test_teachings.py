"""A person teaches the real Claude Code something: its agent knows that it is kept, and the next run is told."""

from __future__ import annotations

from tests.acceptance.hooks import until
from tests.acceptance.test_claude_code import AtHome, at_home

RULE = "add every new workspace package to the Dockerfile COPY list"
TEACHING = f"from now on {RULE}. @@say understood@@"
LATER = "the Dockerfile build fails since I added a workspace package @@say let me look@@"

__all__ = ["at_home"]


def confirmed(home: AtHome) -> bool:
    """Taught in a run of its own: whether its agent was told. A daemon that has just started is silent."""
    session = home.run(TEACHING)
    assert session.stdout.strip() == "understood"
    return session.saw('kept="yes"') and session.saw("Add every new workspace package")


def test_a_teaching_is_confirmed_kept_and_recalled_in_the_next_run(at_home: AtHome) -> None:
    assert until(lambda: confirmed(at_home), looks=5)

    def kept() -> list[str]:
        with at_home.hooked.lane() as lane:
            return [memory.title for memory in lane.memories.all() if memory.maker.startswith("taught")]

    assert until(lambda: kept() == [f"{RULE[0].upper()}{RULE[1:]}."])
    later = at_home.run(LATER)
    assert later.stdout.strip() == "let me look"
    assert until(lambda: at_home.recalls()[-1]["outcome"] == "shown")
    assert later.saw("Add every new workspace package to the Dockerfile COPY list.")
