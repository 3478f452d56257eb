"""What an agent reads of a Recall. Knows no agent and no surface."""

from __future__ import annotations

from memlane import recall
from memlane.domain import Recall, RecallMoment
from memlane.domain.door import FencedText
from memlane.domain.recall import RULE
from memlane.recall import Budget


def agent_text(found: Recall, budget: Budget) -> FencedText:
    """The Brief of it, or what to ask; empty for silence, and where only the person saw it."""
    if found.asks:
        return recall.question(found.asks, found.nonce)
    if found.earlier:
        return recall.offer(found.earlier[0], found.nonce)
    if found.shown and found.shown[0].source == RULE:
        rules = [match.memory for match in found.shown]
        return recall.opening(rules, len(rules), found.nonce, found.owner, budget)[0]
    told = found.shown and found.query.moment is not RecallMoment.ANSWER
    return recall.brief(found.shown, found.nonce, found.owner, found.at) if told else FencedText()
