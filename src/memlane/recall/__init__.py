"""What should the agent know now? Usually nothing; sometimes one note, and why."""

from memlane.recall.brief import brief, opening
from memlane.recall.choose import Choice, Said, choose, said_before, tokens_of
from memlane.recall.gather import eligible, gather
from memlane.recall.weights import BUDGET, SPECIFICITY, WEIGHTS, Budget, Specificity, Weights

__all__ = [
    "BUDGET",
    "SPECIFICITY",
    "WEIGHTS",
    "Budget",
    "Choice",
    "Said",
    "Specificity",
    "Weights",
    "brief",
    "choose",
    "eligible",
    "gather",
    "opening",
    "said_before",
    "tokens_of",
]
