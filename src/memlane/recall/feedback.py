"""What verdicts on one Memory come to. A person's count in full; an agent may have been talked into its own."""

from __future__ import annotations

from collections.abc import Iterable

from memlane.domain import Feedback

AN_AGENTS = 0.5  # of a person's
MOST_OF_AGENTS = 2.0  # all of theirs together


def net_downs(verdicts: Iterable[tuple[Feedback, float]]) -> float:
    """Each with how like its prompt is. What agents find useful only makes up for what agents found not useful: it
    lifts no Memory, and takes back nothing a person said."""
    people, agents = 0.0, 0.0
    for one, weight in verdicts:
        said = -weight if one.up else weight
        if one.by:
            agents += AN_AGENTS * said
        else:
            people += said
    return people + min(max(agents, 0.0), MOST_OF_AGENTS)
